"""Graph diffusion reclassification: let a graph correct a classifier.

Names of the public interface are imported when they are first used, so that `import gdr_core`
stays light; editors and type checkers read them from the imports below.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gdr_core.canvases.notebook import view
    from gdr_core.datasets import Dataset, Split, load_dataset
    from gdr_core.diffusion import Trajectories, diffuse
    from gdr_core.estimator import GraphDiffusionReclassifier
    from gdr_core.explanation.contributions import Explanation, explain
    from gdr_core.gdr import GDROptions, GDRResult
    from gdr_core.gdr.reclassify import reclassify
    from gdr_core.laplacians import Laplacian, make_laplacian
    from gdr_core.method import Method
    from gdr_core.priors import compute_prior

__version__ = "0.1.0"

PUBLIC = {
    "Dataset": "gdr_core.datasets",
    "Split": "gdr_core.datasets",
    "load_dataset": "gdr_core.datasets",
    "compute_prior": "gdr_core.priors",
    "Laplacian": "gdr_core.laplacians",
    "make_laplacian": "gdr_core.laplacians",
    "Trajectories": "gdr_core.diffusion",
    "diffuse": "gdr_core.diffusion",
    "GDROptions": "gdr_core.gdr",
    "GDRResult": "gdr_core.gdr",
    "Method": "gdr_core.method",
    "reclassify": "gdr_core.gdr.reclassify",
    "Explanation": "gdr_core.explanation.contributions",
    "explain": "gdr_core.explanation.contributions",
    "GraphDiffusionReclassifier": "gdr_core.estimator",
    "view": "gdr_core.canvases.notebook",
}

__all__ = [
    "Dataset",
    "Explanation",
    "GDROptions",
    "GDRResult",
    "GraphDiffusionReclassifier",
    "Laplacian",
    "Method",
    "Split",
    "Trajectories",
    "__version__",
    "compute_prior",
    "diffuse",
    "explain",
    "load_dataset",
    "make_laplacian",
    "reclassify",
    "view",
]


def __getattr__(name: str) -> Any:
    if name not in PUBLIC:
        raise AttributeError(f"module 'gdr_core' has no attribute {name!r}")
    return getattr(import_module(PUBLIC[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *PUBLIC})
