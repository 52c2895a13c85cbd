"""The words of the page Your data."""

from __future__ import annotations

from typing import Final

from gdr_core.datasets.own.limits import MEGABYTE
from gdr_tools.own.choices import WEB_LIMITS

INTRODUCTION: Final = """
Bring a graph and what you know of its nodes: an edge list is enough to look at it; with **classes**
of some nodes, or with the **class probabilities** of any classifier, GDR can correct the others.
The server keeps your data in its memory for this browser tab; while it works, some of them lie in
temporary files that only the server and its workers can read. They are in no link, nobody else sees
them, and they are gone soon after you close or reload the tab. A *project file* keeps them for you.
"""
FORMATS_READ: Final = f"""
**Files.** Edge lists and tables as CSV, TSV or Parquet, with any ids; LINQS `.content` and
`.cites`; GraphML, GEXF, GML, Pajek, node-link JSON; SciPy and NumPy `.npz`, `.npy`; AnnData
`.h5ad`; or a zip of these.

**What they may hold.** Edges, with or without weights and directions; classes (some may be
missing); features; a split into train, validation and test; class probabilities. Features without
edges are joined to their nearest neighbours.

**At most** {WEB_LIMITS.file_bytes // MEGABYTE} MB a file, {WEB_LIMITS.nodes:,} nodes,
{WEB_LIMITS.edges:,} edges, {WEB_LIMITS.classes:,} classes, {WEB_LIMITS.columns:,} columns. Larger
graphs: `gdr classify --edges …` on your own machine.
"""
EXAMPLES: Final = """
Three small files about 34 members of a karate club, to download and drop back in: who meets whom
and how often, the side that 16 of them took, and what some classifier believes about each of them.
The last one has some mistakes in it, to show what happens then.
"""
PASTE_HELP: Final = "Two ids a line, separated by comma, tab or blanks; a third column is a weight."
PASTED: Final = "pasted-edges.txt"
NOTHING_YET: Final = "Drop files above, or paste an edge list: what was recognised is shown here."
DIRECTIONS: Final = {
    "as the files say, else undirected": None,
    "undirected": False,
    "directed": True,
}
COLUMN_NAMES: Final = {
    "source": "From",
    "target": "To",
    "weight": "Weight",
    "id": "Node id",
    "class": "Class",
    "part": "Part of split",
    "feature": "Feature",
    "value": "Value",
}
