"""What travels to the trajectory canvas: all curves once, as bytes; later only the chosen time.

The layout of the bytes is read by `curves.js`; the two files change together.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

SCALES: Final = ("linear", "logarithmic")


@dataclass(frozen=True)
class Group:
    """Curves that belong together: a class, or a kind of response. One entry of the legend."""

    name: str
    colour: str


@dataclass(frozen=True, eq=False)
class Curves:
    """Curves over one time grid.

    times     increasing, in relaxation times; the first may be 0
    values    shape (curves, times)
    levels    what each curve is compared with, shape (curves,): drawn dashed
    ends      where each curve ends, shape (curves,): drawn dotted where it is another value
    groups    for each curve the number of its group
    owners    for each curve the number of the node it belongs to
    names     of the owners; owner 0 is the main one, the others are drawn pale and named on hover
    labels    for each t_min the group that wins at the main owner; None where nothing wins
    quantity  what the vertical axis shows
    single    each owner has one curve: hovering reads the nearest curve, not all groups
    window    how many of the times belong to the time window; the line stays inside it and its end
              is marked. None where every time is as good as another
    peaks     for each curve of the main owner and each t_min of the window the index of its highest
              value from there on; None where peaks are not marked
    """

    times: np.ndarray
    values: np.ndarray
    levels: np.ndarray
    ends: np.ndarray
    groups: np.ndarray
    owners: np.ndarray
    legend: Sequence[Group]
    names: Sequence[str]
    quantity: str
    handle: str
    labels: np.ndarray | None = None
    scale: str = "linear"
    single: bool = False
    late_from: float | None = None
    window: int | None = None
    peaks: np.ndarray | None = None

    @property
    def moves(self) -> int:
        """At how many times the line can stand."""
        return self.times.size if self.window is None else self.window

    def __post_init__(self) -> None:
        count, times = self.values.shape
        if times != self.times.size or times < 2:
            raise ValueError(f"{self.times.size} times for curves of {times} values")
        for field in ("levels", "ends", "groups", "owners"):
            if getattr(self, field).shape != (count,):
                raise ValueError(f"{field} must have one entry for each of {count} curves")
        if not 1 < self.moves <= times:
            raise ValueError(f"the window must hold 2 to {times} times, got {self.window}")
        if self.labels is not None and self.labels.shape != (self.moves,):
            raise ValueError(f"labels must have one entry for each of {self.moves} times")
        main = int((self.owners == 0).sum())
        if self.peaks is not None and self.peaks.shape != (main, self.moves):
            raise ValueError(f"peaks must have shape ({main}, {self.moves})")
        if self.scale not in SCALES:
            raise ValueError(f"unknown scale {self.scale!r}; there are {', '.join(SCALES)}")


class Packed(NamedTuple):
    """Curves ready to send; `id` is a digest of the content."""

    id: str
    times: int
    payload: bytes


def pack_curves(curves: Curves) -> Packed:
    """Header length, JSON header, float32 times, levels, ends, values; uint16 peaks; uint8 labels.

    The line can stand at `Packed.times` places.
    """
    blocks = (curves.times, curves.levels, curves.ends, curves.values)
    body = b"".join(np.ascontiguousarray(block, dtype="<f4").tobytes() for block in blocks)
    if curves.peaks is not None:
        body += np.ascontiguousarray(curves.peaks, dtype="<u2").tobytes()
    if curves.labels is not None:
        body += np.asarray(curves.labels, dtype=np.uint8).tobytes()
    header = _header(curves)
    digest = hashlib.blake2b(json.dumps(header).encode() + body, digest_size=12).hexdigest()
    head = json.dumps({"id": digest, **header}, ensure_ascii=False).encode()
    head += b" " * (-len(head) % 4)
    return Packed(digest, curves.moves, struct.pack("<I", len(head)) + head + body)


def _header(curves: Curves) -> dict[str, Any]:
    return {
        "times": int(curves.times.size),
        "curves": int(curves.levels.size),
        "groups": np.asarray(curves.groups).tolist(),
        "owners": np.asarray(curves.owners).tolist(),
        "legend": [vars(group) for group in curves.legend],
        "names": list(curves.names),
        "quantity": curves.quantity,
        "handle": curves.handle,
        "labelled": curves.labels is not None,
        "moves": curves.moves,
        "peaked": 0 if curves.peaks is None else len(curves.peaks),
        "logarithmic": curves.scale == "logarithmic",
        "single": curves.single,
        "lateFrom": curves.late_from,
    }
