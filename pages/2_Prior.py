"""Prior: what the classifier believes before the graph has a say."""

from __future__ import annotations

import streamlit as st

from gdr_app.computing.results import dataset_of, outcome_line, prior_of, result_of, t_min_of
from gdr_app.home.texts import PRIOR_INTRODUCTION, PRIOR_MATHEMATICS
from gdr_app.prior.table import show_prior_table
from gdr_app.widgets.export import show_export
from gdr_app.widgets.glossary import introduce
from gdr_app.widgets.heading import head_page
from gdr_app.widgets.looks import prior_looks
from gdr_app.widgets.method_tiles import prior_tiles
from gdr_app.widgets.node_card import prior_card
from gdr_app.widgets.overview import choose_node, draw_overview
from gdr_app.widgets.plots import draw_figure
from gdr_app.widgets.sidebar import start_explorer
from gdr_app.wording import readable
from gdr_core.figures import prior as figures
from gdr_core.priors import assessment

view = start_explorer("Prior")
part = "test" if head_page("What the classifier believes") else "validation"
introduce(PRIOR_INTRODUCTION, "prior", "Laplacian", "split", "confidence", "calibration", "t_min")
graph, prior = dataset_of(view), prior_of(view)
result = result_of(view)
index = t_min_of(result)
outcome_line(view, result, index)

members = getattr(graph.split, part)
names = [readable(name) for name in graph.class_names]
found = assessment.reliability(graph.labels, prior, members)
matrix = assessment.confusion(graph.labels, result.prior_labels, members, graph.classes)
prior_tiles(result, part, found, matrix)

picture, words = st.columns([3, 1], gap="medium")
with words:
    st.header("The chosen node", anchor=False)
    node = choose_node(view.dataset)
    prior_card(graph, prior, node)
with picture:
    draw_overview(view.dataset, graph, prior_looks(graph, result.prior_labels), node, height=560)

left, right = st.columns(2, gap="medium")
with left:
    confusion = draw_figure(
        figures.confusion_matrix(matrix, names),
        key="confusion",
        alt=f"Confusion matrix of the prior on {part} nodes.",
    )
    histogram = draw_figure(
        figures.confidence_histogram(*assessment.confidences(graph.labels, prior, members)),
        key="confidence",
        alt=f"Histogram of the prior's confidence on {part} nodes.",
    )
with right:
    bars = draw_figure(
        figures.precision_recall(matrix, names),
        key="precision-recall",
        alt=f"Precision and recall of every class on {part} nodes.",
    )
    curve = draw_figure(
        figures.reliability_curve(found),
        key="reliability",
        alt=f"Share of right nodes against confidence on {part} nodes.",
    )

st.header("Table of all nodes", anchor=False)
show_prior_table(view)
with st.expander("The mathematics", icon=":material/function:"):
    st.markdown(PRIOR_MATHEMATICS)
show_export(view, result, index, [confusion, bars, histogram, curve])
