"""The example that a page begins with: its curve does what the text says, none does so more.

The curves are given: exact ones for small graphs, those of the engine where a graph is too large
for dense matrices.
"""

from __future__ import annotations

import re

import numpy as np

from gdr_app.overshoot.examples import example_of
from gdr_core import datasets
from gdr_core.explanation.highlights import summits
from gdr_core.gdr import RULES, GDRResult, with_rule
from tools.check_sentences.oracle import methods, oracle, solve
from tools.check_sentences.report import Report

_SEEN = 0.02  # the smallest rise of a belief that one sees in a chart
START = r"an \*\*example\*\*: "
KINDS = {
    "after t_min": rf"{START}at the t_min that GDR chose, its new class rises above π after t_min "
    r"and falls back more clearly than at any other node that changes its label",
    "any time": rf"{START}of the nodes that change their label at the t_min that GDR chose, the "
    r"one whose new class, seen from t = 0 on, most clearly rises above π and falls back; after "
    r"that t_min the new class of no such node visibly does so",
    "margin": rf"{START}of the nodes that change their label at the t_min that GDR chose, the one "
    r"with the largest margin",
    "none": rf"{START}at the t_min that GDR chose no node changes its label; this one has the "
    r"largest margin",
}


def heights(curves: np.ndarray, levels: np.ndarray, index: int) -> np.ndarray:
    """How high each curve rises after a t_min: above p(0), p(t_min) and its levels, at least.

    curves   shape (times, curves)
    levels   π and the end of each curve, shape (2, curves)
    """
    peak = curves[index:].max(axis=0)
    lows = np.concatenate([curves[[0, index]], levels])
    return peak - lows.max(axis=0)


def check_example(result: GDRResult, curves: np.ndarray, limit: np.ndarray, where: str) -> str:
    """The kind of example that a result has; an `AssertionError` says what is false of it."""
    node, text = example_of(summits(result, result.chosen))
    kind = next((kind for kind, form in KINDS.items() if re.fullmatch(form, text)), None)
    assert kind is not None, f"{where}: {text}"
    labels, every = result.predictions(), np.arange(result.prior_labels.size)
    moved = labels != result.prior_labels
    new = curves[:, every, labels]
    levels = np.stack([result.stationary[every, labels], limit[every, labels]])
    near = 4 * result.error_bound
    late, ever = heights(new, levels, result.chosen), heights(new, levels, 0)
    assert moved[node] == (kind != "none"), f"{where}: {text}"
    assert moved.any() == (kind != "none"), f"{where}: {text}"
    if kind == "after t_min":
        assert late[node] > _SEEN - near, f"{where}: rises by {late[node]}"
        assert late[node] >= late[moved].max() - near, f"{where}: another rises more"
        return kind
    if kind == "any time":
        assert ever[node] > _SEEN - near, f"{where}: rises by {ever[node]}"
        assert ever[node] >= ever[moved].max() - near, f"{where}: another rises more"
    assert late[moved].max(initial=0) <= _SEEN + near, f"{where}: one is seen after t_min"
    assert kind == "any time" or ever[moved].max(initial=0) <= _SEEN + near, f"{where}: one is seen"
    excess = np.sort(curves[result.chosen :].max(axis=0) - result.stationary, axis=1)
    margin = excess[:, -1] - excess[:, -2] if excess.shape[1] > 1 else excess[:, -1]
    among = moved if kind == "margin" else ~np.isin(every, result.split.train)
    if kind in ("margin", "none") and among.any():
        assert margin[node] >= margin[among].max() - near, f"{where}: another margin is wider"
    return kind


def check(name: str) -> Report:
    """The examples of a small graph: all methods, all rules."""
    report = Report()
    for method in methods(datasets.load_dataset(name)):
        data, laplacian, result = solve(name, *method)
        exact = oracle(laplacian, result, np.arange(data.nodes))
        for rule in RULES:
            report.sentences += 1
            where = f"{name} {' '.join(method)} {rule} example"
            try:
                kind = check_example(with_rule(result, rule), exact.values, exact.limit, where)
            except AssertionError as fault:
                report.claim(where, "example", False, fault)
            else:
                report.claim(where, f"example, {kind}", True)
    return report
