"""The words of the Lab page."""

from __future__ import annotations

from typing import Final

INTRODUCTION: Final = """
Draw a graph, drop ink on a node, press **Play**. A belief *overshoots* if it is
above the dashed line π at some time that counts. All numbers are exact.
"""
TERMS: Final = ("belief", "mass", "Laplacian", "π", "overshoot", "overshoot height", "t_min", "GDR")
