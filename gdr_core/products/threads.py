"""Work on stretches of a long array, on all cores where the array is long enough."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

from gdr_core.products.choice import asked_engine

LONG = 10_000_000  # numbers; below, threads cost more than they bring
WIDE = 1_000_000  # the same for work that only reads and writes each number once


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
    return (_side_by_side if numbers >= LONG else _one_by_one)(work, spans)


def in_parts(work: Callable[[slice], None], rows: int, numbers: int) -> None:
    """Do the work on so many rows, each core on one part of them where they hold many numbers."""
    size = max(-(-rows // threads()), 1) if numbers >= WIDE else max(rows, 1)
    parts = [slice(begin, min(begin + size, rows)) for begin in range(0, rows, size)]
    for _ in _side_by_side(work, parts):
        pass


def _one_by_one(work: Callable[[slice], None], spans: list[slice]) -> Iterator[slice]:
    """All spans, in this thread."""
    for span in spans:
        work(span)
        yield span


def _side_by_side(work: Callable[[slice], None], spans: list[slice]) -> Iterator[slice]:
    """All spans, on as many threads as may work."""
    count = min(threads(), len(spans))
    if count < 2:
        yield from _one_by_one(work, spans)
        return
    pool = ThreadPoolExecutor(count)
    try:
        waiting = [(span, pool.submit(copy_context().run, work, span)) for span in spans]
        for span, done in waiting:
            done.result()
            yield span
    finally:
        pool.shutdown(cancel_futures=True)
