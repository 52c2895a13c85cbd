"""What travels to the graph canvas: geometry once, as bytes; looks, a few bytes a node.

Geometry (positions, edges, names) is one block that depends on the graph alone. Looks are colours,
marks and lines of the tooltip. The layout of both is read by `geometry.js` and `looks.js`: they
change together.
"""

from __future__ import annotations

import base64
import hashlib
import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
import scipy.sparse as sp

UNKNOWN_CODE: Final = 255
SHAPES: Final = ("circle", "square", "diamond", "triangle", "ring")


@dataclass(frozen=True)
class Mark:
    """How nodes with one mark code look, and the word for it in the legend.

    size multiplies the usual radius; colour None keeps the class's colour. Nodes with a higher
    code are drawn over nodes with a lower one.
    """

    name: str
    shape: str = "circle"
    size: float = 1.0
    colour: str | None = None
    opacity: float = 1.0

    def __post_init__(self) -> None:
        if self.shape not in SHAPES:
            raise ValueError(f"unknown shape {self.shape!r}; choose from {', '.join(SHAPES)}")
        if not 0 < self.size <= 8:
            raise ValueError(f"size must lie in (0, 8], got {self.size}")
        if not 0 < self.opacity <= 1:
            raise ValueError(f"opacity must lie in (0, 1], got {self.opacity}")


@dataclass(frozen=True, eq=False)
class Detail:
    """One line of every node's tooltip: `label: names[codes[node]]`; an empty name hides it."""

    label: str
    codes: np.ndarray
    names: Sequence[str]


@dataclass(frozen=True, eq=False)
class Looks:
    """How the nodes of a geometry are to look now. Colours index `classes`; -1 is unknown."""

    colours: np.ndarray
    classes: Sequence[str]
    palette: Sequence[str]
    unknown_colour: str
    details: Sequence[Detail] = ()
    marks: np.ndarray | None = None
    mark_styles: Sequence[Mark] = ()

    @property
    def nodes(self) -> int:
        """For how many nodes."""
        return len(self.colours)

    def message(self) -> dict[str, Any]:
        """What the browser is told."""
        return pack_looks(self)

    def __post_init__(self) -> None:
        _check_codes("colours", self.colours, len(self.colours), -1, len(self.classes))
        for detail in self.details:
            _check_codes(detail.label, detail.codes, len(self.colours), 0, len(detail.names))
        if self.marks is not None:
            _check_codes("marks", self.marks, len(self.colours), 0, len(self.mark_styles))
        if len(self.palette) < len(self.classes):
            raise ValueError(
                f"{len(self.classes)} classes need as many colours, got {self.palette}"
            )


class AnyLooks(Protocol):
    """Looks that stay, or that follow t_min in the browser (`MovingLooks` of the t_min bar)."""

    @property
    def nodes(self) -> int:
        """For how many nodes."""

    def message(self) -> dict[str, Any]:
        """What the browser is told."""


@dataclass(frozen=True)
class Geometry:
    """A graph's places, edges and node names, ready to send; `id` is a digest of the content."""

    id: str
    nodes: int
    payload: bytes


def pack_geometry(
    positions: np.ndarray, adjacency: sp.csr_array, names: Sequence[str], *, directed: bool = False
) -> Geometry:
    """Header length, JSON header, float32 positions, edge ends, JSON names; 4-byte aligned."""
    nodes = adjacency.shape[0]
    if positions.shape != (nodes, 2) or len(names) != nodes:
        raise ValueError(
            f"{nodes} nodes need ({nodes}, 2) positions and {nodes} names, "
            f"got {positions.shape} and {len(names)}"
        )
    links = (adjacency if directed else sp.triu(adjacency, format="csr")).tocoo()
    width = np.uint16 if nodes <= 0xFFFF else np.uint32
    ends = np.column_stack([links.row, links.col]).astype(width)
    body = _aligned(np.ascontiguousarray(positions, dtype="<f4").tobytes())
    body += _aligned(ends.astype(ends.dtype.newbyteorder("<")).tobytes())
    body += json.dumps(list(names), ensure_ascii=False).encode()
    digest = hashlib.blake2b(body, digest_size=12).hexdigest()
    header = {"id": digest, "nodes": nodes, "edges": len(ends), "wide": width is np.uint32}
    head = json.dumps({**header, "directed": directed}).encode()
    head += b" " * (-len(head) % 4)
    return Geometry(digest, nodes, struct.pack("<I", len(head)) + head + body)


def pack_looks(looks: Looks) -> dict[str, Any]:
    """The looks as a dictionary that JSON can carry, its arrays as base64."""
    return {
        "colours": _bytes_of(np.where(looks.colours < 0, UNKNOWN_CODE, looks.colours), np.uint8),
        "classes": list(looks.classes),
        "palette": list(looks.palette),
        "unknownColour": looks.unknown_colour,
        "details": [
            {
                "label": detail.label,
                "names": list(detail.names),
                "wide": len(detail.names) > 0x100,
                "codes": _bytes_of(
                    detail.codes, np.uint16 if len(detail.names) > 0x100 else np.uint8
                ),
            }
            for detail in looks.details
        ],
        "marks": None if looks.marks is None else _bytes_of(looks.marks, np.uint8),
        "markStyles": [vars(style) for style in looks.mark_styles],
    }


def _check_codes(field: str, codes: np.ndarray, nodes: int, lowest: int, count: int) -> None:
    if len(codes) != nodes:
        raise ValueError(f"{field} has {len(codes)} entries for {nodes} nodes")
    if nodes and not lowest <= codes.min() <= codes.max() < count:
        raise ValueError(
            f"{field} must lie between {lowest} and {count - 1}, got {codes.min()} to {codes.max()}"
        )


def _aligned(block: bytes) -> bytes:
    return block + b"\0" * (-len(block) % 4)


def _bytes_of(codes: np.ndarray, dtype: type) -> str:
    return base64.b64encode(np.asarray(codes).astype(dtype).tobytes()).decode()
