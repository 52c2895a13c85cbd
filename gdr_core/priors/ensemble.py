"""The mean of several priors, or of one prior over several seeds, is a prior."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from gdr_core import gate
from gdr_core.datasets.record import Dataset
from gdr_core.progress import Progress, part

_MEMBER = re.compile(r"(?P<name>[a-z-]+)(?:\*(?P<count>\d{1,9}))?")
MOST = 100


def ensemble(
    dataset: Dataset, *, seed: int, progress: Progress, members: str, copies: int = 1
) -> np.ndarray:
    """The mean of the members' class probabilities, each member as it is by itself.

    Of a random member with n copies, copy k is drawn with the seed n · `seed` + k: two seeds of
    the mean share no member. Where members have different n, the largest counts.
    """
    from gdr_core.priors.computing import compute_prior

    drawn = members_of(members, copies)
    stride = 1 + max(copy for _, copy in drawn)
    total = np.zeros((dataset.nodes, dataset.classes))
    for done, (name, copy) in enumerate(drawn):
        report = part(progress, done / len(drawn), (done + 1) / len(drawn))
        total += compute_prior(name, dataset, seed=(stride * seed + copy) % 2**32, progress=report)
    return total / len(drawn)


def resolved(options: dict[str, Any], dataset: str | None = None) -> dict[str, Any]:
    """What the mean depends on: every member with the settings that it has on the dataset."""
    from gdr_core.priors.registry import PRIORS

    drawn = members_of(options["members"], options["copies"])
    specs = {name: PRIORS[name] for name, _ in drawn}
    settings = {
        name: [spec.revision, spec.resolved(spec.checked({}), dataset)]
        for name, spec in specs.items()
    }
    return {"members": drawn, "settings": settings}


def members_of(text: str, copies: int = 1) -> list[tuple[str, int]]:
    """Names and number of the copy: `heat-net*2,linear` is heat-net twice, and linear.

    copies   of each random member that has no number of its own

    >>> members_of("gcn*2, linear")
    [('gcn', 0), ('gcn', 1), ('linear', 0)]
    >>> members_of("gcn, linear", copies=2)
    [('gcn', 0), ('gcn', 1), ('linear', 0)]
    """
    from gdr_core.priors.registry import PRIORS

    found: list[tuple[str, int]] = []
    for word in filter(None, re.split(r"[,\s]+", text)):
        name, own = _member(word)
        if any(name == known for known, _ in found):
            instead = f"{name}*2 takes two seeds of it" if PRIORS[name].random else "once is enough"
            raise ValueError(f"{name} is named twice; {instead}")
        if own is None:
            own = copies if PRIORS[name].random else 1
        found += [(name, copy) for copy in range(min(own, MOST + 1))]
    if not 1 <= len(found) <= MOST:
        raise ValueError(f"an ensemble has 1 to {MOST} members, got {len(found)}")
    return found


def _member(word: str) -> tuple[str, int | None]:
    """The name of a prior, and how many seeds of it, where the word says so."""
    from gdr_core.priors.registry import PRIORS

    match = _MEMBER.fullmatch(word)
    if match is None or match["name"] not in PRIORS or match["name"] in _NEVER:
        raise ValueError(
            f"{word!r} is no member of an ensemble; a member is the name of a prior, or "
            f"NAME*COUNT for as many seeds of it; there are {', '.join(possible())}"
        )
    name, own = match["name"], None if match["count"] is None else int(match["count"])
    if own == 0:
        raise ValueError(f"{word} is no member at all; leave it out, or write {name}*1")
    if own is not None and own > 1 and not PRIORS[name].random:
        raise ValueError(f"{name} is not random: {own} copies of it are equal")
    return name, own


_NEVER = ("ensemble", "external")


def possible() -> tuple[str, ...]:
    """Names of the priors that can be members.

    >>> "heat-net" in possible(), "ensemble" in possible()
    (True, False)
    """
    from gdr_core.priors.registry import PRIORS

    return tuple(name for name in PRIORS if name not in _NEVER)


def mean_of(priors: list[np.ndarray]) -> np.ndarray:
    """The mean of priors that have been computed already, each of shape (nodes, classes).

    >>> mean_of([np.array([[1.0, 0.0]]), np.array([[0.5, 0.5]])])
    array([[0.75, 0.25]])
    """
    if not priors:
        raise ValueError("there is no prior to average")
    given = [gate.number_array(one, "a prior", 2) for one in priors]
    shapes = dict.fromkeys(one.shape for one in given)
    if len(shapes) != 1:
        told = " and ".join(f"{rows} nodes and {columns} classes" for rows, columns in shapes)
        raise ValueError(f"priors must be about the same nodes and classes to be averaged: {told}")
    return np.mean(given, axis=0)
