"""The bar of t_min: a curve to drag along, numbers that keep up, and a graph that does, too.

    sweep = SentSweep(pack_sweep(Sweep(…)), key="t_min", label="…", on_move=choose)
    sweep.draw(index)
    canvas.draw(MovingLooks(sweep.packed, index, …), key="overview", …)

Labels for every t_min travel once. While the hand moves, every frame is drawn in the browser: the
bar tells the graphs on the page where it stands (`following.js`). Python hears of a single move at
once, of many when the hand rests or lets go. The bar alone decides which t_min the browser shows: a
graph whose message from Python is older than the hand follows the hand.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import streamlit as st

from gdr_app.components.mounts import lasting, two_mounts, value_of
from gdr_core.canvases.bundle import ROOM
from gdr_core.canvases.t_min_bar.payload import (
    Count,
    Line,
    MovingLooks,
    PackedSweep,
    Sweep,
    pack_sweep,
)

__all__ = ["Count", "Line", "MovingLooks", "PackedSweep", "SentSweep", "Sweep", "pack_sweep"]

_DRAWN = ROOM / "t_min_bar"
_code, _drawing = two_mounts("t_min_bar", _DRAWN / "bar.js", _DRAWN / "bar.css")
CHOSEN: Final = -1  # what the bar sends where the hand goes back to the chosen t_min


class SentSweep:
    """A sweep that the browser has: making one sends it, outside the fragments that draw it.

    label     read out by screen readers
    on_move   is called with the index where the hand goes to, before the page runs, and with None
              where it goes back to the chosen t_min
    """

    def __init__(
        self, packed: PackedSweep, *, key: str, label: str, on_move: Callable[[int | None], None]
    ) -> None:
        self.packed, self.key, self.label, self._on_move = packed, key, label, on_move
        with lasting(), st.sidebar, st.container(key=f"sent-{key}"):  # where it moves nothing
            _code(key=f"{key}-sweep", data=packed.payload, height="content")

    def draw(self, index: int) -> None:
        """The bar with its line at `index`."""
        _drawing(
            key=self.key,
            data={"sweep": self.packed.id, "index": index, "label": self.label},
            on_moved_change=self._tell,
        )

    def _tell(self) -> None:
        moved = value_of(self.key, "moved", range(CHOSEN, self.packed.times))
        if moved is not None:
            self._on_move(None if moved == CHOSEN else moved)
