"""Several servers behind a proxy, one of which is killed: how soon its visitors are back, where.

Visitors go on as a browser does: they notice that the connection has ended, ask the proxy again
and open the page by its link. All must come back to the same view, and training must go on.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Final

from gdr_tools.bench.browser import ROOT
from gdr_tools.bench.load.moves import BETWEEN, FIRST, Log, arrive, next_move
from gdr_tools.bench.load.visitor import AGAIN, Visitor, VisitorError

BACK: Final = "back after the kill"
_AT_RUN: Final = "back at the run after the kill"
RUN_ON: Final = "training goes on after the kill"
SOONEST: Final = 10.0  # seconds, the target for both
_TRAINING: Final = ("cora", "citeseer")
_COOKIE: Final = "GDR_SERVER"  # of the proxy: which replica a visitor has
_TRAINED: Final = 20  # epochs of each run before a server is killed
_LATEST: Final = 0.8  # of the phase, after which none is killed any more
_PATIENCE: Final = 12 * SOONEST  # after which nobody comes back and no run goes on any more
_TRIES: Final = 0.5  # seconds between two tries to come back
_FAILURES: Final = (VisitorError, TimeoutError, OSError)


@contextmanager
def running_replicas() -> Iterator[tuple[str, dict[str, int]]]:
    """The arrangement of deploy/replicas.py: its address, and its processes by their names."""
    script = ROOT / "deploy" / "replicas.py"
    command = [sys.executable, str(script), f"--port={_ports(4)}"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    try:
        if not (line := process.stdout.readline()):
            raise OSError("the replicas have not started: is haproxy installed?")
        told = json.loads(line)
        yield f"http://localhost:{told['port']}", told["processes"]
    finally:
        process.terminate()
        process.wait(30)


def _ports(count: int) -> int:
    """The first of some free ports in a row."""
    for first in range(20_000 + os.getpid() % 20_000, 60_000, count):
        with suppress(OSError):
            for port in range(first, first + count):
                with socket.socket() as probe:
                    probe.bind(("127.0.0.1", port))
            return first
    raise OSError("no free ports")


@dataclass
class Kill:
    """What happened when a server was killed.

    at          when, None as long as all are alive
    server      which one
    had         visitors whom it had
    elsewhere   what was not as before for somebody who came back
    visitors    by their number; those who train have numbers below 0
    epochs      how far each run of training was seen to be
    """

    processes: dict[str, int]
    at: float | None = None
    server: str = ""
    had: int = 0
    elsewhere: list[str] = field(default_factory=list)
    visitors: dict[int, Visitor] = field(default_factory=dict)
    epochs: dict[str, int] = field(default_factory=dict)

    async def strike(self, moment: float, latest: float, chosen: Callable[[], str]) -> None:
        """Kill one server when the moment has come and all runs have begun to train; none where
        they have not until the latest."""
        while time.perf_counter() < moment or min(self.epochs.values(), default=0) < _TRAINED:
            if time.perf_counter() > latest:
                return
            await asyncio.sleep(0.1)
        self.server = chosen()
        self.had = self.spread[self.server]
        self.at = time.perf_counter()
        os.kill(self.processes[self.server], signal.SIGKILL)

    @property
    def spread(self) -> Counter[str]:
        """How many visitors each server has."""
        return Counter(server_of(visitor) for visitor in self.visitors.values())

    async def bring_back(
        self, lost: Visitor, log: Log, name: str, resting: bool = False
    ) -> Visitor:
        """Who has lost the connection comes back as a browser does, by the link.

        resting   whether the page was complete: then it has to say the same as before
        """
        if self.at is None:
            raise VisitorError("a connection broke, and no server was killed")
        page, link, facts = lost.view
        while True:
            visitor = Visitor(lost.address, headers=lost.headers)
            try:
                await visitor.fetch_shell(AGAIN)
                await visitor.connect()
                await visitor.open(lost.place_name, link)
                break
            except _FAILURES as error:
                await visitor.close()
                if time.perf_counter() - self.at > _PATIENCE:
                    raise VisitorError(f"not back after {_PATIENCE:g} s: {error}") from error
                await asyncio.sleep(_TRIES)
        log.seconds[name].append(time.perf_counter() - self.at)
        if (visitor.page, visitor.query) != (page, link):
            self.elsewhere.append(f"{lost.place_name}?{link} became ?{visitor.query}")
        elif resting and visitor.view[2] != facts:
            self.elsewhere.append(f"{lost.place_name}?{link}: {facts} became {visitor.view[2]}")
        return visitor


def server_of(visitor: Visitor) -> str:
    """Which replica a visitor has, by the proxy's cookie."""
    return visitor.cookies.get(_COOKIE, "")


