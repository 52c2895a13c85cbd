"""Linear classifiers on features as they are, or spread over the graph first."""

from gdr_core.priors.linear.classifiers import heat_linear, linear, sgc
from gdr_core.priors.linear.settings import recommended

__all__ = ["heat_linear", "linear", "recommended", "sgc"]
