"""The longer texts of the Dataset page."""

from __future__ import annotations

from typing import Final

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
