"""What travels to the bar: labels for every t_min, accuracies and counts, once, as bytes.

Few labels change from one t_min to the next, so only the changes travel: a thousand for Cora, six
thousand for Pubmed, three bytes each. The layout of the bytes is read by `sweeps.js`; the two files
change together.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gdr_core.canvases.graph_canvas.payload import Mark


@dataclass(frozen=True, eq=False)
class Line:
    """Accuracy for every t_min on one part of the split, and the prior's.

    >>> Line("validation", "#0072B2", np.array([0.6, 0.7]), 0.5).prior
    0.5
    """

    name: str
    colour: str
    values: np.ndarray
    prior: float


@dataclass(frozen=True, eq=False)
class Count:
    """How many nodes, for every t_min, and what is counted.

    >>> Count("Fixed", "Wrong before, right now.", np.array([3, 5])).values.max()
    np.int64(5)
    """

    name: str
    explanation: str
    values: np.ndarray


@dataclass(frozen=True, eq=False)
class Sweep:
    """All that changes while t_min goes through its grid.

    names    of the times of the grid
    ticks    places of the grid that have a name on the axis
    chosen   the place that GDR chose
    labels   of every node for every t_min, shape (times, nodes)
    prior    the label of every node before
    truth    its true class as a code into `truths`, which begins with the classes: what comes after
             them is not known, or hidden
    """

    names: Sequence[str]
    ticks: Sequence[tuple[int, str]]
    chosen: int
    labels: np.ndarray
    prior: np.ndarray
    truth: np.ndarray
    classes: Sequence[str]
    truths: Sequence[str]
    lines: Sequence[Line]
    counts: Sequence[Count]

    def __post_init__(self) -> None:
        times, nodes = self.labels.shape
        if len(self.names) != times or times < 2:
            raise ValueError(f"{len(self.names)} names for labels at {times} times")
        for field in ("prior", "truth"):
            if getattr(self, field).shape != (nodes,):
                raise ValueError(f"{field} must have one entry for each of {nodes} nodes")
        entries: list[Line | Count] = [*self.lines, *self.counts]
        for entry in entries:
            if entry.values.shape != (times,):
                raise ValueError(f"{entry.name} must have one value for each of {times} times")


@dataclass(frozen=True)
class PackedSweep:
    """A sweep ready to send; `id` is a digest of the content.

    >>> PackedSweep("a1", 200, 34, b"").times
    200
    """

    id: str
    times: int
    nodes: int
    payload: bytes


@dataclass(frozen=True, eq=False)
class MovingLooks:
    """How the nodes of a graph look, at the t_min that the bar shows.

    index      the t_min that Python knows of
    by_class   whether colours stand for the new class; otherwise for what happened to the node
    """

    sweep: PackedSweep
    index: int
    by_class: bool
    classes: Sequence[str]
    palette: Sequence[str]
    unknown_colour: str
    mark_styles: Sequence[Mark]

    def at(self, index: int) -> MovingLooks:
        """The same when Python has heard of another t_min."""
        return replace(self, index=index)

    @property
    def nodes(self) -> int:
        """For how many nodes."""
        return self.sweep.nodes

    def message(self) -> dict[str, Any]:
        """What the browser is told: colours and marks it finds itself."""
        return {
            "sweep": self.sweep.id,
            "index": self.index,
            "byClass": self.by_class,
            "colours": "",
            "classes": list(self.classes),
            "palette": list(self.palette),
            "unknownColour": self.unknown_colour,
            "details": [],
            "marks": None,
            "markStyles": [vars(style) for style in self.mark_styles],
        }


def pack_sweep(sweep: Sweep) -> PackedSweep:
    """Header length, JSON header; float32 accuracies; uint32 counts, changes a step and the nodes
    that change; uint8 new labels, first labels, labels of the prior, true classes."""
    times, nodes = sweep.labels.shape
    step, node = np.nonzero(sweep.labels[1:] != sweep.labels[:-1])
    wide = [
        *(count.values for count in sweep.counts),
        np.bincount(step, minlength=times - 1),
        node,
    ]
    narrow = [sweep.labels[step + 1, node], sweep.labels[0], sweep.prior, sweep.truth]
    body = b"".join(np.asarray(line.values, dtype="<f4").tobytes() for line in sweep.lines)
    body += b"".join(np.asarray(block, dtype="<u4").tobytes() for block in wide)
    body += b"".join(np.asarray(block).astype(np.uint8).tobytes() for block in narrow)
    header = _header(sweep, int(node.size))
    digest = hashlib.blake2b(json.dumps(header).encode() + body, digest_size=12).hexdigest()
    head = json.dumps({"id": digest, **header}, ensure_ascii=False).encode()
    head += b" " * (-len(head) % 4)
    return PackedSweep(digest, times, nodes, struct.pack("<I", len(head)) + head + body)


def _header(sweep: Sweep, changes: int) -> dict[str, Any]:
    times, nodes = sweep.labels.shape
    return {
        "times": times,
        "nodes": nodes,
        "changes": changes,
        "names": list(sweep.names),
        "ticks": [list(tick) for tick in sweep.ticks],
        "chosen": sweep.chosen,
        "classes": list(sweep.classes),
        "truths": list(sweep.truths),
        "lines": [
            {
                "name": line.name,
                "colour": line.colour,
                "prior": float(line.prior) if np.isfinite(line.prior) else None,
            }
            for line in sweep.lines
        ],
        "counts": [
            {"name": count.name, "explanation": count.explanation} for count in sweep.counts
        ],
    }
