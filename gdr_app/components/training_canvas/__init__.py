"""Charts of training runs on canvases: redrawn twice a second without Plotly's cost.

    training_canvas(panels, key="charts", legend=[Entry("gcn 1", "#0072B2")], styles=...)

A panel is lines over epochs, with or without a field of colour behind them, or stacked bars.
Every panel carries a sentence for screen readers; put a table beside them as well.
"""

from __future__ import annotations

from pathlib import Path

from gdr_app.components.mounts import component
from gdr_app.components.training_canvas.panels import Bars, Entry, Heat, Line, Lines, message_of

__all__ = ["Bars", "Entry", "Heat", "Line", "Lines", "training_canvas"]

_HERE = Path(__file__).parent
_component = component("training_canvas", _HERE / "charts.js", _HERE / "charts.css")


def training_canvas(
    panels: list[Lines | Bars], *, key: str, legend: list[Entry], styles: list[Entry]
) -> None:
    """Draw panels in two columns where there is room. The legend names colours, the styles name
    dashes."""
    _component(key=key, data=message_of(panels, legend, styles), height="content")
