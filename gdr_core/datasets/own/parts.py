"""What a file contributes to a dataset, before all files are put together.

Rows speak of nodes by name: `names` holds each name once, `codes` the number of its name for
every row. A part whose rows have no names counts them: row 0 is the first node.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import scipy.sparse as sp

Lines = Callable[[np.ndarray], Sequence[int]]


def _no_lines(rows: np.ndarray) -> Sequence[int]:
    """For formats that have no lines."""
    return ()


@dataclass(frozen=True, eq=False)
class Edges:
    """Edges between named nodes. weights None means that every edge weighs one.

    directed   what the file says of itself; None where it says nothing
    mirrored   whether each edge is there in both directions, as in a symmetric matrix
    """

    file: str
    names: list[str]
    sources: np.ndarray
    targets: np.ndarray
    weights: np.ndarray | None = None
    directed: bool | None = None
    mirrored: bool = False
    lines: Lines = _no_lines


@dataclass(frozen=True, eq=False)
class Nodes:
    """What is said of nodes, one row each; what a file does not tell is None.

    names, codes    who each row is about; names None counts the rows
    declares        whether these are all the nodes there are (graph formats, LINQS content)
    classes, labels names of classes, and the number of its class for each row or -1
    parts           `train`, `validation`, `test` or an empty text for each row
    probabilities   one column for each of `probability_classes` (None where these have no names)
    """

    file: str
    names: list[str] | None
    codes: np.ndarray
    declares: bool = False
    features: sp.csr_array | None = None
    classes: tuple[str, ...] | None = None
    labels: np.ndarray | None = None
    parts: np.ndarray | None = None
    probabilities: np.ndarray | None = None
    probability_classes: tuple[str, ...] | None = None
    layout: np.ndarray | None = None
    lines: Lines = _no_lines
    overlaps: Callable[[set[str]], str] = field(default=lambda known: "")


Part = Edges | Nodes
