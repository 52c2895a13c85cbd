"""How relabelled nodes look: one shape and one colour for each outcome, everywhere the same."""

from __future__ import annotations

from typing import Final

from gdr_core.canvases.graph_canvas.payload import Mark
from gdr_core.gdr import OUTCOMES
from gdr_core.palette import UNKNOWN_COLOUR

_SIGNS: Final = ("", " ◆", " ▲", " ■", " ○")
OUTCOME_NAMES: Final = tuple(map(str.__add__, OUTCOMES, _SIGNS))
OUTCOME_COLOURS: Final = (UNKNOWN_COLOUR, "#009E73", "#D55E00", "#0072B2", UNKNOWN_COLOUR)
SHAPES: Final = ("circle", "diamond", "triangle", "square", "ring")
SIZES: Final = (0.75, 1.5, 1.6, 1.4, 1.1)


def _outcome_marks(named: bool) -> tuple[Mark, ...]:
    """With colours by outcome the legend tells the shapes already, and marks go without name."""
    return tuple(
        Mark(
            name if named else "",
            shape=shape,
            size=size,
            opacity=0.35 if shape == "circle" else 1.0,
        )
        for name, shape, size in zip(OUTCOME_NAMES, SHAPES, SIZES, strict=True)
    )


NAMED_MARKS: Final = _outcome_marks(True)
MARKS: Final = _outcome_marks(False)
