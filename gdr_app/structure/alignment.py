"""Alignment: how well features, graph and classes agree, stored or computed by a worker."""

from __future__ import annotations

import json
from typing import Any, Final

import numpy as np
import pandas as pd
import streamlit as st

from gdr_app.computing.kept import kept
from gdr_app.computing.working import without
from gdr_app.structure.figures_text import ALT
from gdr_app.structure.studies import ask, recalled
from gdr_app.widgets.plots import draw_figure, draw_numbers
from gdr_app.wording import counted, plain
from gdr_core.datasets import Dataset, DatasetChoice
from gdr_core.figures import structure as figures
from gdr_core.places import data_folder
from gdr_core.structure.alignment import Alignment, check_alignable
from gdr_core.structure.subspaces import DENSE, LEADING

WANTED: Final = "alignment wanted"
_STUDY: Final = "alignment"
_TITLE: Final = "Alignment"


def alignment_section(choice: DatasetChoice, graph: Dataset) -> None:
    """The triangle and its sentence: at once where they are known, else when asked for."""
    if not told_alignable(graph):
        return
    if (known := known_alignment(choice)) is not None:
        draw_alignment(known, graph)
        return
    if st.session_state.get(WANTED) != repr(choice):
        st.button(
            "**Compute the alignment**",
            key="run-alignment",
            icon=":material/play_arrow:",
            on_click=lambda: st.session_state.update({WANTED: repr(choice)}),
        )
        return
    with without(_TITLE):
        draw_alignment(ask_alignment(choice), graph)


def told_alignable(graph: Dataset) -> bool:
    """Whether there is an alignment; where there is none, it is said why."""
    try:
        check_alignable(graph)
    except ValueError as error:
        st.info(f"There is no alignment to tell: {plain(str(error))}.")
        return False
    return True


def draw_alignment(found: Alignment, graph: Dataset) -> None:
    """The triangle of features, graph and classes, and its numbers."""
    picture, words = st.columns([3, 2], gap="medium", vertical_alignment="center")
    with picture:
        draw_figure(figures.alignment_triangle(found), key="triangle", alt=ALT["triangle"])
    with words:
        st.markdown(alignment_sentence(found))
        draw_numbers(_distance_table(found), key="distances", digits=2, alt=ALT["distances"])
        if graph.nodes > DENSE:
            st.caption(
                f"This graph has more than {DENSE:,} nodes: of features and graph at most the "
                f"{LEADING} leading directions are looked at, so that S may lie farther below "
                "chance at more."
            )


def alignment_sentence(found: Alignment) -> str:
    """What the triangle says."""
    chance = float(np.mean(found.randomised))
    below = f"**{found.gap:.1%} below**" if found.gap > 0 else "not below"
    where = "where it lies farthest below chance" if found.gap > 0 else "where it comes closest"
    return (
        f"S = **{found.measure:.2f}**, {below} the {chance:.2f} of randomised versions, read "
        f"at {counted(found.dimensions[0], 'direction')} of the features and "
        f"{found.dimensions[1]:,} of the graph, {where}."
    )


def _distance_table(found: Alignment) -> pd.DataFrame:
    names = ("features–graph", "features–classes", "graph–classes")
    rows = zip(names, found.distances, found.random_distances, strict=True)
    return pd.DataFrame(rows, columns=["Distance", "This graph", "Randomised"])


def known_alignment(choice: DatasetChoice) -> Alignment | None:
    """The alignment of a choice if it is stored with the project, or a worker has computed it."""
    numbers = _stored(choice) or recalled(_STUDY, choice)
    return None if numbers is None else _record(numbers)


def ask_alignment(choice: DatasetChoice) -> Alignment:
    """The alignment of a choice, by a worker; the page shows how far it is."""
    return _record(ask(_STUDY, _TITLE, choice))


def _record(numbers: dict[str, Any]) -> Alignment:
    found: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in numbers.items()
        if key != "gap"  # follows from the others
    }
    return Alignment(**found)


def _stored(choice: DatasetChoice) -> dict[str, Any] | None:
    """The stored numbers of exactly this choice.

    While test is hidden only those made without test classes, which depend on the split; with all
    classes every split of a graph has the same.
    """
    numbers = stored_alignments().get(choice.name)
    if (
        numbers is None
        or choice.own is not None
        or choice.graph != DatasetChoice(choice.name).graph
    ):
        return None
    if not choice.test_hidden:
        return numbers["revealed"]
    first = DatasetChoice(choice.name, numbers["split"]).concealed
    return numbers["hidden"] if choice == first else None


@kept(most=1)
def stored_alignments() -> dict[str, Any]:
    """What is stored, by dataset."""
    file = data_folder() / "results" / "studies" / "alignment.json"
    stored = json.loads(file.read_text(encoding="utf-8"))["datasets"]
    return {each["name"]: each for each in stored}
