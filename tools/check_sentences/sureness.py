"""How sure labels are: shares by dense curves, calibration and its error written out."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize

from gdr_app.relabel import sureness
from gdr_core.gdr import RULES, GDRResult, with_rule
from gdr_core.gdr.confidence import EVENNESS, Confidence, confidence
from gdr_core.method import Method
from tools.check_sentences.oracle import Oracle, oracle, solve
from tools.check_sentences.report import Report, count

METHODS = (
    ("projection", "combinatorial", "global"),
    ("label-propagation", "combinatorial", "component"),
)
FEWEST = 20
BINS = 10
_LOWEST = 1e-12  # what a probability of 0 counts for
_LOGS = np.linspace(-8, 8, 161)  # ln T, where the search for T begins
_ERROR = (
    r"On ([\d,]+) validation nodes confidence and accuracy lie \*\*([\d.]+) points\*\* apart as "
    r"raw shares and \*\*([\d.]+) points\*\* once calibrated \(expected calibration error; for "
    r"each half of these nodes the calibration was fitted on the other half\)\."
)
FEW = (
    r"The error is not measured: (?:no validation node has a known class|([\d,]+) validation "
    r"nodes? of known class (?:is|are) too few to fit the calibration on one half and judge it on "
    r"the other)\."
)
GIVEN = r"\*\*Node .+\*\* is a training node: its class is known\."
NODE = r"\*\*Node .+\*\*, \*.+\*: share \*\*(\d+)%\*\*(?:, calibrated \*\*(\d+)%\*\*)?\."


def check(name: str) -> Report:
    """Every rule at the chosen t_min and both ends of the grid, all nodes."""
    report = Report()
    for prior, kind, scope in METHODS:
        data, laplacian, result = solve(name, prior, kind, scope)
        exact = oracle(laplacian, result, np.arange(data.nodes))
        for rule in RULES:
            read = with_rule(result, rule)
            view = Method.on(name, prior=prior, laplacian=kind, stationary=scope, rule=rule)
            for index in dict.fromkeys((0, read.chosen, read.times.size - 1)):
                where = f"{name} {prior} {scope} {rule} t_min {index}"
                _check(report, where, view, read, exact, index)
    return report


def _check(
    report: Report, where: str, view: Method, result: GDRResult, exact: Oracle, index: int
) -> None:
    found, data = confidence(result, index), view.load_dataset()
    labels, truth = result.scan.predicted[index], data.labels
    expected = shares(exact, result, index)
    known = data.split.validation
    known = known[truth[known] >= 0]
    report.claim(where, "enough to calibrate", found.calibration.enough == (known.size >= FEWEST))
    _check_meaning(report, where, view, found)
    _check_error(report, where, found, expected, truth, known)
    fitted = calibrated(expected, expected[known], truth[known])
    for node in range(data.nodes):
        label, at = int(labels[node]), f"{where} node {node}"
        text = sureness.node_sentence(data, found, label, node)
        if node in data.split.train:
            report.read(at, text, GIVEN)
            continue
        read = report.read(at, text, NODE)
        if read is None:
            continue
        share = expected[node, label]
        report.claim(at, "share", abs(int(read[1]) - 100 * share) <= 0.6, (text, share))
        report.claim(at, "largest share", share >= expected[node].max() - 1e-6, (text, share))
        report.claim(at, "calibrated or not", (read[2] is not None) == (known.size >= FEWEST))
        if read[2] is not None:
            sure = fitted[node]
            close = abs(int(read[2]) - 100 * sure[label]) <= 1.1
            report.claim(at, "calibrated", close, (text, sure[label]))
            report.claim(at, "no label changes", sure[label] >= sure.max() - 1e-6, (text, sure))


def _check_meaning(report: Report, where: str, view: Method, found: Confidence) -> None:
    text = sureness.meaning(view, found)
    report.sentences += 1
    exchanged = "exchange their shares" in text
    report.claim(where, "exchange", exchanged == (view.rule != "overshoot"), text)
    unfitted = "too few validation nodes" in text
    report.claim(where, "fitted", unfitted != found.calibration.enough, text)


def _check_error(
    report: Report,
    where: str,
    found: Confidence,
    rows: np.ndarray,
    truth: np.ndarray,
    known: np.ndarray,
) -> None:
    text = sureness.error_sentence(found)
    halves = known[::2], known[1::2]
    if min(half.size for half in halves) < FEWEST:
        if read := report.read(where, text, FEW):
            report.claim(where, "too few", count(read[1] or "0") == known.size, text)
        return
    if (read := report.read(where, text, _ERROR)) is None:
        return
    report.claim(where, "validation nodes", count(read[1]) == known.size, text)
    raw = 100 * calibration_error(rows[known], truth[known])
    report.claim(where, "error of shares", abs(float(read[2]) - raw) <= 0.06, (text, raw))
    judged = rows.copy()
    for half, other in (halves, halves[::-1]):
        judged[half] = calibrated(rows[half], rows[other], truth[other])
    after = 100 * calibration_error(judged[known], truth[known])
    # Bins are cut between nodes that are equally sure but for the last digits of T.
    report.claim(where, "error after", abs(float(read[3]) - after) <= 0.3, (text, after))


def shares(exact: Oracle, result: GDRResult, index: int) -> np.ndarray:
    """Ω/ΣΩ by dense curves; the label's class and the largest one exchange their shares."""
    heights = np.maximum(exact.peaks[index] - exact.pi, 0)
    rising = heights.max(axis=1) > result.error_bound
    rows = np.where(rising[:, None], heights, result.start)
    rows[result.split.train] = result.start[result.split.train]
    rows /= rows.sum(axis=1, keepdims=True)
    for node, label in enumerate(result.scan.predicted[index]):
        first = int(rows[node].argmax())
        rows[node, [first, label]] = rows[node, [label, first]]
    return rows


def calibrated(rows: np.ndarray, fitted_on: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """q ∝ ((1 − ε) p + ε/C)^{1/T} for the ε of EVENNESS and the T with the lowest log-loss."""
    classes = rows.shape[1]

    def turned(probabilities: np.ndarray, evenness: float, log: float) -> np.ndarray:
        mixed = np.maximum((1 - evenness) * probabilities + evenness / classes, _LOWEST)
        powers = np.log(mixed) / np.exp(log)
        powers = np.exp(powers - powers.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True))

    def loss(evenness: float, log: float) -> float:
        q = turned(fitted_on, evenness, log)[np.arange(truth.size), truth]
        return float(-np.log(np.maximum(q, 1e-300)).mean())

    best = (np.inf, 0.0, 0.0)
    for evenness in EVENNESS if truth.size else ():
        begin = min(_LOGS, key=lambda log: loss(evenness, log))
        found = minimize(lambda log: loss(evenness, log[0]), [begin], method="Nelder-Mead")  # noqa: B023
        best = min(best, (float(found.fun), evenness, float(np.clip(found.x[0], -8, 8))))
    return turned(rows, best[1], best[2])


def calibration_error(rows: np.ndarray, truth: np.ndarray) -> float:
    """Σ_b n_b/n |share right − mean confidence|, bins of equally many nodes by confidence."""
    sure = rows.max(axis=1)
    groups = np.array_split(np.argsort(sure, kind="stable"), BINS)
    right = rows.argmax(axis=1) == truth
    gaps = [g.size * abs(right[g].mean() - sure[g].mean()) for g in groups if g.size]
    return sum(gaps) / truth.size
