"""Where things lie: the files that come with the package, and what this machine has computed.

In a checkout the stored graphs are in `data/` beside the packages; an installed wheel carries them
inside `gdr_core`. Nothing is ever written beside the code of an installed wheel.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
_PACKED_DATA = PACKAGE / "_data"  # pyproject.toml puts it there
_CACHE_VARIABLE = "GDR_CACHE_DIR"
REINSTALL = (
    "install the package again with `python -m pip install --force-reinstall --no-deps` and its "
    "wheel"
)


def installed() -> bool:
    """Whether this is an installed wheel rather than a checkout."""
    return _PACKED_DATA.is_dir()


def data_folder() -> Path:
    """The folder of the stored graphs and of the results that were computed from them.

    >>> (data_folder() / "cora.npz").is_file()
    True
    """
    return _PACKED_DATA if installed() else PACKAGE.parent / "data"


def cache_folder() -> Path:
    """Where computed things are kept: $GDR_CACHE_DIR, or else the user's own cache folder."""
    if chosen := os.environ.get(_CACHE_VARIABLE):
        return Path(chosen)
    import pooch

    return Path(pooch.os_cache("gdr-explorer"))


def results_folder() -> Path:
    """Where new results of experiments are written: the checkout's own, or else the cache."""
    return cache_folder() / "results" if installed() else data_folder() / "results"


def made(folder: Path) -> Path:
    """The folder, made where it is not there; a sentence where nothing can be written to it.

    >>> from tempfile import mkdtemp
    >>> made(Path(mkdtemp()) / "results" / "new").is_dir()
    True
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as problem:
        cached = folder.is_relative_to(cache_folder())
        advice = f"set {_CACHE_VARIABLE} to a folder" if cached else "choose a folder"
        raise OSError(
            f"nothing can be written to {folder} ({problem.strerror}); {advice} that can be "
            "written to"
        ) from problem
    return folder


def repair(file: str) -> str:
    """How to get a stored file back that is missing or damaged."""
    if installed():
        return REINSTALL
    return f"repair it with `git checkout -- data/{file}` or rebuild it with `python data/build.py`"
