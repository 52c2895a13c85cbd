"""Communities over time: how many there are at each time, and one partition on the graph."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import streamlit as st

from gdr_app.computing.results import dataset_of
from gdr_app.state.pickers import pick_number
from gdr_app.structure.figures_text import ALT
from gdr_app.structure.studies import ask
from gdr_app.widgets.overview import Overview, class_looks, group_looks
from gdr_app.widgets.plots import draw_figure
from gdr_app.wording import counted
from gdr_core.datasets import Dataset
from gdr_core.explanation.quantities import shown
from gdr_core.figures import structure as figures
from gdr_core.laplacians import make_laplacian
from gdr_core.method import Method
from gdr_core.structure.communities import (
    FULL,
    LARGEST,
    MOST_LINKS,
    memory_needed,
    refused_for_pieces,
)
from gdr_core.structure.louvain import variation_of_information
from gdr_tools.jobs.everybody import pool

TIMES: Final = tuple(np.geomspace(0.1, 300, 24).round(3).tolist())
FEWER_TIMES: Final = tuple(np.geomspace(0.1, 300, 12).round(3).tolist())  # of large graphs


def show_communities(view: Method, overview: Overview) -> None:
    """Partitions over time; the chosen one on the graph beside the classes."""
    graph = dataset_of(view)
    if refusal := refused(graph, pool().allowance):
        st.info(refusal)
        return
    moments = TIMES if graph.nodes <= FULL else FEWER_TIMES
    found = ask("communities", "Communities", view.dataset, times=list(moments))
    times, groups = found["times"], found["groups"]
    figure = figures.community_curves(times, groups, found["variation"])
    draw_figure(figure, key="communities", alt=ALT["communities"])
    steps = len(moments)
    with st.container(width=420):
        chosen = int(
            pick_number(
                "Step on the time axis", 1, steps, _telling(found), key="scale", step=1, slider=True
            )
        )
    partition = found["partitions"][chosen - 1].astype(np.int64)
    st.markdown(
        f"{community_sentence(graph, times[chosen - 1], partition)} "
        f"{stability_sentence(found['stability'][chosen - 1], found['bound'][chosen - 1])}"
    )
    left, right = st.columns(2, gap="medium")
    names = [f"community {k + 1}" for k in range(int(partition.max()) + 1)]
    with left:
        st.markdown("**Communities**")
        looks = group_looks(partition, names, "community")
        overview.draw_beside(looks, None, key="groups", label="The graph, coloured by community.")
    with right:
        st.markdown("**Known classes**")
        overview.draw_beside(
            class_looks(graph), None, key="classes", label="The graph, coloured by class."
        )


def refused(graph: Dataset, allowed: int) -> str:
    """Why no communities are sought in a graph; nothing where they are.

    allowed   bytes that a worker of this server may take
    """
    nodes, links = graph.nodes, graph.undirected.nnz // 2
    if nodes > LARGEST or links > MOST_LINKS:
        return (
            f"Communities are sought in graphs of up to {LARGEST:,} nodes and {MOST_LINKS:,} "
            f"links; this one has {nodes:,} and {links:,}."
        )
    if nodes > FULL:
        why = refused_for_pieces(make_laplacian("random-walk", graph.undirected))
        if why:
            return f"{why[0].upper()}{why[1:]}."
    needed = memory_needed(nodes, links)
    if needed > allowed:
        return (
            f"The search for communities takes about {needed / 1e9:.1f} GB of memory on this "
            f"graph, and a worker of this server may take {allowed / 1e9:.1f} GB."
        )
    return ""


def stability_sentence(stability: float, bound: float) -> str:
    """How good the partition is, how exactly that is known, and that a better one may exist."""
    error = f", computed with an error of at most {shown(_rounded_up(bound))}" if bound else ""
    return f"Their stability is r = {shown(stability)}{error}; other groups may have a larger one."


def _rounded_up(bound: float) -> float:
    """To one digit."""
    unit = 10.0 ** np.floor(np.log10(bound))
    return float(np.ceil(bound / unit) * unit)


def _telling(found: dict[str, Any]) -> int:
    """The step whose runs agree most among those with more than one and fewer than N/2 groups."""
    groups, variation = np.asarray(found["groups"]), np.asarray(found["variation"])
    useful = (groups > 1) & (groups <= found["partitions"].shape[1] / 2)
    judged = np.where(useful, variation, np.inf)
    return int(judged.argmin()) + 1 if useful.any() else len(groups)


def community_sentence(graph: Dataset, time: float, partition: np.ndarray) -> str:
    """How many groups there are, and how far they are from the known classes."""
    known = np.flatnonzero(graph.labels >= 0)
    count = counted(int(partition.max()) + 1, "community").replace("communitys", "communities")
    said = f"At t = {time:.3g} there are **{count}**."
    if known.size < 2 or np.unique(graph.labels[known]).size < 2:
        return said
    distance = variation_of_information(partition[known], graph.labels[known]) / np.log(known.size)
    return (
        f"{said} Their variation of information with the known classes of "
        f"{counted(known.size, 'node')} is {distance:.2f} of its bound; 0 would be the same groups."
    )
