"""Does the graph help: verdicts, the report, table 6 and the guard, by counting and SciPy."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from scipy import stats

from gdr_core.gdr import RULES, Gain, GDRResult, verdict, with_rule
from gdr_core.report import page
from gdr_tools.beyond import guard, table
from tools.check_sentences.oracle import PRIORS, solve
from tools.check_sentences.report import Report, count

_SIGNED = r"(−?[\d.]+)"
COUNTED = (
    rf"of ([\d,]+) validation nodes it fixed ([\d,]+) and broke ([\d,]+), a (gain|loss) of "
    rf"([\d.]+) points \(95% interval {_SIGNED} to {_SIGNED}\)\."
)
HEADS = {
    "The graph helps: ": "better",
    "The graph misleads, and the prior is better kept: ": "worse",
    "Whether the graph helps cannot be told: ": "unsure",
}
FEW = (
    r"Whether the graph helps cannot be told: "
    r"(?:([\d,]+) validation nodes? (?:is|are) too few|no validation node has a known class)\."
)
STILL = (
    r"The graph neither helps nor misleads: of ([\d,]+) validation nodes it fixed none and broke "
    r"none\."
)


def _signed(text: str) -> float:
    return float(text.replace("−", "-"))


def check_verdict(text: str, nodes: int, fixed: int, broken: int, where: str) -> Report:
    """A verdict against counts, with SciPy's exact interval."""
    report = Report()
    if nodes < 20:
        if read := report.read(where, text, FEW):
            report.claim(where, "too few", count(read[1] or "0") == nodes, text)
        return report
    if not fixed + broken:
        if read := report.read(where, text, STILL):
            report.claim(where, "validation nodes", count(read[1]) == nodes, text)
        return report
    heads = "|".join(map(re.escape, HEADS))
    read = report.read(where, text, f"({heads}){COUNTED}")
    if read is None:
        return report
    said = tuple(count(read[k]) for k in (2, 3, 4))
    report.claim(where, "counts", said == (nodes, fixed, broken), text)
    gain = 100 * (fixed - broken) / nodes
    signed = float(read[6]) * (1 if read[5] == "gain" else -1)
    report.claim(where, "gain", abs(signed - gain) <= 0.0501, (text, gain))
    moved = fixed + broken
    exact = stats.binomtest(fixed, moved).proportion_ci(0.95, method="exact")
    ends = [100 * (2 * end - 1) * moved / nodes for end in (exact.low, exact.high)]
    for kind, told, end in zip(("low", "high"), (read[7], read[8]), ends, strict=True):
        report.claim(where, f"{kind} end", abs(_signed(told) - end) <= 0.0501, (text, end))
    sure = "better" if ends[0] > 0 else "worse" if ends[1] < 0 else "unsure"
    report.claim(where, "verdict", HEADS[read[1]] == sure, (text, ends))
    return report


def every_gain() -> Report:
    """All counts of up to 26 nodes, and some of larger sets."""
    total = Report()
    sets = [(n, b, c) for n in range(27) for b in range(n + 1) for c in range(n + 1 - b)]
    sets += [(n, b, c) for n in (500, 1204) for b in (0, 1, 5, 110) for c in (0, 1, 5, 12, 110)]
    for nodes, fixed, broken in sets:
        text = verdict(Gain(nodes, fixed, broken))
        total += check_verdict(text, nodes, fixed, broken, f"gain {nodes} {fixed} {broken}")
    return total


def check(name: str, step: int = 1) -> Report:
    """Verdict and report of a dataset for every t_min, rule and several priors."""
    total = Report()
    for prior in PRIORS:
        _, _, result = solve(name, prior, "combinatorial")
        for rule in RULES:
            total += _check_times(with_rule(result, rule), f"{name} {prior} {rule}", step)
    return total


def _check_times(result: GDRResult, where: str, step: int) -> Report:
    total, truth = Report(), result.truth
    members = result.split.validation
    members = members[truth[members] >= 0]
    was = result.prior_labels == truth
    for index in range(0, result.times.size, step):
        right = result.scan.predicted[index] == truth
        fixed = int((right & ~was)[members].sum())
        broken = int((was & ~right)[members].sum())
        now, at = result.at(index), f"{where} t_min {index}"
        total += check_verdict(verdict(now.gain), members.size, fixed, broken, at)
        total += _check_tally(page.verdict_of(now), result, index, at)
    return total


