"""Progress and cancellation: one convention for every long call.

A long call takes ``progress``, a function of two arguments: the fraction done (0 to 1) and a
short text that says what is being done. To cancel, the function raises :class:`Cancelled`; the
call stops at its next report, releases what it holds and lets the exception through.
"""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[float, str], None]


class Cancelled(Exception):
    """Raised by a progress callback to stop the call that reports to it."""


def ignore(fraction: float, message: str) -> None:
    """The default callback: hear and say nothing."""


def part(progress: Progress, start: float, stop: float) -> Progress:
    """A callback for a sub-task that fills the stretch from `start` to `stop` of the whole."""

    def report(fraction: float, message: str) -> None:
        progress(start + (stop - start) * min(max(fraction, 0.0), 1.0), message)

    return report
