"""The cells of a study over datasets: which method on which dataset, and the runs that it has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from gdr_app.compare.results import Results
from gdr_app.compare.stored import stored_trials
from gdr_app.compare.study import KNOWN, SEEDS, here, recalled
from gdr_app.computing import cached
from gdr_app.computing.results import called
from gdr_app.computing.runs import is_run
from gdr_core.datasets import Dataset, DatasetChoice
from gdr_core.gdr.trials import Trial
from gdr_core.laplacians import fitting
from gdr_core.method import Method
from gdr_core.priors import PRIORS
from gdr_tools.studies.trials import RANDOM

_ELSEWHERE: Final = "not on this dataset"


class Place(NamedTuple):
    """A cell: the method of this name on the dataset of this name, and what that is."""

    dataset: str
    method: str
    view: Method


@dataclass(frozen=True)
class Across:
    """All cells of a study.

    methods   their names, in order
    choices   the datasets themselves, by what their columns are called
    trials    the runs there are, by dataset
    missing   the cells that could be run
    reasons   why the others cannot, by dataset and method
    """

    methods: tuple[str, ...]
    choices: dict[str, DatasetChoice]
    trials: dict[str, list[Trial]]
    missing: list[Place]
    reasons: dict[tuple[str, str], str]


def gather(
    view: Method,
    views: dict[str, Method],
    results: Results,
    kind: str,
    count: int,
    names: Sequence[str],
) -> Across:
    """What is stored, kept or on the page already; nothing is computed.

    view      the sidebar's, with its dataset
    views     the methods on that dataset
    results   what the page has of them
    """
    found = Across(tuple(views), {}, {}, [], {})
    several = len({each.laplacian for each in views.values()}) > 1
    for name in names:
        choice = _choice(view, name)
        label, graph = label_of(choice), cached.dataset(choice)
        trials: list[Trial] = []
        for method, each in views.items():
            reason = _obstacle(each, choice, graph, kind, several)
            if reason:
                found.reasons[label, method] = reason
                continue
            place = Place(label, method, _moved(each, choice))
            known = _known(place, graph, results if choice == view.dataset else {}, kind, count)
            trials += known
            if not known:
                found.missing.append(place)
        found.choices[label], found.trials[label] = choice, trials
    return found


def label_of(choice: DatasetChoice) -> str:
    """A dataset as a column is called; own data may have the name of a dataset of ours."""
    return called(choice) if choice.own is None else f"{called(choice)} (yours)"


def _choice(view: Method, name: str) -> DatasetChoice:
    """The sidebar's dataset as it is there; another one with its first split."""
    if name == view.dataset.name:
        return view.dataset
    return DatasetChoice(name, test_hidden=view.dataset.test_hidden)


def _moved(view: Method, choice: DatasetChoice) -> Method:
    """The same method on another dataset; with its usual Laplacian where the chosen one needs
    directions that it does not have."""
    fits = view.laplacian in fitting(choice.spec.directed)
    return replace(view, dataset=choice, laplacian=view.laplacian if fits else "")


def _obstacle(view: Method, choice: DatasetChoice, graph: Dataset, kind: str, several: bool) -> str:
    """Why a method cannot run on a dataset, empty if it can.

    several   whether methods differ in their Laplacian, so that none may stand for another
    """
    if choice != view.dataset and (is_run(view.prior) or view.prior == "external"):
        return _ELSEWHERE
    if kind == RANDOM and "random" not in choice.spec.splits:
        return "no random splits"
    if several and view.laplacian not in fitting(choice.spec.directed):
        return "no directions"
    spec = PRIORS.get(view.prior)
    if spec is not None and spec.needs_features and not graph.features.shape[1]:
        return "no features"
    return ""


def _known(place: Place, graph: Dataset, results: Results, kind: str, count: int) -> list[Trial]:
    """The runs of a cell that are there."""
    if kind != KNOWN:
        return [] if is_run(place.view.prior) else recalled(place.view, kind, count) or []
    one = {place.method: place.view}
    return (
        stored_trials(place.method, place.view, graph)
        or here(one, results, graph)
        or (recalled(place.view, SEEDS, 1) or [])
    )
