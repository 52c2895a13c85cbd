"""Taking results away: the lines of Python that give the same numbers, predictions as CSV."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import streamlit as st

from gdr_app.computing import cached
from gdr_app.computing.results import name_of_time, shown_part
from gdr_app.computing.runs import in_file_names
from gdr_app.computing.training_lines import lines_of_run
from gdr_core.figures.page import page_of
from gdr_core.gdr import GDRResult
from gdr_core.gdr.predictions import comparison_csv, predictions_csv
from gdr_core.method import Method
from gdr_core.method.lines import literal

if TYPE_CHECKING:
    import plotly.graph_objects as go

PYTHON_OPEN: Final = "python-open"
ONE_OF_MANY: Final = """\
after = result.accuracy["{part}"][result.chosen]
print({name}, result.prior_accuracy["{part}"], "->", after)
"""
IMPULSE: Final = """
from gdr_core.gdr.onward import until_settled
from gdr_core.graphs.neighbourhood import neighbourhood, sample_by_distance
from gdr_core.explanation.responses import KINDS, respond

source = {node}  # {name}
near = neighbourhood(dataset.undirected, source, {hops})
far = sample_by_distance(dataset.undirected, source, {each})  # some nodes at each distance
times = until_settled(laplacian, options.times(laplacian))  # the window, and what follows
everyone = respond(laplacian, near, times, beyond=far, tolerance=options.tolerance)
responses = everyone.of(far.nodes)
for kind, name in enumerate(KINDS):
    print(name, (responses.kinds == kind).sum())
"""


def python_for(view: Method, t_min: float, part: str = "validation") -> str:
    """The lines of Python that lead to this view; t_min in relaxation times.

    part   of the split, whose accuracy the page shows
    """
    return view.python(t_min, part, lines_of_run(view.prior))


def python_for_all(views: Mapping[str, Method], part: str = "validation") -> str:
    """The same for several views of one dataset, each at the t_min that GDR chooses."""
    runs = {name: lines_of_run(view.prior) for name, view in views.items()}
    trained = next((lines for lines in runs.values() if lines is not None), None)
    head = next(iter(views.values())).python_head(trained)
    blocks = [
        view.python_body(runs[name]) + ONE_OF_MANY.format(name=literal(name), part=part)
        for name, view in views.items()
    ]
    return "\n".join([head, *blocks])


def python_for_impulse(view: Method, node: int, hops: int, each: int, name: str) -> str:
    """The lines that put unit mass on a node and tell how nodes near and far respond."""
    run = lines_of_run(view.prior)
    lines = view.python_head(run) + view.python_body(run)
    return lines + IMPULSE.format(node=node, hops=hops, each=each, name=" ".join(name.split()))


def show_export(
    view: Method,
    result: GDRResult,
    index: int,
    figures: Sequence[go.Figure | str] = (),
    lines: str | None = None,
    comparison: Mapping[str, GDRResult] | None = None,
) -> None:
    """An expander with the Python lines, the predictions and the figures as files.

    lines        of Python, where they are others than those for this view and t_min
    comparison   methods by name: the file then holds all of them, each at its own t_min
    """
    # Tracked, so that a step of t_min writes no lines while it is shut.
    code = st.expander(
        "Python for this view", icon=":material/code:", key=PYTHON_OPEN, on_change="rerun"
    )
    if code.open:
        with code:
            st.markdown("These lines give the same numbers, without the app.")
            own = python_for(view, float(result.relative_times[index]), shown_part())
            st.code(own if lines is None else lines, language="python")
    name = f"{view.dataset.name}-{in_file_names(view.prior)}-{name_of_time(result, index)}"
    if comparison is not None:
        name = f"{view.dataset.name}-comparison"

    def table() -> str:
        graph = cached.dataset(view.dataset)
        if comparison is None:
            return predictions_csv(graph, result.at(index))
        return comparison_csv(graph, {name: each.at() for name, each in comparison.items()})

    with st.container(horizontal=True):
        st.download_button(
            "Predictions as CSV",
            data=table,
            file_name=f"{name}.csv",
            mime="text/csv",
            icon=":material/download:",
            on_click="ignore",
        )
        if figures:
            st.download_button(
                "Figures as HTML",
                data=lambda: page_of(figures, name),
                file_name=f"{name}.html",
                mime="text/html",
                icon=":material/download:",
                on_click="ignore",
            )
