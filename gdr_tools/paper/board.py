"""The paper's tables with our numbers beside them: the model behind every page and report.

Every number says which run and which reading of it it is, so that it can be shown with its
settings, read by another rule, run again and compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from gdr_core.gdr import RULES
from gdr_core.laplacians import WALKS
from gdr_tools.paper import cells, published
from gdr_tools.paper.cells import Cell, belongs
from gdr_tools.paper.store import Store

SIZES: Final = ("nodes", "edges", "classes", "features")


@dataclass(frozen=True, eq=False)
class Number:
    """One number of a table.

    table, row, group, column   where it stands; the group is a heading over several columns
    cell     the run it comes from
    path     where in the stored result the number is
    paper    what the paper prints, None where it prints nothing
    result   all that was stored for the cell, None if it was not run
    """

    table: str
    row: str
    group: str
    column: str
    cell: Cell
    path: tuple[str, ...]
    paper: float | None
    result: dict[str, Any] | None

    @property
    def name(self) -> str:
        """What the number is called in lists and links."""
        where = " ".join(part for part in (self.column, self.group) if part)
        return f"table {self.table}: {self.row}, {where}"

    @property
    def head(self) -> str:
        """The name of its column with the heading over it."""
        return f"{self.column}, {self.group}" if self.group else self.column

    @property
    def counted(self) -> bool:
        """Whether it is a count; otherwise it is an accuracy in percent."""
        return self.cell.group == "sizes"

    @property
    def ours(self) -> float | None:
        """Our number: the mean over seeds in percent, or a count."""
        return self.read(self.result)

    @property
    def spread(self) -> float | None:
        """Standard deviation over seeds, in percent; None where there is one run only."""
        found = _follow(self.result, self.path)
        if self.counted or found is None or len(self.seeds) == 1:
            return None
        return 100 * found["test_spread"]

    @property
    def difference(self) -> float | None:
        """Ours minus the paper's."""
        if self.paper is None or self.ours is None:
            return None
        return self.ours - self.paper

    @property
    def seeds(self) -> list[int]:
        """The seeds that were run."""
        return [] if self.result is None else list(self.result.get("seeds", []))

    @property
    def rule(self) -> str | None:
        """The rule it is read by; None for priors, networks and counts."""
        return self.path[1] if self.path[0] == "gdr" else None

    @property
    def path_in_run(self) -> tuple[str, ...]:
        """Where in the run of one seed the accuracies are; a network's stand on top."""
        return () if self.path == ("network",) else self.path[-1:]

    def with_rule(self, rule: str) -> Number:
        """The number in the same place, read from the same stored run by another rule."""
        return replace(self, path=("gdr", rule))

    def read(self, result: dict[str, Any] | None) -> float | None:
        """The same number in another result of the same cell."""
        found = _follow(result, self.path)
        if found is None:
            return None
        return float(found) if self.counted else 100 * found["test"]

    def by_seed(self, result: dict[str, Any] | None) -> dict[int, float]:
        """Test accuracy in percent of every run in a result, by its seed."""
        if result is None or self.counted:
            return {}
        runs = result["runs"]
        return {run["seed"]: 100 * _follow(run, self.path_in_run)["test"] for run in runs}


@dataclass(frozen=True, eq=False)
class Table:
    """A table: its number in the paper and the part of it, a title, what to know, its numbers."""

    key: str
    title: str
    caption: str
    numbers: tuple[Number, ...]

    @property
    def rows(self) -> list[str]:
        """Names of the rows, in order."""
        return list(dict.fromkeys(number.row for number in self.numbers))

    @property
    def columns(self) -> list[tuple[str, str]]:
        """(group, column) of the columns, in order."""
        return list(dict.fromkeys((number.group, number.column) for number in self.numbers))

    def at(self, row: str, column: tuple[str, str]) -> Number:
        """The number in a row and a column."""
        place = (row, *column)
        return next(n for n in self.numbers if (n.row, n.group, n.column) == place)


