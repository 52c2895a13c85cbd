"""The three readings of a graph, computed once for all visitors."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from typing import Final

import numpy as np

from gdr_app.computing.budget import is_large
from gdr_app.computing.diffusing import studied
from gdr_app.computing.kept import kept
from gdr_app.computing.opening import open_dataset
from gdr_app.computing.results import called, concealed, prior_of
from gdr_app.computing.store import Store
from gdr_app.computing.working import obtain
from gdr_app.directed.choice import DirectedView
from gdr_core.datasets import Dataset
from gdr_core.explanation.directions import READINGS, Study, common_times, read
from gdr_core.progress import Progress

BUDGET: Final = 256 * 2**20

Studies = dict[str, Study]


@kept(most=1)
def _studies() -> Store[Study]:
    return Store(BUDGET, _size)


def studies_of(view: DirectedView) -> Studies:
    """Forward, backward and undirected, in this order."""
    dataset = open_dataset(view.dataset.concealed)
    prior = prior_of(view.method)

    def compute(reading: str, progress: Progress) -> Study:
        return studied(view.method, reading, dataset, prior, progress)

    shared = is_large(dataset.adjacency)
    return {
        reading: obtain(
            _studies(),
            _key(view, reading),
            f"{called(view.dataset)}, read {reading}",
            partial(compute, reading),
            shared,
        )
        for reading in READINGS
    }


def curves_of(view: DirectedView, node: int) -> dict[str, np.ndarray]:
    """p(t) of one node for every reading, on the grid that `common_times` gives."""
    times = common_times(view.method.laplacian)
    return {
        reading: _curves((*_key(view, reading), node), found, node, times)
        for reading, found in studies_of(view).items()
    }


@kept(most=256)
def _curves(key: tuple[Hashable, ...], _found: Study, _node: int, _times: np.ndarray) -> np.ndarray:
    found = _found.curves(_node, _times)
    found.flags.writeable = False
    return found


def _key(view: DirectedView, reading: str) -> tuple[Hashable, ...]:
    """What a reading depends on; `read` forgets α for the undirected one."""
    return ("study", reading, read(concealed(view.method), reading))


def telling_node(graph: Dataset, studies: Studies) -> int:
    """A node to begin with: readings disagree about it, and a walker often comes there."""
    labels = np.array([found.result.predictions() for found in studies.values()])
    disputed = (labels != labels[0]).any(axis=0)
    visits = np.array([found.visits for found in studies.values()]).min(axis=0)
    disputed[graph.split.train] = False
    return int(np.argmax(visits * (1 + graph.nodes * disputed)))


def _size(found: Study) -> int:
    result = found.result
    arrays = (result.trajectories.fields, result.scan.predicted, result.start, result.start)
    return sum(array.nbytes for array in arrays)
