"""The longer texts of the first page."""

from __future__ import annotations

from typing import Final

WHAT_THIS_IS: Final = """
**Graph diffusion reclassification** (GDR) lets a classifier's beliefs spread over a graph, and
reads each node's label from what *overshoots*. Five steps, one minute.
"""

TERMS: Final = (
    "GDR",
    "belief",
    "prior",
    "overshoot",
    "overshoot height",
    "π",
    "t_min",
    "relaxation time",
    "Laplacian",
)

PAGE_TEXTS: Final = {
    "Lab": "Draw a small graph, drop ink on it, and watch beliefs spread and overshoot.",
    "Lessons": "Six short lessons that ask before they show, from two nodes to Cora.",
    "Dataset": "The graph itself: its classes, its links, and how well the two agree.",
    "Prior": "What a classifier believes before its beliefs spread over the graph.",
    "Overshoot": "Beliefs over time: at one node, or spreading from one source.",
    "Relabel": "Which nodes change their label, which are fixed, and why.",
    "Compare": "Classifiers, rules and Laplacians side by side.",
    "Train": "A network while it trains, and the diffusion time that it learns.",
    "Directed": "How the directions of links change walks, beliefs and labels.",
    "Structure": "Why diffusion helps on one graph and not on another.",
    "Reproduce": "The paper's tables, computed again; every number can be run again here.",
    "Your data": "A graph of your own: drop files or paste an edge list.",
}


INK: Final = """
Press **Play**. The ink spreads along the links until every node has the same amount: the dashed
line, **π**. On the way, a node can rise *above* the line and fall back. That is an **overshoot**,
and it is all this app is about. Click a node to drop the ink there; the sentence below the figure
says who overshoots.
"""

TWO_INKS: Final = """
Two nodes are known: **a** is blue, **f** is orange. Each ink spreads for itself and has its own
line. A class overshoots where it is closer than to the rest of the graph: so overshoots are
labels.
"""

WAIT: Final = """
A classifier believes that x is blue, 0.6 against 0.4; its neighbours are mostly orange. If the
very start counts, x keeps its own belief. Count only what happens from **t_min** on (the grey
band is left out), and what has come from the neighbours can decide. Move t_min.
"""

CORA: Final = """
Cora is a graph of 2,708 scientific papers in seven fields, joined by citations. A classifier that
reads only the words (the **prior**) gets this paper wrong. Its belief spreads, so do those of its
neighbours, and the field that overshoots most from t_min on is right. Drag the line.
"""

YOU: Final = """
Type a graph of your own and press Play. Then draw one in the **Lab**, take a **lesson** that asks
before it shows, or go through the pages below.
"""

OWN_GRAPH: Final = "me - you; you - them; them - me; them - far; far - away; me: 1"

CITATION: Final = """
R. L. Peach, A. Arnaudon, M. Barahona (2020). Semi-supervised classification on graphs using
explicit diffusion dynamics. *Foundations of Data Science* 2(1), 19–33.
[doi:10.3934/fods.2020002](https://doi.org/10.3934/fods.2020002)
"""
