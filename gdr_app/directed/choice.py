"""The sidebar of the Directed page: graphs that have directions, the walk, the form, α."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import streamlit as st

from gdr_app.state import link
from gdr_app.state.pickers import pick
from gdr_app.widgets.sidebar import (
    choose_alpha,
    choose_dataset,
    choose_prior,
    sidebar_of,
    tell_dataset,
)
from gdr_core import datasets
from gdr_core.datasets import DatasetChoice
from gdr_core.explanation.directions import COUNTERPARTS
from gdr_core.laplacians import LAPLACIANS
from gdr_core.method import Method

BOTH: Final = "both"
DIRECTIONS: Final = (BOTH, "forward", "backward")
DIRECTION: Final = "walk-direction"  # other pages have a choice of this name without "both"
NOTICE: Final = "dataset without directions"
DIRECTION_HELP: Final = (
    "Which walk the graph below shows. **forward** follows the arrows, **backward** goes against "
    "them. The comparison of one node always shows all readings."
)
FORM_HELP: Final = "The Laplacian of the directed walk. " + " · ".join(
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
        return DIRECTIONS[1:] if self.direction == BOTH else (self.direction,)

    @property
    def dataset(self) -> DatasetChoice:
        """The graph, with its split."""
        return self.method.dataset


def start_directed() -> DirectedView:
    """The first call of the page: only graphs with directions can be chosen."""
    names = tuple(name for name in datasets.names() if datasets.spec_of(name).directed)
    with sidebar_of("Directed"):
        _put_aside_undirected(names)
        dataset = choose_dataset(names)
        direction = pick("Direction", DIRECTIONS, key=DIRECTION, help=DIRECTION_HELP)
        alpha = choose_alpha()
        prior = choose_prior(dataset)
        form = pick("Laplacian", tuple(COUNTERPARTS), key="form", help=FORM_HELP)
    tell_dataset(dataset)
    return DirectedView(Method(dataset, prior, form, alpha=alpha), direction)


def explain_put_aside() -> None:
    """Say that the dataset which the link or the other pages named has no directions."""
    if name := st.session_state.pop(NOTICE, None):
        shown = link.visit().spec.title
        st.info(
            f"**{datasets.spec_of(name).title}** has no directions: its links go both ways. "
            f"Showing **{shown}**; other graphs with directions are in the sidebar.",
            icon=":material/swap_horiz:",
        )


def _put_aside_undirected(names: tuple[str, ...]) -> None:
    asked = link.recall("dataset")
    if asked in datasets.names() and asked not in names:
        st.session_state[NOTICE] = asked
        link.correct("dataset", names[0])
