"""A small graph, its curves and a moment in time, computed in the browser; to be put anywhere.

    told = diffusion_figure(GALLERY["six"].sketch, key="ink", label="A drop of ink on six nodes")
    if told and told["event"] == "node": ...

The graph travels once, as in links; p(t) for every t is computed in the browser from eigenvectors.
A figure can ask for something: a node to click, or a curve to draw on the chart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Literal

import streamlit as st

from gdr_app.components.mounts import component
from gdr_core.sketches import Sketch, encode

__all__ = ["FigureOptions", "diffusion_figure"]

_HERE = Path(__file__).parent
_component = component("diffusion_figure", _HERE / "entry.js", _HERE / "figure.css")
_CONTROLS: Final = ("play", "speed", "axis")


@dataclass(frozen=True)
class FigureOptions:
    """How a figure looks and what it asks for.

    controls   of `play`, `speed`, `axis`; none for a still picture
    curves     all of them, that of the chosen node, what has been up to now, or none
    chart      whether there is a chart beside the graph
    values     whether each node's value stands under it
    badges     whether nodes say that they have overshot, or that it is proved they never will
    ask        `node`: somebody clicks one; `curve`: somebody draws one on the chart
    focus      name of the node that is chosen at first
    stop       the time at which playing stops
    height     of graph and chart, in pixels; on a phone they stand one above the other
    """

    controls: Sequence[str] = _CONTROLS
    curves: Literal["all", "focus", "past", "none"] = "all"
    chart: bool = True
    values: bool = True
    badges: bool = True
    ask: Literal["", "node", "curve"] = ""
    focus: str = ""
    stop: float | None = None
    height: int = 340


def diffusion_figure(
    sketch: Sketch,
    *,
    key: str,
    label: str,
    options: FigureOptions | None = None,
    on_told: Callable[[dict[str, Any]], None] | None = None,
) -> dict[str, Any] | None:
    """Draw the figure; what it has just told, or None.

    It tells `{"event": "node", "node": name}`, `{"event": "time", "time": t}` when somebody moves
    the time or playing ends, and `{"event": "curve", "points": [[t, p], …]}`. `on_told` hears the
    same before the page runs again.
    """

    def tell() -> None:
        if on_told is not None and (told := _told(key)) is not None:
            on_told(told)

    data = {"code": encode(sketch), "label": label, **asdict(options or FigureOptions())}
    _component(key=key, data=data, on_told_change=tell, height="content")
    return _told(key)


def _told(key: str) -> dict[str, Any] | None:
    """What arrived from the browser, if it has the form that it should have."""
    told = (st.session_state.get(key) or {}).get("told")
    return told if isinstance(told, dict) and told.get("event") in _FIELDS else None


_FIELDS: Final = {"node", "time", "curve"}
