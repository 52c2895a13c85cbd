"""The longer texts of the Compare page."""

from __future__ import annotations

from typing import Final

COMPARE_INTRODUCTIONS: Final = {
    "priors": """
Each line goes from the accuracy of a prior to its accuracy after GDR. Look at which priors gain,
and which differences are more than chance.
""",
    "rules": """
One prior and one diffusion, read by several rules. Look at the nodes to which two rules give
different labels.
""",
    "Laplacians": """
One prior and one rule, but different Laplacians: they differ in how much weight a node with many
links has, and how fast it changes. Look at the nodes on which two of them disagree.
""",
}


COMPARE_TERMS: Final = (
    "method",
    "prior",
    "Laplacian",
    "rule",
    "GDR",
    "t_min",
    "relaxation time",
    "split",
    "seed",
    "alignment",
)


OWN_T_MIN: Final = """
All numbers below, and in the study above, are at **each method's own t_min**, chosen on validation
nodes where there are any; the t_min of the other pages plays no part.
"""


AUTO_COMPARED: Final = """
Under **auto** the sidebar's prior goes with the rule *{rule}* and the *{laplacian}*
Laplacian{kept}. All methods compared here have these, unless rules or Laplacians are compared.
"""
AUTO_KEPT: Final = ", but is kept as it is"


PAPER_HIDDEN: Final = (
    "The paper's accuracies are on test nodes: they appear as marks once you reveal these."
)


COMPARE_MATHEMATICS: Final = r"""
**Runs.** With $a_1, \dots, a_n$ the accuracies of $n$ runs the figure shows their mean $\bar a$
and Student's 95% interval $\bar a \pm t_{n-1,\,0.975}\, s/\sqrt n$. It holds for independent runs;
random splits of one graph share nodes, so that for them it is somewhat too narrow.

**Pairs.** Node by node: $b$ nodes are right for the one method only, $c$ for the other only. If
both were equally good, $b$ would be binomial, $b \sim \mathrm{Bin}(b + c, \tfrac12)$; McNemar's
exact $p$ is $\min(1,\ 2\,P(X \ge \max(b, c)))$. Run by run: the mean of the differences on the runs
that both have, with its interval and the $p$ of the paired t-test. Where $t_{\min}$ was chosen on
the same nodes, differences are a little flattered; the test nodes, once revealed, have chosen
nothing.

**Agreement** of two methods is the share of all nodes to which both give the same label,
$\frac1N |\{j : \hat y_j = \hat y'_j\}|$.

The lists hold the nodes that *every* method got wrong (right) before GDR and that at least one
gets right (wrong) afterwards. As long as the test nodes are hidden, none of them is on a list.
"""
