"""A search box over the nodes of a graph, as quick with twenty thousand of them as with ten.

    node_search(geometry, key="search", selected=node, on_choose=choose)

Streamlit's select box builds an element for every option, which takes a second for Pubmed. This
one looks the names up in the geometry that the browser has already.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from gdr_app.components.graph_canvas import Geometry
from gdr_app.components.mounts import component

_HERE = Path(__file__).parent
_component = component("node_search", _HERE / "search.js", _HERE / "search.css")


def node_search(
    geometry: Geometry,
    *,
    key: str,
    selected: int | None,
    on_choose: Callable[[int | None], None],
    label: str = "Node",
    hint: str = "Search or click one",
) -> None:
    """A combo box: type a part of a name, take one of the matches; empty it to choose none.

    `on_choose(node)` runs before the page does. The page must send the geometry to a canvas.
    """

    def tell() -> None:
        chosen = (st.session_state.get(key) or {}).get("chosen")
        if isinstance(chosen, int) and -1 <= chosen < geometry.nodes:
            on_choose(None if chosen < 0 else chosen)

    _component(
        key=key,
        data={"geometry": geometry.id, "selected": selected, "label": label, "hint": hint},
        on_chosen_change=tell,
    )
