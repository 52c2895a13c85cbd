"""Still pictures of a lesson's figures, for paper: the graph, and its curves over time."""

from __future__ import annotations

from typing import Final

import numpy as np

from gdr_core.figures import svg
from gdr_core.lessons.record import Figure
from gdr_core.palette import class_colours
from gdr_core.sketches import Sketch

_WIDTH, _HEIGHT, _PAD, _BASE = 320.0, 220.0, 26.0, 16.0
_RELAXATIONS: Final = 5  # of the axis of time, as on the screen
_GREY: Final = "#8A8F98"


def _draw_graph(sketch: Sketch) -> str:
    """Nodes where they were drawn, links between them, names inside."""
    spots = [_spot(x / 1000, y / 1000) for x, y in sketch.places]
    parts = [
        svg.segment(spots[edge.source], spots[edge.target], _GREY, 1 + min(edge.weight, 3))
        for edge in sketch.edges
    ]
    for name, spot, beliefs in zip(sketch.names, spots, sketch.beliefs, strict=True):
        held = int(np.argmax(beliefs)) if any(beliefs) else -1
        colour = class_colours(sketch.classes)[held] if held >= 0 else "#ffffff"
        parts += [
            svg.dot(spot, 7, colour),
            svg.words(spot[0], spot[1] - 11, name, anchor="middle", size=11),
        ]
    label = f"A graph of {len(sketch.names)} nodes and {len(sketch.edges)} links"
    return svg.picture(_WIDTH, _HEIGHT, label, parts)


def draw_curves(sketch: Sketch) -> str:
    """p(t) of every node and class, and the line π of each class."""
    operator = sketch.operator()
    last = _RELAXATIONS / max(operator.gap, 1e-9)
    times = np.linspace(0, last, 121)
    values = np.stack([sketch.at(float(time)) for time in times])
    top = max(float(values.max()), 1e-9)
    parts = _axes(f"{last:.3g}", f"{top:.2g}")
    levels = operator.stationary(np.array(sketch.beliefs, dtype=np.float64))
    for k, colour in enumerate(class_colours(sketch.classes)):
        height = float(levels[:, k].mean()) / top
        parts.append(svg.segment(_spot(0, 1 - height), _spot(1, 1 - height), colour, 1, dash="4 3"))
        for j in range(len(sketch.names)):
            points = np.array(
                [_spot(i / 120, 1 - values[i, j, k] / top) for i in range(times.size)]
            )
            parts.append(svg.line(points, colour, 1.2, title=sketch.names[j]))
    return svg.picture(_WIDTH, _HEIGHT, "Curves p(t) of all nodes; dashed lines are π", parts)


def pictures_of(figure: Figure) -> list[str]:
    """What paper shows of a figure before the answer: never a curve that gives it away."""
    if figure.sketch is None:
        return []
    return [_draw_graph(figure.sketch), *([] if figure.hidden else [draw_curves(figure.sketch)])]


def _axes(last: str, top: str) -> list[str]:
    left, low = _spot(0, 1)
    right, high = _spot(1, 0)
    return [
        svg.segment((left, low), (right, low), "currentColor", 1),
        svg.segment((left, low), (left, high), "currentColor", 1),
        svg.words(right, low + 13, last, anchor="end", size=10),
        svg.words(left, low + 13, "t = 0", size=10),
        svg.words(left + 4, high + 8, top, size=10),
    ]


def _spot(x: float, y: float) -> tuple[float, float]:
    return _PAD + x * (_WIDTH - 2 * _PAD), _PAD + y * (_HEIGHT - 2 * _PAD - _BASE)
