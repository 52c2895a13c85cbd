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
from gdr_app.computing.budget import (
    check_diffusion,
    check_smoothing,
    diffusion_seconds,
    impulse_seconds,
    is_large,
    onward_seconds,
    smoothing_seconds,
    sources_seconds,
)
from gdr_app.computing.working import outside
from gdr_core.datasets import Dataset
from gdr_core.datasets.own.packing import pack
from gdr_core.diffusion.trajectories import Trajectories
from gdr_core.explanation.directions import Study, arrows_of, read, study
from gdr_core.explanation.responses import Responses, respond
from gdr_core.gdr import GDRResult
from gdr_core.gdr.onward import onward, until_settled
from gdr_core.gdr.packing import unpack_results, unpack_trajectories
from gdr_core.graphs.neighbourhood import Neighbourhood, Sample
from gdr_core.laplacians import Laplacian, adjacency_for
from gdr_core.laplacians.packing import pack_laplacian, unpack_laplacian
from gdr_core.method import Method
from gdr_core.progress import Progress, part
from gdr_core.structure.influence import Influence, sources_of
from gdr_core.structure.smoothing import Smoothing, depth_smoothing, heat_smoothing
from gdr_tools.jobs.diffusions import (
    DEPTH_PART,
    HEAT_PART,
    LAPLACIAN_PART,
    RESULT_PART,
    pack_course,
    pack_graph,
    pack_impulse,
    pack_problem,
    part_of,
)
from gdr_tools.jobs.handover import pack_arrays
from gdr_tools.jobs.kinds import (
    DIFFUSION,
    DIRECTION,
    IMPULSE,
    LAPLACIAN,
    ONWARD,
    SMOOTHING,
    SOURCES,
)

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


def impulse_is_handed_over(view: Method, laplacian: Laplacian) -> bool:
    """Whether a worker follows a delta impulse."""
    last = float(_impulse_times(view, laplacian)[-1])
    return _takes_long(laplacian, impulse_seconds(laplacian, last, view.tolerance))


def impulse_followed(
    view: Method,
    laplacian: Laplacian,
    around: Neighbourhood,
    beyond: Sample,
    progress: Progress,
) -> Responses:
    """How the nodes of a neighbourhood and of a sample respond to unit mass on its centre."""
    check_smoothing(laplacian.nodes, 1)
    times, tolerance = _impulse_times(view, laplacian), view.options.tolerance
    if not impulse_is_handed_over(view, laplacian):
        return respond(
            laplacian, around, times, beyond=beyond, tolerance=tolerance, progress=progress
        )
    course = pack_impulse(laplacian, around, beyond, times)
    return Responses(**_ask(IMPULSE, view, {"tolerance": tolerance}, progress, course=course))


def _impulse_times(view: Method, laplacian: Laplacian) -> np.ndarray:
    return until_settled(laplacian, view.options.times(laplacian))


def sources_are_handed_over(laplacian: Laplacian) -> bool:
    """Whether a worker finds who lifts a node."""
    return _takes_long(laplacian, sources_seconds(laplacian))


def sources_found(view: Method, laplacian: Laplacian, node: int, progress: Progress) -> Influence:
    """Who makes one node overshoot, see `sources_of`."""
    check_smoothing(laplacian.nodes, 1)
    if not sources_are_handed_over(laplacian):
        return sources_of(laplacian, node, progress=progress)
    packed = pack_arrays(pack_laplacian(laplacian))
    return Influence(**_ask(SOURCES, view, {"node": node}, progress, laplacian=packed))


def smoothing_is_handed_over(dataset: Dataset) -> bool:
    """Whether a worker finds what time and depth leave of beliefs."""
    return not outside() and (is_large(dataset.adjacency) or smoothing_seconds(dataset) > LONG)


def smoothed(
    view: Method, dataset: Dataset, prior: np.ndarray, judging: str, progress: Progress
) -> tuple[Smoothing, Smoothing]:
    """What time and what depth leave of beliefs, see `heat_smoothing` and `depth_smoothing`.

    judging   the part of the split whose accuracy is taken
    """
    check_smoothing(dataset.nodes, dataset.classes)
    if not smoothing_is_handed_over(dataset):
        judged = getattr(dataset.split, judging)
        heat = heat_smoothing(dataset, prior, judged, progress=part(progress, 0.0, 0.6))
        depth = depth_smoothing(dataset, prior, judged, progress=part(progress, 0.6, 1.0))
        return heat, depth
    answer = _ask(SMOOTHING, view, {"part": judging}, progress, graph=pack(dataset, prior))
    return (
        Smoothing(**part_of(answer, HEAT_PART)),
        Smoothing(**part_of(answer, DEPTH_PART)),
    )


def _takes_long(laplacian: Laplacian, seconds: float) -> bool:
    return not outside() and (is_large(laplacian.weights) or seconds > LONG)


def _ask(
    kind: str, view: Method, request: dict[str, Any], progress: Progress, **data: bytes
) -> dict[str, Any]:
    private = view.dataset.own is not None
    return ask_worker(kind, request, progress, private, _PATIENCE, **data)
