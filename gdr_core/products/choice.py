"""Which library multiplies: decided by size, then by one measurement in each process."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from contextvars import ContextVar
from importlib.util import find_spec
from statistics import median
from time import perf_counter

import numpy as np
import scipy.sparse as sp

from gdr_core import gate
from gdr_core.within import holding

LARGE = 1_500_000  # stored entries; below, importing torch costs more than it brings
ENGINES = ("scipy", "torch")
_LAPS = 3
_found: dict[tuple[str, bool], str] = {}
_asked: ContextVar[str | None] = ContextVar("engine of sparse products", default=None)


def using(engine: str) -> AbstractContextManager[None]:
    """Multiply with one library inside the `with`, whatever the size: for tests and benchmarks.

    >>> import scipy.sparse as sp
    >>> from gdr_core.products import engine_for, using
    >>> with using("scipy"):
    ...     engine_for(sp.csr_array([[0.0, 1.0], [1.0, 0.0]]), columns=1)
    'scipy'
    """
    return holding(_asked, gate.check_name(engine, "engine", ENGINES))


def asked_engine() -> str | None:
    """The library that `using` asks for here, None where it is free."""
    return _asked.get()


def engine_for(matrix: sp.csr_array, columns: int) -> str:
    """The library that multiplies this matrix with so many columns fastest.

    Matrices with fewer than `LARGE` entries are SciPy's, and so are those with indices of 64 bits.
    For the others both are timed, once in a process for each type of number and for one column or
    several.
    """
    asked = _asked.get()
    if asked is not None:
        return asked
    if matrix.nnz < LARGE or matrix.indices.dtype != np.int32 or find_spec("torch") is None:
        return "scipy"
    key = (matrix.dtype.name, columns > 1)
    if key not in _found:
        _found[key] = _faster(matrix, columns)
    return _found[key]


def _faster(matrix: sp.csr_array, columns: int) -> str:
    """The engine with the shorter time on this matrix."""
    from gdr_core.products.torch_rows import torch_product

    shape = (matrix.shape[1], columns) if columns > 1 else (matrix.shape[1],)
    block = np.ones(shape, dtype=matrix.dtype)
    multiply = torch_product(matrix)
    laps = {
        "scipy": _usual(lambda: matrix @ block),
        "torch": _usual(lambda: multiply(block)),
    }
    return min(laps, key=lambda engine: laps[engine])


def _usual(call: Callable[[], np.ndarray]) -> float:
    """Seconds of a call, the middle of a few: threads that wait for a busy core are counted."""
    laps = []
    for _ in range(_LAPS):
        clock = perf_counter()
        call()
        laps.append(perf_counter() - clock)
    return median(laps)
