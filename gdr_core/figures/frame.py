"""What the figures share: a transparent frame, a title at the left, and a logarithmic axis."""

from __future__ import annotations

from typing import Any

LOG_AXIS: dict[str, Any] = {
    "type": "log",
    "dtick": 1,
    "minor": {"dtick": "D1", "ticks": ""},
    "exponentformat": "power",
}


def frame(
    title: str | None, x_title: str | None, y_title: str | None, height: int
) -> dict[str, Any]:
    """Layout of a figure that keeps its zoom when its numbers change."""
    return {
        "title": {"text": title, "font": {"size": 16}, "x": 0, "y": 0.98, "yanchor": "top"},
        "xaxis": {"title": {"text": x_title}, "automargin": True},
        "yaxis": {"title": {"text": y_title}, "automargin": True},
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 1, "xanchor": "right"},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "margin": {"l": 8, "r": 12, "t": 44 if title else 24, "b": 8},
        "height": height,
        "uirevision": "keep",
    }


def see_through(colour: str, opacity: float) -> str:
    """A colour #rrggbb that lets the ground shine through."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity})"


def chart_text(name: str) -> str:
    """A name that a chart shows as it is: Plotly would read tags and the marks of templates in it.

    >>> chart_text("<a href='http://host'>%{x}</a>")
    "&lt;a href='http://host'>%&#123;x}&lt;/a>"
    """
    return name.replace("&", "&amp;").replace("<", "&lt;").replace("%{", "%&#123;")
