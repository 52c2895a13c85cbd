"""Small graphs as people draw them: a record, a text to read, a text for links, and a gallery."""

from gdr_core.sketches.coding import DAMAGED, decode, encode
from gdr_core.sketches.dataset import classes_of, probabilities_of, to_dataset, to_files
from gdr_core.sketches.gallery import GALLERY, Exhibit
from gdr_core.sketches.record import Edge, Sketch, SketchError, circle, tidy
from gdr_core.sketches.text import TextError, parse, write

__all__ = [
    "DAMAGED",
    "GALLERY",
    "Edge",
    "Exhibit",
    "Sketch",
    "SketchError",
    "TextError",
    "circle",
    "classes_of",
    "decode",
    "encode",
    "parse",
    "probabilities_of",
    "tidy",
    "to_dataset",
    "to_files",
    "write",
]
