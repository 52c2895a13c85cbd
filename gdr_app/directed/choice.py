"""The sidebar of the Directed page: graphs that have directions, the walk, the form, α."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import streamlit as st

from gdr_app.state import link, own
from gdr_app.state.pickers import pick
from gdr_app.widgets.sidebar import (
    choose_alpha,
    choose_dataset,
    choose_prior,
    sidebar_of,
    stop_without_classes,
    tell_dataset,
)
from gdr_app.wording import plain
from gdr_core import datasets, laplacians
from gdr_core.datasets import DatasetChoice
from gdr_core.explanation.directions import COUNTERPARTS
from gdr_core.laplacians import LAPLACIANS
from gdr_core.method import Method

_BOTH: Final = "both"
DIRECTIONS: Final = (_BOTH, *laplacians.DIRECTIONS)
DIRECTION: Final = "walk-direction"  # other pages have a choice of this name without "both"
_NOTICE: Final = "dataset without directions"
DIRECTION_HELP: Final = (
    "Which walk the graph below shows. **forward** follows the arrows, **backward** goes against "
    "them. The comparison of one node always shows all readings."
)
_FORM_HELP: Final = "The Laplacian of the directed walk. " + " · ".join(
    f"**{name}**: {LAPLACIANS[name].formula}, undirected counterpart **{other}**"
    for name, other in COUNTERPARTS.items()
)


@dataclass(frozen=True)
class DirectedView:
    """Everything the sidebar chooses: the key of what is computed for the page."""

    method: Method
    direction: str

    @property
    def shown(self) -> tuple[str, ...]:
        """The directions whose graphs are drawn."""
        return laplacians.DIRECTIONS if self.direction == _BOTH else (self.direction,)

    @property
    def dataset(self) -> DatasetChoice:
        """The graph, with its split."""
        return self.method.dataset


def start_directed() -> DirectedView:
    """The first call of the page: only graphs with directions can be chosen."""
    mine = tuple(name for name, data in own.opened().items() if data.spec.directed)
    listed = tuple(name for name in datasets.names() if datasets.spec_of(name).directed)
    names = (*mine, *listed)
    with sidebar_of("Directed"):
        _put_aside_undirected(names, listed[0])
        dataset = choose_dataset(names)
        direction = pick("Direction", DIRECTIONS, key=DIRECTION, help=DIRECTION_HELP)
        alpha = choose_alpha()
        prior = choose_prior(dataset)
        form = pick("Laplacian", tuple(COUNTERPARTS), key="form", help=_FORM_HELP)
    tell_dataset(dataset)
    stop_without_classes(dataset)
    return DirectedView(Method(dataset, prior, form, alpha=alpha), direction)


def explain_put_aside() -> None:
    """Say that the dataset which the link or the other pages named has no directions."""
    if name := st.session_state.pop(_NOTICE, None):
        shown = plain(link.visit().spec.title)
        st.info(
            f"**{plain(name)}** has no directions: its links go both ways. "
            f"Showing **{shown}**; other graphs with directions are in the sidebar.",
            icon=":material/swap_horiz:",
        )


def _put_aside_undirected(names: tuple[str, ...], instead: str) -> None:
    """Show another graph for one that has no directions; its title is kept for the message."""
    visit = link.visit()
    known = visit.dataset in datasets.names() or visit.dataset in visit.own
    if known and visit.dataset not in names and link.recall("dataset") is not None:
        st.session_state[_NOTICE] = visit.spec.title
        link.correct("dataset", instead)
