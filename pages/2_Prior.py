"""Prior: what the classifier believes before the graph has a say."""

from __future__ import annotations

from functools import partial

import streamlit as st

from gdr_app.computing.results import (
    OutcomeLine,
    StoredResult,
    dataset_of,
    prior_of,
    result_of,
    t_min_of,
)
from gdr_app.prior.charts import assessed, draw_charts
from gdr_app.prior.nearby import (
    BY_REGION,
    COLOURINGS,
    COLOURS,
    looks_of,
    where_wrong,
    without_regions,
)
from gdr_app.prior.regions import regions_of
from gdr_app.prior.table import show_prior_table
from gdr_app.prior.texts import PRIOR_INTRODUCTION, PRIOR_MATHEMATICS
from gdr_app.state.pickers import Tabs
from gdr_app.widgets.export import export_of
from gdr_app.widgets.glossary import introduce
from gdr_app.widgets.heading import head_page
from gdr_app.widgets.node_card import prior_card
from gdr_app.widgets.overview import Overview
from gdr_app.widgets.sidebar import start_explorer
from gdr_app.widgets.tiles import prior_tiles

FILLS = 330  # px of the screen that are taken by title, words and legend

view = start_explorer("Prior")
part = "test" if head_page("What the classifier believes") else "validation"
graph, prior = dataset_of(view), prior_of(view)
result = result_of(view)
index = t_min_of(result)
colouring = Tabs("Colour by", COLOURINGS, key=COLOURS)
regions = regions_of(view, index) if colouring.chosen == BY_REGION else None
where = where_wrong(view, graph) if regions is None else regions.where
introduce(
    PRIOR_INTRODUCTION.format(where=where),
    *("prior", "Laplacian", "split", "confidence", "calibration", "t_min"),
)
OutcomeLine(view).draw(index)

overview = Overview(view.dataset)
picture, words = st.columns([3, 1], gap="medium")
with words:
    if regions is not None:
        regions.draw()
    st.header("The chosen node", anchor=False)
    node = overview.choose_node()
    prior_card(graph, prior, node)
    if regions is not None:
        regions.place(node)
with picture:
    shown = without_regions(colouring.draw()) if regions is None else colouring.draw()
    looks = looks_of(view, graph, shown) if regions is None else regions.looks
    overview.draw(looks, node, height=900, fills=FILLS, coloured_by=shown)

judged = assessed(view, part, graph, prior, result.prior_labels)
prior_tiles(result, part, judged.reliability, judged.confusion)
drawn = draw_charts(judged, part)

st.header("Table of all nodes", anchor=False)
show_prior_table(view)
with st.expander("The mathematics", icon=":material/function:"):
    st.markdown(PRIOR_MATHEMATICS)
stored, suffix = StoredResult(view), result.time_names[index]
again = partial(stored.for_file, index)
export_of(view).show(result.at(index), drawn, again=again, suffix=suffix, node=node)
