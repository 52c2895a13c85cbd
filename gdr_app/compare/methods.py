"""Methods side by side: which there are, what each says of a node, where two of them differ."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from gdr_app.compare.stored import priors_with_results
from gdr_app.components.graph_canvas import Detail, Looks, Mark
from gdr_app.computing import cached
from gdr_app.computing.runs import is_run, prior_label
from gdr_app.state.pickers import pick_several
from gdr_app.widgets.node_table import choose_by_row
from gdr_app.widgets.overview import Overview, truth_detail
from gdr_app.widgets.plots import show_table
from gdr_app.widgets.sidebar import usable_priors
from gdr_app.wording import counted, readable
from gdr_core.datasets import Dataset
from gdr_core.explanation.agreement import Shared
from gdr_core.figures.palette import UNKNOWN_COLOUR, class_colours
from gdr_core.gdr import RULES, GDRResult
from gdr_core.laplacians import fitting
from gdr_core.method import Method
from gdr_core.priors import PRIORS
from gdr_tools.paper.marks import printed

CHEAP: Final = "instant"
PRIORS_KEY: Final = "priors"


def _choose_priors(view: Method, graph: Dataset) -> dict[str, Method]:
    """A view for each chosen prior; at first those that have stored runs or cost nothing, and the
    sidebar's."""
    usable = usable_priors(view.dataset)
    if not graph.features.shape[1]:
        usable = [spec for spec in usable if not spec.needs_features]
    names = [spec.name for spec in usable]
    stored = priors_with_results(view)
    known = (view.prior, *stored)
    first = [spec.name for spec in usable if spec.cost == CHEAP or spec.name in known]
    first = first if len(first) > 1 else names[:2]  # without features few are cheap
    if is_run(view.prior):
        names, first = [*names, view.prior], [*first, view.prior]
    chosen = pick_several(
        "Priors",
        names,
        default=first,
        key=PRIORS_KEY,
        format_func=_called,
        help="At first those with stored runs, of which the cheap ones are computed in the "
        "background. Slower ones are computed when you add them, once: "
        + ", ".join(f"{spec.name} ({spec.cost})" for spec in usable if spec.cost != CHEAP)
        + ".",
    )
    return {_called(name): _with(view, name) for name in names if name in chosen}


def _with(view: Method, name: str) -> Method:
    """The view with another prior as it is by itself; options are those of the view's own."""
    return view if name == view.prior else view.with_prior(name)


def _called(prior: str) -> str:
    """A run by its name, unless that is the name of a prior."""
    name = prior_label(prior)
    return f"{name} (run)" if is_run(prior) and name in PRIORS else name


def _every_rule(view: Method, graph: Dataset) -> dict[str, Method]:
    """A view for each decision rule."""
    return {rule: replace(view, rule=rule) for rule in RULES}


def _every_laplacian(view: Method, graph: Dataset) -> dict[str, Method]:
    """A view for each Laplacian that fits the graph, each with its own horizon."""
    return {name: replace(view, laplacian=name) for name in fitting(graph.directed)}


COMPARISONS: Final[dict[str, Callable[[Method, Dataset], dict[str, Method]]]] = {
    "priors": _choose_priors,
    "rules": _every_rule,
    "Laplacians": _every_laplacian,
}


def paper_marks(views: dict[str, Method]) -> dict[str, tuple[float | None, float | None]]:
    """The paper's test accuracies for the methods that it has; its Laplacian is D − A."""
    return {
        name: printed(view.dataset.name, view.dataset.split, view.prior)
        for name, view in views.items()
        if view.laplacian == "combinatorial"
    }


def _difference_looks(graph: Dataset, labels: dict[str, np.ndarray], shown: str) -> Looks:
    """One of two labellings in its class colours; nodes on which the two differ stand out."""
    left, right = labels.values()
    names = [readable(name) for name in graph.class_names]
    return Looks(
        colours=labels[shown],
        classes=names,
        palette=class_colours(graph.classes),
        unknown_colour=UNKNOWN_COLOUR,
        details=[
            truth_detail(graph),
            *(Detail(name, codes, names) for name, codes in labels.items()),
        ],
        marks=(left != right).astype(int),
        mark_styles=(
            Mark("same", size=0.75, opacity=0.35),
            Mark("different", shape="diamond", size=1.6),
        ),
    )


def draw_pair(
    overview: Overview, graph: Dataset, labels: dict[str, np.ndarray], node: int | None
) -> None:
    """Two labellings on the same layout; a click in one selects the node in both."""
    for place, (column, name) in enumerate(zip(st.columns(2, gap="medium"), labels, strict=True)):
        column.markdown(f"**{name}**")
        looks = _difference_looks(graph, labels, name)
        label = f"{graph.name} with the labels of {name} after GDR."
        with column:
            overview.draw_beside(looks, node, key=f"pair-{place}", label=label)


def show_opinions(graph: Dataset, results: dict[str, GDRResult], node: int) -> None:
    """What each method says of one node, before and after GDR."""
    names = [readable(name) for name in graph.class_names]
    show_table(
        pd.DataFrame(
            {
                "Method": list(results),
                "Before GDR": [names[int(r.prior_labels[node])] for r in results.values()],
                "After GDR": [names[int(r.predictions()[node])] for r in results.values()],
            }
        ),
        key="opinions",
        alt="Table: the label each method gives to the chosen node, before and after GDR.",
    )


def shared_sentence(nodes: int, everyone: int, of: int, word: str) -> str:
    """How many nodes turned for some method, and for how many of them it was every method.

    >>> shared_sentence(1, 1, 2, "fixed")
    '1 node, fixed for both.'
    """
    whom = "both" if of == 2 else f"all {of}"
    if everyone == nodes:
        return f"{counted(nodes, 'node')}, {word} for {whom}."
    some = f"{everyone:,} of them" if everyone else "not" if nodes == 1 else "none of them"
    return f"{counted(nodes, 'node')}, {some} {word} for {whom}."


def show_shared(view: Method, graph: Dataset, found: Shared, *, word: str, of: int) -> None:
    """A table of nodes that turned for the methods; choosing a row chooses the node."""
    if not found.nodes.size:
        st.markdown("No node.")
        return
    names = [readable(name) for name in graph.class_names]
    labels = list(cached.node_labels(view.dataset))
    everyone = int((found.turned == of).sum())
    st.markdown(shared_sentence(found.nodes.size, everyone, of, word))
    choose_by_row(
        view.dataset,
        found.nodes,
        pd.DataFrame(
            {
                "Node": [labels[node] for node in found.nodes],
                "True class": [names[label] for label in graph.labels[found.nodes]],
                f"{word.capitalize()} for": [f"{count} of {of}" for count in found.turned],
            }
        ),
        key=word,
        height=260,
        alt=f"Table of nodes {word} by GDR, with their true class.",
    )
