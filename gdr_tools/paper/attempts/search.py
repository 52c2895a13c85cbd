"""The search: every run of a grid, kept as it is done; then more seeds of what validation chose."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from statistics import fmean
from typing import Any

from gdr_core.places import data_folder, made, results_folder
from gdr_tools.paper.attempts.grids import Setting, Shortfall, words

Runs = Mapping[str, Mapping[str, tuple[float, float]]]
Run = Callable[[Shortfall, Setting, int], dict[str, tuple[float, float]]]
FOLDER = "shortfalls"
FILE = "attempts.json"


def stored_path() -> Path:
    """The file that comes with the package."""
    return data_folder() / "results" / FOLDER / FILE


def own_path() -> Path:
    """The file that a search writes to: the checkout's own, or else one in the cache."""
    return results_folder() / FOLDER / FILE


class Attempts:
    """Runs in one file, rewritten in one move after each.

    runs    by the key of a run: for every reading, validation and test accuracy
    nodes   by the key of a shortfall: how many nodes these are of
    """

    def __init__(self, path: Path):
        self.path = Path(path)
        found = json.loads(self.path.read_text(encoding="utf-8")) if self.path.exists() else {}
        self.runs: dict[str, dict[str, tuple[float, float]]] = found.get("runs", {})
        self.nodes: dict[str, dict[str, int]] = found.get("nodes", {})
        self.versions: dict[str, str] = found.get("versions", {})

    def keep(self) -> None:
        """Write all that is there."""
        made(self.path.parent)
        fresh = self.path.with_suffix(f".{os.getpid()}.part")
        fresh.write_text(self._text(), encoding="utf-8")
        fresh.replace(self.path)

    def _text(self) -> str:
        runs = sorted(self.runs.items())
        lines = ",\n".join(f"{_json(key)}: {_json(read)}" for key, read in runs)
        head = f'{{"versions": {_json(self.versions)},\n"nodes": {_json(self.nodes)},\n"runs": {{\n'
        return f"{head}{lines}\n}}}}\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def run_key(shortfall: Shortfall, setting: Setting, seed: int) -> str:
    """The name of a run, stable over searches."""
    return f"{shortfall.key}: {words(shortfall.run_of(setting))}; seed {seed}"


def search(
    shortfall: Shortfall,
    attempts: Attempts,
    run: Run,
    tell: Callable[[str], None] = lambda message: None,
    most: int | None = None,
) -> bool:
    """Do what is missing: the grid, then all seeds of the chosen setting.

    most    stop after so many runs; the return value says whether nothing is missing any more
    """
    for done in count():
        left = missing(shortfall, attempts.runs)
        if not left or done == most:
            return not left
        setting, seed = left[0]
        key = run_key(shortfall, setting, seed)
        tell(f"{key}; {len(left) - 1} left after it")
        attempts.runs[key] = run(shortfall, setting, seed)
        attempts.keep()
    raise AssertionError("a search comes to an end")


def missing(shortfall: Shortfall, runs: Runs) -> list[tuple[Setting, int]]:
    """What is still to be run: of the grid, or else of the seeds of the chosen setting."""
    grid = [(each, seed) for each in shortfall.runs() for seed in shortfall.seeds_of(each)]
    if left := [each for each in grid if run_key(shortfall, *each) not in runs]:
        return left
    chosen = shortfall.run_of(choose(shortfall, runs))
    more = [(chosen, seed) for seed in shortfall.seeds_of(chosen, final=True)]
    return [each for each in more if run_key(shortfall, *each) not in runs]


def choose(shortfall: Shortfall, runs: Runs) -> Setting:
    """The setting with the highest mean validation accuracy; reads nothing of test nodes."""
    return max(shortfall.settings(), key=lambda setting: fmean(column(shortfall, runs, setting, 0)))


def column(
    shortfall: Shortfall, runs: Runs, setting: Setting, part: int, final: bool = False
) -> list[float]:
    """Accuracies of a setting in percent, by seed: part 0 on validation nodes, 1 on test nodes.

    Only the seeds of the search count for a choice, so that more seeds of one setting cannot
    change it; `final` takes all.
    """
    reading = words(shortfall.reading_of(setting))
    keys = [run_key(shortfall, setting, seed) for seed in shortfall.seeds_of(setting, final)]
    return [100 * runs[key][reading][part] for key in keys]
