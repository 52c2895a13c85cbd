"""The longer texts of the Compare page."""

from __future__ import annotations

from typing import Final

COMPARE_INTRODUCTIONS: Final = {
    "priors": """
Each line goes from the accuracy of a prior to its accuracy after GDR. Look at which priors gain,
and at how much they agree before and after.
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
)


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
