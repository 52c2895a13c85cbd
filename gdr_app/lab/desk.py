"""Which graph is on the desk: that of the link, or the first one of the gallery."""

from __future__ import annotations

from typing import Final

import streamlit as st

from gdr_app.components.lab import lab
from gdr_app.state import link
from gdr_app.state.own import Own, new_key, room
from gdr_app.state.pickers import identity, moved
from gdr_core.datasets.own import Choices
from gdr_core.sketches import (
    GALLERY,
    Exhibit,
    Sketch,
    SketchError,
    decode,
    probabilities_of,
    to_dataset,
    to_files,
)

GRAPH: Final = "graph"
NAME: Final = "a graph of the lab"
_FEW_CLASSES: Final = "Other pages compare classes: mark training nodes of two classes first."
_LAB: Final = "lab"
_FIRST: Final = "tail"  # on the desk of who brings no graph
_FAULT: Final = "fault of the lab"
_OPENED: Final = "lab has opened a dataset"


def show_lab() -> None:
    """The lab, and the link that says what is drawn in it."""
    if st.session_state.pop(_OPENED, False):
        st.switch_page("pages/1_Dataset.py")
    graph = link.recall(GRAPH) or ""
    try:
        if graph:
            decode(graph)
    except SketchError as error:
        link.correct(GRAPH, None)
        st.session_state[_FAULT] = str(error)
        graph = ""
    lab(
        graph,
        key=identity(_LAB, graph),
        gallery=_gallery(),
        on_graph=_keep,
        on_dataset=_open,
        fault=st.session_state.get(_FAULT, ""),
    )
    link.tell_used("lab", graph=graph)


def _keep(code: str) -> None:
    st.session_state.pop(_FAULT, None)
    moved(_LAB, code)
    link.remember(GRAPH, code)


def _open(sketch: Sketch) -> None:
    """Make the graph a dataset of this visit, which every other page then shows."""
    try:
        own = _own(sketch)
    except SketchError as error:
        st.session_state[_FAULT] = str(error)
        return
    room().open(own)
    link.visit().put("dataset", own.key)
    st.session_state[_OPENED] = True


def _own(sketch: Sketch) -> Own:
    dataset = to_dataset(sketch, NAME)
    if len({int(label) for label in dataset.labels[dataset.split.train]}) < 2:
        raise SketchError(_FEW_CLASSES)
    choices = Choices(directed=sketch.directed, draw_layout=False, name=NAME)
    return Own(new_key(), dataset, probabilities_of(sketch), (), to_files(sketch), choices)


def _gallery() -> dict[str, Exhibit]:
    return {_FIRST: GALLERY[_FIRST], **GALLERY}
