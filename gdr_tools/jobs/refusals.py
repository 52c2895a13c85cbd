"""What a registry of runs refuses, in sentences that say what would help."""

from __future__ import annotations


class UnknownRun(LookupError):
    """There is no such run, or no longer."""

    def __init__(self, run: str):
        super().__init__(
            f"there is no training run {run!r} on this server; runs are forgotten when the server "
            "stops, when they are removed, and after hours without a visitor"
        )


class NotTheOwner(PermissionError):
    """A run is changed only by whoever started it."""


class TooManyRuns(RuntimeError):
    """No further run is taken; the message says what would help."""


class NoFreeCore(RuntimeError):
    """A paused run cannot step: all cores are at work for others."""

    def __init__(self, cores: int):
        busy = "the only core is" if cores == 1 else f"all {cores} cores are"
        super().__init__(
            f"{busy} at work for others, so this run stays paused; press Resume and it waits in "
            "the queue, or step when something else has ended or paused"
        )
