"""The lab: an editor of small graphs and their exact course, all of it computed in the browser.

    lab(code, key="lab", gallery=GALLERY, on_graph=keep)

Python hears the graph as the text of its link, a moment after the last change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from gdr_app.components.mounts import component
from gdr_core.sketches import Exhibit, Sketch, SketchError, decode, encode

_HERE = Path(__file__).parent
_component = component("lab", _HERE / "lab.js", _HERE / "lab.css")


def lab(
    graph: str,
    *,
    key: str,
    gallery: Mapping[str, Exhibit],
    on_graph: Callable[[str], None],
    on_dataset: Callable[[Sketch], None] | None = None,
    fault: str = "",
) -> None:
    """Draw the lab with the graph of a link, or with the first one of the gallery.

    fault        what was wrong with the link, to be said beside the text of the graph
    on_graph     hears the text of the link after every change
    on_dataset   hears the graph that other pages should show; None leaves the button out
    """

    def tell() -> None:
        told = (st.session_state.get(key) or {}).get("told")
        event = told.get("event") if isinstance(told, dict) else None
        if event == "graph" and (sketch := _sketch_of(told)) is not None:
            on_graph(encode(sketch))
        elif event == "dataset" and on_dataset and (sketch := _sketch_of(told)) is not None:
            on_dataset(sketch)

    data = {
        "graph": graph,
        "fault": fault,
        "gallery": [_shown(name, exhibit) for name, exhibit in gallery.items()],
        "datasets": on_dataset is not None,
    }
    _component(key=key, data=data, on_told_change=tell, height="content")


def _shown(name: str, exhibit: Exhibit) -> dict[str, str]:
    code = encode(exhibit.sketch)
    return {"name": name, "title": exhibit.title, "about": exhibit.about, "code": code}


def _sketch_of(told: Any) -> Sketch | None:
    """The graph that arrived from the browser; whatever else arrives is no graph."""
    try:
        return decode(str(told["code"]))
    except (KeyError, SketchError):
        return None
