"""The longer texts of the Overshoot and Compare pages."""

from __future__ import annotations

from typing import Final

OVERSHOOT_INTRODUCTION: Final = """
Look for a curve that climbs above its dashed line before it settles there: that is an
**overshoot**, news from the neighbours. Drag the blue line, t_min: only what lies to its right
counts, and the class with the largest shaded rise becomes the label.
"""

IMPULSE_INTRODUCTION: Final = """
All belief is put on **one source** and let go. Near nodes fill up beyond their long-run share and
fall back: they overshoot. Far nodes only ever come up from below. Drag the line or press play to
watch the wave pass.
"""

OVERSHOOT_MATHEMATICS: Final = r"""
Beliefs obey $\dot p = -L\,p$ with $p(0) = \mathcal H$, so $p(t) = e^{-tL} \mathcal H$, and go to
the stationary state $\pi$ (dashed). The overshoot of class $c$ at node $j$ is

$$\Omega_{jc}(t_{\min}) = \max\bigl(0,\ \max_{t \ge t_{\min}} p_{jc}(t) - \pi_{jc}\bigr),$$

the height of the filled mark above the dashed line. Diffusion first smooths over the closest
neighbours, then over ever larger regions: **when** a class peaks tells how far its support is.

The neighbourhood shows at each time $t$ the class with the largest $p_{jc}(t) - \pi_{jc}$, the
stronger the larger; grey where no class is above its stationary value.
"""

IMPULSE_MATHEMATICS: Final = r"""
With $p(0) = e_i$, unit mass at the source $i$, node $j$ has $p_j(t) = (e^{-tL})_{ji}$. The chart
shows $p_j(t)/\pi_j$: every node ends at 1.

- **overshoots**: $\max_t p_j(t) > \pi_j$. The source reaches this node before it reaches the rest.
- **overshoots late**: the same, but the peak comes more than ten times later than that of the
  source's own neighbours (their median): a side road, joined by few links.
- **from below**: $p_j(t) \le \pi_j$ at all times. The source has no special say here.

Shown are up to twelve nodes at every distance. Here $\pi$ is that of the source's component, where
the mass really ends. By linearity
$p_{jc}(t) = \sum_i (e^{-tL})_{ji} \mathcal H_{ic}$: the curves of *One node* are sums of such
impulses.
"""

COMPARE_INTRODUCTIONS: Final = {
    "priors": """
Look at how far each line reaches: weak classifiers gain most, and after GDR very different
classifiers end up agreeing. The graph says the same to all of them.
""",
    "rules": """
One classifier, one diffusion, three ways to read a label from the curves. Look at the nodes where
two of them differ: there several classes rise, and it matters what counts as the highest.
""",
    "Laplacians": """
One classifier and one rule, but beliefs flow by different laws: they differ in what a node with
many links gives and takes. Look at where two of them disagree.
""",
}

OWN_T_MIN: Final = """
All numbers on this page are at **each method's own t_min**, chosen on validation nodes; the
t_min of the other pages plays no part.
"""

PAPER_HIDDEN: Final = (
    "The paper's accuracies are on test nodes: they appear as marks once you reveal these."
)

COMPARE_MATHEMATICS: Final = r"""
**Agreement** of two methods is the share of all nodes to which both give the same label,
$\frac1N |\{j : \hat y_j = \hat y'_j\}|$.

The lists hold the nodes that *every* method got wrong (right) before GDR and that at least one
gets right (wrong) afterwards. As long as the test nodes are hidden, none of them is on a list.
"""
