"""How long a worker may compute on what a visitor gave it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def processor_seconds(most: int) -> Iterator[None]:
    """End this process if what follows takes more seconds of the processor than this.

    A damaged file can send a library of C round in circles, where no exception and no signal that
    Python handles reaches it; the system ends such a process by a signal of its own. Where a system
    knows no such limit, there is none.
    """
    try:
        import resource
    except ModuleNotFoundError:
        yield
        return
    before, highest = resource.getrlimit(resource.RLIMIT_CPU)
    until = int(time.process_time()) + 1 + most
    allowed = until if highest == resource.RLIM_INFINITY else min(until, highest)
    resource.setrlimit(resource.RLIMIT_CPU, (allowed, highest))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_CPU, (before, highest))
