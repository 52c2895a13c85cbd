"""Small graphs to begin with, each with a start that shows something."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from gdr_core.sketches.record import Sketch
from gdr_core.sketches.text import parse


@dataclass(frozen=True)
class Exhibit:
    """A graph of the gallery: its title, what to look at, and its text."""

    title: str
    about: str
    text: str

    @property
    def sketch(self) -> Sketch:
        """The graph itself.

        >>> from gdr_core.sketches import GALLERY
        >>> GALLERY["pair"].sketch.names
        ('a', 'b')
        """
        return parse(self.text)


GALLERY: Final[dict[str, Exhibit]] = {
    "pair": Exhibit(
        "Two nodes",
        "All mass on one node: the two level out at rate 2, and neither passes the other.",
        "a - b\na: 1\na @ 300 500\nb @ 700 500",
    ),
    "tail": Exhibit(
        "Triangle with a tail",
        "Mass on c: the triangle rises above π and falls back; the tail never rises above it.",
        "a - b\nb - c\nc - a\nc - d\nd - e\n"
        "c: 1\na @ 200 260\nb @ 200 740\nc @ 440 500\nd @ 660 500\ne @ 880 500",
    ),
    "six": Exhibit(
        "Six nodes",
        "One drop of ink on a: b rises above π and falls back. That is an overshoot.",
        "a - b\nb - c\nc - d\nd - e\nd - f\n"
        "a: 1\na @ 110 500\nb @ 300 380\nc @ 480 560\nd @ 680 480\ne @ 880 290\nf @ 870 720",
    ),
    "bridge": Exhibit(
        "Two triangles and a bridge",
        "Two inks, one on each side. The nodes of the bridge hear both.",
        "a - b\nb - c\nc - a\nc - d\nd - e\ne - f\nf - d\n"
        "a: 1 0 train\nb: 0 0\nf: 0 1 train\n"
        "a @ 130 250\nb @ 130 750\nc @ 360 500\nd @ 640 500\ne @ 870 250\nf @ 870 750",
    ),
    "path": Exhibit(
        "Path of seven",
        "From one end: the farther a node, the later its peak; the last four never rise above π.",
        "1 - 2\n2 - 3\n3 - 4\n4 - 5\n5 - 6\n6 - 7\n1: 1\n"
        + "\n".join(f"{i} @ {40 + 115 * i} {500 + (60 if i % 2 else -60)}" for i in range(1, 8)),
    ),
    "star": Exhibit(
        "Star",
        "From a leaf: no other node ever rises above π, not even the centre.",
        "c - 1\nc - 2\nc - 3\nc - 4\nc - 5\nc - 6\n1: 1\nc @ 500 500\n1 @ 500 130\n2 @ 820 315\n"
        "3 @ 820 685\n4 @ 500 870\n5 @ 180 685\n6 @ 180 315",
    ),
    "cliques": Exhibit(
        "Two cliques",
        "Within a clique beliefs level out at once, between the two only slowly.",
        "a - b\na - c\na - d\nb - c\nb - d\nc - d\nd - e 0.5\ne - f\ne - g\ne - h\nf - g\nf - h\n"
        "g - h\na: 1 0 train\ne: 0 0.2\nh: 0 1 train\na @ 110 330\nb @ 110 700\nc @ 330 800\n"
        "d @ 370 450\ne @ 630 450\nf @ 890 330\ng @ 670 800\nh @ 890 700",
    ),
    "arrows": Exhibit(
        "A cycle with arrows and a dead end",
        "Follow the arrows: forward and backward give different walks. Try both, and α.",
        "1 > 2\n2 > 3\n3 > 4\n4 > 1\n3 > 5\n5 > 6\n1: 1\nlaplacian directed-random-walk\n"
        "1 @ 250 250\n2 @ 250 750\n3 @ 560 750\n4 @ 560 250\n5 @ 780 600\n6 @ 900 340",
    ),
    "ring": Exhibit(
        "Ring of ten",
        "Every node has two neighbours. Mass walks around both sides and meets opposite.",
        "\n".join(f"{i} - {i % 10 + 1}" for i in range(1, 11)) + "\n1: 1",
    ),
    "misleading": Exhibit(
        "A link that misleads",
        "Node x belongs to the blue side, but most of its links lead to the orange one.",
        "a - b\nb - c\nc - a\nd - e\ne - f\nf - d\nx - a 0.4\nx - d\nx - e\n"
        "a: 1 0 train\nx: 0.6 0.4\nd: 0 1 train\n"
        "a @ 330 330\nb @ 110 260\nc @ 190 560\nd @ 670 330\ne @ 760 600\nf @ 900 300\nx @ 500 700",
    ),
    "grid": Exhibit(
        "Grid of thirty",
        "Thirty nodes. Drag the weight of an edge and watch all curves move.",
        "\n".join(f"{6 * r + c + 1} - {6 * r + c + 2}" for r in range(5) for c in range(5))
        + "\n"
        + "\n".join(f"{6 * r + c + 1} - {6 * r + c + 7}" for r in range(4) for c in range(6))
        + "\n15: 1\n"
        + "\n".join(
            f"{6 * r + c + 1} @ {50 + 180 * c} {60 + 220 * r}" for r in range(5) for c in range(6)
        ),
    ),
}
