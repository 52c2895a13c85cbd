"""One node's curves, the sentence that explains its label, and the numbers behind it."""

from __future__ import annotations

import numpy as np
import pandas as pd

from gdr_app.components.trajectory_canvas import pack_curves, trajectory_canvas
from gdr_app.computing.results import set_t_min
from gdr_app.widgets.plots import draw_numbers
from gdr_app.wording import plain, readable
from gdr_core.canvases.relabelling.payload import class_curves
from gdr_core.datasets import Dataset
from gdr_core.datasets.hiding import truth_of
from gdr_core.explanation.verdict import judge, sentence
from gdr_core.gdr import GDRResult
from gdr_core.gdr.course import courses
from gdr_core.gdr.onward import Drawn


def draw_curves(
    graph: Dataset, result: GDRResult, nodes: np.ndarray, drawn: Drawn, index: int
) -> None:
    """The canvas; dragging its line moves t_min, on this page and on all others."""
    times = result.relative_times

    def move(to: int) -> None:
        set_t_min(float(times[to]))

    trajectory_canvas(
        pack_curves(class_curves(graph, result, nodes, drawn)),
        key="trajectories",
        label=f"Beliefs in every class at node {graph.node_names[nodes[0]]} over time. "
        "Arrow keys move t_min by one step.",
        index=index,
        on_move=move,
    )


def headline(graph: Dataset, result: GDRResult, node: int, index: int) -> str:
    """The node, its label before and after, and its true class."""
    names = [plain(readable(name)) for name in graph.class_names]
    known = int(graph.labels[node])
    prior, label = int(result.prior_labels[node]), int(result.scan.predicted[index, node])
    before = "" if prior == label else f"{names[prior]} → "
    right = "" if known < 0 else (" :material/check:" if known == label else " :material/close:")
    truth = plain(readable(truth_of(graph, node)))
    title = f"**Node {plain(graph.node_names[node])}**"
    return f"{title} · **{before}{names[label]}**{right} · true class {truth}"


def reason(graph: Dataset, result: GDRResult, node: int, index: int) -> str:
    """One sentence with the numbers that decided."""
    names = tuple(map(readable, graph.class_names))
    return plain(sentence(judge(result, node, index), names))


def show_numbers(graph: Dataset, result: GDRResult, node: int, index: int) -> None:
    """The curves as a table: one row a class."""
    found = courses(result, node, index)
    table = pd.DataFrame(
        {
            "Class": [readable(name) for name in graph.class_names],
            "Prior p(0)": found.start,
            "p(t_min)": found.now,
            "Peak": found.peak,
            "Peak at t·λ₂": found.peak_time,
            "π": found.compared,
            "Overshoot height Ω": found.overshoot,
            "Ends at": found.end,
        }
    )
    alt = "Table: every class with its prior, value at t_min, peak, π, overshoot and end."
    draw_numbers(table, key="node-numbers", digits=4, alt=alt)
