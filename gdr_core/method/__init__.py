"""A method on a dataset as one record: run it, print it, link to it."""

from gdr_core.method.lines import PriorLines
from gdr_core.method.record import Method
from gdr_core.method.words import InapplicableError, add_arguments, usual_laplacian

__all__ = ["InapplicableError", "Method", "PriorLines", "add_arguments", "usual_laplacian"]
