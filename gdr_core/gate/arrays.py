"""Arrays: numbers that are finite, classes that are whole, nodes that are in the graph."""

from __future__ import annotations

import sys
from numbers import Number
from typing import Any

import numpy as np

from gdr_core.gate.errors import WrongTypeError, shown

_MOST_CELLS = 400_000_000  # of a dense array: 3.2 GB as float64
UNKNOWN = -1


def as_array(value: Any, name: str) -> np.ndarray:
    """What was given as an array of any kind, its size checked before it is copied."""
    if value is None or isinstance(value, str | bytes | dict | set | frozenset):
        raise WrongTypeError(f"{name} must be an array of numbers, got {shown(value)}")
    check_size(value, name)
    try:
        array = np.asarray(value)
    except Exception as problem:  # lists of different lengths; objects that refuse to be arrays
        raise WrongTypeError(
            f"{name} must be an array of numbers; its rows have different lengths or it holds "
            f"something else, got {shown(value)}"
        ) from problem
    _check_cells(array.shape, name)
    return array


def check_size(value: Any, name: str) -> None:
    """Refuse what would take too much memory as an array, before it is made one."""
    _check_cells(np.shape(value) if hasattr(value, "shape") else _length(value), name)


def as_list(value: Any) -> Any:
    """A single number as a list of one; everything else as it is."""
    return [value] if isinstance(value, Number) or getattr(value, "ndim", 1) == 0 else value


def number_array(value: Any, name: str, dimensions: int) -> np.ndarray:
    """The value as finite float64 with this number of dimensions; never the caller's own array.

    >>> number_array([[1, 0], [0.5, 0.5]], "the prior", 2).dtype
    dtype('float64')
    """
    array = as_array(value, name)
    if array.ndim != dimensions:
        words = {1: "a list", 2: "a matrix"}.get(dimensions, f"an array of {dimensions} dimensions")
        raise ValueError(f"{name} must be {words}, got shape {array.shape}")
    return finite_numbers(array, name)


def finite_numbers(array: np.ndarray, name: str) -> np.ndarray:
    """A float64 copy of real numbers that are finite."""
    if array.dtype.kind not in "biuf":
        array = _from_objects(array, name)
    with np.errstate(over="ignore"):
        numbers = array.astype(np.float64)
    if not np.isfinite(numbers).all():
        raise ValueError(f"{name} has entries that are not finite (NaN or infinite)")
    return numbers


def class_numbers(value: Any, name: str) -> np.ndarray:
    """A class for each node as int64; None and NaN become −1, which means unlabelled.

    >>> class_numbers([0, 2.0, float("nan"), -1], "truth").tolist()
    [0, 2, -1, -1]
    """
    array = as_array(value, name)
    if array.ndim != 1:
        raise ValueError(f"{name} must have one dimension, got shape {array.shape}")
    if array.dtype.kind in "iu":
        return _whole(array, name)
    if array.dtype.kind not in "fO" and array.size:
        raise WrongTypeError(
            f"{name} must be whole numbers, −1 where the class is not known, got {array.dtype}"
        )
    if array.dtype == object:
        array = np.array([np.nan if entry is None else entry for entry in array], dtype=object)
        array = _from_objects(array, name)
    numbers = np.where(np.isnan(array), UNKNOWN, array.astype(np.float64))
    if numbers.size and not (np.isfinite(numbers) & (numbers == np.rint(numbers))).all():
        odd = numbers[~(np.isfinite(numbers) & (numbers == np.rint(numbers)))]
        raise ValueError(f"{name} must be whole numbers, got {odd[0]:g}")
    return _whole(numbers, name)


def node_numbers(value: Any, name: str, nodes: int | None = None) -> np.ndarray:
    """A list of node numbers as int64; below `nodes` where that is given."""
    array = as_array(value, name)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        kind = ValueError if array.dtype.kind in "iuf" else WrongTypeError
        raise kind(
            f"{name} must be a list of node numbers, got {array.dtype} of shape {array.shape}"
        )
    numbers = _whole(array, name)
    if numbers.size and numbers.min() < 0:
        raise ValueError(f"{name} has the negative node number {numbers.min()}")
    if nodes is not None and numbers.size and numbers.max() >= nodes:
        raise ValueError(f"{name} must lie between 0 and {nodes - 1}, got {numbers.max()}")
    return numbers


def _whole(array: np.ndarray, name: str) -> np.ndarray:
    limits = np.iinfo(np.int64)
    if array.size and not -(2.0**62) <= float(array.min()) <= float(array.max()) < 2.0**62:
        raise ValueError(f"{name} must be below {limits.max}, got {array.max()}")
    return array.astype(np.int64)


def _from_objects(array: np.ndarray, name: str) -> np.ndarray:
    """Numbers that NumPy holds as objects, as data frames give them; nothing else passes."""
    if array.dtype != object:
        if array.size == 0:
            return array.astype(bool)
        raise WrongTypeError(f"{name} must hold real numbers, got {array.dtype}")
    kinds = (bool, int, float, np.bool_, np.integer, np.floating)
    if odd := [entry for entry in array.ravel() if not isinstance(entry, kinds)]:
        raise WrongTypeError(f"{name} must hold real numbers, got {shown(odd[0])}")
    try:
        return array.astype(np.float64)
    except OverflowError as problem:
        raise ValueError(f"{name} has a number that is too large") from problem


def _length(value: Any) -> tuple[int, ...]:
    try:
        return (len(value),)
    except TypeError:
        return ()
    except OverflowError:  # longer than any list can be
        return (sys.maxsize,)


def _check_cells(shape: tuple[int, ...], name: str) -> None:
    cells = 1
    for side in shape:
        cells *= int(side)
    if cells > _MOST_CELLS:
        raise ValueError(
            f"{name} would have {cells:,} entries; at most {_MOST_CELLS:,} are taken, or a sparse "
            "matrix of scipy.sparse"
        )
