"""One node read three ways: curves on one time axis, and the numbers behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd

from gdr_app.directed.choice import DirectedView
from gdr_app.directed.study import Studies, curves_of
from gdr_app.state.pickers import pick
from gdr_app.widgets.plots import draw_figure, show_table
from gdr_app.wording import percent, plain, readable
from gdr_core.datasets import Dataset
from gdr_core.datasets.hiding import truth_of
from gdr_core.explanation.directions import Study, common_times
from gdr_core.figures.directed import ABSOLUTE, RELATIVE, three_readings

if TYPE_CHECKING:
    import plotly.graph_objects as go

_UNITS: Final = ("relaxation times", "own time")
SYMBOLS: Final = {"forward": "A", "backward": "Aᵀ", "undirected": "max(A, Aᵀ)"}
_UNIT_HELP: Final = (
    "**relaxation times**: t·λ₂, each reading in its own unit. **own time**: t itself; the "
    "Laplacian `directed` is about N times smaller than D − A, so its curves lie far to the right."
)


def choose_unit() -> str:
    """In which unit the time axis is."""
    return pick("Time axis", _UNITS, key="unit", help=_UNIT_HELP)


def draw_readings(
    view: DirectedView, graph: Dataset, studies: Studies, node: int, unit: str
) -> go.Figure:
    """The node's beliefs, one panel a reading, on one time axis."""
    relative = common_times(view.method.laplacian)
    own = unit == _UNITS[1]
    scale = {name: found.laplacian.relaxation_time for name, found in studies.items()}
    figure = three_readings(
        times={name: relative * (scale[name] if own else 1.0) for name in studies},
        curves=curves_of(view, node),
        levels={name: found.result.stationary[node] for name, found in studies.items()},
        titles={name: _title(graph, found, node) for name, found in studies.items()},
        names=[readable(name) for name in graph.class_names],
        axis_title=ABSOLUTE if own else RELATIVE,
    )
    alt = f"Beliefs at node {graph.node_names[node]} over time, forward, backward and undirected."
    return draw_figure(figure, key="readings", alt=alt)


def show_readings(graph: Dataset, studies: Studies, node: int) -> None:
    """The numbers of the three readings, one column each: the table behind the picture."""
    show_table(
        readings_table(graph, studies, node),
        key="readings-table",
        alt="Table: λ₂, visits, stationary state and label of the node for each reading.",
    )


def readings_table(graph: Dataset, studies: Studies, node: int) -> pd.DataFrame:
    """One row a quantity, one column a reading."""
    columns = {name: _column(graph, found, node) for name, found in studies.items()}
    return pd.DataFrame(
        {"Quantity": list(columns["forward"])}
        | {name: list(column.values()) for name, column in columns.items()}
    )


def verdict(graph: Dataset, studies: Studies, node: int) -> str:
    """One sentence: do the readings agree about the node?"""
    names = [readable(name) for name in graph.class_names]
    labels = {name: names[int(found.result.predictions()[node])] for name, found in studies.items()}
    truth = f" True class: **{plain(readable(truth_of(graph, node)))}**."
    head = f"Node **{plain(graph.node_names[node])}**:"
    if len(set(labels.values())) == 1:
        return f"{head} all three readings say **{plain(labels['forward'])}**.{truth}"
    said = ", ".join(f"{name} **{plain(label)}**" for name, label in labels.items())
    return f"{head} the readings disagree: {said}.{truth}"


def _column(graph: Dataset, found: Study, node: int) -> dict[str, str]:
    names = [readable(name) for name in graph.class_names]
    result = found.result
    level = result.stationary[node]
    first = int(np.argmax(level))
    chosen = result.chosen
    return {
        "λ₂": f"{found.gap:.4g}",
        "Relaxation time 1/λ₂": f"{found.laplacian.relaxation_time:.4g}",
        "Dead ends in the graph": f"{int(found.dangling.sum()):,}",
        "Visits to this node, N·φ": f"{graph.nodes * found.visits[node]:.3g}",
        "Its place by visits": f"{found.places[node]:,} of {graph.nodes:,}",
        "Rate at which it is left": f"{found.laplacian.rates[node]:.4g}",
        "Largest π here": f"{names[first]}, {level[first]:.4f}",
        "Label after GDR": names[int(result.predictions()[node])],
        "Chosen t_min · λ₂": f"{result.relative_times[chosen]:.4g}",
        "Validation accuracy": (
            f"{percent(result.prior_accuracy['validation'])} → "
            f"{percent(float(result.accuracy['validation'][chosen]))}"
        ),
    }


def _title(graph: Dataset, found: Study, node: int) -> str:
    label = readable(graph.class_names[int(found.result.predictions()[node])])
    symbol = SYMBOLS[found.reading]
    return f"<b>{found.reading}</b>, {symbol} · λ₂ = {found.gap:.3g} · label {label}"
