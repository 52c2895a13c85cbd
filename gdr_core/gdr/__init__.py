"""Graph Diffusion Reclassification (Peach, Arnaudon, Barahona 2020)."""

from gdr_core.gdr.options import SPACINGS, GDROptions
from gdr_core.gdr.prior import initial_condition
from gdr_core.gdr.reclassify import reclassify, with_rule
from gdr_core.gdr.result import Changes, GDRResult
from gdr_core.gdr.rules import RULES

__all__ = [
    "RULES",
    "SPACINGS",
    "Changes",
    "GDROptions",
    "GDRResult",
    "initial_condition",
    "reclassify",
    "with_rule",
]
