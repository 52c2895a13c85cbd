"""The longer texts of the Directed page."""

from __future__ import annotations

from typing import Final

INTRODUCTIONS: Final = {
    "where a walk goes": """
Press play. Without teleportation (first) mass gathers, or is lost, where no arrow leads on; with it
(second) every node keeps a share. Squares are dead ends; orange marks places, single nodes or
groups, that no arrow leaves.
""",
    "what changes for one node": """
The beliefs at one node, spread along the arrows, against them and both ways; dashed is π, where
they end up if the graph is connected. Reverse the arrows and the same beliefs come along other
paths: labels can change.
""",
    "the tables": """
Ours on top, below it the paper's number and the difference: what directions do to the accuracy on
Cora.
""",
}

TERMS: Final = (
    "PageRank",
    "dead end",
    "teleportation",
    "belief",
    "prior",
    "Laplacian",
    "π",
    "t_min",
    "relaxation time",
    "component",
    "GDR",
    "split",
)

RANKS: Final = """
The larger a node, the more time a walker who follows the arrows spends there. Size
shows φ, colour the class; squares are dead ends, from which no arrow leads on.
"""

WHICH_WAY: Final = """
The file of citations says `cited citing` on each line, and leaves open which way the arrow goes.

- **Forward** ($A$, here and in the paper's code): from the cited paper to the citing one. A walker
  follows a result to those who used it. Dead ends are papers that **nobody cites** (yet).
- **Backward** ($A^\\top$): from the citing paper to the cited one, as one would draw a reference. A
  walker reads back in time. Dead ends are papers that **cite nothing** in the collection.

The paper's tables say “fw” and “bw” without this picture: readers who take a citation as an arrow
from the citing to the cited paper have to swap the two columns.
"""

TABLES: Final = """
Accuracy on test nodes in percent, the paper's and that of stored runs; these tables show them
whether test is hidden or not. The paper's directed numbers belong to a split by row order
(`paper-directed`), its undirected ones to the public split; the other combinations have no printed
number. Point at a number for its settings, click it for the way to its seeds.
"""

MATHEMATICS: Final = r"""
A walker at node $i$ follows an arrow with probability $\alpha$ and otherwise jumps to any of the
$N$ nodes; from a dead end ($d_i = \sum_j A_{ij} = 0$) it always jumps:

$$P = \alpha D^{+} A + \tfrac1N\, g\, 1^\top, \qquad g = (1-\alpha) 1 + \alpha\,[d = 0].$$

**PageRank** $\varphi$ is the share of time it spends at each node, $\varphi^\top P = \varphi^\top$.
With $\Phi = \mathrm{diag}(\varphi)$ the paper diffuses with Chung's Laplacian

$$L_\mathrm{dir}(A, \alpha) = \Phi - \tfrac12\bigl(\Phi P + P^\top \Phi\bigr),$$

which is symmetric with $L_\mathrm{dir} 1 = 0$. Therefore **$\pi$ is the same for forward, backward
and undirected**: the mean of the beliefs over all nodes. What differs is the way there. With the
normalised form $\Phi^{-1/2} L_\mathrm{dir} \Phi^{-1/2}$ the null vector is $\sqrt\varphi$, with the
random-walk form $\Phi^{-1} L_\mathrm{dir}$ beliefs end at their mean weighted by $\varphi$; there
the arrows decide $\pi$ as well. Where the graph has several components, undirected beliefs end at
the mean of their component; the dashed line is the mean over the whole graph, as in the paper.
Teleportation joins all components.

The entries of $L_\mathrm{dir}$ are of the size $\varphi \approx 1/N$, so its times are about $N$
times longer than those of $D - A$; for $A = A^\top$ and $\alpha = 1$ it equals
$(D - A)/\sum_i d_i$. Only $t \lambda_2$ compares: $\lambda_2$ is the smallest positive eigenvalue
on the largest component, and $1/\lambda_2$ the time after which the slowest difference there has
shrunk to $37\%$.

**The walk** of the animation moves a row of masses $m$ by

$$m' = \alpha\, m D^{+} A + (1-\alpha)\, \frac{\sum m}{N}\, 1^\top + \alpha\, s,$$

where $s$ is what dead ends do with their mass: share it out over all nodes (`jump`, so that
$m' = m P$), keep it (`stay`) or lose it (`vanish`, $s = 0$).
"""
