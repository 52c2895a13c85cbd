"""Sentences about curves: why a node has its label."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np

from gdr_core import datasets
from gdr_core.explanation.claims import in_words
from gdr_core.explanation.verdict import claims, judge, sentence
from gdr_core.gdr import RULES, GDRResult, with_rule
from gdr_core.laplacians import Laplacian
from tools.check_sentences.oracle import FINER, Oracle, methods, oracle, solve
from tools.check_sentences.report import NUMBER, Report, number, unit

_GOAL = (
    rf"(?:π = {NUMBER}|{NUMBER}, the long-run value of its component "
    rf"\(π, over the whole graph, is {NUMBER}\))"
)
LOOKS = rf"From t_min = {NUMBER} to the end of the time window at t = {NUMBER}, "
_MOVES = {
    "rises": rf"the belief in (.+?) rises from {NUMBER} to {NUMBER} \(at t = {NUMBER}\) and ",
    "hardly": rf"the belief in (.+?) is highest at t = {NUMBER}, {NUMBER}, "
    r"hardly above its value at t_min, and ",
    "start": rf"the belief in (.+?) is highest at t_min itself, {NUMBER}, and ",
}
ENDS = {
    "falls": rf"then falls to {_GOAL}\.",
    "towards": rf"then falls towards {_GOAL}; at the end of the window it is still {NUMBER}\.",
    "below": rf"then falls: at the end of the window it is {NUMBER}, "
    rf"below {_GOAL}, where it ends\.",
    "later": rf"falls to {_GOAL} after the window\.",
    "climbs": rf"ends higher, at {_GOAL}\.",
    "stays": rf"ends at nearly the same value, {_GOAL}\.",
}
_WINS = rf" Its ([a-z_ ]+), {NUMBER}, is the largest( to within the error)?"
RIVALS = {
    "second": rf"; next is (.+?) with {NUMBER}\.",
    "below": r"; no other class gets above its π\.",
    "alone": r"; no other class can win\.",
}
_BECOMES = {"stays": r" So the prior's (.+?) stays\.$", "becomes": r" So (.+?) becomes (.+)\.$"}
GIVEN = r"This is a training node: its class, (.+?), is known and stays\."
_KEEPS = r"no class gets above its π\. So the prior's (.+?) stays\."


class Checker:
    """One sentence at one node and t_min; every `claim` that fails is noted."""

    def __init__(
        self, exact: Oracle, place: int, index: int, error: float, where: str, report: Report
    ):
        self.exact, self.place, self.index = exact, place, index
        self.error, self.where = error, where
        self.report = report
        report.sentences += 1
        self.now = exact.values[index, place]
        self.peak = exact.peaks[index, place]
        self.fine_peak = exact.fine_peaks[index, place]
        self.last = exact.values[-1, place]
        self.limit, self.pi = exact.limit[place], exact.pi[place]
        curves = exact.fine[index * FINER :, place]
        self.wiggle = 1e-3 * max(float(np.ptp(curves)), 1e-12) + 4 * error

    def claim(self, kind: str, holds: bool, detail: object = "") -> None:
        """Count a claim, and note it where it is false."""
        self.report.claim(self.where, kind, holds, detail)

    def same(self, kind: str, text: str, value: float) -> None:
        """A printed number is the exact one, to the digits printed."""
        said = number(text)
        close = abs(said - value) <= 1.01 * unit(said or value) + 2 * self.error
        self.claim(kind, close, f"said {text}, is {value:.6g}")

    def movement(self, kind: str, groups: Sequence[str], names: Sequence[str]) -> int:
        """What the winner's curve does in the window; returns its class."""
        label = names.index(groups[0])
        now, peak = self.now[label], self.peak[label]
        if kind == "start":
            self.same("peak", groups[1], peak)
            self.claim("highest at t_min", peak - now <= 4 * self.error, (peak, now))
            self.claim("highest at t_min, between", self.fine_peak[label] - now <= self.wiggle)
            return label
        if kind == "rises":
            self.same("value at t_min", groups[1], now)
        time, height = groups[-1], groups[-2]
        if kind == "hardly":
            time, height = groups[1], groups[2]
            self.claim("hardly", peak - now <= 2.1 * unit(peak), (peak, now))
        self.same("peak", height, peak)
        self.claim("rises", peak > now, (peak, now))
        self.claim("no higher between", self.fine_peak[label] - peak <= self.wiggle)
        at = np.abs(self.exact.times - number(time)) <= 1.01 * unit(number(time))
        at[: self.index] = False
        there = self.exact.values[at, self.place, label]
        self.claim("peak time", bool((there >= peak - 4 * self.error).any()), time)
        return label

    def ending(self, kind: str, groups: Sequence[str | None], label: int) -> None:
        """Where the winner's curve goes."""
        groups = list(groups)
        still = groups.pop(0) if kind == "below" else groups.pop() if kind == "towards" else None
        peak, end = self.peak[label], self.limit[label]
        if groups[0] is not None:
            self.same("ends at π", groups[0], end)
            self.same("π", groups[0], self.pi[label])
        else:
            self.same("end", groups[1] or "", end)
            self.same("π", groups[2] or "", self.pi[label])
        reach = max(abs(self.now[label] - end), abs(peak - end))
        left = self.last[label] - end
        if still is not None:
            self.same("end of the window", still, self.last[label])
            self.claim(
                "still above" if kind == "towards" else "below", (left > 0) == (kind == "towards")
            )
        if kind in ("falls", "towards", "below", "later"):
            self.claim("falls", end < peak, (end, peak))
        if kind == "later":
            self.claim("highest at the end", self.last[label] >= peak - 4 * self.error)
        if kind == "falls":
            near = abs(left) <= 0.0101 * reach + 2 * unit(end) + 4 * self.error
            self.claim("has settled", near, (left, reach))
        if kind == "climbs":
            self.claim("climbs", end > peak, (end, peak))
        if kind == "stays":
            self.claim("stays", abs(end - peak) <= 2.1 * unit(end) + 4 * self.error, (end, peak))

    def values_of(self, measure: str, rule: str) -> np.ndarray:
        """What a rule compares, by its definition; −∞ for classes that cannot win."""
        if measure == "overshoot height":
            return self.peak - self.pi
        if measure == "belief at t_min":
            return self.now
        risen = self.peak - self.pi > self.error
        return np.where(risen, self.peak, -np.inf) if rule == "peak" else self.peak

    def winner(self, groups: Sequence[str | None], rule: str, label: int) -> np.ndarray:
        """The measure, its value, and that no other is larger."""
        measure, value, tied = groups
        values = self.values_of(measure or "", rule)
        self.same("measure", value or "", values[label])
        self.claim("largest", values[label] >= values.max() - 4 * self.error, values)
        others = np.delete(values, label)
        if tied:
            self.claim("tied", abs(values[label] - others.max()) <= 4 * self.error, values)
        if rule == "reference":
            every = bool((self.peak - self.pi > self.error).all())
            near = np.abs(self.peak - self.pi - self.error).min() < 2 * self.error
            self.claim("which measure", near or every == (measure == "highest belief"))
        return values

    def rival(
        self, kind: str, groups: Sequence[str], values: np.ndarray, label: int, names
    ) -> None:  # type: ignore[no-untyped-def]
        """The class that comes second."""
        others = np.delete(np.arange(values.size), label)
        if kind == "second":
            second = names.index(groups[0])
            self.same("second", groups[1], values[second])
            best = values[others].max()
            self.claim("next", second != label and values[second] >= best - 4 * self.error, values)
        if kind == "below":
            over = (self.peak - self.pi)[others]
            self.claim("no other overshoots", bool((over <= 3 * self.error).all()), over)
            finer = (self.fine_peak - self.pi)[others]
            self.claim("no other overshoots, between", bool((finer <= self.wiggle).all()), finer)

    def kept(self) -> None:
        """No class gets above its π."""
        over = self.peak - self.pi
        self.claim("no class overshoots", bool((over <= 3 * self.error).all()), over)
        between = self.fine_peak - self.pi
        self.claim("no class overshoots, between", bool((between <= self.wiggle).all()), between)


