"""Class probabilities that another classifier has computed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from gdr_core import gate
from gdr_core.datasets.record import Dataset
from gdr_core.progress import Progress

_ROW_SUM_TOLERANCE = 1e-6
_MOST_BYTES = 2**30


def external(
    dataset: Dataset, *, seed: int, progress: Progress, probabilities: Any, normalise: bool
) -> np.ndarray:
    """The given matrix, shape (nodes, classes), after checks; training rows are set to their label.

    `probabilities` is an array or the path of a `.npy` or `.csv` file (commas, no header; a first
    line that is no row of numbers is taken as a header). Rows must sum to one within 1e-6; with
    `normalise` they are divided by their sum, and rows of zeros become uniform.
    """
    if probabilities is None:
        raise ValueError("external needs the option probabilities: an array or a .npy or .csv file")
    matrix = _checked(_as_matrix(probabilities), (dataset.nodes, dataset.classes))
    if not normalise:
        _refuse_other_sums(matrix.sum(axis=1))
    return matrix


def _read_matrix(path: Path) -> np.ndarray:
    """The matrix in a .npy or .csv file; files that hold Python objects are refused."""
    readers: dict[str, Callable[[Path], np.ndarray]]
    readers = {".npy": gate.read_array, ".csv": _read_csv}
    if path.suffix.lower() not in readers:
        raise ValueError(
            f"class probabilities are read from {' or '.join(readers)}, got {path.name!r}"
        )
    return readers[path.suffix.lower()](path)


def _as_matrix(given: Any) -> np.ndarray:
    if isinstance(given, str | os.PathLike):
        return _read_matrix(_file(given))
    return gate.as_array(given, "probabilities")  # rows that are wrong are named below


def _file(given: str | os.PathLike) -> Path:
    try:
        path = Path(given)
        there = path.is_file()
    except ValueError as problem:  # a name that no file can have
        raise ValueError(f"there is no file {gate.shown(given)}") from problem
    if not there:
        raise FileNotFoundError(f"there is no file {gate.shown(path.name)}")
    if path.stat().st_size > _MOST_BYTES:
        raise ValueError(f"{path.name} is larger than {_MOST_BYTES:,} bytes")
    return path


def _read_csv(path: Path) -> np.ndarray:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as problem:
        raise ValueError(f"{path.name} is not a text in UTF-8") from problem
    header = 1 if lines and not _is_row_of_numbers(lines[0]) else 0
    if not any(line.strip() for line in lines[header:]):
        raise ValueError(f"{path.name} holds no rows of numbers")
    try:
        return np.loadtxt(lines[header:], delimiter=",", ndmin=2)
    except ValueError as problem:
        why = str(problem).partition("\n")[0]
        raise ValueError(f"{path.name} is not a table of numbers: {why}") from problem


def _is_row_of_numbers(line: str) -> bool:
    try:
        return bool([float(cell) for cell in line.split(",")])
    except ValueError:
        return False


def _checked(matrix: np.ndarray, expected: tuple[int, int]) -> np.ndarray:
    if matrix.shape != expected:
        raise ValueError(
            f"probabilities must have one row per node and one column per class, shape "
            f"{expected}, got {matrix.shape}"
        )
    if not (np.issubdtype(matrix.dtype, np.floating) or np.issubdtype(matrix.dtype, np.integer)):
        raise ValueError(f"probabilities must be real numbers, got {matrix.dtype}")
    matrix = matrix.astype(np.float64)
    if (bad := np.flatnonzero(~np.isfinite(matrix).all(axis=1))).size:
        raise ValueError(f"{bad.size} rows have entries that are not finite, first row {bad[0]}")
    if (bad := np.flatnonzero((matrix < 0).any(axis=1))).size:
        raise ValueError(f"{bad.size} rows have negative entries, first row {bad[0]}")
    return matrix


def _refuse_other_sums(sums: np.ndarray) -> None:
    if (bad := np.flatnonzero(np.abs(sums - 1.0) > _ROW_SUM_TOLERANCE)).size:
        raise ValueError(
            f"{bad.size} rows do not sum to one, first row {bad[0]} with sum {sums[bad[0]]:.6g}; "
            "pass normalise=True to divide rows by their sum"
        )
