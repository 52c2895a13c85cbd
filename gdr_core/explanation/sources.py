"""The nodes that a label comes from: how far away they are, and what they believed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph

from gdr_core.explanation.contributions import Explanation
from gdr_core.gdr.result import GDRResult

_SMALLEST_SHARE = 1e-6  # less may be no more than the error of the numbers


@dataclass(frozen=True)
class Source:
    """A node that contributed to another's score: how far away, how much, and what it believed.

    distance   links between the two, None if no path joins them
    share      of the whole score, 0 to 1
    label      its own class in the prior; training nodes have theirs given
    belief     what the prior gave the explained class at this node
    """

    node: int
    label: int
    belief: float
    distance: int | None
    share: float
    training: bool


def sources(
    adjacency: sp.csr_array, result: GDRResult, explanation: Explanation, count: int = 10
) -> list[Source]:
    """The nodes that contributed most to an explained score, largest first."""
    shares = explanation.shares()
    nodes = [node for node in explanation.largest(count) if shares[node] > _SMALLEST_SHARE]
    hops = csgraph.dijkstra(adjacency, indices=explanation.node, unweighted=True, directed=False)
    return [
        Source(
            node=int(node),
            label=int(result.prior_labels[node]),
            belief=float(result.start[node, explanation.label]),
            distance=int(hops[node]) if np.isfinite(hops[node]) else None,
            share=float(shares[node]),
            training=bool(explanation.training[node]),
        )
        for node in nodes
    ]
