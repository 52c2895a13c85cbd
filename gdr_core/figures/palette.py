"""The colours of classes, as figures use them; see `gdr_core.palette`."""

from gdr_core.palette import (
    CLASS_COLOURS,
    PART_COLOURS,
    UNKNOWN_COLOUR,
    class_colours,
    colour_of,
)

__all__ = ["CLASS_COLOURS", "PART_COLOURS", "UNKNOWN_COLOUR", "class_colours", "colour_of"]
