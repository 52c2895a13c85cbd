"""Bytes that a worker is given beside its arguments: a visitor's own data.

They lie in a file that only this user may read, in memory where the system has such a folder. The
worker deletes it as soon as it has read it; who asked deletes it in any case.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

_MEMORY = Path("/dev/shm")
_PREFIX = "gdr-explorer-data-"


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


def is_handed(value: object) -> bool:
    """Whether an argument names a file that was handed over.

    >>> is_handed(str(hand_over(b"data"))), is_handed("cora")
    (True, False)
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
