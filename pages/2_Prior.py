"""Prior: what the classifier believes before the graph has a say."""

from __future__ import annotations

import streamlit as st

from gdr_app.computing.results import dataset_of, outcome_line, prior_of, result_of, t_min_of
from gdr_app.prior.charts import assessed, draw_charts
from gdr_app.prior.table import show_prior_table
from gdr_app.prior.texts import PRIOR_INTRODUCTION, PRIOR_MATHEMATICS
from gdr_app.widgets.export import export_of
from gdr_app.widgets.glossary import introduce
from gdr_app.widgets.heading import head_page
from gdr_app.widgets.node_card import prior_card
from gdr_app.widgets.overview import Overview, prior_looks
from gdr_app.widgets.sidebar import start_explorer
from gdr_app.widgets.tiles import prior_tiles

view = start_explorer("Prior")
part = "test" if head_page("What the classifier believes") else "validation"
introduce(PRIOR_INTRODUCTION, "prior", "Laplacian", "split", "confidence", "calibration", "t_min")
graph, prior = dataset_of(view), prior_of(view)
result = result_of(view)
index = t_min_of(result)
outcome_line(view, result, index)

judged = assessed(view, part, graph, prior, result.prior_labels)
prior_tiles(result, part, judged.reliability, judged.confusion)

overview = Overview(view.dataset)
picture, words = st.columns([3, 1], gap="medium")
with words:
    st.header("The chosen node", anchor=False)
    node = overview.choose_node()
    prior_card(graph, prior, node)
with picture:
    overview.draw(prior_looks(graph, result.prior_labels), node, height=560)

drawn = draw_charts(judged, part)

st.header("Table of all nodes", anchor=False)
show_prior_table(view)
with st.expander("The mathematics", icon=":material/function:"):
    st.markdown(PRIOR_MATHEMATICS)
export_of(view).show(result.at(index), drawn, suffix=result.time_names[index])
