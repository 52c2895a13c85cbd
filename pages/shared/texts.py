"""The longer texts of the pages, apart from the code that places them."""

from __future__ import annotations

from typing import Final

WHAT_THIS_IS: Final = """
A classifier reads what each document says; a graph knows which documents cite each other.
**Graph diffusion reclassification** lets the classifier's beliefs flow along the links. Where the
belief in a class rises above its long-run value for a while, it *overshoots*, and the class that
overshoots most becomes the node's new label. Here you can watch that happen, node by node.
"""

PAGE_TEXTS: Final = {
    "Dataset": "The graph itself: its classes, its links, and whether the two agree.",
    "Prior": "What a classifier believes before it sees the graph.",
    "Overshoot": "Beliefs flowing over time, for one node or from one source.",
    "Relabel": "Which nodes change their label, and which of them are mended.",
    "Compare": "Classifiers, rules and Laplacians side by side.",
    "Train": "A network that learns before your eyes, and the diffusion time that it finds.",
    "Directed": "What the arrows of a graph do to walks, beliefs and labels.",
    "Reproduce": "The paper's tables computed again; every number can be run here.",
}

WHERE_TO_START: Final = """
1. **Dataset**: on Cora, look for regions of one colour: papers cite their own field.
2. **Overshoot**: one paper whose classifier is wrong. Drag t_min and press play: the belief of its
   neighbours arrives, rises above its long-run value, and gives the paper its new class.
3. **Relabel**: the same for all papers at once. Move t_min and see what is mended and what spoilt;
   click a paper and read why.
4. Then take a graph you can check by hand, such as the **star** or the **karate club**.
"""

CITATION: Final = """
R. L. Peach, A. Arnaudon, M. Barahona (2020). Semi-supervised classification on graphs using
explicit diffusion dynamics. *Foundations of Data Science* 2(1), 19–33.
[doi:10.3934/fods.2020002](https://doi.org/10.3934/fods.2020002)
"""

HOW_TO_READ: Final = """
**How to read this.**

- *Train* is what a classifier may see; the fewer, the more the graph matters.
- A node with many neighbours hears many opinions and settles early; a node with one neighbour
  repeats what that one says.
- Diffusion never leaves a component. A component without a training node learns only from the
  classifier's guesses about its own nodes.
- *Homophily* is the share of links inside a class. If it is no higher than chance, links mislead.
"""

PRIOR_INTRODUCTION: Final = """
Look for triangles: nodes that the classifier gets wrong although their neighbours would know
better. Those are the ones that diffusion can mend.
"""

PRIOR_MATHEMATICS: Final = r"""
The prior is a matrix $\mathcal H$ with one row per node and one column per class: $\mathcal
H_{jc}$ is the probability of class $c$ at node $j$, and each row sums to one. Training nodes have
a one at their known class. The label is $\hat y_j = \arg\max_c \mathcal H_{jc}$, the confidence
$\max_c \mathcal H_{jc}$.

With $C_{ab}$ the number of nodes of class $a$ that are called $b$: **precision** of $b$ is
$C_{bb} / \sum_a C_{ab}$, **recall** of $a$ is $C_{aa} / \sum_b C_{ab}$.

**Reliability**: nodes are sorted by confidence into ten groups of equal size. A classifier whose
confidence is deserved lies on the dashed line; above it, it is too modest; below, too sure. The
**calibration error** is the mean distance from the line, $\sum_g \frac{n_g}{n} |\mathrm{right}_g -
\mathrm{confidence}_g|$. Diffusion uses the whole of $\mathcal H$, not only the labels: a prior that
knows when it does not know leaves room for the graph.
"""

RELABEL_INTRODUCTION: Final = """
Move t_min and watch the marked nodes: too early, each node still repeats its classifier; too
late, everything has levelled out. In between the graph corrects more than it spoils.
"""

RELABEL_MATHEMATICS: Final = r"""
Beliefs flow along the links, $p(t) = e^{-tL} \mathcal H$, and end at $\pi$. From $t_{\min}$
on, class $c$ **overshoots** at node $j$ by

$$\Omega_{jc}(t_{\min}) = \max\bigl(0, \max_{t \ge t_{\min}} p_{jc}(t) - \pi_{jc}\bigr).$$

By the rule **overshoot** the new label is $\arg\max_c \Omega_{jc}$, and the prior's label where no
class overshoots. By the rule **peak** it is, of the classes that overshoot, the one with the
highest $p$. The rule **reference** takes the largest $p_{jc}(t_{\min})$, unless every class
overshoots. Training nodes keep their class.

The **margin** is the difference between the two largest values of $\max_{t \ge t_{\min}} p -
\pi$. In the card, $p_{jc}(t) = \sum_i (e^{-tL})_{ji} \mathcal H_{ic}$ is split into its terms: the
**share** of source $i$ is its term divided by the sum.

Times are given in relaxation times $1/\lambda_2$, where $\lambda_2$ is the smallest positive
eigenvalue of $L$ on the largest component.
"""
