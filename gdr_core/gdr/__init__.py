"""Graph Diffusion Reclassification (Peach, Arnaudon, Barahona 2020)."""

from gdr_core.gdr.options import SPACINGS, GDROptions
from gdr_core.gdr.prior import initial_condition
from gdr_core.gdr.reclassify import reclassify, with_rule
from gdr_core.gdr.relabelling import OUTCOMES, Changes, Relabelling
from gdr_core.gdr.result import GDRResult
from gdr_core.gdr.rules import RULES

__all__ = [
    "OUTCOMES",
    "RULES",
    "SPACINGS",
    "Changes",
    "GDROptions",
    "GDRResult",
    "Relabelling",
    "initial_condition",
    "reclassify",
    "with_rule",
]
