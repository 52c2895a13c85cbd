"""The search: every setting of a grid, judged on validation nodes together with its neighbours.

A setting is judged by the log-loss on the validation nodes after one temperature has been fitted
(`gdr_core.priors.calibration`), averaged over seeds and over all settings at most one step away
on every axis of four numbers or more: of a few hundred nodes, a lone good setting is luck. Test
nodes are never looked at.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from shlex import quote
from time import perf_counter
from typing import Any

import numpy as np

from gdr_core.datasets.record import UNKNOWN, Dataset
from gdr_core.priors import PRIORS, compute_prior
from gdr_core.priors.calibration import FEWEST, calibrate
from gdr_core.progress import Progress, ignore
from gdr_tools.tuning.grids import GRIDS, Grid

JudgeAll = Callable[[list[dict[str, Any]]], Iterator[tuple[int, float, float]]]


@dataclass(frozen=True, eq=False)
class Search:
    """What came of it.

    axes      the options and the values tried, in order
    loss      calibrated log-loss on validation nodes, mean over seeds, one axis for each option
    accuracy  share of the validation nodes that are right, likewise
    chosen    the settings with the lowest smoothed loss; empty where there was nothing to go by
    notes     what makes the choice doubtful, in sentences
    """

    prior: str
    dataset: str
    split: str
    axes: Grid
    loss: np.ndarray
    accuracy: np.ndarray
    seeds: int
    chosen: dict[str, Any]
    notes: tuple[str, ...]
    seconds: float

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "prior": self.prior,
            "dataset": self.dataset,
            "split": self.split,
            "seeds": self.seeds,
            "axes": {name: list(values) for name, values in self.axes.items()},
            "loss": self.loss.round(5).tolist(),
            "accuracy": self.accuracy.round(4).tolist(),
            "chosen": self.chosen,
            "notes": list(self.notes),
            "seconds": round(self.seconds, 1),
            "command": self.command,
            "others": self.others,
        }

    @property
    def command(self) -> str:
        """What repeats the search, on the split that the dataset comes with."""
        text = f"python -m gdr_core tune {self.prior} --dataset {self.dataset}"
        text += f" --seeds {self.seeds}" if self.seeds != 1 else ""
        given = {name: list(values) for name, values in self.axes.items()}
        usual = {name: list(values) for name, values in GRIDS.get(self.prior, {}).items()}
        return text if given == usual else f"{text} --grid {quote(json.dumps(given))}"

    @property
    def others(self) -> dict[str, Any]:
        """The options that were not searched, as they are used on the dataset."""
        return {name: value for name, value in self._used.items() if name not in self.axes}

    @property
    def usual(self) -> dict[str, Any]:
        """The options of the grid as they are used on the dataset while nothing else is chosen."""
        known = {**PRIORS[self.prior].checked({}), **self._used}
        return {name: known[name] for name in self.axes}

    @property
    def _used(self) -> dict[str, Any]:
        return PRIORS[self.prior].resolved(PRIORS[self.prior].checked({}), self.dataset)


def search(
    prior: str,
    dataset: Dataset,
    grid: Grid | None = None,
    *,
    seeds: int = 1,
    judge_all: JudgeAll | None = None,
    progress: Progress = ignore,
) -> Search:
    """Judge every setting of the grid on the validation nodes.

    judge_all   gives the place of each setting in the list, its loss and its accuracy, in any
                order; one after the other in this process where not given
    """
    axes = grid_of(prior) if grid is None else grid
    notes, usable = _doubts(dataset)
    shape = tuple(len(values) for values in axes.values())
    loss, accuracy = np.full(shape, np.nan), np.full(shape, np.nan)
    clock = perf_counter()
    places = list(np.ndindex(shape)) if usable else []
    settings = [setting_at(axes, place) for place in places]

    def here(listed: list[dict[str, Any]]) -> Iterator[tuple[int, float, float]]:
        for k, each in enumerate(listed):
            progress(k / len(listed), f"{k + 1} of {len(listed)}: {words(each)}")
            yield k, *judged(prior, dataset, each, seeds)

    for k, lost, right in (judge_all or here)(settings):
        loss[places[k]], accuracy[places[k]] = lost, right
    chosen = setting_at(axes, best_place(loss, axes)) if usable else {}
    seconds = perf_counter() - clock
    return Search(
        prior,
        dataset.name,
        dataset.split.name,
        axes,
        loss,
        accuracy,
        seeds,
        chosen,
        notes,
        seconds,
    )


def grid_of(prior: str) -> Grid:
    """The grid of a prior, or an error that names those that have one."""
    if prior not in GRIDS:
        raise ValueError(f"no settings to search for {prior!r}; there are {', '.join(GRIDS)}")
    return GRIDS[prior]


def _doubts(dataset: Dataset) -> tuple[tuple[str, ...], bool]:
    """What a user must know of these validation nodes, and whether they can choose at all."""
    nodes = dataset.split.validation
    known = dataset.labels[nodes[dataset.labels[nodes] != UNKNOWN]]
    if known.size < FEWEST:
        few = (
            f"{known.size} validation nodes are too few to choose settings (at least {FEWEST} "
            "are needed); the usual ones are kept"
        )
        return (few,), False
    counts = np.bincount(known, minlength=dataset.classes)
    missing = [dataset.class_names[k] for k in np.flatnonzero(counts == 0)]
    if not missing:
        return (), True
    note = f"no validation node is {', '.join(missing)}: the choice knows nothing of such nodes"
    return (note,), True


def judged(
    prior: str, dataset: Dataset, settings: dict[str, Any], seeds: int
) -> tuple[float, float]:
    """Calibrated log-loss and accuracy on the validation nodes, mean over seeds."""
    nodes = dataset.split.validation
    nodes = nodes[dataset.labels[nodes] != UNKNOWN]
    losses, hits = [], []
    for seed in range(seeds if PRIORS[prior].random else 1):
        found = compute_prior(prior, dataset, seed=seed, cache=False, **settings)
        losses.append(calibrate(found, dataset.labels, nodes).loss)
        hits.append((found[nodes].argmax(axis=1) == dataset.labels[nodes]).mean())
    return float(np.mean(losses)), float(np.mean(hits))


def best_place(loss: np.ndarray, axes: Grid) -> tuple[int, ...]:
    """Where the smoothed loss is lowest; of equals the one whose own loss is lowest."""
    ordered = [i for i, values in enumerate(axes.values()) if _is_ordered(values)]
    means = smoothed(loss, ordered)
    own = np.where(means <= means.min() + 1e-9, loss, np.inf)
    return tuple(int(i) for i in np.unravel_index(own.argmin(), loss.shape))


def smoothed(values: np.ndarray, ordered: list[int]) -> np.ndarray:
    """The mean over all places at most one step away on each of the ordered axes."""
    total, count = np.zeros_like(values), np.zeros_like(values)
    for shift in product((-1, 0, 1), repeat=len(ordered)):
        here, there = [slice(None)] * values.ndim, [slice(None)] * values.ndim
        for axis, step in zip(ordered, shift, strict=True):
            size = values.shape[axis]
            here[axis] = slice(max(0, -step), size - max(0, step))
            there[axis] = slice(max(0, step), size - max(0, -step))
        total[tuple(here)] += values[tuple(there)]
        count[tuple(here)] += 1
    return total / count


def _is_ordered(values: tuple[Any, ...]) -> bool:
    """Whether an axis has numbers, of which some are nearer than others: four or more.

    Of three with the losses a, b, c the middle one would be judged by (a + b + c)/3, the ends by
    (a + b)/2 and (b + c)/2: it could be chosen only if b were no less than (a + c)/2.
    """
    return len(values) > 3 and not isinstance(values[0], str | bool)


def setting_at(axes: Grid, place: tuple[int, ...]) -> dict[str, Any]:
    """The options of one place of the grid."""
    return {name: values[i] for (name, values), i in zip(axes.items(), place, strict=True)}


def words(settings: dict[str, Any]) -> str:
    """`time 2.8, penalty 0.001`."""
    return ", ".join(f"{name} {value}" for name, value in settings.items())
