"""How the whole graph looks on the explorer pages: wrong nodes, relabelled nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import streamlit as st

from gdr_app.components.graph_canvas import Detail, Looks, Mark
from gdr_app.wording import readable
from gdr_core.datasets import Dataset, DatasetChoice
from gdr_core.datasets.hiding import truth_codes, truth_names
from gdr_core.datasets.record import UNKNOWN
from gdr_core.figures.palette import UNKNOWN_COLOUR, class_colours
from gdr_core.gdr import OUTCOMES, Relabelling

SIGNS: Final = ("", " ◆", " ▲", " ■", " ○")
OUTCOME_NAMES: Final = tuple(map(str.__add__, OUTCOMES, SIGNS))
OUTCOME_COLOURS: Final = (UNKNOWN_COLOUR, "#009E73", "#D55E00", "#0072B2", UNKNOWN_COLOUR)
SHAPES: Final = ("circle", "diamond", "triangle", "square", "ring")
SIZES: Final = (0.75, 1.5, 1.6, 1.4, 1.1)
BY_OUTCOME, BY_CLASS = "what happened", "GDR class"
COLOURINGS: Final = (BY_OUTCOME, BY_CLASS)


def prior_looks(graph: Dataset, prior_labels: np.ndarray) -> Looks:
    """Every node in the colour of the class that the prior gives it; wrong ones stand out."""
    known = graph.labels != UNKNOWN
    wrong = known & (prior_labels != graph.labels)
    training = np.zeros(graph.nodes, dtype=bool)
    training[graph.split.train] = True
    return Looks(
        colours=prior_labels,
        classes=_names(graph),
        palette=class_colours(graph.classes),
        unknown_colour=UNKNOWN_COLOUR,
        details=[truth_detail(graph), Detail("prior", prior_labels, _names(graph))],
        marks=np.select([training, wrong, known], [3, 2, 0], 1),
        mark_styles=(
            Mark("right", opacity=0.4, size=0.85),
            Mark("not judged", shape="ring", opacity=0.6),
            Mark("wrong", shape="triangle", size=1.5),
            Mark("training node", shape="square", size=1.3),
        ),
    )


@st.cache_resource(max_entries=12, show_spinner=False)
def _unmoved(choice: DatasetChoice, _graph: Dataset) -> tuple[Detail, list[str], Sequence[str]]:
    """What no step of t_min changes: true classes, names of classes, outcomes there can be."""
    judged = (_graph.labels != UNKNOWN).all()  # then nothing is left unjudged
    return truth_detail(_graph), _names(_graph), OUTCOME_NAMES[:-1] if judged else OUTCOME_NAMES


def relabel_looks(choice: DatasetChoice, graph: Dataset, now: Relabelling, colouring: str) -> Looks:
    """Relabelled nodes stand out by shape and size, coloured by outcome or by their new class."""
    codes, new = now.outcomes, now.predicted
    by_class = colouring == BY_CLASS
    truth, names, outcomes = _unmoved(choice, graph)
    return Looks(
        colours=new if by_class else codes,
        classes=names if by_class else outcomes,
        palette=class_colours(graph.classes) if by_class else OUTCOME_COLOURS,
        unknown_colour=UNKNOWN_COLOUR,
        details=[
            truth,
            Detail("prior", now.result.prior_labels, names),
            Detail("GDR", new, names),
        ],
        marks=codes,
        mark_styles=NAMED_MARKS if by_class else MARKS,
    )


def _outcome_marks(named: bool) -> tuple[Mark, ...]:
    """With colours by outcome the legend tells the shapes already, and marks go without name."""
    return tuple(
        Mark(
            name if named else "",
            shape=shape,
            size=size,
            opacity=0.35 if shape == "circle" else 1.0,
        )
        for name, shape, size in zip(OUTCOME_NAMES, SHAPES, SIZES, strict=True)
    )


NAMED_MARKS: Final = _outcome_marks(True)
MARKS: Final = _outcome_marks(False)


def truth_detail(graph: Dataset) -> Detail:
    """The line of the tooltip that tells the true class, or that it is hidden or not known."""
    return Detail("true class", truth_codes(graph), truth_names(_names(graph)))


def _names(graph: Dataset) -> list[str]:
    return list(map(readable, graph.class_names))
