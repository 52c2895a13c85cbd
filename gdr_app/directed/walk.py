"""Dead ends: the same walk without and with teleportation, as a film on a small graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
import scipy.sparse as sp
import streamlit as st

from gdr_app.components.walk_canvas import Panel, Scene, walk_canvas
from gdr_app.state.pickers import pick
from gdr_app.widgets.plots import show_table
from gdr_core.graphs.walks import SMALL_GRAPHS, SmallGraph, Walk, small_graph
from gdr_core.laplacians import DIRECTIONS

STEPS: Final = 40
ANSWERS: Final = {
    "stay": "mass stays in dead ends",
    "vanish": "mass is lost in dead ends",
}
STARTS: Final = ("everywhere", "first node")
_ANSWER_HELP: Final = (
    "What the first walk does where no arrow leads on. **stay**: the mass remains there. "
    "**vanish**: it is lost, as in the bare product with the transition matrix."
)


@dataclass(frozen=True, eq=False)
class Walks:
    """What the pickers lead to: a graph and the same start walked twice."""

    graph: SmallGraph
    without: Walk
    with_jumps: Walk
    films: tuple[np.ndarray, np.ndarray]

    @property
    def titles(self) -> tuple[str, str]:
        """Of the two walks."""
        return (
            f"α = 1: {ANSWERS[self.without.dangling]}",
            f"α = {self.with_jumps.alpha:g}: with teleportation",
        )


def choose_walks(alpha: float) -> Walks:
    """Pickers for the graph, the way, the start and what dead ends do."""
    with st.container(key="walk-choice", horizontal=True, gap="small"):
        with st.container(width=170):
            name = pick("Small graph", tuple(SMALL_GRAPHS), key="small")
        with st.container(width=140):
            way = pick("Way", DIRECTIONS, key="way")
        with st.container(width=150):
            start = pick("Mass starts", STARTS, key="start")
        with st.container(width=170):
            answer = pick("Without jumps", tuple(ANSWERS), key="dead-end", help=_ANSWER_HELP)
    return walks(name, way, start, answer, alpha)


def walks(name: str, way: str, start: str, answer: str, alpha: float) -> Walks:
    """Both films."""
    graph = small_graph(name)
    adjacency = graph.adjacency if way == "forward" else sp.csr_array(graph.adjacency.T)
    without, with_jumps = Walk(adjacency, 1.0, answer), Walk(adjacency, alpha, "jump")
    nodes = without.nodes
    mass = np.full(nodes, 1 / nodes) if start == STARTS[0] else np.eye(nodes)[0]
    films = (without.film(mass, STEPS), with_jumps.film(mass, STEPS))
    return Walks(graph, without, with_jumps, films)


def draw_walks(found: Walks) -> None:
    """The film, with its lesson above."""
    links = found.without.adjacency.tocoo()
    st.markdown(found.graph.lesson)
    scene = Scene(
        graph=found.graph,
        links=np.column_stack([links.row, links.col]),
        dead_ends=found.without.dead_ends,
        traps=found.without.traps,
        panels=[Panel(*pair) for pair in zip(found.titles, found.films, strict=True)],
        series=masses(found),
    )
    label = f"A walk of {STEPS} steps, {found.titles[0]}, beside {found.titles[1]}."
    with st.container(key="walk-film"):
        walk_canvas(scene, key="walk", label=label)


def masses(found: Walks) -> dict[str, np.ndarray]:
    """What is caught without and with jumps, and what is left without, after every step."""
    without, with_jumps = found.films
    traps = found.without.traps
    return {
        "no way out, α = 1": without[:, traps].sum(axis=1),
        f"no way out, α = {found.with_jumps.alpha:g}": with_jumps[:, traps].sum(axis=1),
        "all mass, α = 1": without.sum(axis=1),
    }


def show_film_table(found: Walks) -> None:
    """Every frame as numbers."""
    frames = []
    for title, film in zip(found.titles, found.films, strict=True):
        frame = pd.DataFrame(film, columns=list(found.graph.names))
        frame.insert(0, "Walk", title)
        frame.insert(1, "Step", np.arange(len(film)))
        frame["All"] = film.sum(axis=1)
        frames.append(frame)
    show_table(
        pd.concat(frames, ignore_index=True),
        key="walk-table",
        height=280,
        formats=dict.fromkeys([*found.graph.names, "All"], "percent"),
        alt="Table: mass at every node after every step of both walks.",
    )
