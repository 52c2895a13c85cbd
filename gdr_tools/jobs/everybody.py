"""The pool and the registry of this process, of which there is one each for all visitors.

They are kept here and not in a cache of the app: a cache can be cleared, and clearing it must not
end what people are waiting for. They end with the process.
"""

from __future__ import annotations

from threading import Lock

from gdr_tools.jobs.pool import Pool
from gdr_tools.jobs.registry import Registry

_lock = Lock()
_made: list[Registry] = []


def registry() -> Registry:
    """All training runs of this process."""
    with _lock:
        if not _made or _made[0].pool.closed.is_set():
            _made[:] = [Registry()]
        return _made[0]


def pool() -> Pool:
    """All workers of this process."""
    return registry().pool
