"""A walk on a small graph, drawn step by step in the browser: two versions and a chart of both.

    walk_canvas(Scene(graph, …, panels, series), key="walk", label="…")

The film travels once and runs in the browser: play, pause, step, drag; a cursor in the chart stands
at the step that is shown, and a press on the chart goes there. Put a table beside it, for
screen readers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gdr_app.components.mounts import component
from gdr_core.graphs.walks import SmallGraph

__all__ = ["Panel", "Scene", "walk_canvas"]

_HERE = Path(__file__).parent
_component = component("walk_canvas", _HERE / "walk.js", _HERE / "walk.css")


@dataclass(frozen=True, eq=False)
class Panel:
    """One version of the walk: its title and its masses, shape (steps + 1, nodes)."""

    title: str
    film: np.ndarray


@dataclass(frozen=True, eq=False)
class Scene:
    """A graph, the nodes one cannot get away from, and the versions of the walk on it.

    links    pairs (from, to) as the walk goes, which may be against the graph's own arrows
    series   up to three shares of the mass after every step, by name, for the chart beside
    """

    graph: SmallGraph
    links: np.ndarray
    dead_ends: np.ndarray
    traps: np.ndarray
    panels: Sequence[Panel]
    series: Mapping[str, np.ndarray]

    def __post_init__(self) -> None:
        nodes = len(self.graph.names)
        lengths = {panel.film.shape for panel in self.panels}
        if len(lengths) != 1 or next(iter(lengths))[1] != nodes:
            raise ValueError(f"films must have one shape (steps, {nodes}), got {sorted(lengths)}")
        steps = {len(values) for values in self.series.values()}
        if not 1 <= len(self.series) <= 3 or steps != {next(iter(lengths))[0]}:
            raise ValueError(
                f"the chart takes one to three series as long as the films, got {len(self.series)} "
                f"of {sorted(steps)} steps"
            )


def payload(scene: Scene) -> dict[str, Any]:
    """The scene as JSON carries it; masses to six digits."""
    return {
        "names": list(scene.graph.names),
        "places": np.round(scene.graph.places, 4).tolist(),
        "links": scene.links.tolist(),
        "deadEnds": scene.dead_ends.tolist(),
        "traps": scene.traps.tolist(),
        "panels": [
            {"title": panel.title, "film": np.round(panel.film, 6).tolist()}
            for panel in scene.panels
        ],
        "series": [
            {"name": name, "values": np.round(values, 6).tolist()}
            for name, values in scene.series.items()
        ],
    }


def walk_canvas(scene: Scene, *, key: str, label: str) -> None:
    """Draw the walk at its start; the buttons under it let it run."""
    _component(key=key, data={**payload(scene), "label": label}, height="content")
