"""Taking results away: the lines of Python that give the same numbers, predictions as CSV."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import streamlit as st

from gdr_app.computing import cached
from gdr_app.computing.results import name_of_time, options_of, shown_part
from gdr_app.computing.runs import in_file_names, run_behind
from gdr_app.train.python import IMPORTS, training_lines
from gdr_app.widgets.sidebar import DatasetChoice, View
from gdr_core.figures.page import page_of
from gdr_core.gdr import GDRResult
from gdr_core.gdr.predictions import comparison_csv, predictions_csv
from gdr_core.laplacians import LAPLACIANS

if TYPE_CHECKING:
    import plotly.graph_objects as go

PYTHON_OPEN: Final = "python-open"
HEAD: Final = """\
from gdr_core.datasets import load_dataset
from gdr_core.gdr import GDROptions, reclassify
from gdr_core.laplacians import make_laplacian
from gdr_core.priors import compute_prior
{imports}
dataset = load_dataset({load})
"""
METHOD: Final = """\
{training}prior = compute_prior({compute})
laplacian = make_laplacian({make})
options = GDROptions({options})
result = reclassify(laplacian, prior, dataset.labels, dataset.split, options)
"""
ONE: Final = """
now = result.at_time({t_min})  # the closest t_min of the grid; result.at() is GDR's own choice
predicted = now.predicted
print(result.prior_accuracy["{part}"], "->", result.accuracy["{part}"][now.t_min_index])
print(now.tally.relabelled, "nodes relabelled")
"""
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


def python_for(view: View, t_min: float, part: str = "validation") -> str:
    """The lines of Python that lead to this view; t_min in relaxation times.

    part   of the split, whose accuracy the page shows
    """
    pieces = _pieces(view)
    return (HEAD + METHOD + ONE).format(t_min=f"{t_min:.4g}", part=part, **pieces)


def python_for_all(views: Mapping[str, View], part: str = "validation") -> str:
    """The same for several views of one dataset, each at the t_min that GDR chooses."""
    pieces = {name: _pieces(view) for name, view in views.items()}
    imports = next((each["imports"] for each in pieces.values() if each["imports"]), "")
    load = next(iter(pieces.values()))["load"]
    blocks = [
        (METHOD + ONE_OF_MANY).format(name=_literal(name), part=part, **each)
        for name, each in pieces.items()
    ]
    return "\n".join([HEAD.format(imports=imports, load=load), *blocks])


def python_for_impulse(view: View, node: int, hops: int, each: int, name: str) -> str:
    """The lines that put unit mass on a node and tell how nodes near and far respond."""
    lines = (HEAD + METHOD).format(**_pieces(view))
    return lines + IMPULSE.format(node=node, hops=hops, each=each, name=" ".join(name.split()))


def _pieces(view: View) -> dict[str, str]:
    """What the templates leave open."""
    kind = LAPLACIANS[view.laplacian]
    adjacency = "dataset.adjacency" if kind.directed else "dataset.undirected"
    direction = {"direction": view.direction} if kind.directed else {}
    seed = {"seed": view.dataset.seed} if view.dataset.seed else {}
    options = options_of(view)
    chosen = ("rule", "stationary", "first", "last", "tolerance")
    trained = run_behind(view.prior)
    external = {"probabilities": Verbatim("training.probabilities()")}
    prior = ("external", external) if trained else (view.prior, seed)
    return {
        "imports": IMPORTS if trained else "",
        "training": f"{training_lines(trained)}\n" if trained else "",
        "load": _call(_literal(view.dataset.name), split=view.dataset.split, **_load_options(view)),
        "compute": _call(_literal(prior[0]), "dataset", **prior[1]),
        "make": _call(_literal(view.laplacian), adjacency, **direction),
        "options": _call(**{name: getattr(options, name) for name in chosen}),
    }


def show_export(
    view: View,
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


def _load_options(view: View) -> dict[str, object]:
    choice: DatasetChoice = view.dataset
    seed = {"seed": choice.seed} if choice.seed else {}
    return {**seed, **dict(choice.options)}


def _call(*positional: str, **named: object) -> str:
    return ", ".join([*positional, *(f"{name}={_literal(value)}" for name, value in named.items())])


class Verbatim(str):
    """Text that is Python already."""


def _literal(value: object) -> str:
    if isinstance(value, Verbatim):
        return str(value)
    return json.dumps(value) if isinstance(value, str) else repr(value)
