"""The delta impulse: unit mass on one node, and how the nodes around it respond."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from gdr_app.components.trajectory_canvas import Curves, Group, pack_curves, trajectory_canvas
from gdr_app.computing import cached
from gdr_app.computing.diffusing import impulse_followed, impulse_is_handed_over
from gdr_app.computing.kept import kept
from gdr_app.computing.results import called, laplacian_of
from gdr_app.computing.store import Store
from gdr_app.computing.working import obtain
from gdr_app.widgets.plots import show_table
from gdr_app.widgets.tiles import tiles
from gdr_app.wording import counted, plain
from gdr_core.datasets import Dataset, DatasetChoice
from gdr_core.explanation.quantities import shown
from gdr_core.explanation.responses import (
    EARLY,
    KINDS,
    LATE,
    SOURCE,
    Responses,
    overshooting_sources,
)
from gdr_core.figures.overshoot import KIND_COLOURS
from gdr_core.graphs.neighbourhood import Neighbourhood, Sample, sample_by_distance
from gdr_core.laplacians import Laplacian
from gdr_core.method import Method
from gdr_core.progress import Progress

EACH: Final = 12  # nodes drawn at each distance
BUDGET: Final = 32 * 2**20  # bytes of curves kept for all visitors
FEW: Final = 100  # nodes up to which every source is tried
_EXPLANATIONS: Final = (
    "",
    "They rise above π and fall back to it.",
    "They do so too, but peak more than ten times later than the source's own neighbours.",
    "At no time, however late, are they above π: proved from the eigenvectors of the Laplacian.",
    "At none of the times looked at, which end at t = {end} relaxation times, are they above π; "
    "what happens later is not known.",
)
# Where to look for overshoots if there are none: undirected, so that every Laplacian offered fits.
ELSEWHERE: Final = ("karate", "ring-of-cliques")


@kept(most=1)
def _responses() -> Store[Responses]:
    return Store(BUDGET, lambda found: found.values.nbytes)


@kept(most=12)
def _sample(choice: DatasetChoice, node: int) -> Sample:
    return sample_by_distance(cached.dataset(choice).undirected, node, EACH)


def sample_of(view: Method, node: int) -> Sample:
    """Some nodes at each distance from a source, near and far."""
    return _sample(view.dataset.graph, node)


def responses_of(view: Method, around: Neighbourhood, beyond: Sample) -> Responses:
    """The curves of all these nodes after an impulse; no prior has a part in it."""
    key = (
        "impulse",
        view.laplacian_key,
        view.window,
        view.tolerance,
        around.centre,
        around.nodes.size,
    )
    laplacian = laplacian_of(view)

    def compute(progress: Progress) -> Responses:
        return impulse_followed(view, laplacian, around, beyond, progress)

    shared = impulse_is_handed_over(view, laplacian)
    return obtain(_responses(), key, f"Impulse on {called(view.dataset)}", compute, shared)


@kept(most=12)
def _counts_by_source(key: Hashable, _made: Laplacian) -> np.ndarray:
    return overshooting_sources(_made)


def impulse_tiles(view: Method, found: Responses) -> None:
    """How many nodes respond in which way; where none overshoots, who else could be the source."""
    counts = np.bincount(found.kinds, minlength=len(KINDS))
    end = shown(float(found.relative_times[-1]))
    tiles(
        [
            (name.capitalize(), f"{count:,}", text.format(end=end))
            for kind, (name, count, text) in enumerate(
                zip(found.names, counts, _EXPLANATIONS, strict=True)
            )
            if text and (count or kind <= LATE)
        ]
    )
    if not counts[EARLY] + counts[LATE]:
        st.markdown(why_none(view, found))


def why_none(view: Method, found: Responses) -> str:
    """What can be said where no node shown overshoots: whether others do, or from elsewhere.

    found   the responses of the nodes shown, which need not be all of the graph
    """
    laplacian, source = laplacian_of(view), int(found.nodes[found.kinds == SOURCE][0])
    if (laplacian.components == laplacian.components[source]).sum() == 1:
        return "This node has no neighbours: its mass stays where it is."
    if laplacian.nodes > FEW:
        return (
            "No node shown overshoots from this source. Choose another source in the graph below."
        )
    counts = _counts_by_source(view.laplacian_key, laplacian)
    if others := int(counts[source]):
        verb = "does" if others == 1 else "do"
        return f"None of the nodes shown overshoots from this source; {others} not shown {verb}."
    if not counts.any():
        places = " or ".join(f"**{name}**" for name in ELSEWHERE if name != view.dataset.name)
        return (
            "No node of this graph overshoots, **whichever node is the source**: proved for all "
            f"of them.{_about_stars(view)} Try {places}."
        )
    best = cached.label_of(view.dataset, int(counts.argmax()))
    return (
        f"No node overshoots from this source. From **{plain(best)}**, "
        f"{counted(int(counts.max()), 'node')} would: choose it above."
    )


def _about_stars(view: Method) -> str:
    """Why nothing overshoots in a star, if the graph is one."""
    degrees = np.diff(cached.dataset(view.dataset).undirected.indptr)
    if degrees.size < 3 or (degrees == 1).sum() != degrees.size - 1:
        return ""
    return (
        " It is a star: all mass passes through the hub, which is linked to every leaf alike, so "
        "neither the hub nor a leaf gets ahead of its share."
    )


def impulse_curves(graph: Dataset, found: Responses) -> Curves:
    """p_j(t)/π_j of the followed nodes, coloured by the kind of response."""
    nodes = found.nodes.size
    return Curves(
        times=found.relative_times,
        values=found.ratios().T,
        levels=np.ones(nodes),
        ends=np.ones(nodes),
        groups=found.kinds,
        owners=np.arange(nodes),
        legend=[Group(*entry) for entry in zip(found.names, KIND_COLOURS, strict=True)],
        names=[
            f"{graph.node_names[node]}, {counted(int(hops), 'hop')} away"
            for node, hops in zip(found.nodes, found.distances, strict=True)
        ],
        quantity="p(t)/π",
        handle="time",
        scale="logarithmic",
        single=True,
        late_from=found.late_from / found.unit if np.isfinite(found.late_from) else None,
    )


def draw_impulse_curves(curves: Curves, name: str, index: int) -> None:
    """The canvas; its line moves the film beside it."""
    trajectory_canvas(
        pack_curves(curves),
        key="impulse-curves",
        label=f"Mass at the nodes around {name}, as a multiple of π, over time.",
        index=index,
    )


def show_responses(graph: Dataset, found: Responses) -> None:
    """The responses as a table: one row a node."""
    show_table(
        pd.DataFrame(
            {
                "Node": [graph.node_names[node] for node in found.nodes],
                "Hops": found.distances,
                "Response": pd.Categorical.from_codes(found.kinds, found.names),
                "Peak p/π": np.where(
                    found.overshoots, 1 + found.heights / found.stationary, np.nan
                ),
                "Peak at t·λ₂": np.where(found.overshoots, found.peak_times / found.unit, np.nan),
            }
        ),
        key="responses",
        height=300,
        formats={"Peak p/π": "%.3g", "Peak at t·λ₂": "%.3g"},
        alt="Table of nodes near and far: distance, response, and their peak.",
    )
