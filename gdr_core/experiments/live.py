"""Cells that visitors run again: each in a process of its own, one a core, the rest waiting.

    runs = LiveRuns()
    runs.start("my wish", cell, seeds=1)
    result = runs.wait("my wish", progress)

A run belongs to a key, not to whoever waits for it: waiting may be broken off and taken up again.
A run that nobody asks about ends after a while. Closing, or the death of this process in any way,
ends all processes.
"""

from __future__ import annotations

import atexit
import json
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from threading import Event, RLock, Thread
from typing import Any

from gdr_core.experiments.cells import Cell
from gdr_core.jobs.process import Worker
from gdr_core.jobs.registry import cores
from gdr_core.progress import Progress

COMPUTER = "gdr_core.experiments.worker"
ASK = 0.2  # seconds between two questions of somebody who waits
TICK = 1.0  # seconds between two rounds of the keeper


class RunFailed(RuntimeError):
    """A run has no result; the message says why, as one or more sentences."""


@dataclass(frozen=True)
class State:
    """How a run stands.

    ahead     runs that must end before it begins; None once it has begun
    share     of the work that is done, from 0 to 1, and in `text` what is being done
    result    what `run_cell` gives, None until then
    trouble   why there will be no result, empty if nothing is wrong
    """

    ahead: int | None = None
    share: float = 0.0
    text: str = "starting"
    result: dict[str, Any] | None = None
    trouble: str = ""

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen."""
        return self.result is not None or bool(self.trouble)


class Run:
    """What `LiveRuns` remembers of one run."""

    def __init__(self, cell: Cell, seeds: int, now: float):
        self.cell, self.seeds, self.asked = cell, seeds, now
        self.process: Worker | None = None
        self.state = State()

    def hear(self, message: dict[str, Any]) -> None:
        """Take a message of the process."""
        if message["kind"] == "progress":
            self.state = replace(self.state, share=message["share"], text=message["text"])
        elif message["kind"] == "result":
            self.state = replace(self.state, share=1.0, result=message["result"])
        elif message["kind"] == "error":
            self.state = replace(self.state, trouble=f"{message['text'].rstrip('.')}.")


class LiveRuns:
    """Runs by key. All methods may be called from any thread.

    slots      processes at the same time; one a core by default
    patience   seconds after which a run that nobody asks about ends if others wait for its place
    memory     seconds after which it ends, or its outcome is forgotten, in any case
    """

    def __init__(
        self,
        *,
        slots: int | None = None,
        patience: float = 60.0,
        memory: float = 600.0,
        clock: Callable[[], float] = time.monotonic,
    ):
        self.slots = cores() if slots is None else slots
        self.patience, self.memory, self.clock = patience, memory, clock
        self.lock = RLock()
        self.runs: dict[Hashable, Run] = {}  # in the order in which they were asked for
        self.closed = Event()
        atexit.register(self.close)
        Thread(target=self._keep, daemon=True).start()

    def start(self, key: Hashable, cell: Cell, seeds: int) -> None:
        """Begin a run as soon as a core is free; a key that is known already is left alone."""
        with self.lock:
            if key not in self.runs and not self.closed.is_set():
                self.runs[key] = Run(cell, seeds, self.clock())
                self._begin()

    def state(self, key: Hashable) -> State:
        """How a run stands. Whoever asks keeps it alive."""
        with self.lock:
            run = self.runs.get(key)
            if run is None:
                raise RunFailed(self._forgotten())
            run.asked = self.clock()
            return replace(run.state, ahead=self._ahead(run))

    def wait(self, key: Hashable, progress: Progress) -> dict[str, Any]:
        """The result of a run, which is then forgotten. If `progress` raises, the run goes on."""
        while not (state := self.state(key)).ended:
            progress(state.share, self.words(state))
            time.sleep(ASK)
        if state.result is None:
            raise RunFailed(state.trouble)
        self.cancel(key)
        return state.result

    def words(self, state: State) -> str:
        """What a run is doing, or what it waits for."""
        if state.ahead is None:
            return state.text
        at_once = "one cell runs" if self.slots == 1 else f"{self.slots} cells run"
        return f"waiting, {state.ahead} before it; {at_once} at a time on this server"

    def cancel(self, key: Hashable) -> None:
        """End a run and forget it; nothing happens if there is none."""
        with self.lock:
            run = self.runs.pop(key, None)
            if run is not None and run.process is not None:
                run.process.close()
            self._begin()

    def close(self) -> None:
        """End all runs and take no more."""
        self.closed.set()
        with self.lock:
            for key in list(self.runs):
                self.cancel(key)
        atexit.unregister(self.close)

    # ------------------------------------------------------------ inside, with the lock held

    def _waiting(self) -> list[Run]:
        return [run for run in self.runs.values() if run.process is None and not run.state.ended]

    def _running(self) -> list[Run]:
        return [run for run in self.runs.values() if run.process is not None]

    def _ahead(self, run: Run) -> int | None:
        waiting = self._waiting()
        return len(self._running()) + waiting.index(run) if run in waiting else None

    def _begin(self) -> None:
        """Start what waits while there are cores."""
        if self.closed.is_set():
            return
        for run in self._waiting()[: max(self.slots - len(self._running()), 0)]:
            try:
                request = json.dumps({"cell": vars(run.cell), "seeds": run.seeds})
                run.process = Worker(*self._ears(run), COMPUTER, (request,))
            except OSError as error:  # no memory, no more processes
                run.state = replace(run.state, trouble=f"No process could be started: {error}.")

    def _ears(
        self, run: Run
    ) -> tuple[Callable[[Worker, dict[str, Any]], None], Callable[[Worker, str], None]]:
        def hear(worker: Worker, message: dict[str, Any]) -> None:
            with self.lock:
                run.hear(message)

        def leave(worker: Worker, how: str) -> None:
            with self.lock:
                run.process = None
                if not run.state.ended:
                    run.state = replace(run.state, trouble=how)
                self._begin()

        return hear, leave

    def _forgotten(self) -> str:
        return (
            "The server no longer knows this run. A run ends when nobody looks at it for "
            f"{self.memory / 60:.0f} minutes ({self.patience:.0f} seconds if others wait), or when "
            "the server starts anew. Start it again."
        )

    # ------------------------------------------------------------ the keeper's thread

    def _keep(self) -> None:
        while not self.closed.wait(TICK):
            self.tend()

    def tend(self) -> None:
        """End what nobody asks about any more."""
        with self.lock:
            allowed = self.patience if self._waiting() else self.memory
            now = self.clock()
            for key, run in list(self.runs.items()):
                limit = self.memory if run.state.ended else allowed
                if now - run.asked > limit:
                    self.cancel(key)
