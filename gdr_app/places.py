"""Where the app's own files lie: app.py, pages/, static/ and Streamlit's settings."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from gdr_core.places import installed

HERE: Final = Path(__file__).resolve().parent
_PACKED_SITE: Final = HERE / "site"  # pyproject.toml puts them there


def site_folder() -> Path:
    """The folder of app.py: the checkout itself, or a part of the installed package."""
    return _PACKED_SITE if installed() else HERE.parent
