"""Settings of priors, searched for on validation nodes: `python -m gdr_core tune`."""

from gdr_tools.tuning.grids import GRIDS
from gdr_tools.tuning.search import Search, search

__all__ = ["GRIDS", "Search", "search"]
