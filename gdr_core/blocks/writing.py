"""Files that are whole or not there: written under another name, then renamed."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_FULL = (errno.ENOSPC, errno.EDQUOT)


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """A name to write a file or a folder under; it becomes `path` when all went well.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with whole(folder / "note.txt") as name:
    ...     _ = name.write_text("whole")
    >>> [file.name for file in folder.iterdir()]
    ['note.txt']
    """
    partial = path.with_name(f"{path.name}.partial-{os.getpid()}")
    try:
        yield partial
        os.replace(partial, path)
    except OSError as problem:
        _remove(partial)
        if problem.errno in _FULL:
            raise OSError(
                f"the disk is full: {path.name} was not written, and nothing of it was kept; free "
                "some space or choose another folder"
            ) from problem
        raise
    except BaseException:
        _remove(partial)
        raise


def check_space(folder: Path, wanted: int) -> None:
    """Refuse before anything is written where the disk cannot hold so many bytes."""
    free = shutil.disk_usage(folder).free
    if wanted > free:
        raise OSError(
            f"the disk of {folder} has {free / 1e9:.1f} GB free, and this needs about "
            f"{wanted / 1e9:.1f} GB; free some space or choose another folder"
        )


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
