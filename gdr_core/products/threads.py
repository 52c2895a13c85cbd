"""Work on stretches of a long array, on all cores where the array is long enough."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

from gdr_core.products.choice import asked_engine

LONG = 10_000_000  # numbers; below, threads cost more than they bring


def threads() -> int:
    """How many threads may work: the cores at hand, or fewer where `OMP_NUM_THREADS` says so.

    Where SciPy was asked for (`using`), which has one thread, it is one.
    """
    if asked_engine() == "scipy":
        return 1
    allowed = os.environ.get("OMP_NUM_THREADS", "")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(min(cores or 1, int(allowed) if allowed.isdigit() else cores or 1), 1)


def in_turn(work: Callable[[slice], None], spans: list[slice], numbers: int) -> Iterator[slice]:
    """Do the work on every span and yield each when it is done, in order.

    numbers   how many numbers are worked on in all; NumPy lets threads run beside each other
    """
    count = threads()
    if count == 1 or numbers < LONG or len(spans) < 2:
        for span in spans:
            work(span)
            yield span
        return
    pool = ThreadPoolExecutor(count)
    try:
        waiting = [(span, pool.submit(copy_context().run, work, span)) for span in spans]
        for span, done in waiting:
            done.result()
            yield span
    finally:
        pool.shutdown(cancel_futures=True)
