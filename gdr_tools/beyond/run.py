"""Running table 6, cell by cell: what is done is kept, and a run that was stopped goes on.

A cell is a method on one split of a dataset with one seed. On the public split random methods have
ten seeds; on the ten random splits, and on the splits that a dataset brings, split k has seed k.
Settings of methods are the same for all splits of a dataset; `report.ABOUT` says which were
searched for, and where. Labels of test nodes are compared with, and decide nothing.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from gdr_core.datasets import load_dataset, spec_of
from gdr_core.datasets.record import UNKNOWN, Dataset
from gdr_tools.beyond.methods import MEMBERS, METHODS
from gdr_tools.paper.run import versions

SEEDS = 10
CITATIONS = ("cora", "citeseer", "pubmed")
HETEROPHILOUS = (
    "texas",
    "cornell",
    "wisconsin",
    "chameleon-filtered",
    "squirrel-filtered",
    "actor",
)
DATASETS = (*CITATIONS, "wikipedia", "cells", *HETEROPHILOUS)


@dataclass(frozen=True)
class Cell:
    """One run: `split` is a name of the dataset's, or `random` drawn with the seed `draw`."""

    dataset: str
    split: str
    method: str
    seed: int
    draw: int = 0

    @property
    def key(self) -> str:
        """A name that is stable over runs."""
        drawn = f"{self.split}-{self.draw}" if self.split == "random" else self.split
        return "/".join((self.dataset, drawn, self.method, str(self.seed)))


def cells(datasets: Iterable[str] = DATASETS, methods: Iterable[str] = METHODS) -> Iterator[Cell]:
    """All cells: for each method the public split first, then the others."""
    names = list(methods)
    for dataset in datasets:
        for method in names:
            yield from _of(dataset, method)


def _of(dataset: str, method: str) -> Iterator[Cell]:
    splits = spec_of(dataset).splits
    own = [name for name in splits if name not in ("random", "paper-directed")]
    many = len(own) > 1
    for k, name in enumerate(own):
        seeds = [k] if many else _seeds(method)
        yield from (Cell(dataset, name, method, seed) for seed in seeds)
    if not many:
        yield from (Cell(dataset, "random", method, k, k) for k in range(SEEDS))


def _seeds(method: str) -> range:
    """Of one split: ten for what is random, and for a mean of five as many as ten runs make."""
    contender = METHODS[method]
    if not contender.random:
        return range(1)
    return range(SEEDS // MEMBERS if contender.mean_of else SEEDS)


def run_cell(cell: Cell) -> dict[str, Any]:
    """Accuracies, and seconds of one core."""
    dataset = load_dataset(cell.dataset, split=cell.split, seed=cell.draw)
    clock = process_time()
    labels = METHODS[cell.method].labels(dataset, cell.seed)
    spent = process_time() - clock
    return {
        "validation": _accuracy(labels, dataset, dataset.split.validation),
        "test": _accuracy(labels, dataset, dataset.split.test),
        "seconds": round(spent, 3),
    }


def _accuracy(labels: np.ndarray, dataset: Dataset, members: np.ndarray) -> float:
    known = members[dataset.labels[members] != UNKNOWN]
    return float((labels[known] == dataset.labels[known]).mean())


class Store:
    """Results in one file, rewritten in one move after each cell, with the versions they are of."""

    def __init__(self, path: Path):
        self.path = path
        self.results = self._read()

    def put(self, key: str, result: dict[str, Any]) -> None:
        """Keep a result, beside those that others have kept meanwhile."""
        with self._alone():
            self.replace({**self._read(), key: result})

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Processes that keep results in one file take turns, where the system has such locks.

        The folder is locked, not the file, which is another one after each replacement.
        """
        if find_spec("fcntl") is None:
            yield
            return
        import fcntl

        folder = os.open(self.path.parent, os.O_RDONLY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            yield
        finally:
            os.close(folder)

    def replace(self, results: dict[str, dict[str, Any]]) -> None:
        """Keep these results and no others."""
        self.results = dict(sorted(results.items()))
        partial = self.path.with_name(f"{self.path.name}.{os.getpid()}.part")
        lines = (f"{json.dumps(k)}: {json.dumps(v)}" for k, v in self.results.items())
        head = f'{{"versions": {json.dumps(versions())},\n"cells": {{\n'
        partial.write_text(head + ",\n".join(lines) + "\n}}\n", encoding="utf-8")
        partial.replace(self.path)

    def _read(self) -> dict[str, dict[str, Any]]:
        """What the file holds; ValueError where it is another kind of file, which is left alone."""
        if not self.path.exists():
            return {}
        try:
            found = json.loads(self.path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise ValueError(f"{self.path} is not JSON ({error}); it is left as it is") from error
        if not _are_kept(found):
            raise ValueError(
                f"{self.path} is not a file of kept results, which holds `versions` and `cells` "
                "and nothing else; it is left as it is, name another one"
            )
        return found["cells"]


def _are_kept(found: object) -> bool:
    if not isinstance(found, dict) or not {"cells"} <= found.keys() <= {"cells", "versions"}:
        return False
    cells = found["cells"]
    return isinstance(cells, dict) and all(isinstance(each, dict) for each in cells.values())
