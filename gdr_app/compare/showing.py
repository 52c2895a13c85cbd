"""The parts of the Compare page: the study of all runs, and what is made of one run of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from gdr_app.compare.across import show_across
from gdr_app.compare.alignment import show_alignment_gains
from gdr_app.compare.cells import label_of
from gdr_app.compare.findings import (
    by_method,
    of_part,
    offer_study,
    show_class_gains,
    show_figure,
    show_pairs,
    tell_sources,
)
from gdr_app.compare.results import Results
from gdr_app.compare.study import KNOWN, choose_count, here, trials_for
from gdr_app.computing.results import StoredResult, called, judging_part, parts_of
from gdr_app.computing.runs import in_file_names
from gdr_app.widgets.export import Export, python_for_all
from gdr_core.datasets import Dataset
from gdr_core.gdr import Relabelling
from gdr_core.gdr.predictions import comparison_csv
from gdr_core.method import Method

if TYPE_CHECKING:
    from gdr_app.widgets.export import Picture


def show_study(
    view: Method,
    views: dict[str, Method],
    results: Results,
    graph: Dataset,
    kind: str,
    names: Sequence[str],
) -> Callable[[], None]:
    """Accuracies with intervals and paired comparisons, over runs of one kind, on the datasets
    of these names; what is left to be run when the rest of the page has been drawn."""
    if tuple(names) == (view.dataset.name,):
        _show_one(view, views, results, graph, kind)
        return lambda: None
    return show_across(view, views, results, kind, names)


def _show_one(
    view: Method, views: dict[str, Method], results: Results, graph: Dataset, kind: str
) -> None:
    """The study of the sidebar's dataset alone, with gains by class."""
    part = judging_part(view)
    trials = trials_for(views, results, graph, kind, choose_count(kind, len(views)))
    every = list(dict.fromkeys([*trials, *here(views, results, graph)]))
    if not of_part(trials, part):
        st.info("Press Run: these runs have not been made yet.", icon=":material/play_arrow:")
        return
    picture, pairs = st.columns([3, 2], gap="medium")
    with picture:
        figure = show_figure(trials, part)
        tell_sources(trials, [each for each in views if each not in by_method(trials)])
        offer_study(every, figure, _file_name(view), parts_of(view))
    with pairs:
        own = next((each for each in views if views[each] == view), None)
        show_pairs(trials, results, graph, part, own)
    show_class_gains(every if kind == KNOWN else trials, part)
    label = label_of(view.dataset)
    show_alignment_gains({label: view.dataset}, {label: trials}, part)


def offer_comparison(
    view: Method,
    views: dict[str, Method],
    results: Results,
    graph: Dataset,
    figures: list[Picture],
) -> None:
    """Predictions of all methods, the lines of Python, and the figures."""
    compared = {name: views[name] for name in results}
    stored = {name: StoredResult(each) for name, each in compared.items()}
    export: Export[dict[str, Relabelling]] = Export(
        f"{_file_name(view)}-comparison",
        lambda shown: python_for_all(compared, judging_part(view)),
        lambda shown: comparison_csv(graph, shown),
    )
    shown = {name: each.at() for name, each in results.items()}
    export.show(
        shown, figures, again=lambda: {name: each.for_file() for name, each in stored.items()}
    )


def _file_name(view: Method) -> str:
    return in_file_names(called(view.dataset))
