"""The paper's tables with our numbers beside them: the model behind every page and report.

Every number says which run and which reading of it it is, so that it can be shown with its
settings, read by another rule, run again and compared.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from gdr_core.gdr import RULES
from gdr_core.laplacians import WALKS
from gdr_tools.paper import cells, published
from gdr_tools.paper.attempts.outcome import reaches, sampling_error
from gdr_tools.paper.attempts.report import nodes_at, sentence_for
from gdr_tools.paper.cells import Cell, belongs
from gdr_tools.paper.notes import VISIBLE, note_for
from gdr_tools.paper.store import Store, checked

SIZES: Final = ("nodes", "edges", "classes", "features")
GROUPS: Final = ("sizes", "undirected", "directed", "networks")


class Snapshot(Store):
    """A store whose files were read once: a page asks it for a hundred cells.

    digests   SHA-256 of the files as they were read
    """

    def __init__(self, store: Store):
        super().__init__(store.folder)
        contents = {group: _content(store.path(group)) for group in GROUPS}
        self.kept = {
            group: _parsed(store.path(group), text) if text else {}
            for group, text in contents.items()
        }
        self.digests = {
            store.path(group).name: hashlib.sha256(text).hexdigest()
            for group, text in contents.items()
            if text
        }

    def group(self, group: str) -> dict[str, Any]:
        """All results of a group, as they were."""
        return self.kept[group]


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


def settings_of(number: Number) -> list[tuple[str, str]]:
    """What one must know to judge a number: reading, t_min, seeds, time, settings, versions."""
    result = number.result
    if result is None:
        return [("result", "none stored yet")]
    lines = [("data", f"{number.cell.dataset}, {number.cell.split} split")]
    if number.path[0] == "gdr":
        found = result["gdr"][number.path[1]]
        lines += [
            ("rule", number.path[1]),
            ("t_min", f"{found['t_min_relative']:.4g} relaxation times, t = {found['t_min']:.4g}"),
            ("relabelled", f"{found['relabelled']:,.0f} nodes"),
            ("Laplacian", f"{result['laplacian']}, {number.cell.direction}"),
        ]
    if seeds := number.seeds:
        lines.append(("seeds", _seeds(seeds)))
    if seconds := result.get("seconds"):
        spent = ", ".join(f"{value:.2g} s for the {name}" for name, value in seconds.items())
        lines.append(("time a seed", spent.replace("the gdr", "GDR")))
    if given := {k: v for k, v in result.get("settings", {}).items() if v is not None}:
        lines.append(("settings", ", ".join(f"{key} {value}" for key, value in given.items())))
    lines.append(("versions", versions_line(result["versions"])))
    return lines


def note_of(number: Number) -> str:
    """What is known of a visible difference from the paper's number; see `notes`.

    Where nobody has written anything, what the stored results themselves tell: how far away the
    prior is, and the same run read by the other rules.
    """
    if number.counted or number.difference is None or abs(number.difference) < VISIBLE:
        return ""
    return written_note(number) or " ".join([*_prior_gap(number), *_other_rules(number)])


def written_note(number: Number) -> str:
    """What somebody has written about a visible difference, by the rule that it is read by."""
    return note_for((number.table, number.row, number.head), number.rule, number.difference)


def attempt_of(number: Number) -> str:
    """What one more search came to for a number that falls short of the paper's; see `attempts`.

    Where that search is not finished, how much the gap weighs beside sampling and seeds.
    """
    if number.counted or number.difference is None or number.difference >= 0:
        return ""
    place = (number.table, number.row, number.head)
    return sentence_for(place) or _weight_of_gap(number, nodes_at(place))


def _weight_of_gap(number: Number, nodes: int | None) -> str:
    """The gap in standard errors of the test nodes, and how many seeds reach the number."""
    if nodes is None or number.paper is None or number.difference is None:
        return ""
    gap, paper = -number.difference, number.paper
    tests = number.by_seed(number.result).values()
    return (
        f"The gap of {gap:.1f} points is {gap / sampling_error(paper, nodes):.1f} standard errors "
        f"of a set of {nodes:,} test nodes; {sum(reaches(test, paper) for test in tests)} of "
        f"{len(tests)} seeds reach the paper's {paper:.1f}."
    )


def _prior_gap(number: Number) -> Iterator[str]:
    """A sentence if the prior is visibly away from the paper's, to the same side."""
    printed = _printed_pair(number.cell)[0]
    if number.rule is None or number.result is None or printed is None:
        return
    gap = 100 * number.result["prior"]["test"] - printed
    if abs(gap) >= VISIBLE and gap * (number.difference or 0.0) > 0:
        side = "above" if gap > 0 else "below"
        yield f"The prior is already {abs(gap):.1f} points {side} the paper's (see there)."


