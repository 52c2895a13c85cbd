"""Graph Diffusion Reclassification (Peach, Arnaudon, Barahona 2020)."""

from gdr_core.gdr.automatic import Automatic, Decision, automatic
from gdr_core.gdr.confidence import Confidence, confidence
from gdr_core.gdr.options import SPACINGS, GDROptions
from gdr_core.gdr.prior import initial_condition
from gdr_core.gdr.reclassify import reclassify, with_rule
from gdr_core.gdr.relabelling import OUTCOMES, Changes, Relabelling
from gdr_core.gdr.result import GDRResult
from gdr_core.gdr.rules import RULES
from gdr_core.gdr.trust import Gain, verdict

__all__ = [
    "OUTCOMES",
    "RULES",
    "SPACINGS",
    "Automatic",
    "Changes",
    "Confidence",
    "Decision",
    "GDROptions",
    "GDRResult",
    "Gain",
    "Relabelling",
    "automatic",
    "confidence",
    "initial_condition",
    "reclassify",
    "verdict",
    "with_rule",
]
