"""Diffusion on a graph: e^{−tL} H for many times at once, exact to a proved tolerance."""

from gdr_core.diffusion.engine import diffuse
from gdr_core.diffusion.impulse import impulse, kernel_row
from gdr_core.diffusion.recurrence import PRECISIONS
from gdr_core.diffusion.times import linear, logarithmic
from gdr_core.diffusion.trajectories import Trajectories

__all__ = [
    "PRECISIONS",
    "Trajectories",
    "diffuse",
    "impulse",
    "kernel_row",
    "linear",
    "logarithmic",
]
