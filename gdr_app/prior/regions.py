"""Where the prior is wrong, region by region: on the graph, in a chart, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import streamlit as st

from gdr_app.computing import cached
from gdr_app.computing.budget import is_large
from gdr_app.computing.kept import kept
from gdr_app.computing.results import dataset_of, result_of
from gdr_app.computing.working import without
from gdr_app.state import link
from gdr_app.state.pickers import Picker
from gdr_app.structure.studies import ask
from gdr_app.widgets.overview import SHARE_COLOURS, level_of, truth_detail
from gdr_app.widgets.plots import draw_figure
from gdr_app.wording import counted, percent, readable
from gdr_core.canvases.graph_canvas.payload import Detail, Looks, Mark
from gdr_core.datasets import Dataset, DatasetChoice
from gdr_core.datasets.record import UNKNOWN
from gdr_core.figures.palette import UNKNOWN_COLOUR
from gdr_core.figures.prior import region_chart
from gdr_core.graphs.regions import regions
from gdr_core.method import Method
from gdr_core.priors.by_region import RegionalMistakes, mistakes_by_region

_REGION: Final = "region"  # the key of the choice of one
ALL, SMALL = "all", "small"
CHART: Final = "regions-chart"
LEVELS: Final = (
    "no judged node of the region wrong",
    "up to a quarter",
    "up to half",
    "up to three quarters",
    "more",
    "no node of the region judged",
)
_LEAST: Final = 0.01  # of all nodes: smaller regions are together
_CLEAR: Final = 0.05  # p-value up to which shares differ more than by chance


def regions_of(view: Method, index: int) -> Regions | None:
    """The regions of a view and the mistakes there, before GDR and after it at a t_min.

    None where the visitor has cancelled the search for them, or it failed: the page says so.
    """
    graph, result = dataset_of(view), result_of(view)
    with without("The view by region"):
        groups = groups_of(view.dataset.graph)
        after = mistakes_in(groups, graph, result.at(index).predicted)
        return Regions(graph, result.prior_labels, _mistakes(view, groups), after)
    return None


@kept(most=16)
def _mistakes(view: Method, _groups: np.ndarray) -> RegionalMistakes:
    """Those of the prior."""
    return mistakes_in(_groups, dataset_of(view), result_of(view).prior_labels)


def mistakes_in(groups: np.ndarray, graph: Dataset, predicted: np.ndarray) -> RegionalMistakes:
    """The mistakes of labels in each region; what the split gave away is not judged."""
    return mistakes_by_region(
        groups, graph.labels, predicted, graph.split.train, least=least_of(graph.nodes)
    )


def least_of(nodes: int) -> int:
    """So many nodes a region has at least; smaller ones are together."""
    return max(2, int(np.ceil(_LEAST * nodes)))


def groups_of(choice: DatasetChoice) -> np.ndarray:
    """The region of every node; of a large graph a worker finds them."""
    if is_large(cached.dataset(choice).undirected):
        return np.asarray(ask("regions", "Regions of the graph", choice)["regions"])
    return _found_here(choice)


@kept(most=32)
def _found_here(choice: DatasetChoice) -> np.ndarray:
    return regions(cached.dataset(choice).undirected)


class Regions:
    """The regions of a view, and which of them is looked at: chosen in a box or by a click on its
    bar; at first all.

    found   the prior's mistakes
    after   those that GDR leaves at the current t_min
    """

    def __init__(
        self, graph: Dataset, labels: np.ndarray, found: RegionalMistakes, after: RegionalMistakes
    ) -> None:
        self.graph, self.labels, self.found, self.after = graph, labels, found, after
        self.names = _region_names(found)
        self.said = {name: _said(found, at) for at, name in enumerate(self.names)}
        ordered = (self.names[at] for at in found.order.tolist())
        choices = (ALL, *ordered)
        self.picker = Picker("Region", choices, key=_REGION, format_func=self._called)

    @property
    def chosen(self) -> int | None:
        """The number of the region; None for all."""
        name = self.picker.chosen
        return None if name == ALL else self.names.index(name)

    @property
    def where(self) -> str:
        """What there is to say of all regions."""
        return regions_sentence(self.found, least_of(self.graph.nodes))

    @property
    def looks(self) -> Looks:
        """The graph, coloured by region."""
        return region_looks(self.graph, self.labels, self.found, self.chosen)

    def draw(self) -> None:
        """The box, one bar a region, and what GDR makes of them."""
        found, after = self.found, self.after
        if not found.regions:
            return
        st.header("Regions", anchor=False)
        self.picker.draw()
        if found.judged.any():
            names = [called(name) for name in self.names]
            colours = [SHARE_COLOURS[level] for level in level_of(found.shares).tolist()]
            figure = region_chart(found, after, names, colours, self.chosen)
            draw_figure(figure, key=CHART, alt=_chart_words(found), choose=self.click)
            st.markdown(after_sentence(found, after))

    def place(self, node: int | None) -> None:
        """In which region the chosen node is."""
        if node is not None and self.found.regions:
            st.markdown(place_sentence(self.found, node))

    def click(self) -> None:
        """A bar was clicked; for callbacks."""
        link.remember(_REGION, clicked_in(st.session_state[CHART], self.names))

    def _called(self, name: str) -> str:
        return "all regions" if name == ALL else f"{called(name)}: {self.said[name]}"


def clicked_in(event: Mapping[str, Any], names: Sequence[str]) -> str | None:
    """The region whose bar was clicked; None where it was none, or a message made by hand."""
    points = event["selection"]["points"]
    place = points[0].get("customdata") if points else None
    place = place[0] if isinstance(place, list) and place else place
    return names[place] if isinstance(place, int) and place in range(len(names)) else None


def _region_names(found: RegionalMistakes) -> list[str]:
    """What each region is called in links."""
    named = [str(number) for number in range(1, found.regions + 1)]
    return [*named, SMALL] if found.small else named


def called(name: str) -> str:
    """What a region is called on the page."""
    return "small regions" if name == SMALL else f"region {name}"


def _said(found: RegionalMistakes, at: int) -> str:
    if not found.judged[at]:
        return "no node judged"
    return f"{found.wrong[at]:,} of {found.judged[at]:,} wrong"


def region_looks(
    graph: Dataset, labels: np.ndarray, found: RegionalMistakes, chosen: int | None
) -> Looks:
    """Every node in the colour of its region's share of wrong nodes; wrong ones are diamonds.

    Where a region is chosen, nodes of the others fade.
    """
    names = [f"{called(name)}, {_said(found, at)}" for at, name in enumerate(_region_names(found))]
    classes = [readable(name) for name in graph.class_names]
    known = graph.labels != UNKNOWN
    wrong = known & (labels != graph.labels)
    elsewhere = np.zeros(graph.nodes, dtype=bool) if chosen is None else found.region != chosen
    styles = (
        Mark("not judged", shape="ring", size=0.7, opacity=0.45),
        Mark("right", size=0.7, opacity=0.7),
        Mark("wrong", shape="diamond", size=1.7),
    )
    faded = Mark("in other regions", size=0.6, opacity=0.12)
    marks = np.select([wrong, known], [2, 1], 0)
    return Looks(
        colours=level_of(found.shares)[found.region],
        classes=list(LEVELS),
        palette=SHARE_COLOURS,
        unknown_colour=UNKNOWN_COLOUR,
        details=[
            Detail("in", found.region, names),
            truth_detail(graph),
            Detail("prior", labels, classes),
        ],
        marks=marks if chosen is None else np.where(elsewhere, 0, marks + 1),
        mark_styles=styles if chosen is None else (faded, *styles),
    )


def _chart_words(found: RegionalMistakes) -> str:
    """The chart for those who cannot see it."""
    names, order = _region_names(found), found.order[:5].tolist()
    said = "; ".join(f"{called(names[at])}: {_said(found, at)}" for at in order)
    return f"Share of wrong nodes in each region, the largest first. {said}."


def regions_sentence(found: RegionalMistakes, least: int) -> str:
    """How many regions there are, and whether mistakes stand together."""
    if not found.regions:
        return f"No {least} nodes of this graph are held together by edges: it has no regions."
    told = f"A **region** is a group of {least} or more nodes with many edges inside and few to "
    told += f"the rest. There {'is' if found.regions == 1 else 'are'} "
    told += f"**{counted(found.regions, 'region')}**{_small_ones(found)}. "
    judged, wrong = int(found.judged.sum()), int(found.wrong.sum())
    if not judged:
        return f"{told}No class is shown but those that the prior was given: nothing is judged."
    told += f"Of the {counted(judged, 'node')} that are **judged**, their class being shown and "
    told += f"not given to the prior, {_were(wrong)} wrong ({percent(found.overall)})."
    if np.isnan(found.spread):
        return told
    return f"{told} From region to region this share varies {_varies(found)}."


def _small_ones(found: RegionalMistakes) -> str:
    if not found.small:
        return ""
    return f", and {found.small:,} smaller {'one' if found.small == 1 else 'ones'}, put together"


def _were(wrong: int) -> str:
    return f"**{wrong:,}** {'is' if wrong == 1 else 'are'}"


def _varies(found: RegionalMistakes) -> str:
    clear = "mistakes stand together" if found.chance <= _CLEAR else "this may be chance"
    return (
        f"**{found.spread:.1f} times** as much as if the mistakes fell on judged nodes by chance "
        f"(p = {found.chance:.2g}): {clear}"
    )


def after_sentence(found: RegionalMistakes, after: RegionalMistakes) -> str:
    """What GDR does where few nodes are wrong, and where most are."""
    few, most = found.shares < 0.5, found.shares >= 0.5
    told = [
        f"**{_change(found, after, these)}** where {words} wrong"
        for these, words in ((few, "fewer than half are"), (most, "half or more are"))
        if these.any()
    ]
    return f"Circles: after GDR at this t_min. Wrong nodes go from {', and from '.join(told)}."


def _change(found: RegionalMistakes, after: RegionalMistakes, these: np.ndarray) -> str:
    return f"{int(found.wrong[these].sum()):,} to {int(after.wrong[these].sum()):,}"


def place_sentence(found: RegionalMistakes, node: int) -> str:
    """In which region a node is."""
    at = int(found.region[node])
    name = _region_names(found)[at]
    if name == SMALL:
        return f"It is in one of {found.small:,} small regions, which are put together here."
    return f"It is in **{called(name)}**: {_said(found, at)}."
