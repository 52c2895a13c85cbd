"""What workers do for pages with large graphs: Laplacians, diffusions, and what follows them.

What each of them needs is handed over in one file and what it finds is plain arrays, so that the
server neither computes nor copies much. A Laplacian travels with its λ₂ and is not made twice.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import scipy.sparse as sp

from gdr_core.datasets import DatasetChoice
from gdr_core.datasets.own.packing import unpack
from gdr_core.datasets.record import PARTS, Split
from gdr_core.explanation.directions import study
from gdr_core.explanation.responses import respond
from gdr_core.gdr import GDROptions, reclassify
from gdr_core.gdr.onward import onward_from
from gdr_core.gdr.packing import pack_results, pack_trajectories
from gdr_core.graphs.neighbourhood import Neighbourhood, Sample
from gdr_core.laplacians import Laplacian, make_laplacian
from gdr_core.laplacians.packing import pack_laplacian, unpack_laplacian
from gdr_core.method import Method
from gdr_core.progress import Progress, part
from gdr_core.structure.influence import sources_of
from gdr_core.structure.smoothing import depth_smoothing, heat_smoothing
from gdr_tools.jobs.handover import pack_arrays, take, unpack_arrays

LAPLACIAN_PART, RESULT_PART = "laplacian ", "result "  # begin the names of a reading's arrays
HEAT_PART, DEPTH_PART = "heat ", "depth "  # and of those of a smoothing
_NEAR, _FAR = "near ", "far "
_MATRIX = ("data", "indices", "indptr")


def pack_graph(adjacency: sp.csr_array) -> bytes:
    """An adjacency for `find_laplacian`."""
    parts = {name: getattr(adjacency, name) for name in _MATRIX}
    return pack_arrays({**parts, "shape": np.array(adjacency.shape)})


def find_laplacian(arguments: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """A Laplacian with its λ₂, as `pack_laplacian` packs it.

    graph                     where an adjacency was handed over
    name, direction, alpha    which Laplacian of it
    """
    arrays = unpack_arrays(take(arguments["graph"]))
    adjacency = sp.csr_array(tuple(arrays[name] for name in _MATRIX), shape=arrays["shape"])
    progress(0.0, "finding the relaxation time")
    return pack_laplacian(
        make_laplacian(
            arguments["name"],
            adjacency,
            direction=arguments["direction"],
            alpha=arguments["alpha"],
        )
    )


def pack_problem(laplacian: Laplacian, prior: np.ndarray, truth: np.ndarray, split: Split) -> bytes:
    """What `diffuse_problem` is about."""
    parts = {name: getattr(split, name) for name in PARTS}
    problem = {"prior": prior, "truth": truth, **parts}
    return pack_arrays({**pack_laplacian(laplacian), **problem})


def diffuse_problem(arguments: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """A diffusion and its reading by every rule, as `pack_results` packs them.

    problem   where it was handed over
    options   those of `GDROptions`
    """
    arrays = unpack_arrays(take(arguments["problem"]))
    train, validation, test = (arrays[name] for name in PARTS)
    result = reclassify(
        unpack_laplacian(arrays),
        arrays["prior"],
        arrays["truth"],
        Split(train, validation, test),
        GDROptions(**arguments["options"]),
        progress=part(progress, 0.0, 0.8),
    )
    return pack_results(result, part(progress, 0.8, 1.0))


def pack_course(laplacian: Laplacian, start: np.ndarray, times: np.ndarray) -> bytes:
    """What `go_onward` is about: what was diffused, and the times looked at."""
    return pack_arrays({**pack_laplacian(laplacian), "start": start, "times": times})


def go_onward(arguments: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """The curves after the window, see `onward`; nothing where there are none to show.

    course   where it was handed over
    """
    arrays = unpack_arrays(take(arguments["course"]))
    laplacian, start, times = unpack_laplacian(arrays), arrays["start"], arrays["times"]
    found = onward_from(laplacian, start, times, progress=progress)
    return {} if found is None else pack_trajectories(found)


def study_direction(arguments: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """One reading of a directed graph, see `study`: the parts that take long to find.

    graph     where a dataset and its prior were handed over
    method    the choices of a `Method`
    reading   which reading
    """
    dataset, prior = unpack(take(arguments["graph"]))
    assert prior is not None, "a reading needs a prior"
    method = Method(DatasetChoice.of(dataset), **arguments["method"])
    found = study(method, arguments["reading"], dataset, prior, part(progress, 0.0, 0.8))
    result = pack_results(found.result, part(progress, 0.8, 1.0))
    return {
        "visits": found.visits,
        **{
            f"{LAPLACIAN_PART}{name}": each
            for name, each in pack_laplacian(found.laplacian).items()
        },
        **{f"{RESULT_PART}{name}": each for name, each in result.items()},
    }


def pack_impulse(
    laplacian: Laplacian, around: Neighbourhood, beyond: Sample, times: np.ndarray
) -> bytes:
    """What `follow_impulse` is about: who is followed, and when."""
    near = {f"{_NEAR}{name}": value for name, value in _fields_of(around).items()}
    far = {f"{_FAR}{name}": value for name, value in _fields_of(beyond).items()}
    return pack_arrays({**pack_laplacian(laplacian), **near, **far, "times": times})


def follow_impulse(arguments: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """How nodes respond to a delta impulse, as `Responses` holds it.

    course      where it was handed over
    tolerance   as a share of the mass
    """
    arrays = unpack_arrays(take(arguments["course"]))
    near, far = part_of(arrays, _NEAR), part_of(arrays, _FAR)
    found = respond(
        unpack_laplacian(arrays),
        Neighbourhood(**{**near, "left_out": int(near["left_out"])}),
        arrays["times"],
        beyond=Sample(**far),
        tolerance=arguments["tolerance"],
        progress=progress,
    )
    return _fields_of(found)


def find_sources(arguments: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Who makes one node overshoot, as `Influence` holds it.

    laplacian   where it was handed over
    node        which node
    """
    laplacian = unpack_laplacian(unpack_arrays(take(arguments["laplacian"])))
    return _fields_of(sources_of(laplacian, arguments["node"], progress=progress))


def smooth_beliefs(arguments: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """What time and depth leave of beliefs, as two records of `Smoothing` hold it.

    graph   where a dataset and its prior were handed over
    part    of the split, whose accuracy is taken
    """
    dataset, prior = unpack(take(arguments["graph"]))
    assert prior is not None, "there is nothing to smooth without a prior"
    judged = getattr(dataset.split, arguments["part"])
    heat = heat_smoothing(dataset, prior, judged, progress=part(progress, 0.0, 0.6))
    depth = depth_smoothing(dataset, prior, judged, progress=part(progress, 0.6, 1.0))
    parts = {HEAT_PART: heat, DEPTH_PART: depth}
    return {
        f"{name}{key}": value
        for name, each in parts.items()
        for key, value in _fields_of(each).items()
    }


def _fields_of(record: Any) -> dict[str, Any]:
    """The fields of a record by name, and nothing that it has found since."""
    return {each.name: getattr(record, each.name) for each in fields(record)}


def part_of(answer: dict[str, Any], name: str) -> dict[str, Any]:
    """What an answer holds under names that begin so.

    >>> part_of({"visits": 1, "result start": 2}, RESULT_PART)
    {'start': 2}
    """
    return {key.removeprefix(name): value for key, value in answer.items() if key.startswith(name)}
