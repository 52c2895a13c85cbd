"""The paper's tables with our numbers beside them, as records that a page or a report can show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gdr_core.experiments import cells, paper
from gdr_core.experiments.store import Store
from gdr_core.laplacians import WALKS

SHOWN_RULES = ("overshoot", "reference")


@dataclass(frozen=True)
class Entry:
    """One number of a table.

    table, row, column   where it stands; the column may name a split
    paper                the paper's number in percent, None where it has none
    ours                 our mean in percent by the name of the reading (`prior`, a rule, `network`)
    spread               standard deviation over seeds, by the same names
    result               all that was stored for the cell, None if it was not run
    """

    table: str
    row: str
    column: str
    paper: float | None
    ours: dict[str, float]
    spread: dict[str, float]
    result: dict[str, Any] | None

    @property
    def best(self) -> float | None:
        """The highest of the shown readings."""
        return max(self.ours.values(), default=None)

    @property
    def best_rule(self) -> str | None:
        """The rule that gives the highest reading; None where numbers are not read by rules."""
        name = max(self.ours, key=self.ours.__getitem__, default=None)
        return name if name in SHOWN_RULES else None

    @property
    def difference(self) -> float | None:
        """Ours minus the paper's, for the best of the shown readings."""
        if self.paper is None or self.best is None:
            return None
        return self.best - self.paper


def entries(store: Store) -> list[Entry]:
    """Every number of tables 2 to 5."""
    return [
        *priors(store),
        *reclassified(store),
        *networks(store),
        *directed(store),
        *directed_networks(store),
    ]


def priors(store: Store) -> Iterator[Entry]:
    """Table 2, before GDR."""
    for method in (*paper.PRIORS, *cells.EXTRA_PRIORS):
        numbers = paper.PRIORS.get(method, (None,) * len(paper.DATASETS))
        for name, number in zip(paper.DATASETS, numbers, strict=True):
            result = stored(store, cells.Cell("undirected", name, "public", method))
            yield entry("2 prior", method, name, number, result, {"prior": ("prior",)})


def reclassified(store: Store) -> Iterator[Entry]:
    """Table 2, after GDR."""
    readings = {rule: ("gdr", rule) for rule in SHOWN_RULES}
    for method in (*paper.PRIORS, *cells.EXTRA_PRIORS):
        numbers = paper.GDR.get(method, (None,) * len(paper.DATASETS))
        for name, number in zip(paper.DATASETS, numbers, strict=True):
            result = stored(store, cells.Cell("undirected", name, "public", method))
            yield entry("2 GDR", method, name, number, result, readings)


def networks(store: Store) -> Iterator[Entry]:
    """Table 3."""
    for method, numbers in paper.NETWORKS.items():
        for name, number in zip(paper.DATASETS, numbers, strict=True):
            result = stored(store, cells.Cell("undirected", name, "public", method))
            yield entry("3", method, name, number, result, {"network": ("prior",)})


def directed(store: Store) -> Iterator[Entry]:
    """Table 4, on both splits; the paper's number belongs to its own split."""
    readings = {rule: ("gdr", rule) for rule in SHOWN_RULES}
    for cell in cells.directed():
        number = paper.DIRECTED_GDR[cell.method][WALKS.index(cell.direction)]
        column = f"{cell.direction}, {cell.split} split"
        beside = number if belongs(cell) else None
        yield entry("4", cell.method, column, beside, stored(store, cell), readings)


def directed_networks(store: Store) -> Iterator[Entry]:
    """Table 5, on both splits."""
    for cell in cells.networks():
        number = paper.DIRECTED_NETWORKS[cell.method][WALKS.index(cell.direction)]
        column = f"{cell.direction}, {cell.split} split"
        beside = number if belongs(cell) else None
        readings = {"network": ("network",)}
        yield entry("5", cell.method, column, beside, stored(store, cell), readings)


def belongs(cell: cells.Cell) -> bool:
    """Whether the paper's number was reached on this split.

    The undirected columns of tables 4 and 5 repeat tables 2 and 3, which use the public split.
    """
    return (cell.split == "public") == (cell.direction == "undirected")


def stored(store: Store, cell: cells.Cell) -> dict[str, Any] | None:
    """The stored result of a cell."""
    return store.get(cell)


def entry(
    table: str,
    row: str,
    column: str,
    number: float | None,
    result: dict[str, Any] | None,
    readings: Mapping[str, tuple[str, ...]],
) -> Entry:
    """An entry with the named readings taken out of a stored result, in percent."""
    ours, spread = {}, {}
    for name, path in readings.items():
        found: Any = result
        for step in path:
            found = None if found is None else found.get(step)
        if found is not None:
            ours[name] = 100 * found["test"]
            spread[name] = 100 * found["test_spread"]
    return Entry(table, row, column, number, ours, spread, result)