def _check_tally(text: str, result: GDRResult, index: int, where: str) -> Report:
    """The first sentence of the report against counting."""
    report, truth = Report(), result.truth
    before, after = result.prior_labels, result.scan.predicted[index]
    moved, known = before != after, truth >= 0
    counts = (
        moved.sum(),
        (moved & known & (after == truth)).sum(),
        (moved & known & (before == truth)).sum(),
        (moved & known & (before != truth) & (after != truth)).sum(),
        (moved & ~known).sum(),
    )
    read = report.read(
        where,
        text,
        r"<p>(?:No node was relabelled\.|([\d,]+) nodes? (?:was|were) relabelled: ([\d,]+) fixed, "
        r"([\d,]+) broken, ([\d,]+) still wrong(?:, ([\d,]+) whose class is not known "
        r"here)?\.)</p>",
    )
    if read is not None:
        said = tuple(count(group or "0") for group in read.groups())
        report.claim(where, "relabelled", said == tuple(map(int, counts)), (text, counts))
    return report


def check_table_6() -> Report:
    """Who the best diffusion method is ahead of, against SciPy's paired t interval."""
    report = Report()
    for column in table.columns(table.stored()):
        if column.kind != table.RANDOM or column.dataset not in table.CITATIONS:
            continue
        text, where = table._stands(column), f"table 6 {column.dataset}"
        if column.best is None:
            report.claim(where, "nothing run", "no diffusion method" in text, text)
            continue
        report.read(where, text, r"\w+: .+ \([\d.]+ %\) is .+\.")
        labels = {table.METHODS[rival].label: rival for rival in table.RIVALS}
        part, seen = "", set()
        for piece in _pieces(text.partition(" %) is ")[2].rstrip(".")):
            part = next((v for v in VERDICTS if piece.startswith(v)), part)
            name = piece.removeprefix(part).strip().partition(" (")[0]
            if part == "not compared with" or name not in labels:
                continue
            seen.add(labels[name])
            gaps = np.subtract(column.best.test, column.entries[labels[name]].test) * 100
            ends = stats.ttest_1samp(gaps, 0).confidence_interval(0.95)
            sure = VERDICTS[0] if ends.low > 0 else VERDICTS[1] if ends.high < 0 else VERDICTS[2]
            near = min(abs(ends.low), abs(ends.high)) < 0.01
            report.claim(where, "stands", near or part == sure, (piece, ends))
            numbers = [_signed(n.replace("+", "")) for n in re.findall(r"[+−]?\d+\.\d", piece)]
            close = np.allclose(numbers, [gaps.mean(), ends.low, ends.high], atol=0.0601)
            report.claim(where, "lead and interval", close, (piece, gaps.mean(), ends))
        there = {rival for rival in table.RIVALS if rival in column.entries}
        report.claim(where, "every rival", seen == there, (seen, there))
    return report


VERDICTS = ("ahead of", "behind", "not told apart from", "not compared with")


def _pieces(text: str) -> Iterator[str]:
    """One rival each; commas inside brackets part nothing."""
    for group in text.split("; "):
        yield from re.split(r", (?![^(]*\))", group)


def check_guard() -> Report:
    """The statement on the guard against the stored counts, with SciPy's exact interval."""
    report, found = Report(), guard.stored()
    every = [*found["levels"], *found["graphs"]]
    text, where = guard.statement(found), "guard"
    if not every:
        report.read(where, text, r"The guard was not run\.")
        return report
    read = report.read(
        where,
        text,
        r"Over (\d+) homophil(?:y|ies) of block models and (\d+) heterophilous graphs? \(prior: "
        r".+?\) the guarded method was (never|at .+?) significantly worse than its prior "
        r"\(interval wholly below 0\), plain GDR (never|at .+?)\. Of ([\d,]+) single graphs and "
        r"splits, the guarded method was so on ([\d,]+)\.",
    )
    if read is None:
        return report
    report.claim(where, "levels", int(read[1]) == len(found["levels"]))
    report.claim(where, "graphs", int(read[2]) == len(found["graphs"]))
    report.claim(where, "draws", count(read[5]) == sum(one["draws"] for one in every))
    for way, told in (("guarded", read[3]), ("plain", read[4])):
        worse = [
            one.get("dataset") or f"homophily {one['homophily']:g}"
            for one in every
            if _is_worse(one[way])
        ]
        said = [] if told == "never" else told.removeprefix("at ").split(", ")
        report.claim(where, f"{way} worse", said == worse, (said, worse))
    return report


def _is_worse(one: dict) -> bool:  # type: ignore[type-arg]
    moved = one["fixed"] + one["broken"]
    if not moved or one["nodes"] < 20:
        return False
    return stats.binomtest(one["fixed"], moved).proportion_ci(0.95, method="exact").high < 0.5
