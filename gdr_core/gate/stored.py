"""Arrays in files: NumPy's .npy and .npz, without pickles, sizes read before memory is taken."""

from __future__ import annotations

import io
import os
import zipfile
import zlib
from math import prod
from pathlib import Path

import numpy as np

from gdr_core.gate.errors import shown

NPY = b"\x93NUMPY"
ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_MOST_BYTES = 4 * 2**30
MOST_MEMBERS = 1000
_HEADERS = {
    1: np.lib.format.read_array_header_1_0,
    2: np.lib.format.read_array_header_2_0,
    3: np.lib.format.read_array_header_2_0,
}
# RuntimeError: an encrypted member; NotImplementedError: a compression that zipfile does not know.
_BROKEN_ZIP = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    ValueError,
    RuntimeError,
    KeyError,
    OverflowError,
)


class UnreadableError(ValueError):
    """A file that does not hold the arrays that it should."""


def read_array(source: bytes | str | os.PathLike[str], name: str | None = None) -> np.ndarray:
    """The array of a .npy file, given by its path or its bytes.

    >>> stream = io.BytesIO()
    >>> np.save(stream, np.arange(3))
    >>> read_array(stream.getvalue())
    array([0, 1, 2])
    """
    content, name = _content(source, name)
    if content.startswith(ZIP):
        raise UnreadableError(f"{name} is an archive of arrays (.npz), not one array (.npy)")
    return _array_of(content, name)


def read_archive(
    source: bytes | str | os.PathLike[str], name: str | None = None, most: int = _MOST_BYTES
) -> dict[str, np.ndarray]:
    """Every array of a .npz file by its name, given by its path or its bytes.

    most   bytes that all arrays together may take
    """
    content, name = _content(source, name)
    if content.startswith(NPY):
        raise UnreadableError(f"{name} is one array (.npy), not an archive of arrays (.npz)")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
            _check_members(entries, name, most)
            return {
                entry.filename.removesuffix(".npy"): _array_of(
                    _member(archive, entry), f"{entry.filename} of {name}"
                )
                for entry in entries
            }
    except UnreadableError:
        raise
    except _BROKEN_ZIP as problem:
        raise UnreadableError(f"{name} is no archive of arrays, or it is damaged") from problem


def _array_of(content: bytes, name: str) -> np.ndarray:
    """The array that the bytes of a .npy file hold; what its header promises must be there."""
    stream = io.BytesIO(content)
    try:
        version = np.lib.format.read_magic(stream)
        shape, _, kind = _HEADERS[version[0]](stream)
    except Exception as problem:  # NumPy parses the header as Python, which fails in many ways
        raise UnreadableError(f"{_shown_name(name)} is no array of NumPy") from problem
    if kind.hasobject:
        raise UnreadableError(f"{_shown_name(name)} holds Python objects, which are not read")
    if any(side < 0 for side in shape) or prod(shape) * kind.itemsize > len(content):
        raise UnreadableError(
            f"{_shown_name(name)} is cut off: its header promises more than there is"
        )
    stream.seek(0)
    try:
        return np.lib.format.read_array(stream, allow_pickle=False)
    except Exception as problem:  # sides too large for NumPy, of which one is zero
        raise UnreadableError(f"{_shown_name(name)} is no array of NumPy") from problem


def _shown_name(name: str) -> str:
    """The name of a file or member as a sentence can show it."""
    return shown(name).strip("'\"")


def _content(source: bytes | str | os.PathLike[str], name: str | None) -> tuple[bytes, str]:
    if isinstance(source, bytes):
        return source, name or "the file"
    path = Path(source)
    if path.stat().st_size > _MOST_BYTES:
        raise UnreadableError(f"{path.name} has more than {_MOST_BYTES:,} bytes")
    return path.read_bytes(), name or path.name


def _check_members(entries: list[zipfile.ZipInfo], name: str, most: int) -> None:
    if len(entries) > MOST_MEMBERS:
        raise UnreadableError(f"{name} holds more than {MOST_MEMBERS} arrays")
    if (total := sum(entry.file_size for entry in entries)) > most:
        raise UnreadableError(f"{name} unpacks to {total:,} bytes; at most {most:,} are read")


def _member(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """The bytes of a member: no more than the archive's directory says, whatever it unpacks to."""
    with archive.open(entry) as stream:
        content = stream.read(entry.file_size + 1)
    if len(content) > entry.file_size:
        raise UnreadableError(f"{_shown_name(entry.filename)} is larger than its archive says")
    return content
