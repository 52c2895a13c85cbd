"""Compare: classifiers, rules and Laplacians side by side."""

from __future__ import annotations

import streamlit as st

from gdr_app.compare.background import compute_in_background, split_ready
from gdr_app.compare.choosing import choose_study
from gdr_app.compare.methods import PRIORS_KEY
from gdr_app.compare.results import (
    own_result,
    results_of,
    show_accuracies,
    show_agreement,
    show_differences,
    show_turned,
)
from gdr_app.compare.showing import offer_comparison, show_study
from gdr_app.compare.texts import AUTO_COMPARED, AUTO_KEPT, COMPARE_MATHEMATICS, OWN_T_MIN
from gdr_app.computing.results import OutcomeLine, StoredResult, dataset_of, t_min_of
from gdr_app.state import link
from gdr_app.widgets.heading import head_page
from gdr_app.widgets.narrow import picture_first
from gdr_app.widgets.overview import Overview
from gdr_app.widgets.sidebar import start_explorer
from gdr_app.widgets.tiles import show_verdict

asked = start_explorer("Compare")
view = asked.by_hand
revealed = head_page("Methods side by side")
introduction = st.empty()
if asked.auto:
    kept = AUTO_KEPT if asked.keeps_prior else ""
    st.markdown(AUTO_COMPARED.format(rule=view.rule, laplacian=view.laplacian, kept=kept))
graph = dataset_of(view)

study = picture_first("study", controls=("study-choice", "study-progress"))
with study.container(key="study-choice"):
    chosen = choose_study(view, graph, introduction)
views = chosen.views
ready, wanted, left = split_ready(views, view, asked=link.visit().get(PRIORS_KEY) is not None)
progress = study.container(key="study-progress")
results = results_of(ready)
if (own := own_result(view, ready, results)) is not None:
    OutcomeLine(asked).draw(t_min_of(own))
with study:
    run_rest = show_study(view, views, results, graph, chosen.kind, chosen.names)
if len(results) < 2:
    st.info("Choose at least two to compare.", icon=":material/compare_arrows:")
    with progress:
        compute_in_background(wanted, left)
        run_rest()
    st.stop()

st.markdown(OWN_T_MIN)
if own is not None and not asked.auto:
    show_verdict(own.at())
overview = Overview(view.dataset)
figures = show_accuracies(results, views, revealed) + show_agreement(results, views)
stored = {name: StoredResult(views[name]) for name in results}


@st.fragment
def explore() -> None:
    """The two graphs and the lists: all that follows the chosen node."""
    now = {name: each.get() for name, each in stored.items()}
    show_differences(overview, graph, now)
    show_turned(view, graph, now)


explore()
with st.expander("The mathematics", icon=":material/function:"):
    st.markdown(COMPARE_MATHEMATICS)
if own is not None:
    offer_comparison(view, views, results, graph, figures)
with progress:
    compute_in_background(wanted, left)
    run_rest()
del results, own, run_rest  # a visit must not keep their large arrays alive