async def _endure(address: str, log: Log, end: float, seed: int, kill: Kill) -> None:
    """One visitor from coming to leaving, who comes back when the server dies."""
    luck, visitor = random.Random(seed), Visitor(address)
    kill.visitors[seed] = visitor
    try:
        await log.time(FIRST, arrive(visitor))
        while time.perf_counter() < end:
            gone = await visitor.is_gone_within(luck.uniform(0.5, 1.5) * BETWEEN)
            if gone or await _interrupted(visitor, log, kill, *next_move(visitor, luck)):
                visitor = await kill.bring_back(visitor, log, BACK, resting=gone)
                kill.visitors[seed] = visitor
    except _FAILURES as error:
        if not log.errors or str(error) not in log.errors[-1]:
            log.errors.append(f"{type(error).__name__}: {error}")
    finally:
        log.errors += [f"shown: {text}" for text in visitor.errors]
        await visitor.close()


async def _interrupted(
    visitor: Visitor, log: Log, kill: Kill, name: str, act: Awaitable[float]
) -> bool:
    """Make one move; whether the death of the server has come in between."""
    try:
        seconds = await act
    except _FAILURES as error:
        if kill.at is not None and server_of(visitor) == kill.server:
            return True
        log.errors.append(f"{name}: {type(error).__name__}: {error}")
        raise
    log.seconds[name].append(seconds)
    return False


async def _train_on(address: str, log: Log, end: float, dataset: str, kill: Kill) -> None:
    """A visitor who trains a network; when the server dies, another one goes on with the run."""
    visitor = Visitor(address)
    try:
        await visitor.fetch_shell()
        await visitor.connect()
        kill.visitors[-1 - len(kill.visitors)] = visitor
        await visitor.open("Train", f"dataset={dataset}&model=gcn&gcn-undirected-epochs=90000")
        await log.time("start training", visitor.press("Start"))
        while time.perf_counter() < end:
            gone = await visitor.is_gone_within(next(iter(visitor.looks.values()), 1.0))
            look = "look at training"
            if not gone and visitor.looks:
                gone = await _interrupted(visitor, log, kill, look, visitor.look_again())
                kill.epochs[dataset] = max(kill.epochs[dataset], visitor.epoch)
            if gone:
                visitor = await kill.bring_back(visitor, log, _AT_RUN)
                assert kill.at is not None
                await _wait_for_epoch(visitor, kill.epochs[dataset], kill.at + _PATIENCE)
                log.seconds[RUN_ON].append(time.perf_counter() - kill.at)
        log.errors += [f"shown: {text}" for text in visitor.errors]
    except _FAILURES as error:
        log.errors.append(f"training: {type(error).__name__}: {error}")
    finally:
        await visitor.close()


async def _wait_for_epoch(visitor: Visitor, least: int, end: float) -> None:
    while visitor.epoch <= least:
        if time.perf_counter() > end:
            raise VisitorError(f"a run was at epoch {least}, and is at {visitor.epoch}")
        await asyncio.sleep(0.2)
        if visitor.looks:
            await visitor.look_again()


async def lose_one(
    address: str, processes: dict[str, int], log: Log, others: Log, users: int, seconds: float
) -> list[str]:
    """A phase in the middle of which the server of a training run is killed."""
    kill, begin = Kill(processes, epochs=dict.fromkeys(_TRAINING, 0)), time.perf_counter()
    end = begin + seconds
    trainers = [_train_on(address, others, end, name, kill) for name in _TRAINING]

    def chosen() -> str:
        training = [server_of(each) for number, each in kill.visitors.items() if number < 0]
        return max(training, key=lambda name: kill.spread[name])

    visits = [_late(number / 8.0, address, log, end, number, kill) for number in range(users)]
    middle, latest = begin + seconds / 2, begin + _LATEST * seconds
    await asyncio.gather(kill.strike(middle, latest, chosen), *trainers, *visits)
    if kill.at is None:
        log.errors.append(f"no server was killed: training is at epochs {kill.epochs}")
        return []
    back = len(log.seconds[BACK]) + len(others.seconds[_AT_RUN])
    if back != kill.had:
        log.errors.append(f"{kill.had} visitors lost their server, {back} came back")
    log.errors += kill.elsewhere
    return [
        f"{kill.server} was killed by its process id after {kill.at - begin:.0f} s; it had "
        f"{kill.had} of {len(kill.visitors)} visitors; {back} came back, {len(kill.elsewhere)} of "
        "them to another view"
    ]


async def _late(delay: float, address: str, log: Log, end: float, seed: int, kill: Kill) -> None:
    await asyncio.sleep(delay)
    await _endure(address, log, end, seed, kill)
