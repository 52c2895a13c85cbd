"""Graph Diffusion Reclassification: a prior, a graph, and what diffusion makes of it."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter

import numpy as np

from gdr_core import gate
from gdr_core.datasets.record import Split
from gdr_core.diffusion import diffuse
from gdr_core.gdr.options import GDROptions
from gdr_core.gdr.outlook import Outlook
from gdr_core.gdr.prior import initial_condition
from gdr_core.gdr.result import GDRResult
from gdr_core.gdr.scan import choose, scan
from gdr_core.laplacians import Laplacian
from gdr_core.progress import Progress, ignore, part


def reclassify(
    laplacian: Laplacian,
    prior: np.ndarray,
    truth: np.ndarray,
    split: Split,
    options: GDROptions | None = None,
    *,
    progress: Progress = ignore,
) -> GDRResult:
    """Diffuse a prior over the graph and relabel the nodes that overshoot, for every t_min.

    Equations (10) to (15) of the paper; the rule is one of `options`.

    prior    class probabilities, shape (nodes, classes)
    truth    known classes, −1 where unknown; those of `split.train` enter the diffusion, those of
             `split.validation` choose t_min, the others are only compared with

    Knowing two members of the karate club, the graph tells on which side the others stand:

    >>> from gdr_core import compute_prior, load_dataset, make_laplacian, reclassify
    >>> club = load_dataset("karate")
    >>> laplacian = make_laplacian("combinatorial", club.adjacency)
    >>> result = reclassify(laplacian, compute_prior("uniform", club), club.labels, club.split)
    >>> result.prior_accuracy["test"], float(result.accuracy["test"][result.chosen])
    (0.4375, 0.9375)
    """
    gate.check_record(laplacian, "laplacian", Laplacian)
    gate.check_record(split, "split", Split)
    gate.check_function(progress, "progress")
    options = GDROptions() if options is None else options
    gate.check_record(options, "options", GDROptions)
    truth = gate.class_numbers(truth, "truth")
    if truth.shape != (laplacian.nodes,):
        raise ValueError(f"truth must have shape ({laplacian.nodes},), got {truth.shape}")
    watch = Stopwatch()
    start = initial_condition(prior, truth, split, options.normalise)
    progress(0.0, "finding the relaxation time")
    times = options.times(laplacian)
    watch.lap("relaxation time")
    trajectories = diffuse(
        laplacian,
        start,
        times,
        tolerance=options.tolerance,
        dtype=np.float32 if options.precision == "float32" else np.float64,
        precision=options.precision,
        progress=part(progress, 0.1, 0.8),
    )
    watch.lap("diffusion")
    stationary = laplacian.stationary(start, options.stationary)
    prior_labels = start.argmax(axis=1)
    rest = part(progress, 0.8, 1.0)
    found = scan(trajectories, stationary, prior_labels, truth, split, options.rule, rest)
    watch.lap("scan")
    return GDRResult(
        options=options,
        split=split,
        truth=truth,
        scan=found,
        chosen=choose(found.accuracy["validation"], times),
        start=start,
        prior_labels=prior_labels,
        trajectories=trajectories,
        stationary=stationary,
        limit=_limit_of(laplacian, start, options.stationary, stationary),
        outlook=Outlook(trajectories, stationary, found.predicted),
        relaxation_time=laplacian.relaxation_time,
        seconds=watch.laps,
    )


def with_rule(result: GDRResult, rule: str, *, progress: Progress = ignore) -> GDRResult:
    """The same diffusion read by another rule; nothing is diffused again."""
    options = replace(result.options, rule=rule)
    found = scan(
        result.trajectories,
        result.stationary,
        result.prior_labels,
        result.truth,
        result.split,
        rule,
        progress,
    )
    chosen = choose(found.accuracy["validation"], result.times)
    outlook = Outlook(result.trajectories, result.stationary, found.predicted)
    return replace(
        result, options=options, scan=found, chosen=chosen, outlook=outlook, keeps_prior=False
    )


def _limit_of(
    laplacian: Laplacian, start: np.ndarray, scope: str, stationary: np.ndarray
) -> np.ndarray:
    """Where every curve ends; π itself, and no second array, where the two are the same."""
    connected = not laplacian.components.any()
    same = scope == "component" or connected
    return stationary if same else laplacian.stationary(start, "component")


class Stopwatch:
    """Seconds spent between one lap and the next, by name."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self.last = perf_counter()

    def lap(self, name: str) -> None:
        """Note the time since the last lap under this name."""
        now = perf_counter()
        self.laps[name] = now - self.last
        self.last = now