def _match_one(patterns: dict[str, str], text: str) -> tuple[str, re.Match[str]] | None:
    """The first pattern that the text begins with."""
    for kind, pattern in patterns.items():
        if found := re.match(pattern, text):
            return kind, found
    return None


def check_text(checker: Checker, text: str, rule: str, names: Sequence[str], truth: dict) -> None:  # type: ignore[type-arg]
    """Read a sentence and check each thing that it says; `truth` holds label, prior, given."""
    if found := re.fullmatch(GIVEN, text):
        checker.claim("training node", truth["given"] and names[truth["label"]] == found[1])
        return
    looks = re.match(LOOKS, text)
    if looks is None:
        checker.claim("readable", False, text)
        return
    checker.same("t_min", looks[1], float(checker.exact.times[checker.index]))
    checker.same("window", looks[2], float(checker.exact.times[-1]))
    text = text[looks.end() :]
    if found := re.fullmatch(_KEEPS, text):
        checker.kept()
        stays = truth["label"] == truth["prior"] and names[truth["prior"]] == found[1]
        checker.claim("prior stays", stays)
        return
    said = []
    for patterns in (_MOVES, ENDS, {"wins": _WINS}, RIVALS, _BECOMES):
        one = _match_one(patterns, text)
        if one is None:
            checker.claim("readable", False, text)
            return
        said.append(one)
        text = text[one[1].end() :]
    checker.claim("readable", text == "", text)
    (moves, ends, wins, rival, becomes) = said
    label = checker.movement(moves[0], moves[1].groups(), names)
    checker.ending(ends[0], ends[1].groups(), label)
    values = checker.winner(wins[1].groups(), rule, label)
    checker.rival(rival[0], rival[1].groups(), values, label, names)
    before = names[truth["prior"]]
    told = (before, before) if becomes[0] == "stays" else (before, names[label])
    stated = (becomes[1][1], becomes[1][becomes[1].lastindex or 1])
    checker.claim("label", label == truth["label"] and stated == told, stated)


