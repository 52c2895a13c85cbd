"""What travels to the neighbourhood: places, links and the whole film, once, as bytes.

The layout of the bytes is read by `scene.js`; the two files change together.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gdr_core.explanation.flow import NOBODY, Flow
from gdr_core.graphs.neighbourhood import Neighbourhood

_NOBODY_CODE: Final = 255


@dataclass(frozen=True, eq=False)
class Scene:
    """A neighbourhood and what happens in it.

    places     one for each node of the neighbourhood, shape (nodes, 2), y upwards
    rings      whether the places lie on one ring for each hop, to draw these behind them
    names      of the nodes
    squares    mask of the nodes drawn as squares
    square     what a square means, for the legend
    times      in relaxation times
    flow       who leads where and when
    legend     name and colour of each code of the flow
    quiet      what it means when nobody leads, and the colour for it
    """

    around: Neighbourhood
    places: np.ndarray
    rings: bool
    names: Sequence[str]
    squares: np.ndarray
    square: str
    times: np.ndarray
    flow: Flow
    legend: Sequence[tuple[str, str]]
    quiet: tuple[str, str]

    def __post_init__(self) -> None:
        nodes = self.around.nodes.size
        for field in ("places", "names", "squares"):
            if len(getattr(self, field)) != nodes:
                raise ValueError(f"{field} must have one entry for each of {nodes} nodes")
        if self.flow.codes.shape != (self.times.size, nodes):
            raise ValueError(
                f"the flow must have shape ({self.times.size}, {nodes}), "
                f"got {self.flow.codes.shape}"
            )


@dataclass(frozen=True)
class PackedScene:
    """A scene ready to send; `id` is a digest of the content, `nodes` those of the graph."""

    id: str
    times: int
    nodes: tuple[int, ...]
    payload: bytes


def pack_scene(scene: Scene) -> PackedScene:
    """Header length, JSON header, float32 times and places, uint16 links, uint8 film."""
    shape = np.ascontiguousarray(scene.places, dtype="<f4").tobytes()
    shape += scene.around.edges.astype("<u2").tobytes()
    codes = np.where(scene.flow.codes == NOBODY, _NOBODY_CODE, scene.flow.codes)
    film = codes.astype(np.uint8).tobytes()
    film += np.rint(255 * scene.flow.strengths).astype(np.uint8).tobytes()
    body = np.ascontiguousarray(scene.times, dtype="<f4").tobytes() + shape + film
    header = {
        "nodes": int(scene.around.nodes.size),
        "links": len(scene.around.edges),
        "times": int(scene.times.size),
        "rings": int(scene.around.distances.max()) if scene.rings else 0,
        "distances": scene.around.distances.tolist(),
        "names": list(scene.names),
        "squares": np.asarray(scene.squares).astype(int).tolist(),
        "square": scene.square,
        "legend": [list(entry) for entry in scene.legend],
        "quiet": list(scene.quiet),
        "shape": _digest(shape + json.dumps(scene.around.nodes.tolist()).encode()),
    }
    digest = _digest(json.dumps(header).encode() + body)
    head = json.dumps({"id": digest, **header}, ensure_ascii=False).encode()
    head += b" " * (-len(head) % 4)
    payload = struct.pack("<I", len(head)) + head + body
    return PackedScene(digest, scene.times.size, tuple(scene.around.nodes.tolist()), payload)


def _digest(block: bytes) -> str:
    return hashlib.blake2b(block, digest_size=12).hexdigest()
