"""The longer texts of the Prior page."""

from __future__ import annotations

from typing import Final

PRIOR_INTRODUCTION: Final = """
The **prior** is what the classifier believes before diffusion. What matters is where it is wrong:
a node among neighbours that it gets right can be fixed by them, one in a region of mistakes
hardly. {where}
"""


PRIOR_MATHEMATICS: Final = r"""
The prior is a matrix $\mathcal H$ with one row per node and one column per class: $\mathcal
H_{jc}$ is the probability of class $c$ at node $j$, and each row sums to one. Training nodes have
a one at their known class. The label is $\hat y_j = \arg\max_c \mathcal H_{jc}$, the confidence
$\max_c \mathcal H_{jc}$.

With $C_{ab}$ the number of nodes of class $a$ that are called $b$: **precision** of $b$ is
$C_{bb} / \sum_a C_{ab}$, **recall** of $a$ is $C_{aa} / \sum_b C_{ab}$.

**Reliability**: nodes are sorted by confidence into up to ten groups of about equal size; nodes of
equal confidence stay together. A classifier
that is right as often as it is confident lies on the dashed line; above it, it is too cautious;
below it, too sure. The
**calibration error** is the mean distance from the line, $\sum_g \frac{n_g}{n} |\mathrm{right}_g -
\mathrm{confidence}_g|$. Diffusion uses the whole of $\mathcal H$, not only the labels: a prior that
is unsure where it is wrong is easier to correct.
"""
