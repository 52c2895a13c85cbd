"""Small pictures as SVG text: drawn in a moment where a chart library would take a blink.

`class_flow` is one that changes with every t_min; the rest is what such pictures are made of.
They take the colour of the surrounding text, so that one picture serves light and dark pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

import numpy as np

from gdr_core.figures.palette import UNKNOWN_COLOUR, class_colours

END = "</svg>"
Point = tuple[float, float]


def picture(width: float, height: float, label: str, parts: Iterable[str]) -> str:
    """An SVG that fills the width it is given; `label` is read out by screen readers."""
    return (
        f'<svg viewBox="0 0 {width:g} {height:g}" width="100%" role="img" '
        f'aria-label="{escape(label, quote=True)}" xmlns="http://www.w3.org/2000/svg" '
        'style="display:block;font-family:inherit">' + "".join(parts) + END
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


def _ribbon(
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


def words(
    x: float, y: float, text: str, *, anchor: str = "start", size: float = 12, most: int = 80
) -> str:
    """A line of text of at most so many letters; anchor is `start`, `middle` or `end`."""
    kept = text if len(text) <= most else text[: most - 1] + "…"
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size:g}" '
        f'fill="currentColor">{escape(kept)}</text>'
    )


def _title(text: str) -> str:
    return f"<title>{escape(text)}</title>" if text else ""


def class_flow(flows: np.ndarray, names: Sequence[str]) -> str:
    """From the prior's classes (left) to GDR's (right) as SVG; those that stay are pale."""
    colours = class_colours(len(names))
    scale = (FLOW_HEIGHT - FLOW_GAP * (len(names) - 1)) / max(flows.sum(), 1)
    left, right = _stacked(flows.sum(axis=1), scale), _stacked(flows.sum(axis=0), scale)
    parts = []
    starts, stops = left.copy(), right.copy()
    for a, b in zip(*np.nonzero(flows), strict=True):
        size = flows[a, b] * scale
        parts.append(
            _ribbon(
                (FLOW_LEFT + FLOW_BAR, starts[a], starts[a] + size),
                (FLOW_RIGHT, stops[b], stops[b] + size),
                fill=UNKNOWN_COLOUR if a == b else colours[b],
                fill_opacity="0.2" if a == b else "0.55",
                title=f"{flows[a, b]:,} nodes: {names[a]} → {names[b]}",
            )
        )
        starts[a] += size
        stops[b] += size
    for k, name in enumerate(names):
        for x, top, count, when in (
            (FLOW_LEFT, left[k], flows[k].sum(), "in the prior"),
            (FLOW_RIGHT, right[k], flows[:, k].sum(), "after GDR"),
        ):
            title = f"{count:,} nodes are {name} {when}"
            parts.append(box(x, top, FLOW_BAR, count * scale, colours[k], title=title))
        before, after = flows[k].sum() * scale, flows[:, k].sum() * scale
        parts += [
            words(FLOW_LEFT - 6, left[k] + before / 2 + 4, name, anchor="end", most=_SHORT),
            words(FLOW_RIGHT + FLOW_BAR + 6, right[k] + after / 2 + 4, name, most=_SHORT),
        ]
    label = f"Flow of {flows.sum():,} nodes from their class in the prior to their class after GDR."
    return picture(FLOW_WIDTH, FLOW_HEIGHT + 2 * FLOW_TOP, label, parts)


FLOW_WIDTH, FLOW_HEIGHT, FLOW_TOP = 560.0, 300.0, 10.0
FLOW_LEFT, FLOW_RIGHT, FLOW_BAR, FLOW_GAP = 150.0, 398.0, 12.0, 10.0
_SHORT = 22  # letters of a name


def _stacked(counts: np.ndarray, scale: float) -> np.ndarray:
    """Where each class's bar begins, from the top."""
    sizes = counts * scale + FLOW_GAP
    return FLOW_TOP + np.concatenate([[0.0], np.cumsum(sizes)[:-1]])
