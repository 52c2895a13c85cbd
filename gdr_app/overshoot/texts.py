"""The longer texts of the Overshoot page."""

from __future__ import annotations

from typing import Final

OVERSHOOT_INTRODUCTION: Final = """
Each curve is the belief in one class at this node while beliefs spread over the graph. A class
**overshoots** if its curve is above its dashed line, **π**, at some time from **t_min** to the end
of the time window. Drag the blue line, t_min: what comes before it does not count. Times are in
*relaxation times* 1/λ₂, the time in which the slowest difference on the largest component shrinks
to 37%.
"""


IMPULSE_INTRODUCTION: Final = """
All mass is put on **one source** and spreads over the graph. Another node **overshoots** if it is
above **π**, where it ends, at some time. Drag the line or press play to see when. Times are in
*relaxation times* 1/λ₂, the time in which the slowest difference on the largest component shrinks
to 37%.
"""


IMPULSE_TERMS: Final = (
    "delta impulse",
    "mass",
    "π",
    "overshoot",
    "prior",
    "Laplacian",
    "t_min",
    "relaxation time",
    "component",
    "split",
)


OVERSHOOT_MATHEMATICS: Final = r"""
Beliefs obey $\dot p = -L\,p$ with $p(0) = \mathcal H$, the prior, and the Laplacian $L$; so
$p(t) = e^{-tL} \mathcal H$. The **overshoot height** of class $c$ at node $j$ is

$$\Omega_{jc}(t_{\min}) = \max\bigl(0,\ \max_{t \ge t_{\min}} p_{jc}(t) - \pi_{jc}\bigr),$$

the height of the filled mark above the dashed line. The maximum is taken over the times of the
grid, from $t_{\min}$ to the end of the time window.

**π** is what a curve is compared with: by default the stationary state of the whole graph, as in
the paper (for the combinatorial Laplacian the mean of the prior over all nodes). **Where a curve
ends** is the stationary state of the node's own connected component. The two differ in a graph of
several components: a curve can then end above π without ever falling back.

Diffusion first smooths over the closest neighbours, then over ever larger regions: **when** a class
peaks tells how far away its support is.

The neighbourhood shows at each time $t$ the class with the largest $p_{jc}(t) - \pi_{jc}$, the
stronger the larger; grey where no class is above π.
"""


IMPULSE_MATHEMATICS: Final = r"""
With $p(0) = e_i$, unit mass at the source $i$, node $j$ has $p_j(t) = (e^{-tL})_{ji}$. The chart
shows $p_j(t)/\pi_j$: every node ends at 1.

- **overshoots**: $\max_t p_j(t) > \pi_j$.
- **overshoots late**: the same, but the peak comes more than ten times later than that of the
  source's own neighbours (the median of those that overshoot).
- **never overshoots**: $p_j(t) \le \pi_j$ at all times. In components of up to 400 nodes this is
  proved: $p_j(t) - \pi_j = \sum_k c_k e^{-\lambda_k t}$ with $c_k$ from the eigenvectors of $L$,
  and this sum is bounded on intervals that together cover all times.
- **not before t = …**: the component is larger, and $p_j(t) \le \pi_j$ at all times looked at, of
  which this is the last. What happens later is not known.

Shown are up to twelve nodes at every distance. Here $\pi$ is that of the source's component, where
the mass ends. By linearity
$p_{jc}(t) = \sum_i (e^{-tL})_{ji} \mathcal H_{ic}$: the curves of *One node* are sums of such
impulses.
"""
