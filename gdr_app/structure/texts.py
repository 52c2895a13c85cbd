"""The longer texts of the Structure page."""

from __future__ import annotations

from typing import Final

TERMS: Final = ("prior", "GDR", "homophily", "π", "Laplacian", "t_min", "relaxation time")

INTRODUCTIONS: Final = {
    "homophily": "If links join nodes of one class, neighbours are right about each other. Three "
    "numbers ask that question in three ways; the chart shows what **GDR** gained on other graphs, "
    "from few links inside classes to many.",
    "alignment": "Features, graph and classes each span a subspace of the nodes. Where the three "
    "lie close together, they tell the same story, and diffusion can carry one to the other. The "
    "thicker a side, the closer two of them are compared with chance: features permuted over the "
    "nodes, links rewired.",
    "influence": "Mass is put on one node, the source, and spreads. Which other nodes does it "
    "lift above **π**, its long-run value, and when? These are the nodes that it influences.",
    "smoothing": "Diffusion averages over neighbours. The same beliefs, spread for a time t and "
    "by k layers of a GCN without weights: what differs along the links, how many labels are "
    "right, and how many different ones are left.",
    "communities": "The same walk, without any labels: groups of nodes that hold a walker for a "
    "while. A short time finds many small groups, a long one few large ones.",
}

COMPUTED_WITH: Final = {
    "alignment": "Computed from the links taken both ways. The prior is that of the comparison "
    "with a randomised graph.",
    "influence": "Computed with the {laplacian} Laplacian, links taken both ways.",
    "smoothing": "Computed with L = I − Â, the symmetric Laplacian of the graph with a loop at "
    "every node, links taken both ways.",
    "communities": "Computed with the random-walk Laplacian, links taken both ways.",
}

HOMOPHILY_LINES: Final = {
    "edge": "the share of edges that join two nodes of the same class",
    "adjusted": "the same on a scale where 0 is chance and 1 is always, so that one large class "
    "does not flatter it",
    "class-insensitive": "the mean excess over chance, each class by itself; classes below chance "
    "count as 0",
}

MATHEMATICS: Final = {
    "homophily": r"""
With $m_{ab}$ ends of edges at class $a$ whose other end is in class $b$ and $m$ their sum:

- edge: $h = \sum_a m_{aa} / m$
- adjusted: $(h - h_0)/(1 - h_0)$ with $h_0 = \sum_a (m_a/m)^2$, the homophily of links that ignore
  classes
- class-insensitive: $\frac{1}{c-1}\sum_a \max(0,\ m_{aa}/m_a - n_a/n)$

Only edges whose two ends have a known class count.
""",
    "alignment": r"""
$X$: leading principal directions of the features (rows normalised, columns centred); $A$: leading
eigenvectors of $\hat A = \bar D^{-1/2}(A+I)\bar D^{-1/2}$; $Y$: indicator vectors of the known
classes. Between two subspaces with principal angles $\theta$ the chordal distance is
$d^2 = \sum \sin^2\theta = \min(k_1,k_2) - \lVert Q_1^\top Q_2\rVert_F^2$, and

$$S = \sqrt{2\,(d_{XA}^2 + d_{XY}^2 + d_{AY}^2)}.$$

The numbers of directions of $X$ and $A$ are those at which $S$ lies farthest below that of
randomised versions (Qian et al. 2021). On graphs of more than 4,096 nodes only the 160 leading
directions are looked at.
""",
    "influence": r"""
$p_j(t \mid e_i) = (e^{-tL})_{ji}$. Node $j$ is under the influence of $i$ if this rises above
$\pi_j$ at some time; $\Omega_{ij}$ is how far, at most. The curves count, for each source, which
share of the other nodes has passed its highest point by the time $t$.
""",
    "smoothing": r"""
$L = I - \hat A$. Diffusion is $e^{-tL}H$; depth is $\hat A^k H$. Since
$e^{-tL} = \sum_k \frac{t^k e^{-t}}{k!} \hat A^k$, a time $t$ is a mixture of depths, $t$ on
average. The Dirichlet energy is $\operatorname{tr} p^\top L p$, as a share of its first value. The
axis of the chart is that of $\sqrt t$ and $\sqrt k$.
""",
    "communities": r"""
Markov stability of a partition with indicator matrix $H$ at time $t$:

$$r(t) = \operatorname{tr} H^\top \bigl[\Pi\, e^{-t(I - D^{-1}A)} - \pi\pi^\top\bigr] H.$$

It is maximised greedily, from eight orders of the nodes (four on graphs of more than 1,000 nodes);
the best is refined, tried again with some nodes set free, and offered to other times. A larger $r$
may exist: the search is a heuristic. The variation of information among the orders is small where
one partition stands out. To first order at $t = 1$, $r$ is Newman's modularity.

On graphs of more than 3,500 nodes no matrix of all pairs is formed. Nodes that the searches at
short times put together are moved as one, with an exact matrix between these groups; then single
nodes move where $r$, computed anew, rises. The orders start from the same small groups there, so
their variation is smaller than that of orders of single nodes would be. The error of $r$ is
bounded: by the Chebyshev series that gives $e^{-tL}$, or, where small entries of
$\Pi\, e^{-tL}$ are left out, by what the rest lacks to a sum of one.
""",
}
