"""The longer texts of the pages, apart from the code that places them."""

from __future__ import annotations

from typing import Final

from gdr_app.wording import counted
from gdr_core.explanation.quantities import shown
from gdr_core.gdr import GDRResult

WHAT_THIS_IS: Final = """
A classifier reads the words of each document; a graph shows which documents cite each other.
**Graph diffusion reclassification** (GDR) lets the classifier's beliefs spread along the links.
Where the belief in a class rises above its average over the graph for a while, it *overshoots*,
and the class that overshoots most becomes the node's new label. Here you can watch that happen,
node by node.
"""

PAGE_TEXTS: Final = {
    "Dataset": "The graph itself: its classes, its links, and how well the two agree.",
    "Prior": "What a classifier believes before its beliefs spread over the graph.",
    "Overshoot": "Beliefs over time: at one node, or spreading from one source.",
    "Relabel": "Which nodes change their label, which are fixed, and why.",
    "Compare": "Classifiers, rules and Laplacians side by side.",
    "Train": "A network while it trains, and the diffusion time that it learns.",
    "Directed": "How the directions of links change walks, beliefs and labels.",
    "Reproduce": "The paper's tables, computed again; every number can be run again here.",
}

WHERE_TO_START: Final = """
1. **Dataset**: on Cora, look for regions of one colour: papers cite their own field.
2. **Overshoot**: one paper whose label changes. The belief in its new class rises as its
   neighbours' beliefs arrive, and falls back. Drag t_min: what lies before it does not count.
3. **Relabel**: the same for all papers at once. Move t_min and see how many labels change; click a
   paper and read why.
4. Then take a graph that you can check by hand, such as the **karate club** or the **ring of
   cliques**, and put all mass on one node (Overshoot, *delta impulse*).
"""

CITATION: Final = """
R. L. Peach, A. Arnaudon, M. Barahona (2020). Semi-supervised classification on graphs using
explicit diffusion dynamics. *Foundations of Data Science* 2(1), 19–33.
[doi:10.3934/fods.2020002](https://doi.org/10.3934/fods.2020002)
"""

HOW_TO_READ: Final = """
**How to read this.**

- *Train* counts the nodes whose class a classifier is given; the fewer they are, the more the graph
  matters.
- The belief of a node with many neighbours is drawn towards the mean of many; that of a node with a
  single neighbour, towards that one alone.
- Diffusion never leaves a component. A component without a training node learns only from the
  classifier's guesses about its own nodes.
- *Homophily* is the share of links inside a class. If it is no higher than chance, do not expect
  diffusion to help.
"""

PRIOR_INTRODUCTION: Final = """
The **prior** is what the classifier believes before diffusion. Triangles mark the nodes that it
gets wrong. Diffusion can fix those whose neighbours are mostly of the right class.
"""

PRIOR_MATHEMATICS: Final = r"""
The prior is a matrix $\mathcal H$ with one row per node and one column per class: $\mathcal
H_{jc}$ is the probability of class $c$ at node $j$, and each row sums to one. Training nodes have
a one at their known class. The label is $\hat y_j = \arg\max_c \mathcal H_{jc}$, the confidence
$\max_c \mathcal H_{jc}$.

With $C_{ab}$ the number of nodes of class $a$ that are called $b$: **precision** of $b$ is
$C_{bb} / \sum_a C_{ab}$, **recall** of $a$ is $C_{aa} / \sum_b C_{ab}$.

**Reliability**: nodes are sorted by confidence into ten groups of equal size. A classifier
that is right as often as it is confident lies on the dashed line; above it, it is too cautious;
below it, too sure. The
**calibration error** is the mean distance from the line, $\sum_g \frac{n_g}{n} |\mathrm{right}_g -
\mathrm{confidence}_g|$. Diffusion uses the whole of $\mathcal H$, not only the labels: a prior that
is unsure where it is wrong is easier to correct.
"""

RELABEL_INTRODUCTION: Final = """
Beliefs spread over the graph, and a node takes the class that stands out from **t_min** on; only
what happens after t_min counts. Move t_min: the label changes at {at_zero} for t_min = 0, at
{chosen} for the t_min that GDR chose, {t_min}, and at {at_end} at the end of the time window. Times
are in *relaxation times* 1/λ₂, the time in which the slowest difference shrinks to 37%.
"""


def relabel_introduction(result: GDRResult) -> str:
    """What t_min does, with the numbers of this dataset and method."""
    moved = result.scan.relabelled
    return RELABEL_INTRODUCTION.format(
        at_zero=counted(int(moved[0]), "node"),
        chosen=f"{moved[result.chosen]:,}",
        t_min=shown(float(result.relative_times[result.chosen])),
        at_end=f"{moved[-1]:,}",
    )


RELABEL_TERMS: Final = (
    "GDR",
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

RELABEL_MATHEMATICS: Final = r"""
Beliefs spread along the links, $p(t) = e^{-tL} \mathcal H$, where $\mathcal H$ is the prior and $L$
the Laplacian. They are compared with $\pi$, by default the stationary state of the whole graph;
they end at the stationary state of each connected component, which is the same only in a connected
graph. From $t_{\min}$ on, class $c$ **overshoots** at node $j$ by

$$\Omega_{jc}(t_{\min}) = \max\bigl(0, \max_{t \ge t_{\min}} p_{jc}(t) - \pi_{jc}\bigr).$$

its **overshoot height**. By the rule **overshoot** the new label is $\arg\max_c \Omega_{jc}$, and
the prior's label where no class overshoots. By the rule **peak** it is, of the classes that
overshoot, the one with the highest $p$. The rule **reference** takes the largest
$p_{jc}(t_{\min})$, unless every class overshoots. Training nodes keep their class.

The **margin** is the difference between the two largest values of $\max_{t \ge t_{\min}} p -
\pi$. In the card, $p_{jc}(t) = \sum_i (e^{-tL})_{ji} \mathcal H_{ic}$ is split into its terms: the
**share** of source $i$ is its term divided by the sum.

Times are given in relaxation times $1/\lambda_2$, where $\lambda_2$ is the smallest positive
eigenvalue of $L$ on the largest component.
"""
