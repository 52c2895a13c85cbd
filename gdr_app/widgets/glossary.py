"""The terms of the pages, each defined once: every tooltip about a term says the same.

A page gives the names of the terms it uses to `introduce`, which shows them in the tooltip of its
first paragraph; a single control or number takes one with `define`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import streamlit as st

if TYPE_CHECKING:
    from collections.abc import Mapping

    from streamlit.delta_generator import DeltaGenerator

TERMS: Final[Mapping[str, str]] = {
    "GDR": "graph diffusion reclassification: a classifier's beliefs spread over the graph, and "
    "each node's label is read from how they change.",
    "belief": "the number p(t) for a class at a node after beliefs have spread for the time t; "
    "p(0) is the prior.",
    "prior": "the class probabilities that a classifier gives to every node before diffusion.",
    "Laplacian": "the matrix L that says how beliefs spread along the links: dp/dt = −L p.",
    "π": "the stationary state, where diffusion ends on a connected graph; beliefs are compared "
    "with it.",
    "relaxation time": "1/λ₂, the time in which the slowest difference on the largest component "
    "shrinks to 37%; λ₂ is the Laplacian's smallest positive eigenvalue there.",
    "t_min": "the earliest time that counts. GDR chooses it by accuracy on validation nodes, where "
    "there are any.",
    "time window": "the times at which beliefs are computed and labels may be read.",
    "overshoot": "a belief overshoots if it is above π at some time that counts.",
    "overshoot height": "how far a belief gets above π from t_min to the end of the time window; "
    "0 if it never does. Written Ω.",
    "homophily": "the share of edges that join two nodes of the same class.",
    "component": "a part of the graph that no edge joins to the rest.",
    "split": "which nodes train the classifier, which choose settings (validation) and which judge "
    "the result (test).",
    "confidence": "the largest of a node's class probabilities.",
    "calibration": "a classifier is well calibrated if it is right as often as it is confident.",
    "method": "a prior, a Laplacian and a rule that reads labels from the curves.",
    "rule": "how a label is read from the beliefs of a node over time.",
    "delta impulse": "a start with all mass on one node, the source.",
    "mass": "the share of a unit that has reached a node; it only moves, along links.",
    "epoch": "one training step on all training nodes.",
    "diffusion time": "the time t for which a layer of a diff-GCN lets its input spread over the "
    "graph.",
    "dropout": "leaving out inputs at random while training, so that weights stay modest.",
    "PageRank": "φ, the share of its time that a walker on the graph spends at each node.",
    "dead end": "a node that no arrow leaves.",
    "teleportation": "a jump of the walker to any node, all equally likely.",
    "seed": "the number that fixes everything drawn at random in a run.",
    "alignment": "how much features, graph and classes have in common, as subspaces; S is smaller "
    "where they agree more.",
    "Dirichlet energy": "what beliefs differ by along the links, squared and added up.",
    "community": "a group of nodes in which a walker stays longer than chance would have it.",
    "influence": "a source influences a node if mass from it lifts the node above π for a while.",
    "gain": "accuracy after GDR minus that of the prior.",
}
# What a page needs that shows the beliefs of a node over time.
CURVE_TERMS: Final = (
    "belief",
    "prior",
    "Laplacian",
    "π",
    "overshoot",
    "overshoot height",
    "t_min",
    "time window",
    "relaxation time",
    "component",
    "split",
)


def define(term: str) -> str:
    """The definition as a sentence, for a tooltip beside the term."""
    text = TERMS[term]
    return text[:1].upper() + text[1:]


def define_all(*terms: str) -> str:
    """One line for each term, for the tooltip of a text that uses them."""
    return "\n".join(f"- **{term}**: {TERMS[term]}" for term in terms)


def introduce(text: str, *terms: str, place: DeltaGenerator | None = None) -> None:
    """A page's first paragraph; its tooltip defines the terms of the page.

    place   where to write it, if not here
    """
    (place or st).markdown(text, help=define_all(*terms))
