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
}

WHERE_TO_START: Final = """
1. Open **Dataset** with Cora and look for regions of one colour: papers cite their own field.
2. Switch to the **block model** and lower its homophily: the regions dissolve, and with them
   what the graph can teach.
3. Take a graph you can check by hand, such as the **star** or the **karate club**.
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