def tables(store: Store, rule: str = "overshoot") -> list[Table]:
    """All tables, with reclassifications read by one rule."""
    if rule not in RULES:
        raise ValueError(f"unknown rule {rule!r}; there are {', '.join(RULES)}")
    return [
        Table("1", "Table 1: sizes", _SIZES_CAPTION, tuple(_sizes(store))),
        Table("2 prior", "Table 2: before GDR", _PRIOR_CAPTION, tuple(_priors(store))),
        Table("2 GDR", "Table 2: after GDR", _GDR_CAPTION, tuple(_reclassified(store, rule))),
        Table("3", "Table 3: networks", _NETWORK_CAPTION, tuple(_networks(store))),
        Table(
            "4", "Table 4: GDR with directions", _DIRECTED_CAPTION, tuple(_directed(store, rule))
        ),
        Table("5", "Table 5: networks with directions", _BOTH_CAPTION, tuple(_both_ways(store))),
    ]


_SIZES_CAPTION: Final = (
    "Counts. The paper's numbers of edges include repeated links and links of a node to itself."
)
_PRIOR_CAPTION: Final = (
    "Test accuracy of each classifier alone, in percent. The last two rows are ours."
)
_GDR_CAPTION: Final = "Test accuracy after reclassification, in percent."
_NETWORK_CAPTION: Final = (
    "Test accuracy in percent. The paper gives GCN on Wikipedia as 39.2 in table 2 and 34.1 here."
)
_DIRECTED_CAPTION: Final = (
    "Test accuracy of GDR on Cora in percent. The paper's directed numbers belong to its own split."
)
_BOTH_CAPTION: Final = "Test accuracy on Cora in percent; augmented uses both directions at once."


def _sizes(store: Store) -> Iterator[Number]:
    for cell in cells.sizes():
        for column, value in zip(SIZES, published.SIZES[cell.dataset], strict=True):
            result = store.get(cell)
            yield Number("1", cell.dataset, "", column, cell, (column,), value, result)


def _priors(store: Store) -> Iterator[Number]:
    yield from _by_dataset(store, "2 prior", published.PRIORS, ("prior",))


def _reclassified(store: Store, rule: str) -> Iterator[Number]:
    yield from _by_dataset(store, "2 GDR", published.GDR, ("gdr", rule))


def _by_dataset(
    store: Store, table: str, printed: dict[str, tuple[float | None, ...]], path: tuple[str, ...]
) -> Iterator[Number]:
    for cell in cells.undirected():
        values = printed.get(cell.method, (None,) * len(published.DATASETS))
        value = values[published.DATASETS.index(cell.dataset)]
        yield Number(table, cell.method, "", cell.dataset, cell, path, value, store.get(cell))


def _networks(store: Store) -> Iterator[Number]:
    for cell in cells.of_table("3"):
        value = published.NETWORKS[cell.method][published.DATASETS.index(cell.dataset)]
        result = store.get(cell)
        yield Number("3", cell.method, "", cell.dataset, cell, ("prior",), value, result)


def _directed(store: Store, rule: str) -> Iterator[Number]:
    for cell in cells.directed():
        yield _on_cora("4", cell, published.DIRECTED_GDR[cell.method], ("gdr", rule), store)


def _both_ways(store: Store) -> Iterator[Number]:
    for cell in cells.networks():
        yield _on_cora("5", cell, published.DIRECTED_NETWORKS[cell.method], ("network",), store)


def _on_cora(
    table: str, cell: Cell, values: tuple[float, ...], path: tuple[str, ...], store: Store
) -> Number:
    value = values[WALKS.index(cell.direction)] if belongs(cell) else None
    group = f"{cell.split} split"
    return Number(table, cell.method, group, cell.direction, cell, path, value, store.get(cell))


def _follow(result: dict[str, Any] | None, path: tuple[str, ...]) -> Any:
    found: Any = result
    for step in path:
        found = None if found is None else found.get(step)
    return found
