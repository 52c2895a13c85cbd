"""Class probabilities that another classifier has computed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from gdr_core.datasets.record import Dataset
from gdr_core.progress import Progress

_ROW_SUM_TOLERANCE = 1e-6


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
    readers = {".npy": _read_npy, ".csv": _read_csv}
    if path.suffix.lower() not in readers:
        raise ValueError(
            f"class probabilities are read from {' or '.join(readers)}, got {path.name!r}"
        )
    return readers[path.suffix.lower()](path)


def _as_matrix(given: Any) -> np.ndarray:
    if isinstance(given, str | os.PathLike):
        return _read_matrix(Path(given))
    return np.asarray(given)


def _read_npy(path: Path) -> np.ndarray:
    try:
        return np.load(path, allow_pickle=False)
    except (ValueError, EOFError) as problem:
        raise ValueError(f"{path.name} is not a .npy file of numbers: {problem}") from problem


def _read_csv(path: Path) -> np.ndarray:
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    header = 1 if lines and not _is_row_of_numbers(lines[0]) else 0
    if not any(line.strip() for line in lines[header:]):
        raise ValueError(f"{path.name} holds no rows of numbers")
    try:
        return np.loadtxt(lines[header:], delimiter=",", ndmin=2)
    except ValueError as problem:
        raise ValueError(f"{path.name} is not a table of numbers: {problem}") from problem


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
