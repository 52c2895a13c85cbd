"""The words of the page Lessons."""

from __future__ import annotations

from typing import Final

INTRODUCTION: Final = """
Six lessons, from two nodes that share heat to a graph that corrects a classifier (**GDR**). In each
you answer *before* you see: by a number, by a click on a node, or by a curve that you draw. All
figures compute exactly what they show; drag the time, play it, try.
"""
TERMS: Final = (
    *("GDR", "belief", "prior", "overshoot", "overshoot height", "π", "t_min"),
    *("relaxation time", "homophily", "Laplacian"),
)
OWN: Final = """
A lesson is a plain Markdown file. To add, change or translate one, put it into a folder of your own
and start the app with `gdr-explorer --lessons FOLDER`, or set `GDR_LESSONS`; `gdr lessons check
FOLDER` says by file and line what is not right, wrong answers included.
"""
