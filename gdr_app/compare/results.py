"""The charts and lists of the Compare page, for whatever is compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from gdr_app.compare import methods
from gdr_app.compare.texts import PAPER_HIDDEN
from gdr_app.computing.kept import kept
from gdr_app.computing.results import laplacian_of, prior_of, result_of
from gdr_app.computing.working import without
from gdr_app.state.pickers import pick
from gdr_app.widgets.overview import Overview
from gdr_app.widgets.plots import draw_figure
from gdr_core.datasets import Dataset
from gdr_core.explanation.agreement import (
    agreement,
    broken_by_all,
    fixed_by_all,
    labels_after,
    labels_before,
    standings,
)
from gdr_core.figures.compare import accuracy_gains, agreement_map, t_min_curves
from gdr_core.gdr import GDRResult
from gdr_core.method import Method

if TYPE_CHECKING:
    import plotly.graph_objects as go

Results = dict[str, GDRResult]
Marks = dict[str, tuple[float | None, float | None]]
Named = tuple[tuple[str, Method], ...]


def results_of(views: dict[str, Method]) -> Results:
    """What each method leads to; one that is cancelled or not possible is left out."""
    _obtain_shared(views)
    results = {}
    for name, view in views.items():
        with without(name):
            results[name] = result_of(view)
    return results


def _obtain_shared(views: dict[str, Method]) -> None:
    """What all methods need: if that is refused the page ends, for nobody is left."""
    every = list(views.values())
    one_prior = len({view.prior for view in every}) == 1
    one_laplacian = len({view.laplacian for view in every}) == 1
    if one_prior:
        prior_of(every[0])
    if one_laplacian:
        laplacian_of(every[0])
    if one_prior and one_laplacian:
        result_of(every[0])


def own_result(view: Method, views: dict[str, Method], results: Results) -> GDRResult | None:
    """What the sidebar's choices lead to; None where just they are left out."""
    for name, each in views.items():
        if each == view:
            return results.get(name)
    return result_of(view)


def show_accuracies(results: Results, views: dict[str, Method], revealed: bool) -> list[go.Figure]:
    """Accuracy before and after, with the paper's numbers where test nodes may be seen."""
    part = "test" if revealed else "validation"
    left, right = st.columns(2, gap="medium")
    with left:
        st.header("Accuracy before and after", anchor=False)
        marks = methods.paper_marks({name: views[name] for name in results})
        gains = draw_figure(
            _gains(_named(results, views), part, results, marks if revealed else None),
            key="gains",
            alt=f"Accuracy of each method on {part} nodes, before and after GDR.",
        )
        if not revealed and any(mark is not None for pair in marks.values() for mark in pair):
            st.caption(PAPER_HIDDEN)
    with right:
        st.header("Accuracy for every t_min", anchor=False)
        curves = draw_figure(
            _curves(_named(results, views), results),
            key="t-min-curves",
            alt="Accuracy on validation nodes for every t_min, one curve a method.",
        )
    return [gains, curves]


def show_agreement(results: Results, views: dict[str, Method]) -> list[go.Figure]:
    """Two heat maps: how alike the methods are before and after GDR."""
    st.header("Which methods agree", anchor=False)
    figures = _agreements(_named(results, views), results)
    for column, (when, figure) in zip(st.columns(2, gap="medium"), figures.items(), strict=True):
        with column:
            alt = f"Share of nodes on which each pair agrees {when} GDR."
            draw_figure(figure, key=f"agreement-{when}", alt=alt)
    return list(figures.values())


def _named(results: Results, views: dict[str, Method]) -> Named:
    """The methods that are compared, as what figures depend on."""
    return tuple((name, views[name]) for name in results)


@kept(most=24)
def _gains(named: Named, part: str, _results: Results, _marks: Marks | None) -> go.Figure:
    return accuracy_gains(standings(_results, part), part, _marks)


@kept(most=24)
def _curves(named: Named, _results: Results) -> go.Figure:
    return t_min_curves(_results, "validation")


@kept(most=24)
def _agreements(named: Named, _results: Results) -> dict[str, go.Figure]:
    moments = {"before": labels_before(_results), "after": labels_after(_results)}
    return {
        when: agreement_map(agreement(labels), list(_results), f"{when.capitalize()} GDR")
        for when, labels in moments.items()
    }


def show_differences(overview: Overview, graph: Dataset, results: Results) -> None:
    """Two of the methods on the same layout, and what all say of the chosen node."""
    st.header("Where two methods differ", anchor=False)
    names = tuple(results)
    with st.container(horizontal=True, gap="small"):
        with st.container(width=220):
            one = pick("Left", names, key="left")
        with st.container(width=220):
            other = pick("Right", tuple(name for name in names if name != one), key="right")
        with st.container(width=260):
            node = overview.choose_node()
    pair = {name: results[name].predictions() for name in (one, other)}
    methods.draw_pair(overview, graph, pair, node)
    if node is not None:
        methods.show_opinions(graph, results, node)


def show_turned(view: Method, graph: Dataset, results: Results) -> None:
    """Nodes that all got wrong and GDR fixes, and the other way round, where classes are shown."""
    st.header("Nodes that all methods got wrong, or right, before GDR", anchor=False)
    before, after = labels_before(results), labels_after(results)
    everyone = np.arange(graph.nodes)
    lists = {
        "fixed": ("Wrong for all before, fixed by GDR", fixed_by_all),
        "broken": ("Right for all before, broken by GDR", broken_by_all),
    }
    for column, (word, (title, turned)) in zip(
        st.columns(2, gap="medium"), lists.items(), strict=True
    ):
        with column:
            st.markdown(f"**{title}**")
            found = turned(before, after, graph.labels, everyone)
            methods.show_shared(view, graph, found, word=word, of=len(results))
