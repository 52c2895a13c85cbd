"""A chosen t_min at the end of the time window, or so near that the window decided."""

from __future__ import annotations

import numpy as np

from gdr_app.widgets.later import at_the_edge, edge_sentence
from gdr_core.gdr import GDROptions, GDRResult, reclassify
from tools.check_sentences.oracle import methods, solve
from tools.check_sentences.report import NUMBER, Report, number, unit

END = (
    rf"The chosen t_min lies at the end of the time window, t = {NUMBER}: a later one may do "
    r"better\."
)
NEAR = (
    rf"The chosen t_min, {NUMBER}, is so close to the end of the time window, t = {NUMBER}, that "
    r"times after it could not be compared: one of them may do better\."
)
_WINDOWS = (0.1, 0.3, 1.0, 3.0)


def check_result(result: GDRResult, where: str) -> Report:
    """The sentence of one result, or that there is no need of one."""
    report, times = Report(), result.relative_times
    best, last = times[result.chosen], times[-1]
    validation = result.accuracy["validation"]
    differ = len(set(validation[~np.isnan(validation)].tolist())) > 1
    beyond = best * np.sqrt(2) > last * (1 + 1e-9)
    report.claim(where, "said where it is so", at_the_edge(result) == (differ and beyond))
    if not at_the_edge(result):
        return report
    read = report.read(where, edge_sentence(result), f"{END}|{NEAR}")
    if read is None:
        return report
    at_end, chosen, near = read.groups()
    report.claim(where, "at the end", (at_end is not None) == (best == last), (best, last))
    report.claim(where, "end", abs(number(at_end or near) - last) <= 1.01 * unit(last), last)
    if chosen is not None:
        report.claim(where, "chosen", abs(number(chosen) - best) <= 1.01 * unit(best), best)
        report.claim(where, "close, not at it", best < last < best * np.sqrt(2), (best, last))
    return report


def check(name: str) -> Report:
    """All methods of a small graph, with windows of several lengths."""
    total = Report()
    for prior, kind, scope in methods(solve(name, "uniform", "combinatorial")[0]):
        data, laplacian, result = solve(name, prior, kind, scope)
        for last in _WINDOWS:
            options = GDROptions(stationary=scope, last=last)
            found = reclassify(laplacian, result.start, data.labels, data.split, options)
            total += check_result(found, f"{name} {prior} {kind} {scope} to {last}")
    return total
