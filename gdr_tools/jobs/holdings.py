"""What runs hold beside their places: results in memory, checkpoints on disk, each within a budget.

Where a budget is passed, whoever holds most gives first (a network address, or a visitor whose
address is not known), and of that the run that was looked at longest ago:

- in memory the weights of networks, then whole runs that have ended and that nobody watches;
- on disk the checkpoints of runs that have ended, then runs on the shelf, then any other run, which
  ends and can begin anew.

The class probabilities of a run that is kept are kept, so that it goes on being a prior.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from gdr_tools.jobs.job import CHECKPOINT
from gdr_tools.jobs.report import FAILED
from gdr_tools.jobs.run import Run

if TYPE_CHECKING:
    from gdr_tools.jobs.keeper import Keeper

_IN_MEMORY: Final = 1 << 30  # bytes of the results of all runs
_ON_DISK: Final = 4 << 30  # bytes of all checkpoints
_NO_ROOM: Final = (
    "Checkpoints take all the disk that this server gives them, so this run has lost its own. "
    "Remove other runs before you begin it anew."
)


class Holdings:
    """The budgets of a keeper's runs; methods want its lock.

    memory, disk   bytes that all results, and all checkpoints, may take together
    """

    def __init__(self, keeper: Keeper, memory: int = _IN_MEMORY, disk: int = _ON_DISK):
        self.keeper, self.memory, self.disk = keeper, memory, disk

    def settle(self, newest: Run) -> None:
        """A run has a new result or checkpoint: have others give way where it is too much."""
        newest.stored = _stored(newest)
        self._relieve(_result_bytes, self.memory, newest, _has_weights, _drop_weights)
        self._relieve(_result_bytes, self.memory, newest, _has_left, self.keeper.forget)
        self._relieve(_stored_by, self.disk, newest, _is_over, _drop_checkpoint)
        self._relieve(_stored_by, self.disk, newest, _is_shelved, self.keeper.forget)
        self._relieve(_stored_by, self.disk, newest, _is_stored, self._end)

    def _relieve(
        self,
        size: Callable[[Run], int],
        most: int,
        newest: Run,
        may: Callable[[Run], bool],
        give: Callable[[Run], None],
    ) -> None:
        """Have runs that may give, other than the newest, until all are within the budget."""
        while sum(map(size, self.keeper.runs.values())) > most:
            held: Counter[str] = Counter()
            for run in self.keeper.runs.values():
                held[_holder(run)] += size(run)
            giving = [r for r in self.keeper.runs.values() if r is not newest and may(r)]
            if not giving:
                return
            give(min(giving, key=lambda run: (-held[_holder(run)], run.watched)))

    def _end(self, run: Run) -> None:
        """It has no checkpoint any more and can only begin anew."""
        self.keeper.let_go(run)
        _drop_checkpoint(run)
        run.enter(FAILED, self.keeper.clock(), _NO_ROOM)


def _result_bytes(run: Run) -> int:
    """What the result of a run takes in memory."""
    if run.result is None:
        return 0
    weights = sum(array.nbytes for array in run.result.weights.values())
    return run.result.probabilities.nbytes + weights


def _holder(run: Run) -> str:
    return run.address or run.owner


def _has_weights(run: Run) -> bool:
    return run.result is not None and bool(run.result.weights)


def _drop_weights(run: Run) -> None:
    assert run.result is not None
    run.result = replace(run.result, weights={})


def _has_left(run: Run) -> bool:
    return run.result is not None and run.ended and not run.is_watched


def _stored(run: Run) -> int:
    """Bytes of the checkpoint; 0 where there is none here."""
    with suppress(OSError):
        return (run.folder / CHECKPOINT).stat().st_size
    return 0


def _stored_by(run: Run) -> int:
    return run.stored


def _is_over(run: Run) -> bool:
    return run.ended and _is_stored(run)


def _is_shelved(run: Run) -> bool:
    return run.shelved and _is_stored(run)


def _is_stored(run: Run) -> bool:
    return run.stored > 0


def _drop_checkpoint(run: Run) -> None:
    with suppress(OSError):
        (run.folder / CHECKPOINT).unlink(missing_ok=True)
    run.saved, run.stored = None, 0
