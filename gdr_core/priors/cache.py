"""Priors kept on disk, so that the same question is answered once.

A file is named by a hash of everything the result depends on: the dataset as the prior sees it,
the options, the seed, and the revision and version of the code: two versions may share a folder. A
file that cannot be read, or does not hold class probabilities of the right shape, counts as absent.
All files together keep to a budget; those that were not read for longest go first.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import tempfile
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

import gdr_core
from gdr_core import gate, places
from gdr_core.datasets.record import Dataset
from gdr_core.priors.specification import PriorSpec
from gdr_core.within import holding

LOG = logging.getLogger(__name__)
_BUDGET_VARIABLE = "GDR_CACHE_MEGABYTES"
_BUDGET = 1000  # megabytes
_WRITING = ".writing-"
_ABANDONED = 3600.0  # seconds after which a file that is being written is nobody's any more


_off: ContextVar[bool] = ContextVar("priors are not kept", default=False)


def off() -> AbstractContextManager[None]:
    """Within, no prior is kept or taken from the disk, neither the one asked for nor its parts."""
    return holding(_off, True)


def is_on() -> bool:
    """Whether priors are kept."""
    return not _off.get()


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
        "options": spec.resolved(dict(options), dataset.name),
    }
    text = json.dumps(question, sort_keys=True)
    return f"{spec.name}-{hashlib.sha256(text.encode()).hexdigest()[:32]}.npz"


def read(key: str, shape: tuple[int, int]) -> np.ndarray | None:
    """The stored probabilities, or None if there are none to trust."""
    path = cache_folder() / key
    if not os.path.isfile(path):  # or nobody may look: then `write` says that nothing is kept
        return None
    try:
        # Twice the size of the answer: what claims more is not it, and takes no memory.
        stored = gate.read_archive(path, most=16 * shape[0] * shape[1] + 2**16)
    except FileNotFoundError:
        return None
    except (OSError, gate.UnreadableError) as problem:
        LOG.warning("%s cannot be read and is computed anew: %s", path, problem)
        return None
    if (found := stored.get("probabilities")) is not None and _are_probabilities(found, shape):
        with suppress(OSError):  # a folder that can only be read
            os.utime(path)
        return found
    LOG.warning("%s does not hold class probabilities of shape %s; computed anew", path, shape)
    return None


def write(key: str, probabilities: np.ndarray) -> None:
    """Store the probabilities: others see the whole file or none, a full disk is only logged."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _replace_atomically(folder / key, probabilities)
        _keep_to(budget(), folder, folder / key)
    except OSError as problem:
        LOG.warning("the prior could not be stored in %s: %s", folder, problem)


def budget() -> int:
    """Bytes that all stored priors may take: $GDR_CACHE_MEGABYTES, or else a gigabyte.

    >>> budget() > 0
    True
    """
    chosen = os.environ.get(_BUDGET_VARIABLE, "")
    return 1_000_000 * (int(chosen) if chosen.isdecimal() else _BUDGET)


def clear() -> int:
    """Delete every stored prior; the number of files that were deleted."""
    files = list(cache_folder().glob("*.npz"))
    for file in files:
        file.unlink(missing_ok=True)
    return len(files)


def _keep_to(allowed: int, folder: Path, newest: Path) -> None:
    """Delete what was not used for longest until the rest keeps to the budget.

    The clock may have been set back since: what is from the future counts as the oldest.
    """
    now = time.time()
    found = []
    for path in folder.iterdir():
        with suppress(OSError):  # another process may have deleted it
            state = path.stat()
            used = state.st_mtime if state.st_mtime <= now + 1 else 0.0
            if path.name.startswith(_WRITING) and now - used > _ABANDONED:
                path.unlink(missing_ok=True)
            elif path.suffix == ".npz":
                found.append((path != newest, -used, state.st_size, path))
    total = 0
    for _, _, size, path in sorted(found):
        total += size
        if total > allowed and path != newest:
            with suppress(OSError):
                path.unlink(missing_ok=True)


def _replace_atomically(path: Path, probabilities: np.ndarray) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=_WRITING)
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
