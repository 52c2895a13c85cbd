"""What each figure of the Structure page shows, for those who cannot see it."""

from __future__ import annotations

from typing import Final

ALT: Final = {
    "gains": "Scatter chart: what GDR gains against homophily, for datasets and block models.",
    "triangle": (
        "Triangle of the distances between features, graph and classes, over that of chance."
    ),
    "distances": "Table: the three distances of this graph and of randomised versions.",
    "randomised": "Line chart: accuracy and alignment against the share that was randomised.",
    "pairs": "Heat map: how far, or when, mass from each source lifts each other node above π.",
    "scales": "Line chart: share of the other nodes that a source has made peak, against time.",
    "centralities": "Table: rank correlation of influence with degree, closeness and PageRank.",
    "smoothing": (
        "Line chart: Dirichlet energy, accuracy and distinct labels against time and depth."
    ),
    "communities": "Line chart: number of communities and variation of information against time.",
}
