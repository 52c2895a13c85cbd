"""Compare: classifiers, rules and Laplacians side by side."""

from __future__ import annotations

import streamlit as st

from gdr_app.compare.background import compute_in_background, split_ready
from gdr_app.compare.findings import (
    by_method,
    of_part,
    offer_study,
    show_class_gains,
    show_figure,
    show_pairs,
    tell_sources,
)
from gdr_app.compare.methods import COMPARISONS, PRIORS_KEY
from gdr_app.compare.results import (
    Results,
    own_result,
    results_of,
    show_accuracies,
    show_agreement,
    show_differences,
    show_turned,
)
from gdr_app.compare.study import KNOWN, choose_count, choose_runs, here, trials_for
from gdr_app.compare.texts import (
    COMPARE_INTRODUCTIONS,
    COMPARE_MATHEMATICS,
    COMPARE_TERMS,
    OWN_T_MIN,
)
from gdr_app.computing.results import (
    called,
    dataset_of,
    judging_part,
    outcome_line,
    parts_of,
    t_min_of,
)
from gdr_app.computing.runs import in_file_names
from gdr_app.state import link
from gdr_app.state.pickers import pick
from gdr_app.widgets.export import Export, python_for_all
from gdr_app.widgets.glossary import introduce
from gdr_app.widgets.heading import head_page
from gdr_app.widgets.overview import Overview
from gdr_app.widgets.sidebar import start_explorer
from gdr_app.widgets.tiles import show_verdict
from gdr_core.gdr.predictions import comparison_csv

view = start_explorer("Compare")
revealed = head_page("Methods side by side")
introduction = st.empty()
graph = dataset_of(view)

which, runs, who = st.columns([1, 1, 3], gap="medium")
with which:
    comparison = pick("Compare", tuple(COMPARISONS), key="compare")
introduce(COMPARE_INTRODUCTIONS[comparison], *COMPARE_TERMS, place=introduction)
with runs:
    kind = choose_runs()
with who:
    views = COMPARISONS[comparison](view, graph)
ready, wanted, left = split_ready(views, view, asked=link.visit().get(PRIORS_KEY) is not None)
progress = st.container()
study = st.container()
results = results_of(ready)
own = own_result(view, ready, results)
if own is not None:
    outcome_line(view, own, t_min_of(own))
part, name = judging_part(view), in_file_names(called(view.dataset))
with study:
    count = choose_count(kind, len(views))
    trials = trials_for(views, results, graph, kind, count)
    every = dict.fromkeys([*trials, *here(views, results, graph)])
    if of_part(trials, part):
        picture, pairs = st.columns([3, 2], gap="medium")
        with picture:
            figure = show_figure(trials, part)
            tell_sources(trials, [each for each in views if each not in by_method(trials)])
            offer_study(list(every), figure, name, parts_of(view))
        with pairs:
            own_name = next((each for each in views if views[each] == view), None)
            show_pairs(trials, results, graph, part, own_name)
        show_class_gains(list(every) if kind == KNOWN else trials, part)
    else:
        st.info("Press Run: these runs have not been made yet.", icon=":material/play_arrow:")
if len(results) < 2:
    st.info("Choose at least two to compare.", icon=":material/compare_arrows:")
    with progress:
        compute_in_background(wanted, left)
    st.stop()

st.markdown(OWN_T_MIN)
if own is not None:
    show_verdict(own.at(t_min_of(own)))
overview = Overview(view.dataset)
figures = show_accuracies(results, views, revealed) + show_agreement(results, views)


@st.fragment
def explore() -> None:
    """The two graphs and the lists: all that follows the chosen node."""
    show_differences(overview, graph, results)
    show_turned(view, graph, results)


explore()
with st.expander("The mathematics", icon=":material/function:"):
    st.markdown(COMPARE_MATHEMATICS)
if own is not None:
    compared = {name: views[name] for name in results}
    export: Export[Results] = Export(
        f"{name}-comparison",
        lambda shown: python_for_all(compared, judging_part(view)),
        lambda shown: comparison_csv(graph, {name: each.at() for name, each in shown.items()}),
    )
    export.show(results, figures)
with progress:
    compute_in_background(wanted, left)
