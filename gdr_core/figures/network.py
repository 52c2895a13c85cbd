"""A drawing of a two-layer network on a graph: what one node sees in each of its layers.

The neighbourhood is drawn in rings. Ring h stands for all nodes that are h links away, and its
disc is as large in area as the share of the layer's weight that these nodes have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gdr_core.figures import svg

_BLUE, _ORANGE, _GREEN = "#0072B2", "#E69F00", "#009E73"
_WIDTH, _HEIGHT, _MIDDLE = 420.0, 190.0, 88.0
_RINGS = 5  # hops that are drawn; those beyond are told in words
_SPOKES = (1, 6, 9, 12, 15)  # discs in each ring
_STEP = 13.0  # between two rings
_ALONE = "each node alone"


@dataclass(frozen=True)
class Layers:
    """What is drawn.

    inputs, hidden, classes   how many numbers a node has before, between and after the layers
    spread   the formula of what a layer does over the graph, such as `e^(−tL)`
    shares   of the layer's weight at a node: its own, that of its neighbours, of two links away, …
    second   whether the second layer spreads like the first; else it looks at each node alone
    """

    inputs: int
    hidden: int
    classes: int
    spread: str
    shares: Sequence[float]
    second: bool = True


def network_picture(layers: Layers, node: str) -> str:
    """The network from left to right as SVG text.

    node   the name of the node whose neighbourhood is drawn
    """
    said = ", ".join(f"{share:.0%} at {hop}" for hop, share in enumerate(layers.shares[:_RINGS]))
    rest, from_ = beyond(layers.shares)
    said += f", {rest:.0%} at {from_} or more" if rest > 0 else ""
    last = layers if layers.second else replace(layers, spread=_ALONE, shares=(1.0,))
    again = "spread again" if layers.second else _ALONE
    label = (
        f"Network: {layers.inputs:,} features, spread by {layers.spread}, {layers.hidden} hidden "
        f"units, {again}, {layers.classes} classes. Weight by links away from {node}: {said}."
    )
    parts = [
        *_column(26, layers.inputs, "features", _ORANGE),
        *_neighbourhood(122, layers),
        *_column(216, layers.hidden, "hidden", _GREEN),
        *_neighbourhood(308, last),
        *_column(398, layers.classes, "classes", _BLUE),
    ]
    for start, stop in ((38, 62), (182, 204), (228, 248), (368, 386)):
        parts.append(svg.segment((start, _MIDDLE), (stop, _MIDDLE), "currentColor", 1.5))
    return svg.picture(_WIDTH, _HEIGHT, label, parts)


def _column(x: float, count: int, name: str, colour: str) -> list[str]:
    """A column of units; more than seven are told by their number."""
    shown = min(count, 7)
    tops = _MIDDLE + 15 * (np.arange(shown) - (shown - 1) / 2)
    parts = [f'<circle cx="{x:g}" cy="{y:.1f}" r="5" fill="{colour}"/>' for y in tops.tolist()]
    parts.append(svg.words(x, 170, f"{count:,}", anchor="middle", size=11.5))
    parts.append(svg.words(x, 184, name, anchor="middle", size=11))
    return parts


def _neighbourhood(x: float, layers: Layers) -> list[str]:
    """Rings of discs; the area of all discs of a ring together is its share of the weight."""
    parts = []
    for hop, (share, discs) in enumerate(zip(layers.shares, _SPOKES, strict=False)):
        radius = 15.0 * np.sqrt(max(share, 0.0) / discs)
        angles = 2 * np.pi * (np.arange(discs) / discs + 0.05 * hop)
        for angle in angles.tolist():
            across, down = x + hop * _STEP * np.cos(angle), _MIDDLE + hop * _STEP * np.sin(angle)
            parts.append(
                f'<circle cx="{across:.1f}" cy="{down:.1f}" r="1.2" fill="currentColor" '
                'opacity="0.3"/>'
                f'<circle cx="{across:.1f}" cy="{down:.1f}" r="{radius:.2f}" fill="{_BLUE}"/>'
            )
    parts.append(svg.words(x, 170, layers.spread, anchor="middle", size=11.5))
    parts.append(svg.words(x, 184, f"reach {reach(layers.shares):.1f} links", anchor="middle"))
    return parts


def beyond(shares: Sequence[float]) -> tuple[float, int]:
    """The share of the weight that no ring shows, and from how many links away it comes.

    >>> beyond([0.5, 0.25, 0.125, 0.0625, 0.03125, 0.03125])
    (0.03125, 5)
    """
    return float(sum(shares[_RINGS:])), _RINGS


def reach(shares: Sequence[float]) -> float:
    """Mean number of links to where the weight comes from: Σ h·s_h / Σ s_h.

    >>> reach([0.5, 0.5])
    0.5
    """
    weights = np.asarray(shares, dtype=float)
    total = weights.sum()
    return float(weights @ np.arange(weights.size) / total) if total else 0.0
