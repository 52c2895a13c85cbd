"""What a view leads to: prior, Laplacian, reclassification; t_min and node that pages share.

    view = start_explorer("Relabel")
    result = result_of(view)
    index = t_min_of(result)
    outcome_line(view, result, index)

Everything is computed once for all visitors and kept within a budget of bytes; see `working` for
the progress bar. All arrays are read only.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from typing import Any, Final

import numpy as np
import streamlit as st

from gdr_app.computing import cached
from gdr_app.computing.memory import spare_collector
from gdr_app.computing.opening import open_dataset
from gdr_app.computing.runs import is_run, prior_label, prior_of_run
from gdr_app.computing.slow_priors import slow_prior
from gdr_app.computing.store import Store
from gdr_app.computing.working import obtain
from gdr_app.state import link
from gdr_app.state.visit import NODE
from gdr_app.wording import counted, percent, plain
from gdr_core import priors
from gdr_core.datasets import Dataset, DatasetChoice
from gdr_core.gdr import GDRResult, with_rule
from gdr_core.laplacians import Laplacian
from gdr_core.method import Method
from gdr_core.method.record import BASE_RULE
from gdr_core.progress import Progress

MEGABYTE: Final = 2**20
T_MIN: Final = "t_min"


@dataclass(eq=False)
class Diffused:
    """One diffusion and all that was read from it; it leaves the store as a whole.

    result     judged without the test nodes, by the rule BASE_RULE
    readings   by rule, and whether the test nodes judge, too
    """

    result: GDRResult
    readings: dict[tuple[str, bool], GDRResult] = field(default_factory=dict)

    def reading(self, rule: str) -> GDRResult:
        """The diffusion read by a rule, judged without the test nodes."""
        if (rule, False) not in self.readings:
            self.readings[rule, False] = with_rule(self.result, rule)
        return self.readings[rule, False]

    def revealed(self, rule: str, truth: np.ndarray) -> GDRResult:
        """The same judged by all known classes."""
        if (rule, True) not in self.readings:
            self.readings[rule, True] = self.reading(rule).judged_by(truth)
        return self.readings[rule, True]

    @property
    def size(self) -> int:
        """Bytes held: the diffusion, and for each rule the labels and the outlook."""
        kept = self.result
        arrays = (kept.trajectories.fields, kept.trajectories.level, kept.start, kept.stationary)
        labels = len(self.readings) * kept.scan.labels.nbytes
        # `start` is kept twice, by the result and by its trajectories.
        ahead = sum(each.outlook.nbytes for each in self.readings.values())
        return sum(array.nbytes for array in arrays) + kept.start.nbytes + labels + ahead


@st.cache_resource(max_entries=1, show_spinner=False)
def _priors() -> Store[np.ndarray]:
    return Store(64 * MEGABYTE, lambda prior: prior.nbytes)


@st.cache_resource(max_entries=1, show_spinner=False)
def _laplacians() -> Store[Laplacian]:
    return Store(64 * MEGABYTE, lambda laplacian: 3 * laplacian.weights.data.nbytes)


@st.cache_resource(max_entries=1, show_spinner=False)
def _diffusions() -> Store[Diffused]:
    return Store(512 * MEGABYTE, lambda diffused: diffused.size)


def dataset_of(view: Method) -> Dataset:
    """The dataset, or an explanation on the page why it cannot be had.

    Its test classes are in it only where the view says that they are revealed.
    """
    return open_dataset(view.dataset)


def prior_of(view: Method) -> np.ndarray:
    """H, the classifier's beliefs, shape (nodes, classes); no prior ever sees a test class."""
    view = concealed(view)
    dataset = open_dataset(view.dataset)
    slow = not is_run(view.prior) and priors.spec_of(view.prior).cost != "instant"

    def compute(progress: Progress) -> np.ndarray:
        if slow:
            found = slow_prior(view.prior, view.dataset, dataset, progress)
        else:
            found = view.compute_prior(dataset, progress, prior_of_run)
        found.flags.writeable = False
        return found

    title = f"Prior {plain(prior_label(view.prior))} on {view.dataset.name}"
    return obtain(_priors(), view.prior_key, title, compute, together=slow)


def laplacian_of(view: Method) -> Laplacian:
    """The Laplacian of the view; undirected ones forget the directions of the graph."""
    dataset = dataset_of(view)

    def compute(progress: Progress) -> Laplacian:
        progress(0.0, "finding the relaxation time")
        made = view.make_laplacian(dataset)
        _ = made.relaxation_time  # computed now, once, rather than by every diffusion
        return made

    title = f"{view.laplacian.capitalize()} Laplacian of {view.dataset.name}"
    return obtain(_laplacians(), view.laplacian_key, title, compute)


