"""One gate for input: what comes from outside is checked here before anything computes with it.

Functions of the library, the estimator, the command line, readers of files and caches all pass
what they are given through the same few functions. Each returns the value in the one form that the
rest of the code works on, or raises one sentence that says what was given and what is allowed:

    ValueError       the right kind of thing with a value that cannot be used
    WrongTypeError   the wrong kind of thing; a TypeError, and a ValueError as well

Sizes are compared with limits before memory is taken, and the arrays of a sparse matrix are looked
at in full before compiled code, which trusts them, sees them.
"""

from gdr_core.gate.arrays import (
    as_array,
    as_list,
    check_size,
    class_numbers,
    node_numbers,
    number_array,
)
from gdr_core.gate.errors import WrongTypeError, shown
from gdr_core.gate.mapped import mapped_matrix
from gdr_core.gate.matrices import adjacency_matrix, number_matrix
from gdr_core.gate.numbers import (
    check_flag,
    check_function,
    check_name,
    check_record,
    check_seed,
    finite,
    is_blank,
    items_of,
    positive,
    whole,
)
from gdr_core.gate.stored import UnreadableError, read_archive, read_array

__all__ = [
    "UnreadableError",
    "WrongTypeError",
    "adjacency_matrix",
    "as_array",
    "as_list",
    "check_flag",
    "check_function",
    "check_name",
    "check_record",
    "check_seed",
    "check_size",
    "class_numbers",
    "finite",
    "is_blank",
    "items_of",
    "mapped_matrix",
    "node_numbers",
    "number_array",
    "number_matrix",
    "positive",
    "read_archive",
    "read_array",
    "shown",
    "whole",
]
