"""All numbers beside the paper's: what GDR adds to priors, and how many are reached."""

from __future__ import annotations

from dataclasses import dataclass

from gdr_tools.paper import cells, published
from gdr_tools.paper.board import Number
from gdr_tools.paper.cells import Cell
from gdr_tools.paper.notes import VISIBLE
from gdr_tools.paper.store import Store


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
        printed = printed_pair(cell)
        spread = 100 * result["gdr"][rule]["test_spread"]
        found.append(Gain(cell, before, after - before, spread, *printed))
    return found


def printed_pair(cell: Cell) -> tuple[float | None, float | None]:
    """A prior of the paper's table 2, and what GDR adds to it there; None where it prints none."""
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
