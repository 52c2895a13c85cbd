"""What the pages Structure and Prior ask a worker for: plain arguments in, numbers out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from gdr_core.datasets import Dataset
from gdr_core.datasets.hiding import hide_test
from gdr_core.laplacians import make_laplacian
from gdr_core.progress import Progress
from gdr_tools.jobs.kinds import asked_dataset


def study(arguments: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """One study of a dataset.

    dataset, load   name and options of `datasets.load_dataset`; or instead of them
    own             a dataset that is handed over
    hidden          whether the classes of test nodes are held back
    study           which one
    options         its other arguments
    """
    data = asked_dataset(arguments, progress)
    if arguments["hidden"]:
        data = hide_test(data)
    return _STUDIES[arguments["study"]](data, progress, **arguments["options"])


def _alignment(data: Dataset, progress: Progress) -> dict[str, Any]:
    from gdr_core.structure.alignment import alignment

    return asdict(alignment(data, progress=progress))


def _influence(data: Dataset, progress: Progress, laplacian: str) -> dict[str, Any]:
    from gdr_core.structure.influence import influence

    found = influence(make_laplacian(laplacian, data.undirected), progress=progress)
    return {"heights": found.heights, "peak_times": found.peak_times, "times": found.times}


def _communities(data: Dataset, progress: Progress, times: list[float]) -> dict[str, Any]:
    from gdr_core.structure.communities import communities

    return vars(communities(data.undirected, times, progress=progress))


def _regions(data: Dataset, progress: Progress) -> dict[str, Any]:
    from gdr_core.graphs.regions import regions

    return {"regions": regions(data.undirected, progress=progress)}


def _version(data: Dataset, progress: Progress, **options: Any) -> dict[str, Any]:
    from gdr_tools.studies.randomising import point_at

    return asdict(point_at(data, progress=progress, **options))


_STUDIES: dict[str, Callable[..., dict[str, Any]]] = {
    "alignment": _alignment,
    "influence": _influence,
    "communities": _communities,
    "regions": _regions,
    "version": _version,
}
