"""Sparse matrices in files, mapped into memory: reading a large graph does not hold it twice."""

from __future__ import annotations

import os
import struct
import zipfile
from pathlib import Path
from typing import BinaryIO

import numpy as np
import scipy.sparse as sp

from gdr_core.gate.errors import shown
from gdr_core.gate.stored import UnreadableError

_PARTS = ("indptr", "indices", "data")
_LOCAL_HEADER = 30  # bytes of a member before its name


def mapped_matrix(path: str | os.PathLike[str]) -> sp.csr_array:
    """Compressed rows from files, not read before they are used.

    path   a folder with indptr.npy, indices.npy and data.npy of a square matrix, or a file that
           `scipy.sparse.save_npz` has written with compressed=False

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> sp.save_npz(folder / "pair.npz", sp.csr_array([[0.0, 1.0], [1.0, 0.0]]), compressed=False)
    >>> mapped_matrix(folder / "pair.npz").toarray()
    array([[0., 1.],
           [1., 0.]])
    """
    place = Path(path)
    try:
        arrays = _of_folder(place) if place.is_dir() else _of_archive(place)
        side = arrays["indptr"].size - 1
        shape = tuple(int(n) for n in arrays["shape"]) if "shape" in arrays else (side, side)
        matrix = sp.csr_array(tuple(arrays[name] for name in ("data", "indices", "indptr")), shape)
    except FileNotFoundError:
        raise
    except (KeyError, ValueError, EOFError, struct.error, zipfile.BadZipFile, OSError) as problem:
        reason = shown(str(problem).partition("\n")[0]).strip("'\"")
        raise UnreadableError(f"{place.name} holds no compressed rows: {reason}") from problem
    return matrix


def _of_folder(folder: Path) -> dict[str, np.ndarray]:
    names = [*_PARTS, *(["shape"] if (folder / "shape.npy").exists() else [])]
    return {name: np.load(folder / f"{name}.npy", mmap_mode="r") for name in names}


def _of_archive(file: Path) -> dict[str, np.ndarray]:
    with zipfile.ZipFile(file) as archive, file.open("rb") as stream:
        found = {}
        for entry in archive.infolist():
            name = entry.filename.removesuffix(".npy")
            if name not in (*_PARTS, "shape"):
                continue
            if entry.compress_type != zipfile.ZIP_STORED:
                raise ValueError("its arrays are compressed; write it with compressed=False")
            found[name] = _mapped_at(file, stream, entry.header_offset)
    return found


def _mapped_at(file: Path, stream: BinaryIO, place: int) -> np.ndarray:
    """The .npy member whose header in the archive begins at a place."""
    stream.seek(place)
    header = stream.read(_LOCAL_HEADER)
    name, more = struct.unpack("<HH", header[26:30])
    stream.seek(place + _LOCAL_HEADER + name + more)
    version = np.lib.format.read_magic(stream)
    read = (
        np.lib.format.read_array_header_1_0
        if version[0] == 1
        else (np.lib.format.read_array_header_2_0)
    )
    shape, _, kind = read(stream)
    if kind.hasobject:
        raise ValueError("it holds Python objects, which are not read")
    offset = stream.tell()
    return np.memmap(file, dtype=kind, mode="r", offset=offset, shape=shape)
