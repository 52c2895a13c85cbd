"""Five aspects of a graph: each a picture, and a sentence that is made from its numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from html import escape
from typing import Final

import numpy as np
import streamlit as st

from gdr_app.components.graph_canvas import Looks
from gdr_app.computing.results import dataset_of
from gdr_app.state.pickers import pick
from gdr_app.structure.alignment import (
    ask_alignment,
    draw_alignment,
    known_alignment,
    told_alignable,
)
from gdr_app.structure.communities import show_communities
from gdr_app.structure.comparing import scale_correlations
from gdr_app.structure.figures_text import ALT
from gdr_app.structure.homophily import homophily_section
from gdr_app.structure.randomising import randomiser_section
from gdr_app.structure.spreading import smoothings_on, sources_on
from gdr_app.structure.studies import ask
from gdr_app.widgets.overview import Overview, group_looks
from gdr_app.widgets.plots import draw_figure, draw_numbers
from gdr_app.widgets.sidebar import stop_without_classes
from gdr_app.wording import counted, percent, plain
from gdr_core.datasets import Dataset
from gdr_core.datasets.record import UNKNOWN
from gdr_core.figures import structure as figures
from gdr_core.figures.palette import UNKNOWN_COLOUR
from gdr_core.method import Method
from gdr_core.structure.influence import LARGEST, Influence
from gdr_core.structure.smoothing import Smoothing

HOW_FAR, WHEN = "how far", "when"
_CURVES: Final = 6


def show_homophily(view: Method, overview: Overview) -> None:
    """Three numbers, and what GDR gained on graphs of all kinds."""
    stop_without_classes(view.dataset)
    homophily_section(dataset_of(view))


def show_alignment(view: Method, overview: Overview) -> None:
    """The triangle, its numbers, and what becomes of it when the graph is randomised."""
    stop_without_classes(view.dataset)
    graph = dataset_of(view)
    if not told_alignable(graph):
        return
    found = known_alignment(view.dataset) or ask_alignment(view.dataset)
    draw_alignment(found, graph)
    randomiser_section(view, graph, found)


def _show_influence(view: Method, overview: Overview) -> None:
    """All pairs of a small graph; the sources of one node on a large one."""
    graph = dataset_of(view)
    node = overview.choose_node()
    if graph.nodes > LARGEST:
        _show_sources(view, overview, graph, node)
        return
    numbers = ask("influence", "Influence", view.dataset, laplacian=view.laplacian)
    found = Influence(numbers["heights"], numbers["peak_times"], numbers["times"])
    by_time = _choose_colours()
    order = np.lexsort((np.arange(graph.nodes), graph.labels))
    names = [escape(name) for name in graph.node_names]
    reach = found.overshoots.sum(axis=1)
    left, right = st.columns(2, gap="medium")
    with left:
        blocks = _class_blocks(graph, order)
        figure = figures.influence_map(found, order, names, blocks, by_time=by_time)
        draw_figure(figure, key="pairs", alt=ALT["pairs"])
    with right:
        chosen = np.argsort(-reach, kind="stable")[:_CURVES].tolist()
        chosen = chosen if node is None or node in chosen else [node, *chosen[:-1]]
        draw_figure(
            figures.centrality_curves(found, chosen, names), key="scales", alt=ALT["scales"]
        )
        st.markdown(influence_sentence(found, graph.node_names))
    _draw_influence(overview, graph, found, int(reach.argmax()) if node is None else node, by_time)
    table = scale_correlations(graph, found)
    st.markdown(
        "**Compared with other centralities**: rank correlation with the count of nodes "
        "that a source has made peak when a quarter (early), half (middle) and all (last) of the "
        "pairs that overshoot have."
    )
    draw_numbers(table, key="centralities", digits=2, alt=ALT["centralities"])


def _class_blocks(graph: Dataset, order: np.ndarray) -> list[tuple[str, int]]:
    """The classes in the order of the map, and how many nodes each has."""
    found, sizes = np.unique(graph.labels[order], return_counts=True)
    names = [escape(graph.class_names[k]) if k != UNKNOWN else "not shown" for k in found]
    return list(zip(names, sizes.tolist(), strict=True))


def _choose_colours() -> bool:
    """Whether colours tell when a node is lifted, and not how far."""
    with st.container(width=220):
        return pick("Colours tell", (HOW_FAR, WHEN), key="by") == WHEN


def _draw_influence(
    overview: Overview, graph: Dataset, found: Influence, node: int, by_time: bool
) -> None:
    """On the graph: whom one node lifts, and who lifts it."""
    name = plain(graph.node_names[node])
    for column, times, heights, title, key in zip(
        st.columns(2, gap="medium"),
        (found.peak_times[node], found.peak_times[:, node]),
        (found.heights[node], found.heights[:, node]),
        (f"Whom {name} lifts", f"Who lifts {name}"),
        ("lifted", "lifting"),
        strict=True,
    ):
        with column:
            st.markdown(f"**{title}**: {counted(int((heights > 0).sum()), 'node')}")
            looks = _lifted_looks(times if by_time else heights, by_time)
            asked = WHEN if by_time else HOW_FAR
            overview.draw_beside(looks, node, key=key, label=f"The graph: {title}, {asked}.")


def influence_sentence(found: Influence, names: Sequence[str]) -> str:
    """Who reaches most, and how many pairs there are."""
    reach = found.overshoots.sum(axis=1)
    pairs = int(found.overshoots.sum())
    first = np.flatnonzero(reach == reach.max(initial=0))
    every = found.heights.shape[0] * (found.heights.shape[0] - 1)
    if not pairs:
        return "No source lifts any other node above its long-run value on this graph."
    lifted = f"{counted(int(reach[first[0]]), 'node')} above π."
    overshoot = f"**{pairs:,}** of {every:,} pairs overshoot."
    if first.size == reach.size:
        return f"{overshoot} Mass from any node lifts {lifted}"
    if first.size > 1:
        most = f"{plain(names[int(first[0])])} and {counted(first.size - 1, 'other')}"
        return f"{overshoot} {most} reach most: mass from each lifts {lifted}"
    return f"{overshoot} {plain(names[int(first[0])])} reaches most: mass from it lifts {lifted}"


def _show_sources(view: Method, overview: Overview, graph: Dataset, node: int | None) -> None:
    chosen = int(np.diff(graph.undirected.indptr).argmax()) if node is None else node
    found = sources_on(view, chosen)
    height = found.heights[:, 0]
    lifted = int((height > 0).sum())
    times = found.peak_times[:, 0]
    st.markdown(
        f"{sources_sentence(lifted, graph.nodes - 1, graph.node_names[chosen])} "
        f"{peaks_sentence(times)}Pairs are drawn for graphs of up to {LARGEST:,} nodes; here are "
        "the sources of one node: choose another above."
    )
    by_time = _choose_colours()
    looks = _lifted_looks(times if by_time else height, by_time)
    overview.draw(looks, chosen, coloured_by="time of the peak" if by_time else "height")


def sources_sentence(lifted: int, others: int, name: str) -> str:
    """How many of the other nodes lift one, at least: heights below the error are not counted."""
    if not lifted:
        return f"No source of {others:,} is found to lift {plain(name)} above its long-run value."
    lift = "lifts" if lifted == 1 else "lift"
    return (
        f"At least **{counted(lifted, 'source')}** of {others:,} {lift} {plain(name)} above its "
        "long-run value; smaller heights than the error of the computation are not counted."
    )


def peaks_sentence(times: np.ndarray) -> str:
    """When the sources lift the node highest; nothing where there are none."""
    known = times[np.isfinite(times)]
    if not known.size:
        return ""
    if known.size == 1:
        return f"That is at t = {known[0]:.3g}. "
    half = np.quantile(known, 0.5, method="inverted_cdf")
    return (
        f"The first of these does so most at t = {known.min():.3g}, half of them by "
        f"t = {half:.3g}, the last at t = {known.max():.3g}. "
    )


_HEIGHTS: Final = ("not at all", "a little", "clearly", "most")
_TIMES: Final = ("not at all", "early", "later", "last")
_SHADES: Final = ("#56B4E9", "#0072B2", "#D55E00")


def _lifted_looks(values: np.ndarray, by_time: bool) -> Looks:
    """Nodes by how far they are lifted, or by when."""
    names, label = (_TIMES, "highest") if by_time else (_HEIGHTS, "overshoot")
    looks = group_looks(_levels(values), names, label)
    return replace(looks, palette=(UNKNOWN_COLOUR, *_SHADES))


def _levels(values: np.ndarray) -> np.ndarray:
    """Nothing (0 or NaN), and thirds of the positive values by rank."""
    some = values > 0
    if not some.any():
        return np.zeros(values.size, dtype=np.int64)
    edges = np.quantile(values[some], [1 / 3, 2 / 3])
    return np.where(some, 1 + np.searchsorted(edges, values), 0)


def _show_smoothing(view: Method, overview: Overview) -> None:
    """Energy, accuracy and distinct labels against time and depth."""
    stop_without_classes(view.dataset)
    graph = dataset_of(view)
    part = "validation" if view.dataset.test_hidden else "test"
    heat, depth = smoothings_on(view, part)
    draw_figure(
        figures.smoothing_curves(heat, depth, graph.classes), key="smoothing", alt=ALT["smoothing"]
    )
    st.markdown(smoothing_sentence(heat, depth, part, graph.classes))


def smoothing_sentence(heat: Smoothing, depth: Smoothing, part: str, classes: int) -> str:
    """Where each is best, and what is left at the end."""
    labels = [f"{counted(int(found.labels[-1]), 'distinct label')}" for found in (heat, depth)]
    if heat.energy[0] > 0:
        left = [percent(max(float(found.energy[-1]), 0.0)) for found in (heat, depth)]
        end = (
            f"At the end of the axis diffusion leaves {left[0]} of the energy and {labels[0]} of "
            f"{classes}, depth {left[1]} and {labels[1]}."
        )
    else:
        end = (
            "The beliefs do not differ along any link, so that there is no energy to lose. At the "
            f"end of the axis diffusion leaves {labels[0]} of {classes}, depth {labels[1]}."
        )
    if np.isnan(heat.accuracy).all():
        return f"No {part} node has a known class, so accuracy is not drawn. {end}"
    best, deep = int(np.nanargmax(heat.accuracy)), int(np.nanargmax(depth.accuracy))
    return (
        f"On {part} nodes diffusion first reaches its best accuracy at t = {heat.steps[best]:.3g} "
        f"({percent(heat.accuracy[best])}), depth at k = {depth.steps[deep]:.0f} "
        f"({percent(depth.accuracy[deep])}); the prior itself has "
        f"{percent(heat.accuracy[0])}. {end}"
    )


ASPECTS: Final[dict[str, Callable[[Method, Overview], None]]] = {
    "homophily": show_homophily,
    "alignment": show_alignment,
    "influence": _show_influence,
    "smoothing": _show_smoothing,
    "communities": show_communities,
}
