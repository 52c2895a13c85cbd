"""The pool and the registry of this process, of which there is one each for all visitors.

They are kept here and not in a cache of the app: a cache can be cleared, and clearing it must not
end what people are waiting for. They end with the process.

Where $GDR_CLUSTER names a Dask cluster, their workers are there; see `gdr_tools.cluster.office`.
"""

from __future__ import annotations

import os
from importlib import import_module
from threading import Lock
from typing import Final

from gdr_tools.jobs.pool import Pool
from gdr_tools.jobs.registry import Registry

CLUSTER_VARIABLE: Final = "GDR_CLUSTER"  # tcp://host:8786, tls://host:8786 or local
_OFFICE = "gdr_tools.cluster.office"  # named, so that nothing of it is imported without a cluster
_lock = Lock()
_made: list[Registry] = []


def registry() -> Registry:
    """All training runs of this process."""
    with _lock:
        if not _made or _made[0].pool.closed.is_set():
            _made[:] = [Registry(_new_pool())]
        return _made[0]


def pool() -> Pool:
    """All workers of this process."""
    return registry().pool


def _new_pool() -> Pool:
    address = os.environ.get(CLUSTER_VARIABLE, "").strip()
    return import_module(_OFFICE).pool_on(address) if address else Pool()
