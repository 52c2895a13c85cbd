"""The delta impulse: unit mass on one node, and how the nodes around it respond."""

from __future__ import annotations

from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from gdr_core.datasets import Dataset
from gdr_core.figures.overshoot import KIND_COLOURS
from gdr_core.gdr import GDRResult
from gdr_core.neighbourhood import Neighbourhood, Sample, sample_by_distance
from gdr_core.progress import Progress
from gdr_core.responses import KINDS, Responses, respond
from pages.shared import cached
from pages.shared.results import laplacian_of, options_of
from pages.shared.sidebar import DatasetChoice, View
from pages.shared.store import Store
from pages.shared.tiles import tiles
from pages.shared.trajectory_canvas import Curves, Group, pack_curves, trajectory_canvas
from pages.shared.wording import counted
from pages.shared.working import obtain

EACH: Final = 12  # nodes drawn at each distance
BUDGET: Final = 32 * 2**20  # bytes of curves kept for all visitors
EXPLANATIONS: Final = (
    "",
    "They rise above their long-run share and fall back to it.",
    "They too, but more than ten times later than the source's own neighbours.",
    "They never hold more than their long-run share.",
)


@st.cache_resource(max_entries=1, show_spinner=False)
def _responses() -> Store[Responses]:
    return Store(BUDGET, lambda found: found.values.nbytes)


@st.cache_resource(max_entries=12, show_spinner=False)
def _sample(choice: DatasetChoice, node: int) -> Sample:
    return sample_by_distance(cached.dataset(choice).undirected, node, EACH)


def sample_of(view: View, node: int) -> Sample:
    """Some nodes at each distance from a source, near and far."""
    return _sample(view.dataset.graph, node)


def responses_of(view: View, around: Neighbourhood, beyond: Sample) -> Responses:
    """The curves of all these nodes after an impulse; no prior has a part in it."""
    graph = (view.dataset.graph, view.laplacian, view.direction)
    window = (view.tolerance, view.first, view.last)
    key = ("impulse", *graph, *window, around.centre, around.nodes.size)
    laplacian, options = laplacian_of(view), options_of(view)

    def compute(progress: Progress) -> Responses:
        times = options.times(laplacian)
        return respond(
            laplacian,
            around,
            times,
            beyond=beyond,
            tolerance=options.tolerance,
            progress=progress,
        )

    return obtain(_responses(), key, f"Impulse on {view.dataset.name}", compute)


def impulse_tiles(found: Responses) -> None:
    """How many nodes respond in which way."""
    counts = np.bincount(found.kinds, minlength=len(KINDS))
    tiles(
        [
            (name.capitalize(), f"{count:,}", text)
            for name, count, text in zip(KINDS, counts, EXPLANATIONS, strict=True)
            if text
        ]
    )


def impulse_curves(graph: Dataset, result: GDRResult, found: Responses) -> Curves:
    """p_j(t)/π_j of the followed nodes, coloured by the kind of response."""
    nodes = found.nodes.size
    unit = result.times[-1] / result.relative_times[-1]
    return Curves(
        times=result.relative_times,
        values=found.ratios().T,
        levels=np.ones(nodes),
        groups=found.kinds,
        owners=np.arange(nodes),
        legend=[Group(*entry) for entry in zip(KINDS, KIND_COLOURS, strict=True)],
        names=[
            f"{graph.node_names[node]}, {counted(int(hops), 'hop')} away"
            for node, hops in zip(found.nodes, found.distances, strict=True)
        ],
        quantity="p(t)/π",
        handle="time",
        scale="logarithmic",
        single=True,
        late_from=found.late_from / unit if np.isfinite(found.late_from) else None,
    )


def draw_impulse_curves(curves: Curves, name: str, index: int) -> None:
    """The canvas; its line moves the film beside it."""
    trajectory_canvas(
        pack_curves(curves),
        key="impulse-curves",
        label=f"Mass at the nodes around {name}, as a multiple of its long-run share, over time.",
        index=index,
    )


def show_responses(graph: Dataset, result: GDRResult, found: Responses) -> None:
    """The responses as a table: one row a node."""
    st.dataframe(
        pd.DataFrame(
            {
                "Node": [graph.node_names[node] for node in found.nodes],
                "Hops": found.distances,
                "Response": pd.Categorical.from_codes(found.kinds, KINDS),
                "Peak p/π": found.ratios().max(axis=0),
                "Peak at t·λ₂": result.relative_times[found.peaks],
            }
        ),
        key="responses",
        hide_index=True,
        height=300,
        column_config={
            "Peak p/π": st.column_config.NumberColumn(format="%.3g"),
            "Peak at t·λ₂": st.column_config.NumberColumn(format="%.3g"),
        },
        alt="Table of nodes near and far: distance, response, and their peak.",
    )
