"""How much memory a worker may take, how much a training run will, and what holds it to that."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from gdr_core.datasets.record import Dataset
from gdr_core.neural.options import TrainingOptions

SHARE = 0.5  # of the machine that all workers together may take
LARGE = 900 << 20  # bytes; a worker that has become larger leaves rather than wait for work
MEGABYTES_VARIABLE = "GDR_MEMORY"  # that all workers together may take, if not half of the machine
WORKERS_VARIABLE = "GDR_WORKERS"  # that compute at the same time, if not one a core
_LEAST = 1 << 30  # bytes; less than this no run could begin
_BASE = 480e6  # bytes of a process that has imported what it needs
_WEIGHTS = 7  # copies: weights, gradient, two of Adam, best, average, one to save
_ACTIVATIONS = 7  # of a layer: forwards, backwards, and what the diffusion holds at once
_FEATURES = 25  # numbers for each stored entry: both orders, values and indices, while it is built
RESIDENT, DATA = 1, 5  # columns of /proc/self/statm
_LIMITS = Path("/sys/fs/cgroup/memory.max")


class Plan(NamedTuple):
    """How many workers compute, how many more may rest with a job, and bytes that each may take.

    One more waits without a job, of at most `LARGE` bytes.
    """

    slots: int
    resting: int
    allowance: int

    @property
    def most(self) -> int:
        """Bytes of all workers at their largest."""
        return (self.slots + self.resting) * self.allowance + LARGE


def plan(slots: int) -> Plan:
    """What fits: as many workers as are wanted, or fewer, but one in any case."""
    room = together() - LARGE
    places = room // _LEAST
    found = min(slots, max(places - 1, 1))
    resting = min(max(places - found, 0), found)
    return Plan(found, resting, max(room // (found + resting), _LEAST))


def allowance(workers: int) -> int:
    """Bytes that each of so many workers may take where as many rest, and one waits."""
    return max((together() - LARGE) // (2 * workers), _LEAST)


def together() -> int:
    """Bytes that all workers of this server may take."""
    given = number_from(MEGABYTES_VARIABLE)
    return int(SHARE * machine()) if given is None else given << 20


def number_from(variable: str) -> int | None:
    """A whole number from 1 in the environment; None where there is nothing."""
    given = os.environ.get(variable, "").strip()
    if given and (not given.isdecimal() or int(given) < 1):
        raise ValueError(f"{variable} must be a whole number from 1, got {given!r}")
    return int(given) if given else None


def machine() -> int:
    """Bytes that there are for this process and all others, as far as one can know."""
    try:
        found = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        found = 8 << 30
    with suppress(OSError, ValueError):  # a container's limit; "max" where there is none
        found = min(found, int(_LIMITS.read_text(encoding="ascii")))
    return found


def training_bytes(dataset: Dataset, options: TrainingOptions) -> int:
    """About what a run will take: its process, weights, layers and features."""
    features, stored = dataset.features.shape[1], dataset.features.nnz
    passes = options.samples if options.model == "heat-net" else 1
    layers = passes * (options.hidden + dataset.classes)
    walks = 2 if options.direction == "augmented" else 1
    weights = walks * options.hidden * (features + dataset.classes)
    found = _WEIGHTS * weights + walks * _ACTIVATIONS * dataset.nodes * layers + _FEATURES * stored
    return int(_BASE + 4 * found)


def check(dataset: Dataset, options: TrainingOptions, allowed: int) -> None:
    """Refuse a run that needs more than is allowed."""
    needed = training_bytes(dataset, options)
    if needed > allowed:
        raise ValueError(
            f"a network with {options.hidden:,} hidden units on {dataset.name} takes about "
            f"{needed / 1e9:.1f} GB of memory, and a run on this server may take "
            f"{allowed / 1e9:.1f} GB; choose fewer hidden units"
        )


def hold_to(allowed: int) -> None:
    """Let this process have no more than this, where the system can see to it.

    What is limited is data that is reserved, of which libraries reserve much and use little: what
    is reserved by now does not count beyond what is in use.
    """
    used, reserved = (_pages(column) for column in (RESIDENT, DATA))
    limit = reserved + max(allowed - used, 0)
    with suppress(ImportError, OSError, ValueError, AttributeError):
        import resource

        most = resource.getrlimit(resource.RLIMIT_DATA)[1]
        if reserved and (most == resource.RLIM_INFINITY or limit < most):
            resource.setrlimit(resource.RLIMIT_DATA, (limit, most))


def release() -> None:
    """Lift what `hold_to` has set: it was for a job that is done."""
    with suppress(ImportError, OSError, ValueError, AttributeError):
        import resource

        most = resource.getrlimit(resource.RLIMIT_DATA)[1]
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def resident() -> int:
    """Bytes that this process has in memory; 0 where the system does not say."""
    return _pages(RESIDENT)


def _pages(column: int) -> int:
    with suppress(OSError, ValueError, IndexError):
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[column]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
    return 0
