"""Why a node has its label, in numbers and in one sentence.

Each rule compares the classes by one measure from t_min on; a verdict holds that measure for all
classes, who won, who came second and by how much. `gdr_core.explain` tells where the winner's score
came from.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph

from gdr_core.explain import Explanation, label_changes
from gdr_core.gdr.result import GDRResult

MEASURES = {
    "given": "its class is known",
    "none": "no class overshoots",
    "overshoot": "the rise above the long-run value",
    "peak": "the highest value",
    "height": "the value at t_min",
}
SMALLEST_SHARE = 1e-6  # less may be no more than the error of the numbers


@dataclass(frozen=True, eq=False)
class Verdict:
    """How the label of one node was decided, at one t_min.

    label, prior   class after and before reclassification
    measure        what decided, a key of MEASURES
    values         the measure for every class, NaN for classes that could not win
    runner_up      the class that came second, −1 if no other could win
    lead           how far the label's value lies above the runner-up's; NaN without one
    error          values are known to within this
    t_min          in relaxation times
    peak_time      when the label's class is highest from t_min on, in relaxation times
    history        (t_min in relaxation times, label that holds from there on), first entry at 0
    """

    node: int
    label: int
    prior: int
    measure: str
    values: np.ndarray
    runner_up: int
    lead: float
    error: float
    t_min: float
    peak_time: float
    history: tuple[tuple[float, int], ...]

    @property
    def decisive_time(self) -> float:
        """The time at which the measure is taken, in relaxation times: t_min or the peak."""
        return self.t_min if self.measure == "height" else self.peak_time


@dataclass(frozen=True)
class Source:
    """A node that contributed to another's score: how far away, how much, and what it believed.

    distance   links between the two, None if no path joins them
    share      of the whole score, 0 to 1
    label      its own class in the prior; training nodes have theirs given
    belief     what the prior gave the explained class at this node
    """

    node: int
    label: int
    belief: float
    distance: int | None
    share: float
    training: bool


def judge(result: GDRResult, node: int, index: int | None = None) -> Verdict:
    """The verdict on one node for one t_min, the chosen one by default."""
    position = result.resolve(index)
    label = int(result.scan.labels[position, node])
    measure, values = _measured(result, node, position)
    runner_up, lead = _second(values, label)
    unit = result.times[-1] / result.relative_times[-1]
    peak = result.peak_times(position, np.array([node]))[0, label]
    return Verdict(
        node=int(node),
        label=label,
        prior=int(result.prior_labels[node]),
        measure=measure,
        values=values,
        runner_up=runner_up,
        lead=lead,
        error=result.error_bound,
        t_min=float(result.relative_times[position]),
        peak_time=float(peak / unit),
        history=tuple((time / unit, label) for time, label in label_changes(result, node)),
    )


def sentence(verdict: Verdict, class_names: tuple[str, ...]) -> str:
    """The verdict in one plain sentence."""
    name = class_names[verdict.label]
    if verdict.measure == "given":
        return f"It is a training node: its class, {name}, is given and stays."
    start = f"From t_min = {verdict.t_min:.3g} on, "
    if verdict.measure == "none":
        return start + f"no class rises above its long-run value, so the prior's {name} stays."
    return f"{start}{_comparison(verdict, class_names)}, {_ending(verdict, class_names)}."


def sources(
    adjacency: sp.csr_array, result: GDRResult, explanation: Explanation, count: int = 10
) -> list[Source]:
    """The nodes that contributed most to an explained score, largest first."""
    shares = explanation.shares()
    nodes = [node for node in explanation.largest(count) if shares[node] > SMALLEST_SHARE]
    hops = csgraph.dijkstra(adjacency, indices=explanation.node, unweighted=True, directed=False)
    return [
        Source(
            node=int(node),
            label=int(result.prior_labels[node]),
            belief=float(result.start[node, explanation.label]),
            distance=int(hops[node]) if np.isfinite(hops[node]) else None,
            share=float(shares[node]),
            training=bool(explanation.training[node]),
        )
        for node in nodes
    ]


def _measured(result: GDRResult, node: int, position: int) -> tuple[str, np.ndarray]:
    """What the rule compared at this node: the name of the measure and its value per class."""
    scores = result.trajectories.values(np.array([node]))[position:, 0]
    peaks = scores.max(axis=0)
    excess = peaks - result.stationary[node]
    rule, risen = result.options.rule, excess > result.error_bound
    if node in result.split.train:
        return "given", excess
    if rule == "reference":
        return ("peak", peaks) if risen.all() else ("height", scores[0])
    if not risen.any():
        return "none", excess
    if rule == "peak":
        return "peak", np.where(risen, peaks, np.nan)
    return "overshoot", excess


def _second(values: np.ndarray, label: int) -> tuple[int, float]:
    others = values.astype(np.float64)
    others[label] = np.nan
    if np.isnan(others).all():
        return -1, float("nan")
    runner_up = int(np.nanargmax(others))
    return runner_up, float(values[label] - others[runner_up])


def _comparison(verdict: Verdict, class_names: tuple[str, ...]) -> str:
    name, value = class_names[verdict.label], verdict.values[verdict.label]
    said = {
        "overshoot": f"{name} rises {value:.3g} above its long-run value",
        "peak": f"{name} reaches {value:.3g}",
        "height": f"{name} stands at {value:.3g} at t_min itself",
    }[verdict.measure]
    said += "" if verdict.measure == "height" else f" (at t = {verdict.peak_time:.3g})"
    others = verdict.values[verdict.runner_up] if verdict.runner_up >= 0 else -np.inf
    if verdict.measure != "height" and others <= verdict.error:
        return f"{said} and no other class overshoots"
    second = class_names[verdict.runner_up]
    return f"{said}, {second} only {verdict.values[verdict.runner_up]:.3g}"


def _ending(verdict: Verdict, class_names: tuple[str, ...]) -> str:
    if abs(verdict.lead) <= 2 * verdict.error:
        return f"a tie within the error of the numbers, which leaves {class_names[verdict.label]}"
    if verdict.label == verdict.prior:
        return f"so the prior's {class_names[verdict.prior]} stays"
    return f"so {class_names[verdict.prior]} becomes {class_names[verdict.label]}"
