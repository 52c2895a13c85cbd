"""Prior: what the classifier believes before the graph has a say."""

from __future__ import annotations

import streamlit as st

from gdr_app.computing.results import dataset_of, outcome_line, prior_of, result_of, t_min_of
from gdr_app.home.texts import PRIOR_INTRODUCTION, PRIOR_MATHEMATICS
from gdr_app.prior.table import show_prior_table
from gdr_app.widgets.export import export_of
from gdr_app.widgets.glossary import introduce
from gdr_app.widgets.heading import head_page
from gdr_app.widgets.node_card import prior_card
from gdr_app.widgets.overview import Overview, prior_looks
from gdr_app.widgets.plots import draw_figure
from gdr_app.widgets.sidebar import start_explorer
from gdr_app.widgets.tiles import prior_tiles
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

overview = Overview(view.dataset)
picture, words = st.columns([3, 1], gap="medium")
with words:
    st.header("The chosen node", anchor=False)
    node = overview.choose_node()
    prior_card(graph, prior, node)
with picture:
    overview.draw(prior_looks(graph, result.prior_labels), node, height=560)

shown = [
    ("confusion", figures.confusion_matrix(matrix, names), "Confusion matrix of the prior"),
    (
        "precision-recall",
        figures.precision_recall(matrix, names),
        "Precision and recall of every class",
    ),
    (
        "confidence",
        figures.confidence_histogram(*assessment.confidences(graph.labels, prior, members)),
        "Histogram of the prior's confidence",
    ),
    ("reliability", figures.reliability_curve(found), "Share of right nodes against confidence"),
]
columns = st.columns(2, gap="medium")
for place, (key, figure, alt) in enumerate(shown):
    with columns[place % 2]:
        draw_figure(figure, key=key, alt=f"{alt} on {part} nodes.")

st.header("Table of all nodes", anchor=False)
show_prior_table(view)
with st.expander("The mathematics", icon=":material/function:"):
    st.markdown(PRIOR_MATHEMATICS)
drawn = [figure for _, figure, _ in shown]
export_of(view).show(result.at(index), drawn, suffix=result.time_names[index])
