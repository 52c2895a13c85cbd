"""Graph diffusion reclassification: let a graph correct a classifier.

Names of the public interface are imported when they are first used, so that `import gdr_core`
stays light.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

PUBLIC = {
    "Dataset": "gdr_core.datasets",
    "Split": "gdr_core.datasets",
    "load": "gdr_core.datasets",
    "make": "gdr_core.laplacians",
    "diffuse": "gdr_core.diffusion",
    "compute": "gdr_core.priors",
    "reclassify": "gdr_core.gdr",
    "GDROptions": "gdr_core.gdr",
    "GDRResult": "gdr_core.gdr",
    "Method": "gdr_core.method",
}

__all__ = ["__version__", *PUBLIC]


def __getattr__(name: str) -> Any:
    if name not in PUBLIC:
        raise AttributeError(f"module 'gdr_core' has no attribute {name!r}")
    return getattr(import_module(PUBLIC[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *PUBLIC})
