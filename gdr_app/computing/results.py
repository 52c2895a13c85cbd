"""What a view leads to: prior, Laplacian, reclassification; t_min and node that pages share.

    view = start_explorer("Relabel")
    result = result_of(view)
    index = t_min_of(result)
    OutcomeLine(view).draw(index)

Everything is computed once for all visitors and kept within a budget of bytes; see `working` for
the progress bar. All arrays are read only.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

import numpy as np
import streamlit as st

from gdr_app.computing import cached
from gdr_app.computing.budget import is_large
from gdr_app.computing.diffusing import (
    diffused,
    diffusion_is_handed_over,
    laplacian_for,
    laplacian_is_handed_over,
)
from gdr_app.computing.kept import kept, store_for
from gdr_app.computing.opening import open_dataset
from gdr_app.computing.runs import is_run, prior_label, prior_of_run
from gdr_app.computing.slow_priors import slow_prior
from gdr_app.computing.store import Store
from gdr_app.computing.working import obtain, unseen
from gdr_app.state import link, own
from gdr_app.state.visit import NODE
from gdr_app.wording import counted, percent, plain
from gdr_core import priors
from gdr_core.datasets import Dataset, DatasetChoice
from gdr_core.gdr import GDRResult, Relabelling, with_rule
from gdr_core.gdr.options import UNCHOSEN_T_MIN
from gdr_core.laplacians import Laplacian
from gdr_core.method import Method
from gdr_core.progress import Progress

MEGABYTE: Final = 2**20
T_MIN: Final = "t_min"
NOT_KEPT: Final = (
    "What this file is about is not kept any more: open the page again from the list of pages, "
    "then ask for the file."
)
_METHOD_FIELDS: Final = {each.name for each in fields(Method)} - {"dataset"}


@dataclass(eq=False)
class Diffused:
    """One diffusion and all that was read from it; it leaves the store as a whole.

    result     judged without the test nodes, by the rule that views begin with
    readings   by rule, whether the test nodes judge, too, and whether the prior is kept
    """

    result: GDRResult
    readings: dict[tuple[str, bool, bool], GDRResult] = field(default_factory=dict)

    def reading(
        self, rule: str, truth: np.ndarray | None = None, keeps_prior: bool = False
    ) -> GDRResult:
        """The diffusion read by a rule, judged by all known classes or without the test nodes."""
        asked = rule, truth is not None, keeps_prior
        if asked not in self.readings and keeps_prior:
            self.readings[asked] = self.reading(rule, truth).keeping_prior()
        if asked not in self.readings:
            self.readings[asked] = (
                _at_usual_t_min(with_rule(self.result, rule))
                if truth is None
                else self.reading(rule).judged_by(truth)
            )
        return self.readings[asked]

    @property
    def size(self) -> int:
        """Bytes held: the diffusion, and for each rule the labels and the outlook."""
        kept = self.result
        arrays = (kept.trajectories.fields, kept.trajectories.level, kept.start, kept.stationary)
        labels = len(self.readings) * kept.scan.predicted.nbytes
        # `start` is kept twice, by the result and by its trajectories.
        ahead = sum(each.outlook.nbytes for each in self.readings.values())
        return sum(array.nbytes for array in arrays) + kept.start.nbytes + labels + ahead


@kept(most=1)
def _priors() -> Store[np.ndarray]:
    return Store(64 * MEGABYTE, lambda prior: prior.nbytes)


@kept(most=1)
def _laplacians() -> Store[Laplacian]:
    return Store(64 * MEGABYTE, lambda laplacian: 3 * laplacian.weights.data.nbytes)


@kept(most=1)
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
    slow = not is_run(view.prior) and not _is_instant(view.prior)

    def compute(progress: Progress) -> np.ndarray:
        if view.prior == own.PROBABILITIES:
            found = _given(view.dataset, dataset)
        elif slow:
            found = slow_prior(view, dataset, progress)
        else:
            found = view.compute_prior(dataset, progress, prior_of_run)
        found.flags.writeable = False
        return found

    title = f"Prior {plain(prior_label(view.prior))} on {called(view.dataset)}"
    return obtain(_priors(), view.prior_key, title, compute, together=slow)


def _is_instant(prior: str) -> bool:
    return not is_run(prior) and priors.spec_of(prior).cost == "instant"


def prior_is_kept(view: Method) -> bool:
    """Whether `prior_of` has its value already."""
    key = concealed(view).prior_key
    return store_for(_priors(), key).get(key) is not None


def keep_prior(view: Method, found: np.ndarray) -> None:
    """Let `prior_of` have what a worker has computed."""
    key, kept_prior = concealed(view).prior_key, found.copy()
    kept_prior.flags.writeable = False
    store_for(_priors(), key).keep(key, kept_prior)


def _given(choice: DatasetChoice, dataset: Dataset) -> np.ndarray:
    """The class probabilities that came with own data."""
    mine = own.own_of(choice)
    if mine is None or mine.probabilities is None:
        raise ValueError("these data came without class probabilities")
    return priors.compute_prior("external", dataset, probabilities=mine.probabilities)


def called(choice: DatasetChoice) -> str:
    """A dataset in a sentence: its name in links, own data by the name that they were given."""
    return choice.name if choice.own is None else plain(choice.own.name)


def laplacian_of(view: Method) -> Laplacian:
    """The Laplacian of the view; undirected ones forget the directions of the graph."""
    dataset = dataset_of(view)

    def compute(progress: Progress) -> Laplacian:
        return laplacian_for(view, dataset, progress)

    shared = laplacian_is_handed_over(view, dataset)
    title = f"{view.laplacian.capitalize()} Laplacian of {called(view.dataset)}"
    return obtain(_laplacians(), view.laplacian_key, title, compute, shared)


def result_of(view: Method) -> GDRResult:
    """Reclassification for every t_min; the diffusion is shared by all rules.

    Test nodes judge it only where the view says that they are revealed.
    """
    return StoredResult(view).get()


class NotKeptError(LookupError):
    """What a file is about has left its store; the server tells it beside the file's button."""


