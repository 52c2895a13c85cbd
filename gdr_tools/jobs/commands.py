"""What a worker is told on its standard input, and the end of it when nobody is there to tell.

The registry holds the other end of the pipe. When it closes it, or when its process dies in
whatever way, reading meets the end of the file and the worker's process ends at once.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from threading import Condition, Thread
from typing import Any

COMMANDS = ("job", "pause", "resume", "step", "stop", "pace")
_CHECK_PARENT = 1.0  # seconds


class Commands:
    """The wishes of the registry; a worker begins without a job, and a job paused.

    job REQUEST           do what the request says, as JSON; see `kinds`
    pause, resume, stop   as they say
    step                  train one epoch and pause
    pace P                at most P epochs a second, 0 for as many as it can
    """

    def __init__(self) -> None:
        self.changed = Condition()
        self.request: dict[str, Any] | None = None
        self._begin_anew()

    def _begin_anew(self) -> None:
        self.running = False
        self.steps = 0
        self.stopped = False
        self.interval = 0.0
        self.next_at = 0.0

    def obey(self, command: str) -> None:
        """Take one command."""
        word, _, rest = command.partition(" ")
        if word not in COMMANDS:
            raise ValueError(f"unknown command {command!r}; there are {', '.join(COMMANDS)}")
        with self.changed:
            if word == "job":
                self.request = json.loads(rest)
                self._begin_anew()  # what was said to the job before is not meant for this one
            elif word == "stop":
                self.stopped = True
            elif word == "pace":
                self.interval = 1 / float(rest) if float(rest) > 0 else 0.0
                self.next_at = 0.0
            elif word == "step":
                self.running, self.steps = False, self.steps + 1
            else:
                self.running, self.steps = word == "resume", 0
            self.changed.notify_all()

    def has_job(self, within: float = 0.0) -> bool:
        """Whether a job waits, or comes within so many seconds."""
        with self.changed:
            return self.changed.wait_for(lambda: self.request is not None, within)

    def next_job(self) -> dict[str, Any]:
        """Wait for a job; what is asked for."""
        with self.changed:
            self.changed.wait_for(lambda: self.request is not None)
            request, self.request = self.request, None
            assert request is not None
            return request

    def wait_for_turn(self) -> None:
        """Wait as long as others go first."""
        with self.changed:
            self.changed.wait_for(lambda: self.running)

    def may_train(self, rest: Callable[[], None]) -> bool:
        """Wait until an epoch may be trained; False if the run is to stop. `rest` is called
        once before a pause."""
        rested = False
        while True:
            with self.changed:
                if self.stopped:
                    return False
                if self.steps:
                    self.steps -= 1
                    return True
                if self.running and self._is_time():
                    return True
                if self.running or rested:
                    self.changed.wait(self._until_next() if self.running else None)
                    continue
            rest()
            rested = True

    def _is_time(self) -> bool:
        if self._until_next() > 0:
            return False
        self.next_at = time.monotonic() + self.interval
        return True

    def _until_next(self) -> float:
        return max(self.next_at - time.monotonic(), 0.0)

    def listen(self) -> None:
        """Read commands in the background, and leave when there is nobody to give them."""
        Thread(target=self._read, daemon=True).start()
        Thread(target=_leave_with, args=(os.getppid(),), daemon=True).start()

    def _read(self) -> None:
        for line in sys.stdin:
            self.obey(line.rstrip("\n"))
        os._exit(0)


def _leave_with(parent: int) -> None:
    """Leave when the parent has died, should somebody else hold the pipe open."""
    while os.getppid() == parent:
        time.sleep(_CHECK_PARENT)
    os._exit(0)
