"""Three small files to try the page with; see `texts.EXAMPLES`."""

from __future__ import annotations

from typing import Final

import numpy as np

from gdr_core.datasets import Dataset, load_dataset

EDGES, CLASSES, PROBABILITIES = "club-edges.csv", "club-classes.csv", "club-probabilities.csv"
LABELLED: Final = 8  # members of each side whose class the file tells
_STRANGER: Final = "visitor"


def example_files() -> dict[str, str]:
    """The content of each file by its name.

    >>> [name for name in example_files()]
    ['club-edges.csv', 'club-classes.csv', 'club-probabilities.csv']
    """
    club = load_dataset("karate")
    return {EDGES: _edges(club), CLASSES: _classes(club), PROBABILITIES: _probabilities(club)}


def _name(node: int) -> str:
    return f"member {node + 1}"


def _edges(club: Dataset) -> str:
    rows, columns = club.adjacency.nonzero()
    pairs = [(i, j) for i, j in zip(rows.tolist(), columns.tolist(), strict=True) if i < j]
    lines = [f"{_name(i)},{_name(j)},{1 + (i * j) % 3}" for i, j in pairs]
    return "\n".join(["source,target,meetings", *lines]) + "\n"


def _classes(club: Dataset) -> str:
    told = np.concatenate([np.flatnonzero(club.labels == side)[:LABELLED] for side in (0, 1)])
    lines = [f"{_name(i)},{club.class_names[club.labels[i]]}" for i in np.sort(told).tolist()]
    return "\n".join(["id,class", *lines]) + "\n"


def _probabilities(club: Dataset) -> str:
    """Right for most; one row that does not sum to one, one id that is not in the graph."""
    belief = np.random.default_rng(5).beta(4, 2, club.nodes).round(2)
    rows = []
    for i, (side, sure) in enumerate(zip(club.labels.tolist(), belief.tolist(), strict=True)):
        first = sure if side == 0 else 1 - sure
        scale = 2 if i == 20 else 1
        rows.append(f"{_name(i)},{scale * first:.2f},{scale * (1 - first):.2f}")
    rows.append(f"{_STRANGER},0.50,0.50")
    return "\n".join([f"id,{','.join(club.class_names)}", *rows]) + "\n"
