"""Results as plain arrays, and back: for processes that hand them to each other.

A diffusion travels once, with its reading by every rule, so that another rule takes no time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from gdr_core.datasets.record import PARTS, Split
from gdr_core.diffusion.trajectories import Trajectories
from gdr_core.gdr.options import GDROptions
from gdr_core.gdr.outlook import Outlook
from gdr_core.gdr.reclassify import with_rule
from gdr_core.gdr.result import GDRResult
from gdr_core.gdr.rules import RULES
from gdr_core.gdr.scan import Scan
from gdr_core.progress import Progress, ignore, part

_CURVES: Final = ("times", "mixing", "fields", "level", "nodes")


def pack_trajectories(curves: Trajectories) -> dict[str, Any]:
    """All of a diffusion but its beginning, by name."""
    return {
        **{name: getattr(curves, name) for name in _CURVES},
        "error_bound": curves.error_bound,
        "products": curves.products,
    }


def unpack_trajectories(arrays: Mapping[str, Any], start: np.ndarray) -> Trajectories:
    """The diffusion that `pack_trajectories` has packed.

    start   what was diffused, for all nodes
    """
    kind = arrays["fields"].dtype
    begun = start if arrays["nodes"].size == len(start) else start[arrays["nodes"]]
    return Trajectories(
        **{name: arrays[name] for name in _CURVES},
        start=begun.astype(kind, copy=False),
        error_bound=float(arrays["error_bound"]),
        products=int(arrays["products"]),
    )


def pack_results(result: GDRResult, progress: Progress = ignore) -> dict[str, Any]:
    """A diffusion and how every rule reads it, by name.

    >>> from gdr_core import Method
    >>> arrays = pack_results(Method.on("karate", prior="uniform").run())
    >>> arrays["overshoot predicted"].shape == arrays["peak predicted"].shape
    True
    """
    packed = pack_trajectories(result.trajectories)
    packed |= {"start": result.start, "stationary": result.stationary}
    if result.limit is not result.stationary:
        packed["limit"] = result.limit
    packed |= {f"seconds {stage}": seconds for stage, seconds in result.seconds.items()}
    for place, rule in enumerate(RULES):
        told = part(progress, place / len(RULES), (place + 1) / len(RULES))
        same = rule == result.options.rule
        read = result if same else with_rule(result, rule, progress=told)
        packed |= {f"{rule} predicted": read.scan.predicted, f"{rule} chosen": read.chosen}
        packed[f"{rule} relabelled"] = read.scan.relabelled
        packed |= {f"{rule} {name}": read.accuracy[name] for name in PARTS}
    return packed


def unpack_results(
    arrays: Mapping[str, Any],
    options: GDROptions,
    truth: np.ndarray,
    split: Split,
    relaxation_time: float,
) -> dict[str, GDRResult]:
    """The results that `pack_results` has packed, by rule. All share one diffusion.

    options, truth, split, relaxation_time   what they were computed with

    >>> from gdr_core import Method, load_dataset
    >>> method, club = Method.on("karate", prior="uniform"), load_dataset("karate")
    >>> result = method.run()
    >>> again = unpack_results(
    ...     pack_results(result), result.options, club.labels, club.split, result.relaxation_time
    ... )
    >>> again["overshoot"].at().tally == result.at().tally
    True
    """
    start, stationary = arrays["start"], arrays["stationary"]
    curves = unpack_trajectories(arrays, start)
    told = {k.partition(" ")[2]: float(v) for k, v in arrays.items() if k.startswith("seconds ")}
    found = {}
    for rule in RULES:
        scan = Scan(
            arrays[f"{rule} predicted"],
            arrays[f"{rule} relabelled"],
            {name: arrays[f"{rule} {name}"] for name in PARTS},
        )
        found[rule] = GDRResult(
            options=replace(options, rule=rule),
            split=split,
            truth=truth,
            scan=scan,
            chosen=int(arrays[f"{rule} chosen"]),
            start=start,
            prior_labels=start.argmax(axis=1),
            trajectories=curves,
            stationary=stationary,
            limit=arrays.get("limit", stationary),
            outlook=Outlook(curves, stationary, scan.predicted),
            relaxation_time=relaxation_time,
            seconds=told,
        )
    return found
