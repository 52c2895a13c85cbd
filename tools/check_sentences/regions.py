"""Prior by region: what is said of its regions, from counts made node by node."""

from __future__ import annotations

from collections import Counter

import numpy as np

from gdr_app.prior.regions import (
    after_sentence,
    least_of,
    mistakes_in,
    place_sentence,
    regions_sentence,
)
from gdr_core import datasets, priors
from gdr_core.datasets.hiding import hide_test
from gdr_core.datasets.record import Dataset
from gdr_core.graphs.regions import regions
from gdr_core.priors.by_region import RegionalMistakes
from tools.check_sentences.report import Report, count

NUMBER = r"\*\*([\d,]+)\*\*"
_REGIONS = (
    r"A \*\*region\*\* is a group of (\d+) or more nodes with many edges inside and few to the "
    r"rest\. There (?:is|are) \*\*([\d,]+) regions?\*\*"
    r"(?:, and ([\d,]+) smaller (?:one|ones), put together)?\. "
)
JUDGED = (
    r"Of the ([\d,]+) nodes? that are \*\*judged\*\*, their class being shown and not given to the "
    rf"prior, {NUMBER} (?:is|are) wrong \(([\d.]+)%\)\."
)
_VARIES = (
    r"(?: From region to region this share varies \*\*([\d.]+) times\*\* as much as if the "
    r"mistakes fell on judged nodes by chance \(p = ([\d.e-]+)\): "
    r"(mistakes stand together|this may be chance)\.)?"
)
NOBODY = r"No class is shown but those that the prior was given: nothing is judged\."
NONE = r"No (\d+) nodes of this graph are held together by edges: it has no regions\."
SAID = rf"(?:{_REGIONS}(?:{JUDGED}{_VARIES}|{NOBODY})|{NONE})"


def check_sentence(text: str, data: Dataset, groups: np.ndarray, wrong: set[int]) -> Report:
    """The sentence about all regions, against the definition of each of its numbers."""
    report, where = Report(), data.name
    found = report.read(where, text, SAID)
    if found is None:
        return report
    least, large, small, judged, mistaken, share, times, p, verdict, none = found.groups()
    sizes = Counter(groups.tolist())
    big = {group for group, size in sizes.items() if size >= least_of(data.nodes)}
    report.claim(where, "least", int(least or none) == least_of(data.nodes), text)
    report.claim(where, "no regions", (none is not None) == (not big), text)
    if none is not None:
        return report
    report.claim(where, "regions", count(large) == len(big), (large, len(big)))
    report.claim(where, "small ones", count(small or "0") == len(sizes) - len(big), small)
    known = [n for n in range(data.nodes) if data.labels[n] >= 0 and n not in set(data.split.train)]
    if judged is None:
        report.claim(where, "nothing judged", not known, text)
        return report
    report.claim(where, "judged", count(judged) == len(known), (judged, len(known)))
    report.claim(where, "wrong", count(mistaken) == len(wrong), (mistaken, len(wrong)))
    report.claim(where, "share", abs(float(share) - 100 * len(wrong) / len(known)) < 0.0501, share)
    spread = spread_of(known, wrong, {n: g if (g := groups[n]) in big else -1 for n in known})
    report.claim(where, "whether it varies", (times is None) == np.isnan(spread), text)
    if times is not None:
        report.claim(where, "times", abs(float(times) - spread) <= 0.051, (times, spread))
        clear = verdict == "mistakes stand together"
        report.claim(where, "verdict", clear == (float(p) <= 0.05), (verdict, p))
    return report


def spread_of(known: list[int], wrong: set[int], home: dict[int, int]) -> float:
    """The spread by its definition; NaN where there is none."""
    judged = Counter(home.values())
    mistaken = Counter(home[n] for n in wrong)
    total, share = len(known), len(wrong) / len(known)
    if len(judged) < 2 or not 0 < share < 1:
        return float("nan")
    terms = [
        (mistaken[region] - size * share) ** 2 / (size * share * (1 - share))
        for region, size in judged.items()
    ]
    return sum(terms) * (total - 1) / (total * (len(judged) - 1))


def _check_places(data: Dataset, found: RegionalMistakes, groups: np.ndarray) -> Report:
    """In which region a node is said to be: one node of each."""
    report, sizes = Report(), Counter(groups.tolist())
    for node in np.unique(groups, return_index=True)[1].tolist():
        said = place_sentence(found, node)
        small = sizes[int(groups[node])] < least_of(data.nodes)
        report.claim(data.name, "place", small == ("small regions" in said), said)
        if not small:
            report.claim(data.name, "number", f"**region {groups[node] + 1}**" in said, said)
    return report


def check(name: str, kinds: tuple[str, ...] = ("projection", "uniform", "linear")) -> Report:
    """A dataset with test hidden and shown, by several priors."""
    total = Report()
    for data in (datasets.load_dataset(name), hide_test(datasets.load_dataset(name))):
        groups = regions(data.undirected)
        for prior in kinds:
            if priors.spec_of(prior).needs_features and not data.features.shape[1]:
                continue
            predicted = priors.compute_prior(prior, data).argmax(axis=1)
            predicted[data.split.train] = data.labels[data.split.train]
            found = mistakes_in(groups, data, predicted)
            wrong = set(np.flatnonzero((data.labels >= 0) & (predicted != data.labels)).tolist())
            text = regions_sentence(found, least_of(data.nodes))
            total += check_sentence(text, data, groups, wrong)
            total += _check_places(data, found, groups)
            if found.judged.any():
                total.claim(name, "no change", _same(after_sentence(found, found)), name)
    return total


def _same(text: str) -> bool:
    """Whether each number is said to become itself."""
    pairs = [part.split("**")[0].split(" to ") for part in text.split("from **")[1:]]
    return bool(pairs) and all(before == after for before, after in pairs)
