"""The product of a sparse matrix with dense columns, by the fastest means at hand.

Small matrices are multiplied by SciPy, always: their results are the same on every machine. For
large ones torch, which uses all cores, is tried beside SciPy once in a process, and the faster of
the two is used from then on. Both add up each row in an order of their own; every proof of an error
in this library holds for sums in any order.
"""

from gdr_core.products.choice import ENGINES, LARGE, engine_for, using
from gdr_core.products.cut import CutProduct
from gdr_core.products.rows import Product
from gdr_core.products.threads import WIDE, in_parts, in_turn, threads

__all__ = [
    "ENGINES",
    "LARGE",
    "WIDE",
    "CutProduct",
    "Product",
    "engine_for",
    "in_parts",
    "in_turn",
    "threads",
    "using",
]