def result_of(view: Method) -> GDRResult:
    """Reclassification for every t_min; the diffusion is shared by all rules.

    Test nodes judge it only where the view says that they are revealed.
    """
    hidden = view.dataset.test_hidden
    key = (view if hidden else concealed(view)).diffusion_key
    diffused = _diffusions().get(key) or _diffused(key)
    if hidden:
        return diffused.reading(view.rule)
    return diffused.revealed(view.rule, dataset_of(view).labels)


def _diffused(view: Method) -> Diffused:
    dataset, prior, laplacian = dataset_of(view), prior_of(view), laplacian_of(view)

    def compute(progress: Progress) -> Diffused:
        result = view.reclassify(dataset, prior, laplacian, progress)
        return Diffused(result, {(BASE_RULE, False): result})

    title = f"Diffusion of {plain(prior_label(view.prior))} on {view.dataset.name}"
    return obtain(_diffusions(), view, title, compute)


def concealed(view: Method) -> Method:
    """The view with the test classes hidden: what never depends on them is kept under it."""
    return view if view.dataset.test_hidden else replace(view, dataset=view.dataset.concealed)


def t_min_of(result: GDRResult) -> int:
    """Index of the current t_min: the one that the visitor or the link chose, or else GDR's own.

    It is kept as a number of relaxation times, so that it means the same on every page, and for
    this dataset and method alone; the nearest point of the grid is taken. A value outside the
    window is reported and forgotten.
    """
    asked = link.recall(T_MIN)
    if asked is None:
        return result.chosen
    if asked in result.time_names:
        return result.time_names.index(asked)
    last = float(result.relative_times[-1])
    value = _number(asked)
    if value is None or not 0 <= value <= last * (1 + 1e-9):
        st.warning(
            f"t_min “{plain(str(asked))}” is not in the time window, 0 to {last:g} relaxation "
            f"times. Showing the chosen one, {result.time_names[result.chosen]}.",
            icon=":material/link_off:",
        )
        link.correct(T_MIN, None)
        return result.chosen
    index = result.index(value)
    link.correct(T_MIN, result.time_names[index])  # the link's lies between two of the grid
    return index


def set_t_min(value: float | None) -> None:
    """Choose t_min, in relaxation times; None goes back to GDR's own choice. For callbacks."""
    link.remember(T_MIN, None if value is None else f"{value:.4g}")


def selected_node(view: Method) -> int | None:
    """The node that the select box, a click or the link chose; `overview.choose_node` draws it."""
    label = link.recall(NODE)
    return None if label is None else cached.node_labels(view.dataset).get(label)


def parts_of(view: Method) -> tuple[str, ...]:
    """The parts of the split whose accuracy may be shown."""
    return ("validation",) if view.dataset.test_hidden else ("validation", "test")


def judging_part(view: Method) -> str:
    """The part of the split that judges what is shown: test once it is revealed."""
    return parts_of(view)[-1]


def outcome_line(view: Method, result: GDRResult, index: int) -> None:
    """At the end of the sidebar, on every explorer page: what the choices lead to at this t_min.

    Fragments may call it: Streamlit redraws in place what a fragment writes to the sidebar.
    """
    spare_collector()
    facts = view_facts(view)
    part, t_min = facts["part"], result.time_names[index]
    before, after = result.prior_accuracy[part], float(result.accuracy[part][index])
    with st.sidebar:
        st.markdown(
            f"**{percent(before)} → {percent(after)}** on {part} nodes at t_min {t_min}, "
            f"{counted(int(result.scan.relabelled[index]), 'node')} relabelled"
        )
        link.tell_used("view", **facts, t_min=t_min)


@lru_cache(maxsize=64)
def view_facts(view: Method) -> dict[str, Any]:
    """What machines are told of a view."""
    method = {name: value for name, value in asdict(view).items() if name != "dataset"}
    return {**graph_facts(view.dataset), **method, "part": judging_part(view)}


def graph_facts(choice: DatasetChoice) -> dict[str, object]:
    """What machines are told of the graph that was opened."""
    shape = {f"{choice.name}-{name}": value for name, value in choice.options}
    return {"dataset": choice.name, "split": choice.split, "seed": choice.seed, **shape}


def _number(text: object) -> float | None:
    try:
        return float(str(text))
    except ValueError:
        return None