class StoredResult:
    """The same for a fragment: where it lies is found out once, and each run takes it from there.

    A visit must not keep its large arrays alive, so it is not held in between.
    """

    def __init__(self, view: Method) -> None:
        self._key = concealed(view).diffusion_key
        self._store = store_for(_diffusions(), self._key)
        self._rule, self._keeps_prior = view.rule, view.keeps_prior
        self._truth = None if view.dataset.test_hidden else dataset_of(view).labels

    def get(self) -> GDRResult:
        """What lies in the store; computed where it has left it."""
        diffused = self._store.get(self._key) or _diffused(self._key)
        return diffused.reading(self._rule, self._truth, self._keeps_prior)

    def for_file(self, t_min_index: int | None = None) -> Relabelling:
        """The same at one t_min, by default the chosen one, for a file that is asked for later:
        of no visit anything is known then, and nobody is shown how far a computation is. What
        takes long is not computed again, nor own data, which lie in the visit's own store."""
        with unseen():
            if self._store.get(self._key) is None and not _is_quick(self._key):
                raise NotKeptError(NOT_KEPT)
            return self.get().at(t_min_index)


def _is_quick(view: Method) -> bool:
    """Whether a view takes a fraction of a second from what is kept, and no visit is needed."""
    if view.dataset.own is not None or not (_is_instant(view.prior) or prior_is_kept(view)):
        return False
    return not is_large(dataset_of(view).adjacency)


def _diffused(view: Method) -> Diffused:
    dataset, prior, laplacian = dataset_of(view), prior_of(view), laplacian_of(view)

    def compute(progress: Progress) -> Diffused:
        found = diffused(view, dataset, prior, laplacian, progress)
        readings = {(rule, False, False): _at_usual_t_min(each) for rule, each in found.items()}
        return Diffused(readings[view.rule, False, False], readings)

    shared = diffusion_is_handed_over(view, dataset, laplacian)
    title = f"Diffusion of {plain(prior_label(view.prior))} on {called(view.dataset)}"
    return obtain(_diffusions(), view, title, compute, shared)


def _at_usual_t_min(result: GDRResult) -> GDRResult:
    """The result itself; where no validation node can choose t_min, at a usual one."""
    if result.split.validation.size:
        return result
    return replace(result, chosen=result.index(UNCHOSEN_T_MIN))


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
    return cached.node_at(view.dataset, link.recall(NODE))


def parts_of(view: Method) -> tuple[str, ...]:
    """The parts of the split whose accuracy may be shown."""
    return ("validation",) if view.dataset.test_hidden else ("validation", "test")


def judging_part(view: Method) -> str:
    """The part of the split that judges what is shown: test once it is revealed."""
    return parts_of(view)[-1]


class OutcomeLine:
    """At the end of the sidebar, on every explorer page: what the choices lead to at a t_min.

    Fragments may draw it: Streamlit redraws in place what a fragment writes to the sidebar.
    """

    def __init__(self, view: Method) -> None:
        result = result_of(view)  # before `_outcomes_of`: who waits for that cannot cancel it
        self._can_choose = bool(result.split.validation.size)
        self._facts, self._times = _view_facts(view), _outcomes_of(view)

    def draw(self, index: int) -> None:
        """The line for one t_min."""
        t_min, said = self._times[index]
        with st.sidebar:
            st.markdown(said)
            if not self._can_choose:
                st.caption(f"No validation node can choose t_min: it begins at {UNCHOSEN_T_MIN}.")
            link.tell_used("view", **self._facts, t_min=t_min)


@kept(64)
def _outcomes_of(view: Method) -> tuple[tuple[str, str], ...]:
    """For every t_min its name, and what the choices lead to there."""
    result, part = result_of(view), judging_part(view)
    before, judged = percent(result.prior_accuracy[part]), getattr(result.split, part).size
    values = (result.time_names, result.accuracy[part], result.scan.relabelled)
    said = []
    for t_min, after, nodes in zip(*values, strict=True):
        moved = f"{counted(int(nodes), 'node')} relabelled"
        if judged:
            line = f"**{before} → {percent(after)}** on {part} nodes at t_min {t_min}, {moved}"
        else:
            line = f"**{moved}** at t_min {t_min}; there is no {part} node to judge it."
        said.append((t_min, line))
    return tuple(said)


@kept(64)
def _view_facts(view: Method) -> dict[str, Any]:
    """What machines are told of a view."""
    method = {name: value for name, value in vars(view).items() if name in _METHOD_FIELDS}
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
