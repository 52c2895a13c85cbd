"""Priors kept on disk, so that the same question is answered once.

A file is named by a hash of everything the result depends on: the dataset as the prior sees it,
the options, the seed, and the revision and version of the code. A file that cannot be read, or
does not hold class probabilities of the right shape, counts as absent.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import tempfile
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

import gdr_core
from gdr_core import places
from gdr_core.datasets.record import Dataset
from gdr_core.priors.specification import PriorSpec

# TypeError: an array where an archive should be; zlib.error: damage within the compressed part.
_UNREADABLE = (
    OSError,
    ValueError,
    KeyError,
    EOFError,
    TypeError,
    zipfile.BadZipFile,
    zlib.error,
)
LOG = logging.getLogger(__name__)


def cache_folder() -> Path:
    """Where priors are kept: $GDR_CACHE_DIR/priors, or else the user's own cache folder."""
    return places.cache_folder() / "priors"


def fingerprint(dataset: Dataset) -> str:
    """A hash of the content that a prior can depend on; names and the layout do not count."""
    digest = hashlib.sha256()
    for matrix in (dataset.adjacency, dataset.features):
        _feed_matrix(digest, matrix)
    for part in (dataset.split.train, dataset.split.validation):
        _feed(digest, part)
        _feed(digest, dataset.labels[part])
    digest.update(f"{dataset.classes} {dataset.directed}".encode())
    return digest.hexdigest()


def key_of(spec: PriorSpec, dataset: Dataset, seed: int, options: Mapping[str, Any]) -> str:
    """The name of the file for this question. Priors that are not random share one seed."""
    question = {
        "prior": spec.name,
        "revision": spec.revision,
        "version": getattr(gdr_core, "__version__", ""),
        "dataset": fingerprint(dataset),
        "seed": seed if spec.random else None,
        "options": spec.resolved(dict(options)),
    }
    text = json.dumps(question, sort_keys=True)
    return f"{spec.name}-{hashlib.sha256(text.encode()).hexdigest()[:32]}.npz"


def read(key: str, shape: tuple[int, int]) -> np.ndarray | None:
    """The stored probabilities, or None if there are none to trust."""
    path = cache_folder() / key
    try:
        with np.load(path, allow_pickle=False) as stored:
            probabilities = stored["probabilities"]
    except FileNotFoundError:
        return None
    except _UNREADABLE as problem:
        LOG.warning("%s cannot be read and is computed anew: %s", path, problem)
        return None
    if _are_probabilities(probabilities, shape):
        return probabilities
    LOG.warning("%s does not hold class probabilities of shape %s; computed anew", path, shape)
    return None


def write(key: str, probabilities: np.ndarray) -> None:
    """Store the probabilities: others see the whole file or none, a full disk is only logged."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _replace_atomically(folder / key, probabilities)
    except OSError as problem:
        LOG.warning("the prior could not be stored in %s: %s", folder, problem)


def clear() -> int:
    """Delete every stored prior; the number of files that were deleted."""
    files = list(cache_folder().glob("*.npz"))
    for file in files:
        file.unlink(missing_ok=True)
    return len(files)


def _replace_atomically(path: Path, probabilities: np.ndarray) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez_compressed(file, probabilities=probabilities)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _are_probabilities(array: np.ndarray, shape: tuple[int, int]) -> bool:
    return bool(
        array.shape == shape
        and array.dtype == np.float64
        and np.isfinite(array).all()
        and array.min(initial=0.0) >= 0
        and np.allclose(array.sum(axis=1), 1.0, atol=1e-9)
    )


def _feed_matrix(digest: Any, matrix: sp.csr_array) -> None:
    digest.update(str(matrix.shape).encode())
    # Indices may be stored as 32 or 64 bits; the same graph must have the same hash.
    _feed(digest, matrix.indptr.astype(np.int64))
    _feed(digest, matrix.indices.astype(np.int64))
    _feed(digest, matrix.data)


def _feed(digest: Any, array: np.ndarray) -> None:
    digest.update(f"{array.dtype.str} {array.shape}".encode())
    digest.update(np.ascontiguousarray(array))
