"""One colour per class, the same on every page and in every figure.

Any two of the twelve stay apart for people with normal, red-blind and green-blind vision, on a
light and on a dark background. The first seven are Okabe and Ito's; the last five were chosen to
lie as far from them as possible.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

CLASS_COLOURS: Final = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#CC79A7",
    "#56B4E9",
    "#D55E00",
    "#F0E442",
    "#7F2A18",
    "#1FE5C4",
    "#4B2BEB",
    "#5C8CFF",
    "#A8145F",
)
UNKNOWN_COLOUR: Final = "#8A8F98"
PART_COLOURS: Final = {"validation": "#0072B2", "test": "#D55E00"}


@lru_cache
def class_colours(classes: int) -> tuple[str, ...]:
    """The colours of classes 0 … classes-1; beyond twelve they repeat."""
    return tuple(CLASS_COLOURS[index % len(CLASS_COLOURS)] for index in range(classes))


def colour_of(label: int) -> str:
    """The colour of one class, or the neutral one for an unknown class (negative)."""
    return UNKNOWN_COLOUR if label < 0 else CLASS_COLOURS[label % len(CLASS_COLOURS)]
