"""Who gets the next free core: one queue for all heavy work, fair between visitors.

A turn is something that wants a core: a training run, a prior, a cell of a table. What takes
seconds goes before what takes minutes. Among equals visitors take rounds: what a visitor asks for
while something else of theirs is under way comes a round later, and within a round who asked first
comes first. So a place in the queue does not get worse by what others end. Who is not watched lets
all others pass.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from gdr_tools.jobs.process import Worker

SLICE = 30.0  # seconds that a turn may keep its core while another visitor waits for one


class Turn:
    """Something that wants a core. Its lock is the pool's.

    owner     the visitor who asked for it
    waiting   its round and a number; smaller is earlier
    since     when its present state began
    worker    its process, which it may keep while it waits
    short     whether it takes seconds, so that training lets it go first
    """

    owner: str
    waiting: tuple[int, int]
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

    def give_way(self, waiting: tuple[int, int]) -> None:
        """Leave the core, and wait again in a later round."""
        raise NotImplementedError


def in_order(turns: Collection[Turn]) -> list[Turn]:
    """The turns that wait, in the order in which they will get a core."""
    waiting = (turn for turn in turns if turn.waits)
    return sorted(waiting, key=lambda turn: (not turn.is_watched, not turn.short, turn.waiting))


def round_of(owner: str, turns: Collection[Turn], current: int) -> int:
    """The round of what a visitor asks for now: after all else of theirs that is under way."""
    theirs = (turn for turn in turns if turn.owner == owner and (turn.waits or turn.takes_a_core))
    return max([current, *(turn.waiting[0] + 1 for turn in theirs)])


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