def _other_rules(number: Number) -> Iterator[str]:
    """The same run read by the other rules; where `reference` is closer, whose rule that is.

    That the paper's tables are closest to `reference` or `peak` is not said: over all stored
    numbers of table 2 the three rules are equally far away.
    """
    if number.rule is None or number.difference is None or number.paper is None:
        return
    others = {
        rule: gap
        for rule in RULES
        if rule != number.rule and (gap := number.with_rule(rule).difference) is not None
    }
    texts = [
        f"by `{rule}` {number.paper + gap:.1f} ({signed_points(gap)})"
        for rule, gap in others.items()
    ]
    yield f"The same run gives {' and '.join(texts)}."
    closer = abs(others.get("reference", number.difference)) < abs(number.difference)
    if number.rule == "overshoot" and closer:
        yield "The paper's equations are `overshoot`; its published code does `reference`."


def signed_points(value: float) -> str:
    """Points of accuracy with their sign, `same` where one digit shows none."""
    text = f"{value:+.1f}"
    return "same" if text in ("+0.0", "-0.0") else text.replace("-", "−")


def versions_line(versions: dict[str, str]) -> str:
    """`gdr_core 0.1.0, python 3.11.7, …`."""
    return ", ".join(f"{name} {number}" for name, number in versions.items())


def _parsed(path: Path, text: bytes) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError as error:
        raise ValueError(f"{path.name} is not valid JSON ({error})") from error
    return checked(found, path)


def _content(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def _seeds(seeds: list[int]) -> str:
    if len(seeds) == 1:
        return "one run, nothing is random"
    return f"{len(seeds)}: {seeds[0]} to {seeds[-1]}"


def _follow(result: dict[str, Any] | None, path: tuple[str, ...]) -> Any:
    found: Any = result
    for step in path:
        found = None if found is None else found.get(step)
    return found


@dataclass(frozen=True)
class Gain:
    """A prior and what GDR adds to it, in points; the paper's own pair where it prints one."""

    cell: Cell
    before: float
    gain: float
    spread: float
    paper_before: float | None = None
    paper_gain: float | None = None


def gains(store: Store, rule: str) -> list[Gain]:
    """Gain by GDR over prior accuracy, for every cell that has both."""
    found = []
    for cell in (*cells.undirected(), *cells.directed()):
        result = store.get(cell)
        if result is None:
            continue
        before, after = 100 * result["prior"]["test"], 100 * result["gdr"][rule]["test"]
        printed = _printed_pair(cell)
        spread = 100 * result["gdr"][rule]["test_spread"]
        found.append(Gain(cell, before, after - before, spread, *printed))
    return found


def _printed_pair(cell: Cell) -> tuple[float | None, float | None]:
    if cell.group != "undirected":
        return None, None
    place = published.DATASETS.index(cell.dataset)
    before, after = (
        table[cell.method][place] if cell.method in table else None
        for table in (published.PRIORS, published.GDR)
    )
    if before is None or after is None:
        return None, None
    return before, after - before


@dataclass(frozen=True)
class Standing:
    """How a set of numbers stands beside the paper's.

    stored, total     numbers that have a result, of all
    reached, compared numbers within a point of the paper's or above, of those that both have
    """

    stored: int
    total: int
    compared: int
    reached: int
    mean_difference: float | None


def standing(numbers: list[Number]) -> Standing:
    """Counts over accuracies: stored, compared, within a point of the paper or above it."""
    wanted = [number for number in numbers if not number.counted]
    gaps = [number.difference for number in wanted if number.difference is not None]
    return Standing(
        stored=sum(number.ours is not None for number in wanted),
        total=len(wanted),
        compared=len(gaps),
        reached=sum(gap >= -VISIBLE for gap in gaps),
        mean_difference=sum(gaps) / len(gaps) if gaps else None,
    )