def check_result(
    laplacian: Laplacian,
    result: GDRResult,
    names: tuple[str, ...],
    nodes: np.ndarray,
    indices: Iterable[int],
    rules: Iterable[str] = tuple(RULES),
    where: str = "",
) -> Report:
    """All sentences for some nodes and t_min, by all rules."""
    exact = oracle(laplacian, result, nodes)
    total = Report()
    indices = list(indices)
    for rule in rules:
        ruled = with_rule(result, rule)
        for place, node in enumerate(nodes.tolist()):
            for index in indices:
                verdict = judge(ruled, node, index)
                text = sentence(verdict, names)
                tag = f"{where} {rule} node {node} t_min {index}"
                checker = Checker(exact, place, index, result.error_bound, tag, total)
                checker.claim("made of claims", text == in_words(claims(verdict), names))
                truth = {
                    "label": int(ruled.scan.predicted[index, node]),
                    "prior": int(result.start[node].argmax()),
                    "given": node in result.split.train,
                }
                check_text(checker, text, rule, names, truth)
    return total


def check_small(
    name: str, step: int = 1, sparse: int = 10, most: int | None = None, full: bool = False
) -> Report:
    """All nodes and rules of a small graph, at the t_min of `moments`.

    most   how many of the methods; None: all
    full   every t_min by every method
    """
    total = Report()
    data = datasets.load_dataset(name)
    for place, (prior, kind, scope) in enumerate(methods(data)[:most]):
        data, laplacian, result = solve(name, prior, kind, scope)
        skip = 1 if full else sparse if place else step
        indices = moments(result, skip * (10 if data.nodes > 100 and not full else 1))
        every, where = np.arange(data.nodes), f"{name} {prior} {kind} {scope}"
        total += check_result(laplacian, result, data.class_names, every, indices, where=where)
    return total


def moments(result: GDRResult, step: int) -> list[int]:
    """Every `step`-th t_min from the first on, the last, and the chosen one."""
    count = result.times.size
    return sorted({*range(0, count, step), count - 1, result.chosen})


def check_citations(name: str, count: int = 150) -> Report:
    """A sample of a citation graph, half of it from the small components."""
    data, laplacian, result = solve(name, "projection", "combinatorial")
    random = np.random.default_rng(0)
    small = np.flatnonzero(laplacian.components > 0)
    large = np.flatnonzero(laplacian.components == 0)
    nodes = np.concatenate([random.choice(part, count // 2, False) for part in (small, large)])
    moved = np.flatnonzero(result.predictions() != result.prior_labels)
    nodes = np.union1d(nodes, moved)
    indices = sorted({0, 20, 60, 100, 140, 199, result.chosen})
    return check_result(laplacian, result, data.class_names, nodes, indices, where=name)
