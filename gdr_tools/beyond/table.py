"""Table 6 as a model: every method on every split, how it differs from the best diffusion method.

A number is shown only if all its runs are stored: ten seeds on a public split (one where nothing is
random), one run on each of ten random splits, or on each split that a dataset brings. The method
that others are compared with is the diffusion method with the highest mean accuracy on *validation*
nodes in that column, so that test nodes do not choose it. Differences are paired by split; with d̄
and s their mean and standard deviation over n splits the interval is d̄ ± t₀.₉₇₅(n−1) s/√n. Splits
of one graph share nodes, so that true uncertainty is larger than this.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from scipy.special import stdtrit

from gdr_core.places import data_folder
from gdr_tools.beyond.methods import MEMBERS, METHODS
from gdr_tools.beyond.run import CITATIONS, DATASETS, Cell, Store, cells

FOLDER = data_folder() / "results" / "beyond"
RIVALS = ("gcn", "sgc", "appnp", "dgc", "correct-and-smooth")
PUBLIC, RANDOM, OWN = "public", "random", "own"
KINDS = {
    PUBLIC: "The split that the dataset comes with",
    RANDOM: "Ten random splits",
    OWN: "Ten splits that the dataset comes with",
}
_SURE = 0.975


class Interval(NamedTuple):
    """A mean of paired differences and its 95 % interval, in points."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Entry:
    """A method in a column: accuracies of every run as shares, and the median of their seconds."""

    method: str
    test: tuple[float, ...]
    validation: tuple[float, ...]
    seconds: float

    @property
    def mean(self) -> float:
        """Mean test accuracy, in percent."""
        return 100 * float(np.mean(self.test))

    @property
    def spread(self) -> float | None:
        """Standard deviation over runs, in points; None of a single run."""
        return 100 * float(np.std(self.test, ddof=1)) if len(self.test) > 1 else None


@dataclass(frozen=True)
class Column:
    """A dataset with one kind of split, and all that is known of it, by method."""

    dataset: str
    kind: str
    entries: Mapping[str, Entry]

    @property
    def best(self) -> Entry | None:
        """The diffusion method that the validation nodes like best."""
        ours = [e for e in self.entries.values() if METHODS[e.method].family == "diffusion"]
        return max(ours, key=lambda entry: float(np.mean(entry.validation)), default=None)

    def difference(self, method: str) -> Interval | None:
        """A method minus the best diffusion method, split by split; None where nothing pairs."""
        entry, best = self.entries.get(method), self.best
        if entry is None or best is None or entry is best or self.kind == PUBLIC:
            return None
        return paired(entry.test, best.test)


def paired(one: Iterable[float], other: Iterable[float]) -> Interval:
    """one − other in points, with the interval of Student's t.

    >>> paired([0.80, 0.82, 0.81], [0.80, 0.80, 0.80])
    Interval(mean=1.0, low=-1.48, high=3.48)
    """
    gaps = 100 * (np.array(list(one)) - np.array(list(other)))
    mean, reach = float(gaps.mean()), float(gaps.std(ddof=1) / np.sqrt(len(gaps)))
    reach *= float(stdtrit(len(gaps) - 1, _SURE))
    return Interval(round(mean, 2), round(mean - reach, 2), round(mean + reach, 2))


def columns(results: Mapping[str, dict[str, Any]]) -> list[Column]:
    """All columns of the table, also those that nothing was run for."""
    found = []
    for (dataset, kind), methods in _wanted().items():
        entries = {}
        for method, keys in methods.items():
            if all(key in results for key in keys):
                entries[method] = _entry(method, [results[key] for key in keys])
        found.append(Column(dataset, kind, _with_members(entries)))
    return found


def _entry(method: str, runs: list[dict[str, Any]]) -> Entry:
    return Entry(
        method,
        tuple(run["test"] for run in runs),
        tuple(run["validation"] for run in runs),
        float(np.median([run["seconds"] for run in runs])),
    )


def _with_members(entries: dict[str, Entry]) -> dict[str, Entry]:
    """A mean of five takes the seconds of five, wherever its members were taken from."""
    found = dict(entries)
    for method, entry in entries.items():
        if (member := entries.get(str(METHODS[method].mean_of))) is not None:
            spent = MEMBERS * member.seconds
            found[method] = Entry(method, entry.test, entry.validation, spent)
    return found


@lru_cache(maxsize=1)
def _wanted() -> dict[tuple[str, str], dict[str, list[str]]]:
    """Keys of the runs that make each number, by dataset and kind of split, then by method."""
    found: dict[tuple[str, str], dict[str, list[str]]] = {}
    for dataset in DATASETS:
        every = list(cells([dataset]))
        many = len({cell.split for cell in every if cell.split != RANDOM}) > 1
        for cell in every:
            place = found.setdefault((dataset, _kind(cell, many)), {})
            place.setdefault(cell.method, []).append(cell.key)
    return found


def _kind(cell: Cell, many: bool) -> str:
    if cell.split == RANDOM:
        return RANDOM
    return OWN if many else PUBLIC


def complete(results: Mapping[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The runs of those numbers that all runs are there for."""
    kept = {}
    for methods in _wanted().values():
        for keys in methods.values():
            if all(key in results for key in keys):
                kept.update({key: results[key] for key in keys})
    return kept


def stored() -> dict[str, dict[str, Any]]:
    """The runs that come with the program."""
    return Store(FOLDER / "cells.json").results


def standing(found: Iterable[Column]) -> list[str]:
    """On random splits of the citation graphs: who the best diffusion method is ahead of."""
    return [
        _stands(column) for column in found if column.dataset in CITATIONS and column.kind == RANDOM
    ]


def _stands(column: Column) -> str:
    best, name = column.best, column.dataset.capitalize()
    if best is None:
        return f"{name}: no diffusion method was run on random splits."
    said: dict[str, list[str]] = {"ahead of": [], "behind": [], "not told apart from": []}
    missing = [METHODS[rival].label for rival in RIVALS if rival not in column.entries]
    for rival in RIVALS:
        if (gap := column.difference(rival)) is not None:
            text = f"{METHODS[rival].label} ({points(-gap.mean)}, {_ends(gap)})"
            said[_verdict(gap)].append(text)
    parts = [f"{verdict} {', '.join(texts)}" for verdict, texts in said.items() if texts]
    were = "was" if len(missing) == 1 else "were"
    parts += [f"not compared with {', '.join(missing)}, which {were} not run"] if missing else []
    return f"{name}: {METHODS[best.method].label} ({best.mean:.1f} %) is {'; '.join(parts)}."


def _verdict(gap: Interval) -> str:
    if gap.high < 0:
        return "ahead of"
    return "behind" if gap.low > 0 else "not told apart from"


def _ends(gap: Interval) -> str:
    """The interval of the best method's lead, from that of the other's difference to it."""
    return f"95% interval {points(-gap.high)} to {points(-gap.low)}"


def points(value: float) -> str:
    """`+1.2`, `−0.8`."""
    text = f"{value:+.1f}"
    return "0.0" if text in ("+0.0", "-0.0") else text.replace("-", "−")
