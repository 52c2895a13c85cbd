"""Small pictures as SVG text: drawn in a moment where a chart library would take a blink.

They take the colour of the surrounding text, so that one picture serves light and dark pages.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

import numpy as np

Point = tuple[float, float]


def picture(width: float, height: float, label: str, parts: Iterable[str]) -> str:
    """An SVG that fills the width it is given; `label` is read out by screen readers."""
    return (
        f'<svg viewBox="0 0 {width:g} {height:g}" width="100%" role="img" '
        f'aria-label="{escape(label, quote=True)}" xmlns="http://www.w3.org/2000/svg" '
        'style="display:block;font-family:inherit">' + "".join(parts) + "</svg>"
    )


def line(points: np.ndarray, colour: str, width: float, *, title: str = "") -> str:
    """A line through points, shape (points, 2)."""
    places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points.tolist())
    return (
        f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="{width:g}" '
        f'stroke-linejoin="round">{_title(title)}</polyline>'
    )


def segment(start: Point, stop: Point, colour: str, width: float, *, dash: str = "") -> str:
    """A straight line, dashed where `dash` gives lengths of strokes and gaps."""
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<line x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{stop[0]:.1f}" y2="{stop[1]:.1f}" '
        f'stroke="{colour}" stroke-width="{width:g}"{dashed}/>'
    )


def ribbon(
    left: tuple[float, float, float], right: tuple[float, float, float], **looks: str
) -> str:
    """A band from (x, top, bottom) at the left to (x, top, bottom) at the right."""
    (x0, top0, low0), (x1, top1, low1) = left, right
    middle = (x0 + x1) / 2
    path = (
        f"M{x0:.1f},{top0:.2f}C{middle:.1f},{top0:.2f} {middle:.1f},{top1:.2f} {x1:.1f},{top1:.2f}"
        f"L{x1:.1f},{low1:.2f}C{middle:.1f},{low1:.2f} {middle:.1f},{low0:.2f} {x0:.1f},{low0:.2f}Z"
    )
    title = looks.pop("title", "")
    styles = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in looks.items())
    return f'<path d="{path}"{styles}>{_title(title)}</path>'


def box(
    x: float,
    y: float,
    width: float,
    height: float,
    colour: str,
    *,
    title: str = "",
    opacity: float = 1.0,
) -> str:
    """A filled rectangle."""
    return (
        f'<rect x="{x:.1f}" y="{y:.2f}" width="{width:.1f}" height="{height:.2f}" '
        f'fill="{colour}" fill-opacity="{opacity:g}">{_title(title)}</rect>'
    )


def dot(centre: Point, radius: float, colour: str, *, title: str = "") -> str:
    """A filled circle."""
    return (
        f'<circle cx="{centre[0]:.1f}" cy="{centre[1]:.1f}" r="{radius:g}" fill="{colour}" '
        f'stroke="currentColor" stroke-width="1">{_title(title)}</circle>'
    )


def words(x: float, y: float, text: str, *, anchor: str = "start", size: float = 12) -> str:
    """A line of text; anchor is `start`, `middle` or `end`."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size:g}" '
        f'fill="currentColor">{escape(text)}</text>'
    )


def _title(text: str) -> str:
    return f"<title>{escape(text)}</title>" if text else ""
