"""What is compared: methods, runs and datasets, in one row of controls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from gdr_app.compare.across import choose_datasets
from gdr_app.compare.methods import COMPARISONS
from gdr_app.compare.study import choose_runs
from gdr_app.compare.texts import COMPARE_INTRODUCTIONS, COMPARE_TERMS
from gdr_app.state.pickers import pick
from gdr_app.widgets.glossary import introduce
from gdr_core.datasets import Dataset
from gdr_core.method import Method

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator


@dataclass(frozen=True)
class Choice:
    """What a visitor compares.

    views   the methods by name, on the sidebar's dataset
    kind    which runs of them: those that are known, random splits or seeds
    names   the datasets of the study
    """

    views: dict[str, Method]
    kind: str
    names: tuple[str, ...]


def choose_study(view: Method, graph: Dataset, introduction: DeltaGenerator) -> Choice:
    """The controls; the introduction, in a place above them, follows what is compared."""
    which, runs, where, who = st.columns([2, 2, 3, 6], gap="medium")
    with which:
        comparison = pick("Compare", tuple(COMPARISONS), key="compare")
    introduce(COMPARE_INTRODUCTIONS[comparison], *COMPARE_TERMS, place=introduction)
    with runs:
        kind = choose_runs()
    with where:
        names = choose_datasets(view)
    with who:
        views = COMPARISONS[comparison](view, graph)
    return Choice(views, kind, names)
