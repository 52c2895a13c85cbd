"""Who gets the next free core: one queue for all heavy work, fair between visitors.

A turn is something that wants a core: a training run, a prior, a cell of a table. What takes
seconds goes before what takes minutes. Among equals the visitor who has the fewest cores comes
first, and of two such visitors the one who asked first. Who is not watched lets all others pass.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from gdr_tools.jobs.process import Worker

SLICE = 30.0  # seconds that a turn may keep its core while another visitor waits for one


class Turn:
    """Something that wants a core. Its lock is the pool's.

    owner     the visitor who asked for it
    waiting   smaller is earlier
    since     when its present state began
    worker    its process, which it may keep while it waits
    short     whether it takes seconds, so that training lets it go first
    """

    owner: str
    waiting: int
    since: float
    worker: Worker | None
    short = False

    @property
    def waits(self) -> bool:
        """Whether it stands in the queue."""
        raise NotImplementedError

    @property
    def takes_a_core(self) -> bool:
        """Whether its worker computes now."""
        raise NotImplementedError

    @property
    def is_watched(self) -> bool:
        """Whether somebody still wants it."""
        raise NotImplementedError

    @property
    def can_give_way(self) -> bool:
        """Whether it can be interrupted now and go on later where it was."""
        raise NotImplementedError

    def begin(self) -> None:
        """Take a core."""
        raise NotImplementedError

    def give_way(self, number: int) -> None:
        """Leave the core, and wait again under a new number."""
        raise NotImplementedError


def in_order(turns: Collection[Turn]) -> list[Turn]:
    """The turns that wait, in the order in which they will get a core."""
    cores = Counter(turn.owner for turn in turns if turn.takes_a_core)
    waiting = [turn for turn in turns if turn.waits]
    order: list[Turn] = []
    while waiting:
        first = min(waiting, key=lambda turn: _rank(turn, cores))
        waiting.remove(first)
        order.append(first)
        cores[first.owner] += 1
    return order


def _rank(turn: Turn, cores: Counter[str]) -> tuple[bool, bool, int, int]:
    return not turn.is_watched, not turn.short, cores[turn.owner], turn.waiting


def who_gives_way(turns: Collection[Turn], first: Turn, now: float) -> Turn | None:
    """The turn at work that lets `first` go ahead, if one should.

    Training lets what is short go at once. Otherwise a turn that has had its core for `SLICE`
    seconds makes room for another visitor; that of the visitor with the most cores goes first.
    """
    cores = Counter(turn.owner for turn in turns if turn.takes_a_core)
    able = [turn for turn in turns if turn.can_give_way and _owes(turn, first, now)]
    return min(able, key=lambda turn: (-cores[turn.owner], turn.since), default=None)


def _owes(turn: Turn, first: Turn, now: float) -> bool:
    if first.short and not turn.short:
        return True
    has_had_its_time = now - turn.since > SLICE and turn.owner != first.owner
    return has_had_its_time and turn.short == first.short
