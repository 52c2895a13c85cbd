"""How good a prior is, in four charts: made once for all who look at it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from gdr_app.computing.kept import kept
from gdr_app.widgets.plots import draw_figure
from gdr_app.wording import readable
from gdr_core.datasets import Dataset
from gdr_core.figures import prior as figures
from gdr_core.method import Method
from gdr_core.priors import assessment

if TYPE_CHECKING:
    import plotly.graph_objects as go


@dataclass(frozen=True, eq=False)
class Assessed:
    """A prior judged by one part of the split.

    charts   by key, each with what it shows in words
    """

    reliability: assessment.Reliability
    confusion: np.ndarray
    charts: dict[str, tuple[go.Figure, str]]


@kept(most=16)
def assessed(
    view: Method, part: str, _graph: Dataset, _prior: np.ndarray, _labels: np.ndarray
) -> Assessed:
    """The prior of a view and its labels, judged by the nodes of a part of the split."""
    members = getattr(_graph.split, part)
    names = [readable(name) for name in _graph.class_names]
    found = assessment.reliability(_graph.labels, _prior, members)
    matrix = assessment.confusion(_graph.labels, _labels, members, _graph.classes)
    confident = assessment.confidences(_graph.labels, _prior, members)
    charts = {
        "confusion": (figures.confusion_matrix(matrix, names), "Confusion matrix of the prior"),
        "precision-recall": (
            figures.precision_recall(matrix, names),
            "Precision and recall of every class",
        ),
        "confidence": (
            figures.confidence_histogram(*confident),
            "Histogram of the prior's confidence",
        ),
        "reliability": (
            figures.reliability_curve(found),
            "Share of right nodes against confidence",
        ),
    }
    return Assessed(found, matrix, charts)


def draw_charts(found: Assessed, part: str) -> list[go.Figure]:
    """The charts in two columns."""
    columns = st.columns(2, gap="medium")
    for place, (key, (figure, alt)) in enumerate(found.charts.items()):
        with columns[place % 2]:
            draw_figure(figure, key=key, alt=f"{alt} on {part} nodes.")
    return [figure for figure, _ in found.charts.values()]
