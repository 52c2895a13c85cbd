"""Benchmark of the server: many visitors at once, what each of their moves takes, what it costs.

    python -m gdr_core bench load --users 40 --seconds 120
    python -m gdr_core bench load --users 40 --seconds 60 --phases calm,heavy,after,hostile

Visitors speak Streamlit's protocol (see `visitor`), look about a second and move on (`moves`). All
of them live in one thread, so that two cores are enough for them and the server. In the phase
`heavy` one more visitor computes priors on Pubmed, one after another, and two train networks;
`after` is a calm phase after a prior of torch was computed; in `hostile`, clients try to do harm.

    python -m gdr_core bench load --replicas --phases calm,kill

is about three servers behind a proxy (deploy/replicas.py), of which one is killed in `kill`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from statistics import median
from typing import Any, Final

from gdr_core.progress import Progress, ignore
from gdr_tools.bench.browser import running_app
from gdr_tools.bench.load import hostile
from gdr_tools.bench.load import replicas as several
from gdr_tools.bench.load.meter import Meter
from gdr_tools.bench.load.moves import (
    FIRST,
    T_MIN,
    Log,
    compute_prior,
    compute_priors,
    stroll,
    train,
)
from gdr_tools.bench.load.tabs import browse
from gdr_tools.bench.load.visitor import PATIENCE

_PHASES: Final = ("calm", "heavy", "after", "hostile", "kill")
_ARRIVALS: Final = 8.0  # visitors a second
_QUICK: Final = (8, 10.0)
# What is aimed at with forty visitors on two cores, in seconds.
TARGETS: Final = {
    T_MIN: {"median": 1.0, "p95": 3.0},
    FIRST: {"most": 5.0},
    several.BACK: {"most": several.SOONEST},
    several.RUN_ON: {"most": several.SOONEST},
}
_CALM_RATIO: Final = 1.5  # of the median of t_min while others compute, to that of the calm phase


def run(
    quick: bool = False,
    progress: Progress = ignore,
    *,
    users: int = 40,
    seconds: float = 60.0,
    phases: str = "calm",
    browsers: int = 0,
    url: str | None = None,
    pid: int | None = None,
    replicas: bool = False,
) -> dict[str, Any]:
    """Every phase in turn against one server, which is started unless `url` says where one is.

    pid        of the server at `url`, whose memory and processor time are then measured
    replicas   three servers behind a proxy instead of one
    """
    if quick:
        users, seconds = _QUICK
    names = [name.strip() for name in phases.split(",") if name.strip()]
    if unknown := [name for name in names if name not in _PHASES]:
        raise ValueError(f"unknown phase {unknown[0]!r}; choose from {', '.join(_PHASES)}")
    if "kill" in names and not replicas:
        raise ValueError("the phase kill needs several servers: add --replicas")
    found: dict[str, Any] = {"users": users, "seconds": seconds, "phases": {}}
    with _server(url, pid, replicas) as (address, process, all_of_them):
        for number, name in enumerate(names):
            progress(number / len(names), f"{name}: {users} visitors for {seconds:g} seconds")
            if name == "kill":
                act = _kill_phase(address, all_of_them, users, seconds)
            else:
                act = _phase(name, address, process, users, seconds, browsers)
            found["phases"][_unused(name, found["phases"])] = asyncio.run(act)
    progress(1.0, "done")
    return found


def _unused(name: str, phases: dict[str, Any]) -> str:
    """A name for a phase that may come more than once: `calm`, `calm 2` and so on.

    >>> _unused("calm", {}), _unused("calm", {"calm": {}})
    ('calm', 'calm 2')
    """
    times = 1 + sum(each.split()[0] == name for each in phases)
    return name if times == 1 else f"{name} {times}"


@contextmanager
def _server(
    url: str | None, pid: int | None, replicas: bool = False
) -> Iterator[tuple[str, int | None, dict[str, int]]]:
    """The address, the process that is measured, and those that may be killed."""
    if url is not None:
        yield url, pid, {}
    elif replicas:
        with several.running_replicas() as (address, processes):
            yield address, None, processes
    else:
        with running_app() as app:
            yield app.address, app.process.pid, {}


async def _kill_phase(
    address: str, processes: dict[str, int], users: int, seconds: float
) -> dict[str, Any]:
    log, others = Log(), Log()
    told = await several.lose_one(address, processes, log, others, users, seconds)
    return {
        "moves": {move: _figures(laps) for move, laps in log.seconds.items() if laps},
        "others": {move: _figures(laps) for move, laps in others.seconds.items() if laps},
        "errors": [*log.errors, *others.errors],
        "told": told,
        "server": {},
    }


async def _phase(
    name: str, address: str, pid: int | None, users: int, seconds: float, browsers: int
) -> dict[str, Any]:
    log, others, meter = Log(), Log(), Meter(pid)
    if name == "after":
        await compute_prior(address, others, time.perf_counter() + PATIENCE, "cora", "gcn")
    watching = asyncio.create_task(meter.watch())
    end = time.perf_counter() + seconds
    extra: list[Any] = []
    if name == "heavy":
        extra += [compute_priors(address, others, end, "pubmed", "svm")]
        extra += [train(address, others, end, dataset) for dataset in ("cora", "citeseer")]
    if name == "hostile":
        extra += [hostile.attack(address)]
    if browsers:
        extra += [asyncio.to_thread(browse, address, log, end, browsers)]
    visits = [_late(number / _ARRIVALS, address, log, end, number) for number in range(users)]
    told = await asyncio.gather(*visits, *extra, return_exceptions=True)
    watching.cancel()
    with suppress(asyncio.CancelledError):
        await watching
    failures = [repr(each) for each in told if isinstance(each, BaseException)]
    return {
        "moves": {move: _figures(laps) for move, laps in log.seconds.items()},
        "others": {move: _figures(laps) for move, laps in others.seconds.items()},
        "errors": [*log.errors, *others.errors, *failures],
        "told": next((each for each in told if isinstance(each, list)), []),
        "server": meter.summary(sum(map(len, log.seconds.values()))),
    }


async def _late(delay: float, address: str, log: Log, end: float, seed: int) -> None:
    await asyncio.sleep(delay)
    await stroll(address, log, end, seed)


def _figures(laps: list[float]) -> dict[str, float]:
    ordered = sorted(laps)
    return {
        "times": len(ordered),
        "median": median(ordered),
        "p95": ordered[int(0.95 * (len(ordered) - 1))],
        "most": ordered[-1],
    }


def table(result: dict[str, Any]) -> str:
    """The measurements for people."""
    lines = [f"{result['users']} visitors, {result['seconds']:g} s a phase"]
    for name, phase in result["phases"].items():
        lines += ["", *_phase_lines(name, phase)]
    if calm := result["phases"].get("calm"):
        others = [name for name in result["phases"] if name != "calm"]
        lines += ["", *(_ratio_line(name, result["phases"][name], calm) for name in others)]
    return "\n".join(lines)


def _phase_lines(name: str, phase: dict[str, Any]) -> Iterator[str]:
    yield f"{name + ', seconds':<28}{'times':>8}{'median':>9}{'p95':>9}{'most':>9}   target"
    for move, seen in sorted({**phase["moves"], **phase["others"]}.items()):
        numbers = "".join(f"{seen[key]:>9.2f}" for key in ("median", "p95", "most"))
        aims = " ".join(f"{key} < {most:g}" for key, most in TARGETS.get(move, {}).items())
        yield f"{move:<28}{seen['times']:>8}{numbers}   {aims}".rstrip()
    if server := phase["server"]:
        sizes = [f"{server[f'memory_{at}'] / 1e6:.0f}" for at in ("start", "middle", "end")]
        flat = "flat" if server["memory_flat"] else "GROWING"
        yield (
            f"server: {server['processor_share']:.0%} of a core, "
            f"{1000 * server['processor_each']:.1f} ms of it a move, memory {' → '.join(sizes)} MB "
            f"({flat} over the second half), workers at most {server['workers_most'] / 1e6:.0f} MB"
        )
    yield from (f"{name}: {text}" for text in phase["told"])
    errors = phase["errors"]
    yield f"errors: {len(errors)}" + "".join(f"\n  {text}" for text in errors[:10])


def _ratio_line(name: str, phase: dict[str, Any], calm: dict[str, Any]) -> str:
    medians = [each["moves"].get(T_MIN, {}).get("median", float("nan")) for each in (phase, calm)]
    return (
        f"{name}: median of t_min {medians[0] / medians[1]:.2f} × that of the calm phase "
        f"(target {_CALM_RATIO:g}), slowest step {phase['moves'][T_MIN]['most']:.2f} s (target 3)"
    )
