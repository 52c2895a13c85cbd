"""Packages that only some of the work needs, and the extra that installs each of them."""

from __future__ import annotations

from importlib.util import find_spec

from gdr_core.places import installed

EXTRAS = {
    "torch": "networks",
    "streamlit": "app",
    "plotly": "app",
    "pyvis": "app",
    "pandas": "app",
    "pyarrow": "app",
    "segno": "app",
    "h5py": "files",
    "anywidget": "notebook",
    "distributed": "cluster",
    "playwright": "dev",
}


class MissingExtraError(ModuleNotFoundError, ValueError):
    """A package is not installed; the message is one sentence that says how to install it.

    It is a ValueError as well: to whoever chose it, a prior that cannot be computed here is a
    choice that cannot be met, and is reported like any other.
    """


def need(package: str) -> None:
    """Refuse to go on without a package; it is looked for, not imported.

    >>> need("numpy")
    >>> need("a_package_that_nobody_has")
    Traceback (most recent call last):
    ...
    gdr_core.extras.MissingExtraError: the package a_package_that_nobody_has is missing; ...
    """
    if not _is_there(package):
        raise MissingExtraError(missing(package), name=package)


def missing(package: str) -> str:
    """The sentence about a package that is not there."""
    return f"the package {package} is missing; install it with `{_command(package)}`"


def _is_there(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except (ValueError, ModuleNotFoundError):  # half imported, or inside a package that is missing
        return False


def _command(package: str) -> str:
    extra = EXTRAS.get(package.partition(".")[0])
    if not installed():
        return f"python -m pip install -r requirements{'-dev' if extra == 'dev' else ''}.txt"
    return f"python -m pip install 'gdr-explorer{f'[{extra}]' if extra else ''}'"
