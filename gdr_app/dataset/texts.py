"""The longer texts of the Dataset page."""

from __future__ import annotations

from typing import Final

HOW_TO_READ: Final = """
**How to read this.**

- *Train* counts the nodes whose class a classifier is given; the fewer they are, the more the graph
  matters.
- The belief of a node with many neighbours is drawn towards the mean of many; that of a node with a
  single neighbour, towards that one alone.
- Diffusion along links never leaves a component: beliefs in a component without a training node
  come only from the classifier's guesses about its own nodes. (With the directed Laplacians of a
  directed graph a walker may also jump to any node, and beliefs go with it.)
- *Homophily* is the share of links inside a class. If it is no higher than chance, do not expect
  diffusion to help.
"""
