"""Damaged files: graph files, arrays, class probabilities, stored priors, stored results."""

from __future__ import annotations

import io
import json
import random
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from gdr_core import gate
from gdr_core.datasets.own import fuzz as own
from gdr_tools.fuzz.judging import outcome_of

Draw = random.Random
_SHAPE = (34, 2)
_HUGE = "{{'descr': {kind!r}, 'fortran_order': False, 'shape': {shape}, }}"


def prepare() -> None:
    """Read one file of every format, so that no input waits for imports."""
    for name, content in _originals().items():
        attempt(name.encode() + b"\n" + content)


def make(draw: Draw) -> bytes:
    """The name of a file, a line end, and what the file holds."""
    originals = _originals()
    name = draw.choice(list(originals))
    if name.endswith((".npy", ".npz")) and draw.random() < 0.4:
        return f"{name}\n".encode() + _odd_arrays(draw, name)
    content = own.damaged(originals[name], list(originals.values()), draw)
    return f"{name}\n".encode() + content


def attempt(case: bytes) -> str:
    """Give the file to whoever reads files of that name."""
    name, _, content = case.partition(b"\n")
    role, _, file = name.decode(errors="replace").rpartition("/")
    if role in _READERS:
        return _READERS[role](file, content)
    outcome = own.attempt(file, content)
    return {"read": "result"}.get(outcome, outcome if outcome == "refused" else f"wrong: {outcome}")


@cache
def _originals() -> dict[str, bytes]:
    """A whole file for every reader: of own data, and of what the library keeps itself."""
    beliefs = np.full(_SHAPE, 0.5)
    more = {
        "archive/a.npz": _saved(a=beliefs, b=np.arange(5)),
        "array/a.npy": _saved_array(beliefs),
        "probabilities/p.npy": _saved_array(beliefs),
        "probabilities/p.csv": b"x,y\n" + b"0.5,0.5\n" * _SHAPE[0],
        "cache/c.npz": _saved(probabilities=beliefs),
        "results/undirected.json": json.dumps({"1/cora/mlp/none": {"accuracy": 0.5}}).encode(),
    }
    return own.seeds() | more


def _odd_arrays(draw: Draw, name: str) -> bytes:
    """Arrays that are well formed, of a kind or size that nobody expects."""
    arrays = {key: _odd_array(draw) for key in draw.sample(_KEYS, draw.choice((1, 2, 5)))}
    if name.endswith(".npy"):
        return _claiming(draw) if draw.random() < 0.5 else _saved_array(next(iter(arrays.values())))
    return _saved(**arrays)


_KEYS = ("probabilities", "format", "shape", "data", "indices", "indptr", "row", "col", "edges",
         "node_features", "node_labels", "train_masks", "val_masks", "test_masks")  # fmt: skip


def _odd_array(draw: Draw) -> np.ndarray:
    kind = draw.choice(
        ("<f8", "<i8", "<i4", "|u1", "|b1", "<c16", "<U3", "|S3", ">f8", "<f2", "<M8[s]")
    )
    shape = draw.choice(
        ((), (0,), (3,), (4,), (2, 2), (3, 3), _SHAPE, (34,), (2, 0), (1, 1, 1), (0, 10**6))
    )
    array = np.zeros(shape, dtype=kind)
    if array.size and kind in ("<f8", "<i8", "<i4") and draw.random() < 0.7:
        array[...] = draw.choice((-1, 1, 2, 3, 0.5, 2**31 - 1))
    if kind == "<U3" and array.size:
        array[...] = draw.choice(("csr", "csc", "coo", "bsr"))
    return array


def _claiming(draw: Draw) -> bytes:
    """A header that promises more than there is."""
    side = draw.choice((10**6, 10**7, 2**40, 2**63, -1, 3))
    kind = draw.choice(("<f8", "|O", "<U9999999", "|V0", "x", "<f8"))
    shape = draw.choice((f"({side}, {side})", f"({side},)", "(3, 3)", "()", f"({side}, 0)"))
    text = _HUGE.format(kind=kind, shape=shape).ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode() + b"\0" * 72


def _saved(**arrays: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)  # type: ignore[arg-type]
    return stream.getvalue()


def _saved_array(array: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def _archive(file: str, content: bytes) -> str:
    return outcome_of(lambda: gate.read_archive(content, file))


def _array(file: str, content: bytes) -> str:
    return outcome_of(lambda: gate.read_array(content, file))


def _probabilities(file: str, content: bytes) -> str:
    from gdr_core import compute_prior, load_dataset

    club = load_dataset("karate")
    return _on_disk(file, content, lambda path: compute_prior("external", club, probabilities=path))


def _cache(file: str, content: bytes) -> str:
    """A stored prior that cannot be trusted is never an error: it is computed anew."""
    from gdr_core.priors import cache as stored

    folder = stored.cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / file).write_bytes(content)
    outcome = outcome_of(lambda: stored.read(file, _SHAPE))
    return outcome if outcome == "result" else f"wrong: a stored prior was {outcome}"


def _results(file: str, content: bytes) -> str:
    from gdr_tools.paper.store import Store

    return _on_disk(file, content, lambda path: Store(path.parent).group("undirected"))


def _on_disk(file: str, content: bytes, read: Callable[[Path], object]) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, file)
        path.write_bytes(content)
        return outcome_of(lambda: read(path))


_READERS = {
    "archive": _archive,
    "array": _array,
    "probabilities": _probabilities,
    "cache": _cache,
    "results": _results,
}
