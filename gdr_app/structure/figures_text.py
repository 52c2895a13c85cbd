"""What each figure of the Structure page shows, for those who cannot see it."""

from __future__ import annotations

from typing import Final

GAINS: Final = "Scatter chart: what GDR gains against homophily, for datasets and block models."
TRIANGLE: Final = (
    "Triangle of the distances between features, graph and classes, over that of chance."
)
DISTANCES: Final = "Table: the three distances of this graph and of randomised versions."
RANDOMISED: Final = "Line chart: accuracy and alignment against the share that was randomised."
PAIRS: Final = "Heat map: how far mass from each source lifts each other node above π."
SCALES: Final = "Line chart: share of the other nodes that a source has made peak, against time."
CENTRALITIES: Final = "Table: rank correlation of influence with degree, closeness and PageRank."
SMOOTHING: Final = "Line chart: Dirichlet energy and accuracy against time and depth."
COMMUNITIES: Final = "Line chart: number of communities and variation of information against time."
