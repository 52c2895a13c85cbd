"""Python lines and downloads of the Directed page."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import streamlit as st

from gdr_app.computing.runs import run_behind
from gdr_app.directed.choice import DirectedView
from gdr_app.directed.rank import ranks_csv
from gdr_app.directed.study import Studies
from gdr_app.train.python import IMPORTS, training_lines
from gdr_core.datasets import Dataset
from gdr_core.figures.page import page_of

if TYPE_CHECKING:
    import plotly.graph_objects as go

LINES: Final = """\
from gdr_core.datasets import load_dataset
from gdr_core.explanation.directions import READINGS, common_times, study
from gdr_core.method import Method
from gdr_core.priors import compute_prior
{imports}
dataset = load_dataset({load})
{training}prior = compute_prior({compute})
method = Method.on({name}, laplacian={form}, alpha={alpha})
node, times = {node}, common_times({form})
for reading in READINGS:
    found = study(method, reading, dataset, prior)
    curves = found.curves(node, times)  # p(t) of the node, times in relaxation times
    label = dataset.class_names[found.result.predictions()[node]]
    accuracy = found.result.accuracy["validation"][found.result.chosen]
    print(reading, found.gap, found.visits[node], label, accuracy)
"""


def python_for(view: DirectedView, node: int) -> str:
    """The lines of Python that lead to this view."""
    choice = view.dataset
    seed = {"seed": choice.seed} if choice.seed else {}
    load = {"split": choice.split, **seed, **dict(choice.options)}
    trained = run_behind(view.prior)
    if trained:
        prior = ['"external"', "dataset", "probabilities=training.probabilities()"]
    else:
        prior = [_literal(view.prior), "dataset", *_named(seed)]
    return LINES.format(
        imports=IMPORTS if trained else "",
        training=f"{training_lines(trained)}\n" if trained else "",
        load=", ".join([_literal(choice.name), *_named(load)]),
        compute=", ".join(prior),
        name=_literal(choice.name),
        node=node,
        form=_literal(view.form),
        alpha=view.alpha,
    )


def show_directed_export(
    view: DirectedView,
    graph: Dataset,
    studies: Studies,
    node: int,
    figures: Sequence[go.Figure | str],
) -> None:
    """The Python lines, PageRank as CSV and the figures as one page."""
    with st.expander("Python for this view", icon=":material/code:"):
        st.markdown("These lines give the same numbers, without the app.")
        st.code(python_for(view, node), language="python")
    name = f"{view.dataset.name}-directions-alpha-{view.alpha:g}"
    with st.container(horizontal=True):
        st.download_button(
            "PageRank as CSV",
            data=lambda: ranks_csv(graph, studies),
            file_name=f"{name}.csv",
            mime="text/csv",
            icon=":material/download:",
            on_click="ignore",
        )
        st.download_button(
            "Figures as HTML",
            data=lambda: page_of(figures, name),
            file_name=f"{name}.html",
            mime="text/html",
            icon=":material/download:",
            on_click="ignore",
        )


def _named(values: Mapping[str, object]) -> list[str]:
    return [f"{name}={_literal(value)}" for name, value in values.items()]


def _literal(value: object) -> str:
    return json.dumps(value) if isinstance(value, str) else repr(value)
