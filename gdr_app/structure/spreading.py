"""How mass and beliefs spread on the chosen graph: computed once, by a worker where it is large."""

from __future__ import annotations

from typing import Final

from gdr_app.computing.diffusing import (
    smoothed,
    smoothing_is_handed_over,
    sources_are_handed_over,
    sources_found,
)
from gdr_app.computing.kept import kept
from gdr_app.computing.results import called, concealed, dataset_of, laplacian_of, prior_of
from gdr_app.computing.store import Store
from gdr_app.computing.working import obtain
from gdr_core.method import Method
from gdr_core.progress import Progress
from gdr_core.structure.influence import Influence
from gdr_core.structure.smoothing import Smoothing

_BUDGET: Final = 32 << 20  # bytes of sources kept for all visitors


@kept(most=1)
def _sources() -> Store[Influence]:
    return Store(_BUDGET, lambda found: found.heights.nbytes + found.peak_times.nbytes)


@kept(most=1)
def _smoothings() -> Store[tuple[Smoothing, Smoothing]]:
    return Store(64, lambda _: 1)


def sources_on(view: Method, node: int) -> Influence:
    """Who makes one node overshoot."""
    laplacian = laplacian_of(view)

    def compute(progress: Progress) -> Influence:
        return sources_found(view, laplacian, node, progress)

    shared = sources_are_handed_over(laplacian)
    key = ("sources", view.laplacian_key, node)
    return obtain(_sources(), key, f"Sources on {called(view.dataset)}", compute, shared)


def smoothings_on(view: Method, judging: str) -> tuple[Smoothing, Smoothing]:
    """What time and what depth leave of the prior's beliefs, judged on a part of the split."""
    graph, start = dataset_of(view), prior_of(view)

    def compute(progress: Progress) -> tuple[Smoothing, Smoothing]:
        return smoothed(view, graph, start, judging, progress)

    shared = smoothing_is_handed_over(graph)
    key = ("smoothing", concealed(view).prior_key, view.dataset, judging)
    return obtain(_smoothings(), key, f"Smoothing on {called(view.dataset)}", compute, shared)
