"""Class probabilities before diffusion: `compute_prior(name, dataset)` gives a row-stochastic H."""

from gdr_core.option import Option
from gdr_core.priors.cache import cache_folder
from gdr_core.priors.cache import clear as clear_cache
from gdr_core.priors.computing import compute_prior, recall, spec_of
from gdr_core.priors.registry import PRIORS
from gdr_core.priors.specification import PriorSpec

__all__ = [
    "PRIORS",
    "Option",
    "PriorSpec",
    "cache_folder",
    "clear_cache",
    "compute_prior",
    "recall",
    "spec_of",
]
