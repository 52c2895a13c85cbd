"""Places for runs: how many there are at once, and which run gives its own away.

Where all places are taken, runs that nobody watches give theirs away and keep their checkpoint, on
a shelf that holds a few times as many. What all of them hold in bytes is told in `holdings`.
"""

from __future__ import annotations

from gdr_tools.jobs.keeper import Keeper
from gdr_tools.jobs.refusals import TooManyRuns
from gdr_tools.jobs.report import PAUSED, QUEUED
from gdr_tools.jobs.run import NOBODY, Run

_SHELVED_FOR_EACH_PLACE = 4  # runs that have given their place away are kept up to this number
_OF_ONE_ADDRESS = 0.75  # of all places, and as many on the shelf; others are for everybody else


class Places:
    """The places of a keeper's runs; methods want its lock.

    most   runs that have a place at once, of everybody and of one owner
    """

    def __init__(self, keeper: Keeper, most: int, most_of_one: int):
        self.keeper, self.most, self.most_of_one = keeper, most, most_of_one

    def make_room(self, owned: int, address: str) -> None:
        """See that a new run has a place, for a visitor who has `owned` runs, or refuse it."""
        if self.keeper.pool.closed.is_set():
            raise TooManyRuns("the server is stopping")
        if owned >= self.most_of_one:
            raise TooManyRuns(f"{self.most_of_one} runs are kept for each visitor; remove one")
        near = [run for run in self._placed() if address and run.address == address]
        if len(near) >= self._most_near and not self._evict(near):
            raise TooManyRuns(
                f"{len(near)} runs from your network address are watched or train here, which is "
                "as many as one address may have; a place comes back when one of them is removed, "
                f"or when nobody has watched it for {self.keeper.unwatched:.0f} seconds"
            )
        if not self.free():
            raise TooManyRuns(self._all_taken())

    def take(self, run: Run) -> None:
        """A run whose place went to others needs one again."""
        if run.shelved and not self.free(run):
            raise TooManyRuns(self._all_taken())
        run.shelved = False

    def free(self, wanted: Run | None = None) -> bool:
        """Whether there is a place, now or because a run that nobody watches gave up its own."""
        others = [run for run in self._placed() if run is not wanted]
        return len(others) < self.most or self._evict(others)

    def _all_taken(self) -> str:
        return (
            f"all {self.most} places of this server are taken by runs that somebody watches; a "
            "place comes back when one of them is removed, or when nobody has watched it for "
            f"{self.keeper.unwatched:.0f} seconds"
        )

    def _placed(self) -> list[Run]:
        return [run for run in self.keeper.runs.values() if not run.shelved]

    def _evict(self, runs: list[Run]) -> bool:
        """Take the place of a run that nobody watches: one that has ended, or else one that does
        not train. Its checkpoint, its history and its result are kept."""
        idle = [r for r in runs if not r.is_watched and (r.ended or r.state in (PAUSED, QUEUED))]
        if not idle:
            return False
        leaving = min(idle, key=lambda run: (not run.ended, run.watched))
        if not leaving.ended:
            self.keeper.hold(leaving, leaving.paused_by or NOBODY)
        self.keeper.pool.let_go(leaving)
        leaving.ready, leaving.shelved = False, True
        self._thin_shelf()
        return True

    @property
    def _most_near(self) -> int:
        """Runs of one network address that may have a place, and as many more on the shelf."""
        return max(int(_OF_ONE_ADDRESS * self.most), 1)

    def _thin_shelf(self) -> None:
        """Forget what was looked at longest ago, of one address first and then of everybody."""
        for address in {run.address for run in self._shelf() if run.address}:
            near = [run for run in self._shelf() if run.address == address]
            self._forget_all_but(near, self._most_near)
        self._forget_all_but(self._shelf(), _SHELVED_FOR_EACH_PLACE * self.most)

    def _shelf(self) -> list[Run]:
        shelved = (run for run in self.keeper.runs.values() if run.shelved)
        return sorted(shelved, key=lambda run: run.watched)

    def _forget_all_but(self, runs: list[Run], most: int) -> None:
        for run in runs[: max(len(runs) - most, 0)]:
            self.keeper.forget(run)
