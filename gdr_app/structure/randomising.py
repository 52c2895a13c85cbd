"""The randomiser: links and features that say less, and what that costs alignment, GCN and GDR."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import streamlit as st

from gdr_app.computing.kept import kept
from gdr_app.state.pickers import pick_number
from gdr_app.structure.figures_text import ALT
from gdr_app.structure.studies import ask
from gdr_app.widgets.plots import draw_figure
from gdr_app.wording import counted, plain, points
from gdr_core.datasets import Dataset, DatasetChoice
from gdr_core.figures import structure as figures
from gdr_core.method import Method
from gdr_core.places import data_folder
from gdr_core.priors import PRIORS
from gdr_core.structure.alignment import Alignment

LARGEST: Final = 5000  # nodes: on larger graphs a version takes minutes
_FALLBACK: Final = "projection"  # for priors that belong to the graph as it is
_STEP: Final = 5  # percent
_TOO_LARGE: Final = (
    f"Only graphs of up to {LARGEST:,} nodes are randomised here: on larger ones a version, with a "
    "GCN trained on it, takes minutes."
)


def randomiser_section(view: Method, graph: Dataset, itself: Alignment) -> None:
    """What is stored, at once; and the version that two sliders ask for, from a worker."""
    st.header("What if the graph, or the features, said less?", anchor=False)
    if graph.nodes > LARGEST:
        st.info(_TOO_LARGE)
        return
    part = "validation" if view.dataset.test_hidden else "test"
    prior = _prior_of(view)
    stored = stored_sweep(view.dataset, prior)
    shares = _choose_shares()
    curve = stored["points"] if stored else []
    versions, how = [], "all edges randomised"
    if any(shares.values()):
        nothing = dict.fromkeys(shares, 0.0)
        first = curve[0] if curve else _version(view, graph, itself, prior, part, nothing)
        versions = [first, _version(view, graph, itself, prior, part, shares)]
        how = told_shares(shares)
    elif not curve:
        st.markdown("Move a slider: one version is drawn, judged and put beside the graph itself.")
        return
    what = "features" if shares["features"] and not shares["edges"] else "edges"
    drawn = curve if what == "edges" else []
    places = (0.0, shares[what])[: len(versions)]
    placed = [each | {"share": at} for each, at in zip(versions, places, strict=True)]
    figure = figures.randomised_curves(drawn, what, part, placed)
    draw_figure(figure, key="randomised", alt=ALT["randomised"])
    ends = versions or curve
    st.markdown(randomised_sentence(ends[0], ends[-1], how, prior, part))
    if stored and drawn:
        st.caption(
            f"Lines: means over {counted(stored['draws'], 'draw')} of each share of the edges, "
            "computed beforehand; bars are standard deviations. Diamonds: one draw of what the "
            "sliders say."
        )


def _choose_shares() -> dict[str, float]:
    columns = st.columns(2, gap="medium")
    found = {}
    for column, what in zip(columns, ("edges", "features"), strict=True):
        with column:
            key = f"randomised-{what}"
            label = f"Share of the {what} that is randomised, %"
            found[what] = pick_number(label, 0, 100, 0, key=key, step=_STEP, slider=True) / 100
    return found


def _prior_of(view: Method) -> str:
    """The view's prior where it can be computed again for another version of the graph."""
    own = view.prior not in PRIORS or view.prior == "external"
    return _FALLBACK if own else view.prior


def _version(
    view: Method,
    graph: Dataset,
    itself: Alignment,
    prior: str,
    part: str,
    shares: Mapping[str, float],
) -> dict[str, Any]:
    """One version, by a worker: read where the triangle is, beside the same chance."""
    options = {
        **shares,
        "dimensions": list(itself.dimensions),
        "chance": float(np.mean(itself.randomised)),
        "prior": prior,
        "part": part,
        "network": bool(graph.split.train.size),
    }
    return ask("version", f"With {told_shares(shares)}", view.dataset, **options)


def told_shares(shares: Mapping[str, float]) -> str:
    """`25% of the edges and 50% of the features randomised`."""
    told = [f"{share:.0%} of the {what}" for what, share in shares.items() if share]
    return f"{' and '.join(told) or 'nothing'} randomised"


def randomised_sentence(
    first: Mapping[str, Any], last: Mapping[str, Any], how: str, prior: str, part: str
) -> str:
    """What was gained on the graph as it is, and with less of it left.

    how   what was randomised in the end
    """
    gaps = f"S is {_from_chance(first['gap'])} at first and {_from_chance(last['gap'])} at the end."
    gains = [version["gdr"] - version["prior"] for version in (first, last)]
    if np.isnan(gains).any():
        return f"No {part} node has a known class, so that there is no accuracy. {gaps}"
    deep = ""
    if first["network"] is not None and last["network"] is not None:
        deep = f"A GCN is right on {first['network']:.1%}, and then on {last['network']:.1%}. "
    return (
        f"On {part} nodes GDR (prior {plain(prior)}, combinatorial Laplacian, rule overshoot) "
        f"changes the prior's accuracy by **{points(gains[0])} points** on the graph as it is, and "
        f"by **{points(gains[1])} points** with {how}. {deep}{gaps}"
    )


def _from_chance(gap: float) -> str:
    """`5.0% below chance`, `1.2% above chance`; the same in both words for nothing."""
    return f"{abs(gap):.1%} {'above' if gap < 0 else 'below'} chance"


def stored_sweep(choice: DatasetChoice, prior: str = _FALLBACK) -> dict[str, Any] | None:
    """The stored study, if it is of exactly this choice and prior: its means by share, its draws.

    While test is hidden, that on validation nodes, which was made without test classes.
    """
    found = _stored("validation" if choice.test_hidden else "test")
    first = DatasetChoice(found["dataset"], test_hidden=choice.test_hidden)
    return found if (choice, prior) == (first, found["prior"]) else None


@kept(most=2)
def _stored(part: str) -> dict[str, Any]:
    name = "randomised-cora.json" if part == "test" else f"randomised-cora-{part}.json"
    file = data_folder() / "results" / "studies" / name
    found = json.loads(file.read_text(encoding="utf-8"))
    return found | {"points": _means(found["points"])}


def _means(found: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    from gdr_tools.studies.randomising import Point, by_share

    return by_share([Point(**each) for each in found])
