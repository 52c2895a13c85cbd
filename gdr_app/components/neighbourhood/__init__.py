"""A node's surroundings with vis-network, and the film of classes flowing through them.

    view = NeighbourhoodView()
    view.draw(Film(pack_scene(scene), …), index)

The film travels once and runs in the browser. The library vis-network comes with the package
pyvis; it travels once too, in a mount of its own whose message never changes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import numpy as np
import streamlit as st

from gdr_app.components.mounts import component, lasting, two_mounts, value_of
from gdr_app.components.neighbourhood.payload import PackedScene, Scene, pack_scene

__all__ = ["Film", "NeighbourhoodView", "PackedScene", "Scene", "pack_scene"]

TABLE_OPEN: Final = "around-table-open"
_HERE = Path(__file__).parent
_library = component("vis_network", _HERE / "vis.js")
_code, _drawing = two_mounts(
    "neighbourhood", _HERE / "neighbourhood.js", _HERE / "neighbourhood.css"
)


@cache
def _vis_network() -> bytes:
    """The JavaScript of vis-network, as the package pyvis brings it."""
    spec = find_spec("pyvis")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("the package pyvis, which brings vis-network, is not installed")
    return (Path(spec.origin).parent / "lib/vis-9.1.2/vis-network.min.js").read_bytes()


@dataclass(frozen=True, eq=False)
class Film:
    """What happens around a node, packed to be sent, and what is said of each node in words.

    label       read out by screen readers
    codes       for each time and node which of the `words` holds
    on_select   called with a node that is clicked, before the page runs
    tabulate    draws the nodes as a table, with what is said of each at a time
    """

    packed: PackedScene
    label: str
    caption: str
    quantity: str
    codes: np.ndarray
    words: np.ndarray
    on_select: Callable[[int], None]
    tabulate: Callable[[list[str]], None]


class NeighbourhoodView:
    """The library in the browser, ready to draw: making one sends it, outside of fragments."""

    def __init__(self) -> None:
        with lasting(), st.sidebar, st.container(key="sent-library"):  # where it moves nothing
            _library(key="vis-network", data=_vis_network(), height="content")

    def draw(self, film: Film, index: int, *, key: str = "around", height: int = 400) -> None:
        """The film at time `index`, and the same for keyboard and screen reader."""
        packed, said = film.packed, film.words[film.codes[index]].tolist()

        def tell() -> None:
            place = value_of(key, "selected", range(len(packed.nodes)))
            if place is not None:
                film.on_select(packed.nodes[place])

        with st.container(gap=None):
            _code(key=f"{key}-data", data=packed.payload, height="content")
            _drawing(
                key=key,
                data={
                    "scene": packed.id,
                    "details": [f"{film.quantity.lower()}: {words}" for words in said],
                    "index": index,
                    "label": film.label,
                    "height": height,
                    "clickable": True,
                },
                on_selected_change=tell,
            )
        st.markdown(film.caption)
        # Tracked, so that a step of t_min builds no table while it is shut.
        table = st.expander("These nodes as a table", key=TABLE_OPEN, on_change="rerun")
        if table.open:
            with table:
                film.tabulate(said)
