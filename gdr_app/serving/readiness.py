"""What the server does before it answers: import what pages need, and see to its memory."""

from __future__ import annotations

import inspect
import logging
from asyncio import get_running_loop
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from pkgutil import walk_packages
from typing import Any, Final

import gdr_app
from gdr_app.computing.memory import collect_regularly, share_heaps, spare_collector
from gdr_app.serving.first_view import start_preparing
from gdr_app.serving.wakeups import wake_once

LOG: Final = logging.getLogger(__name__)
# Which pages import when they first draw something; none of them is torch or scikit-learn.
_LATE: Final = (
    "plotly.graph_objects",
    "plotly.io",
    "pandas.core.computation.expressions",
    "PIL.Image",
    "PIL.ImageFile",
    "pyarrow.pandas_compat",
    "scipy.sparse.csgraph",
    "scipy.sparse.linalg",
    "streamlit.elements.arrow",
    "streamlit.material_icon_names",
    "streamlit.runtime.scriptrunner.magic_funcs",
    "gdr_core.report",
)


@asynccontextmanager
async def ready(app: Any) -> AsyncIterator[None]:
    """Import everything before the first visitor comes, so that nobody waits for it and the
    garbage collector need not look at it again and again."""
    share_heaps()
    wake_once(get_running_loop())
    for name in (*_LATE, *_ours()):
        try:
            import_module(name)
        except ImportError:
            LOG.warning("%s could not be imported; pages that need it will say so", name)
    inspect.stack()  # Streamlit looks at it once; the first time every module's file is found
    spare_collector()
    ended = collect_regularly()
    start_preparing()
    yield
    ended.set()


def _ours() -> list[str]:
    """All modules of the app but those that are programs."""
    found = walk_packages(gdr_app.__path__, "gdr_app.")
    return [module.name for module in found if not module.name.startswith("gdr_app.site")]
