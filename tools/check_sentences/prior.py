"""Prior: where its mistakes are. Neighbours are counted one by one, by NetworkX."""

from __future__ import annotations

import re

import networkx as nx
import numpy as np

from gdr_app.prior.nearby import wrong_sentence
from gdr_core import datasets, priors
from gdr_core.datasets.hiding import hide_test
from gdr_core.datasets.record import Dataset
from gdr_core.priors.assessment import wrong_nearby
from tools.check_sentences.report import Report, count

KINDS = {
    "right": "mostly right neighbours",
    "wrong": "at least as many wrong neighbours as right ones",
    "alone": "no neighbour whose class is shown",
}
_LEFT_OUT = r"(?: Neighbours whose class is not shown are not counted\.)?"
_ONE = r"One node whose class is shown is wrong; it has ([^.]+)\."
ALL = r"All \*\*([\d,]+)\*\* wrong nodes whose class is shown have ([^.]+)\."
_SOME = r"Of the \*\*([\d,]+)\*\* wrong nodes whose class is shown, (.+?)\."
PART = r"\*\*([\d,]+)\*\* (has|have) ([a-z ]+?)(?=, \*\*| and \*\*|$)"
NONE = r"No node whose class is shown is wrong\.|No node's class is shown, so that nothing .*"


def neighbours_of_wrong(data: Dataset, predicted: np.ndarray) -> dict[str, int]:
    """How many wrong nodes have neighbours of each kind, by definition."""
    network = nx.Graph(data.undirected)
    truth, found = data.labels, dict.fromkeys(KINDS, 0)
    for node in np.flatnonzero((truth >= 0) & (predicted != truth)).tolist():
        near = [j for j in network[node] if j != node and truth[j] >= 0]
        wrong = sum(predicted[j] != truth[j] for j in near)
        kind = "alone" if not near else "right" if 2 * wrong < len(near) else "wrong"
        found[kind] += 1
    return found


def check_sentence(text: str, truth: dict[str, int], where: str, hidden: bool) -> Report:
    """The sentence against the counts."""
    report = Report()
    total = sum(truth.values())
    found = report.read(where, text, f"(?:{_ONE}|{ALL}|{_SOME}){_LEFT_OUT}|{NONE}")
    if found is None:
        return report
    one, every, kind_of_all, some, parts = found.groups()
    said = dict.fromkeys(KINDS, 0)
    names = {words: kind for kind, words in KINDS.items()}
    if one:
        said[names.get(one, one)] = 1
    elif every:
        said[names.get(kind_of_all, kind_of_all)] = count(every)
    elif some:
        report.claim(where, "wrong nodes", count(some) == total, (some, total))
        for number, verb, words in re.findall(PART, parts):
            said[names.get(words, words)] = count(number)
            report.claim(where, "has or have", (verb == "has") == (count(number) == 1), text)
    report.claim(where, "kinds of neighbours", said == truth, (said, truth))
    if total:
        told = "are not counted" in text
        report.claim(where, "who is not counted", told == hidden, text)
    return report


def check(name: str, kinds: tuple[str, ...] = ("projection", "uniform", "linear")) -> Report:
    """A dataset with test hidden and shown, by several priors."""
    total = Report()
    for data in (datasets.load_dataset(name), hide_test(datasets.load_dataset(name))):
        for prior in kinds:
            if priors.spec_of(prior).needs_features and not data.features.shape[1]:
                continue
            predicted = priors.compute_prior(prior, data).argmax(axis=1)
            shares = wrong_nearby(data.undirected, data.labels, predicted)
            text = wrong_sentence(data.labels, predicted, shares)
            hidden = bool((data.labels < 0).any())
            truth = neighbours_of_wrong(data, predicted)
            total += check_sentence(text, truth, f"{name} {prior}", hidden)
    return total
