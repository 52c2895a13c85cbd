"""Bytes that a worker is given beside its arguments, and large arrays that it gives back.

They lie in files that only this user may read, in memory where the system has such a folder. A
worker deletes what it was given as soon as it has read it; who commands it deletes it in any case
when the worker has gone, or has other work. The file for an answer is made, named and deleted by
who asks: a worker only fills it.
"""

from __future__ import annotations

import io
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import numpy as np

_MEMORY = Path("/dev/shm")
_PREFIX = "gdr-explorer-data-"
_ASIDE: Final = "__aside__"  # in the place of an array: where it lies in the file, and what it is
_LARGE: Final = 1 << 16  # bytes of an array that goes into the file
_STEP: Final = 64  # arrays begin at multiples of so many bytes


def hand_over(content: bytes) -> Path:
    """Write content to a new file, for `take`; on the disk where there is no room in memory."""
    if os.access(_MEMORY, os.W_OK):
        with suppress(OSError):
            return _written(_MEMORY, content)
    return _written(Path(tempfile.gettempdir()), content)


def _written(folder: Path, content: bytes) -> Path:
    _sweep(folder)
    number, name = tempfile.mkstemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=folder)
    try:
        with os.fdopen(number, "wb") as stream:
            stream.write(content)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
    return Path(name)


def take(name: str | Path) -> bytes:
    """Read what was handed over, and delete it."""
    path = Path(name)
    try:
        return path.read_bytes()
    finally:
        path.unlink(missing_ok=True)


def pack_arrays(arrays: dict[str, np.ndarray]) -> bytes:
    """Named arrays as one block, to be handed over."""
    stream = io.BytesIO()
    np.savez(stream, **arrays)  # type: ignore[arg-type]
    return stream.getvalue()


def unpack_arrays(content: bytes) -> dict[str, np.ndarray]:
    """What `pack_arrays` has packed.

    >>> unpack_arrays(pack_arrays({"numbers": np.arange(3)}))
    {'numbers': array([0, 1, 2])}
    """
    with np.load(io.BytesIO(content), allow_pickle=False) as stored:
        return {name: stored[name] for name in stored.files}


def lay_aside(result: dict[str, Any], name: str | Path) -> dict[str, Any]:
    """The result without its large arrays, which go into the file; all of it where there is no
    room, or no such file any more."""
    placed, said = 0, dict(result)
    try:
        with open(os.open(name, os.O_WRONLY | os.O_TRUNC), "wb") as file:
            for key, value in result.items():
                if isinstance(value, np.ndarray) and value.nbytes >= _LARGE:
                    placed += -placed % _STEP
                    file.seek(placed)
                    file.write(np.ascontiguousarray(value).reshape(-1).view(np.uint8).data)
                    said[key] = {_ASIDE: placed, "dtype": value.dtype.str, "shape": value.shape}
                    placed += value.nbytes
    except OSError:
        return result
    return said


def pick_up(said: dict[str, Any], name: str | Path) -> dict[str, Any]:
    """The result whose large arrays `lay_aside` has put into the file. Other threads go on
    meanwhile: the file is read in one piece, and the arrays are parts of it.

    >>> whole = {"curves": np.arange(10_000.0), "error": 0.5}
    >>> place = hand_over(b"")
    >>> said = lay_aside(whole, place)
    >>> "dtype" in said["curves"], bool((pick_up(said, place)["curves"] == whole["curves"]).all())
    (True, True)
    >>> place.unlink()
    """
    if not any(_is_aside(value) for value in said.values()):
        return said
    with open(name, "rb", buffering=0) as file:
        content = np.empty(os.fstat(file.fileno()).st_size, dtype=np.uint8)
        _fill(file, content.data)
    return {key: _part(content, v) if _is_aside(v) else v for key, v in said.items()}


def _fill(file: io.FileIO, view: memoryview) -> None:
    while view:
        if not (count := file.readinto(view)):
            raise OSError("the file of an answer has become shorter")
        view = view[count:]


def _is_aside(value: object) -> bool:
    return isinstance(value, dict) and _ASIDE in value


def _part(content: np.ndarray, said: dict[str, Any]) -> np.ndarray:
    kind, start = np.dtype(said["dtype"]), int(said[_ASIDE])
    size = kind.itemsize * int(np.prod(said["shape"], dtype=np.int64))
    return content[start : start + size].view(kind).reshape(said["shape"])


def handed_in(request: dict[str, Any]) -> list[Path]:
    """The files that a request or its arguments name.

    >>> place = hand_over(b"data")
    >>> handed_in({"kind": "prior", "arguments": {"data": str(place), "seed": 0}}) == [place]
    True
    >>> place.unlink()
    """
    named = [*request.values(), *request.get("arguments", {}).values()]
    return [Path(value) for value in named if is_handed(value)]


def is_handed(value: object) -> bool:
    """Whether an argument names a file that was handed over.

    >>> place = hand_over(b"data")
    >>> is_handed(str(place)), is_handed("cora")
    (True, False)
    >>> place.unlink()
    """
    return isinstance(value, str) and Path(value).name.startswith(_PREFIX)


def _sweep(folder: Path) -> None:
    """Delete what servers that were killed have left behind."""
    for path in folder.glob(f"{_PREFIX}*"):
        with suppress(ValueError, OSError):
            if not is_alive(int(path.name[len(_PREFIX) :].split("-")[0])):
                path.unlink()


def is_alive(pid: int) -> bool:
    """Whether there is a process of this number."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
