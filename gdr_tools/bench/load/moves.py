"""What visitors do, about once a second each: move t_min, switch pages, choose nodes and graphs."""

from __future__ import annotations

import asyncio
import random
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from gdr_tools.bench.load.visitor import Visitor, VisitorError

BETWEEN: Final = 1.0  # seconds that a visitor looks before the next move, on average
FIRST, T_MIN = "first page", "t_min"
START: Final = "Relabel"
_LINK: Final = "dataset=cora&below=relabelled+nodes"  # the table is open
PAGES: Final = ("Dataset", "Prior", "Overshoot", "Compare", "Structure", "Lab", "Your data")
DATASETS: Final = ("cora", "cora", "citeseer", "karate")
_WEIGHTS: Final = {T_MIN: 72, "why": 10, "page": 12, "dataset": 6}
_SEEDS: Final = 10_000  # that the sidebar knows
_ROWS: Final = 40  # of the table, from which a visitor chooses


@dataclass
class Log:
    """Seconds by kind of move, and all that went wrong."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: list[str] = field(default_factory=list)

    async def time(self, move: str, act: Awaitable[float]) -> None:
        """Do something and keep how long it took, or why it failed."""
        try:
            seconds = await act
            self.seconds[move].append(seconds)
        except (VisitorError, TimeoutError, OSError) as error:
            self.errors.append(f"{move}: {type(error).__name__}: {error}")
            raise


async def stroll(address: str, log: Log, end: float, seed: int) -> None:
    """One visitor from coming to leaving; who loses the connection comes again."""
    luck = random.Random(seed)
    while time.perf_counter() < end:
        visitor = Visitor(address)
        try:
            await log.time(FIRST, arrive(visitor))
            while time.perf_counter() < end:
                await asyncio.sleep(luck.uniform(0.5, 1.5) * BETWEEN)
                await log.time(*next_move(visitor, luck))
        except (VisitorError, TimeoutError, OSError):
            await asyncio.sleep(BETWEEN)
        finally:
            log.errors += [f"shown: {text}" for text in visitor.errors]
            await visitor.close()


async def arrive(visitor: Visitor) -> float:
    """Come to the first page as a browser does."""
    began = time.perf_counter()
    await visitor.fetch_shell()
    await visitor.connect()
    await visitor.open(START, _LINK)
    return time.perf_counter() - began


def next_move(visitor: Visitor, luck: random.Random) -> tuple[str, Awaitable[float]]:
    """What a visitor does next: its name, and the doing."""
    if not visitor.has_t_min():  # on another page: back to where t_min is
        return "page", visitor.go(START)
    [kind] = luck.choices(list(_WEIGHTS), list(_WEIGHTS.values()))
    if kind == "why" and not visitor.has("dataframe", ""):
        kind = T_MIN  # the table is closed for who came back to another page, by its link
    acts: dict[str, Callable[[], Awaitable[float]]] = {
        T_MIN: lambda: visitor.step_t_min(luck.choice([-3, -2, -1, 1, 2, 3])),
        "why": lambda: visitor.choose_row(luck.randrange(_ROWS)),
        "page": lambda: visitor.go(luck.choice(PAGES)),
        "dataset": lambda: visitor.choose("Dataset", luck.choice(DATASETS)),
    }
    return kind, acts[kind]()


async def compute_prior(address: str, log: Log, end: float, dataset: str, prior: str) -> None:
    """A visitor who asks for a prior that takes long, and waits for it until the phase ends."""
    seed = time.time_ns() // 10**8 % _SEEDS
    link = f"dataset={dataset}&prior={prior}&split=random&seed={seed}"
    async with Visitor(address) as visitor:
        waiting = asyncio.create_task(visitor.open("Prior", link))
        await asyncio.wait([waiting], timeout=end - time.perf_counter())
        if not waiting.done():  # the visitor leaves, and with them the work
            waiting.cancel()
        else:
            with suppress(VisitorError, TimeoutError, OSError):  # they are in the log
                await log.time(f"prior {prior} on {dataset}", waiting)
                if not any(f"&quot;seed&quot;: {seed}," in told for told in visitor.facts("prior")):
                    log.errors.append(f"prior {prior} on {dataset}: not for the seed {seed}")
        log.errors += [f"shown: {text}" for text in visitor.errors]


async def compute_priors(address: str, log: Log, end: float, dataset: str, prior: str) -> None:
    """The same again and again, each time for another split."""
    while time.perf_counter() < end:
        await compute_prior(address, log, end, dataset, prior)
        await asyncio.sleep(BETWEEN)


async def train(address: str, log: Log, end: float, dataset: str) -> None:
    """A visitor who trains a network and watches it."""
    try:
        async with Visitor(address) as visitor:
            await visitor.open("Train", f"dataset={dataset}&model=gcn&gcn-undirected-epochs=20000")
            await log.time("start training", visitor.press("Start"))
            while time.perf_counter() < end:
                await asyncio.sleep(next(iter(visitor.looks.values()), 1.0))
                if visitor.looks:
                    await log.time("look at training", visitor.look_again())
            log.errors += [f"shown: {text}" for text in visitor.errors]
            await log.time("remove training", visitor.press("Remove"))  # or it would go on
    except (VisitorError, TimeoutError, OSError):
        pass  # it is in the log
