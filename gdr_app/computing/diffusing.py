"""Laplacians and diffusions: what takes long is done by a worker, and the server goes on drawing.

What takes about a tenth of a second is done here: to hand it over would take as long, and where a
worker must be started first, a second or more. So is what is asked for outside of any page: the
server's own view before its first visitor comes, and files of what is quick. What comes back is
the same either way. Visitors who ask for the same share one computation.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from gdr_app.computing.asking import ask_worker
from gdr_app.computing.budget import check_diffusion, diffusion_seconds, is_large, onward_seconds
from gdr_app.computing.working import outside
from gdr_core.datasets import Dataset
from gdr_core.datasets.own.packing import pack
from gdr_core.diffusion.trajectories import Trajectories
from gdr_core.explanation.directions import Study, arrows_of, read, study
from gdr_core.gdr import GDRResult
from gdr_core.gdr.onward import onward
from gdr_core.gdr.packing import unpack_results, unpack_trajectories
from gdr_core.laplacians import Laplacian, adjacency_for
from gdr_core.laplacians.packing import unpack_laplacian
from gdr_core.method import Method
from gdr_core.progress import Progress
from gdr_tools.jobs.diffusions import (
    LAPLACIAN_PART,
    RESULT_PART,
    pack_course,
    pack_graph,
    pack_problem,
    part_of,
)
from gdr_tools.jobs.kinds import DIFFUSION, DIRECTION, LAPLACIAN, ONWARD

LONG: Final = 0.15  # seconds of the processor, by estimates at most, that a page takes itself
_PATIENCE: Final = 60.0  # seconds; a class that opens its pages at once is served one after another


def laplacian_is_handed_over(view: Method, dataset: Dataset) -> bool:
    """Whether a worker finds the Laplacian of a view."""
    return not outside() and is_large(adjacency_for(view.laplacian, dataset))


def diffusion_is_handed_over(view: Method, dataset: Dataset, laplacian: Laplacian) -> bool:
    """Whether a worker diffuses a view."""
    return not outside() and diffusion_seconds(view, laplacian, dataset.classes) > LONG


def laplacian_for(view: Method, dataset: Dataset, progress: Progress) -> Laplacian:
    """The Laplacian of a view with its relaxation time, which every diffusion asks for."""
    if not laplacian_is_handed_over(view, dataset):
        progress(0.0, "finding the relaxation time")
        made = view.make_laplacian(dataset)
        _ = made.relaxation_time
        return made
    asked = {"name": view.laplacian, "direction": view.direction, "alpha": view.alpha}
    graph = pack_graph(adjacency_for(view.laplacian, dataset))
    return unpack_laplacian(_ask(LAPLACIAN, view, asked, progress, graph=graph))


def diffused(
    view: Method,
    dataset: Dataset,
    prior: np.ndarray,
    laplacian: Laplacian,
    progress: Progress,
) -> dict[str, GDRResult]:
    """Reclassification by the view's rule, or at once by every rule where a worker has done it."""
    check_diffusion(view, dataset)
    if not diffusion_is_handed_over(view, dataset, laplacian):
        return {view.rule: view.reclassify(dataset, prior, laplacian, progress)}
    problem = pack_problem(laplacian, prior, dataset.labels, dataset.split)
    asked = {"options": vars(view.options)}
    answer = _ask(DIFFUSION, view, asked, progress, problem=problem)
    return unpack_results(
        answer, view.options, dataset.labels, dataset.split, laplacian.relaxation_time
    )


def curves_onward(
    view: Method, result: GDRResult, laplacian: Laplacian, progress: Progress
) -> Trajectories | None:
    """The curves after the window; None where there are none to show."""
    if outside() or onward_seconds(laplacian, result.start.shape[1]) <= LONG:
        return onward(laplacian, result, progress=progress)
    course = pack_course(laplacian, result.start, result.times)
    answer = _ask(ONWARD, view, {}, progress, course=course)
    return unpack_trajectories(answer, result.start) if answer else None


def studied(
    method: Method, reading: str, dataset: Dataset, prior: np.ndarray, progress: Progress
) -> Study:
    """One reading of a directed graph, see `study`."""
    check_diffusion(method, dataset)
    if not is_large(dataset.adjacency):
        return study(method, reading, dataset, prior, progress)
    told = {name: getattr(method, name) for name in ("laplacian", "direction", "alpha")}
    asked = {"method": {**told, **vars(method.options)}, "reading": reading}
    answer = _ask(DIRECTION, method, asked, progress, graph=pack(dataset, prior))
    laplacian = unpack_laplacian(part_of(answer, LAPLACIAN_PART))
    results = unpack_results(
        part_of(answer, RESULT_PART),
        read(method, reading).options,
        dataset.labels,
        dataset.split,
        laplacian.relaxation_time,
    )
    arrows = arrows_of(dataset, reading)
    return Study(reading, arrows, answer["visits"], laplacian, results[method.rule])


def _ask(
    kind: str, view: Method, request: dict[str, Any], progress: Progress, **data: bytes
) -> dict[str, Any]:
    private = view.dataset.own is not None
    return ask_worker(kind, request, progress, private, _PATIENCE, **data)
