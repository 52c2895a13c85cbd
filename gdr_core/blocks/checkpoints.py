"""The state of a recurrence on disk, one file for each rank, the last two kept."""

from __future__ import annotations

import re
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gdr_core.blocks.ranks import Alone, Ranks
from gdr_core.blocks.writing import whole

_KEPT = 2


@dataclass
class State:
    """Where a rank is: T_k and T_{k−1} on its rows, and what has been added up so far."""

    term: int
    current: np.ndarray
    previous: np.ndarray
    fields: np.ndarray


class Checkpoints:
    """States of one job in a folder; those of another job, or damaged ones, are passed over.

    key   names the job: the graph, the scores, times, tolerance, number of ranks
    """

    def __init__(self, folder: Path, key: str, ranks: Alone | Ranks):
        self.folder, self.key, self.ranks = folder, key, ranks

    def save(self, state: State) -> None:
        """Write this rank's state; older ones go when every rank has written."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with whole(self._file(state.term)) as partial, partial.open("wb") as stream:
            np.savez(
                stream,
                key=np.array(self.key),
                current=state.current,
                previous=state.previous,
                fields=state.fields,
            )
        self.ranks.told(state.term)
        for term in self._terms()[:-_KEPT]:
            self._file(term).unlink(missing_ok=True)

    def latest(self) -> State | None:
        """The last state that every rank has whole; None where there is none."""
        common = set.intersection(*(set(terms) for terms in self.ranks.told(self._terms())))
        for term in sorted(common, reverse=True):
            state = self._read(term)
            if all(self.ranks.told(state is not None)):
                return state
        return None

    def clear(self) -> None:
        """Remove this rank's files, and the folder when it is empty."""
        if self.folder.is_dir():
            for file in self.folder.glob(f"term-*-rank-{self.ranks.rank}.npz*"):
                file.unlink()  # also what a process that was killed has left half-written
        self.ranks.told("cleared")
        if self.ranks.rank == 0 and self.folder.is_dir() and not any(self.folder.iterdir()):
            self.folder.rmdir()

    def _file(self, term: int) -> Path:
        return self.folder / f"term-{term:07d}-rank-{self.ranks.rank}.npz"

    def _terms(self) -> list[int]:
        """The terms that this rank has files of."""
        pattern = re.compile(rf"term-(\d+)-rank-{self.ranks.rank}\.npz")
        names = [file.name for file in self.folder.iterdir()] if self.folder.is_dir() else []
        return sorted(int(found[1]) for name in names if (found := pattern.fullmatch(name)))

    def _read(self, term: int) -> State | None:
        try:
            with np.load(self._file(term), allow_pickle=False) as stored:
                if str(stored["key"]) != self.key:
                    return None
                return State(term, stored["current"], stored["previous"], stored["fields"])
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return None
