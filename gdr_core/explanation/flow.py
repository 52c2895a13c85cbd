"""Which class leads at every node and time: the picture of classes flowing over the graph."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gdr_core.explanation.responses import Responses
from gdr_core.gdr.result import GDRResult

NOBODY = -1


@dataclass(frozen=True, eq=False)
class Flow:
    """Who leads where and when; both arrays have shape (times, nodes).

    codes      the leading class (or kind of response), −1 where nothing is above π
    strengths  how far it leads, from 0 (not at all) to 1 (the most of all shown)
    """

    codes: np.ndarray
    strengths: np.ndarray


def class_flow(result: GDRResult, nodes: np.ndarray) -> Flow:
    """At each time the class with the largest p − π; nobody leads where none is above π.

    Strength grows with the square root of p − π, so that faint beginnings can be seen.
    """
    above = result.trajectories.values(nodes) - result.stationary[nodes]
    lead = above.max(axis=2)
    codes = np.where(lead > result.error_bound, above.argmax(axis=2), NOBODY)
    return Flow(codes, _shares(np.sqrt(np.maximum(lead, 0))))


def impulse_flow(responses: Responses) -> Flow:
    """At each time the nodes above π, with the kind of their response; strength is log p/π."""
    ratios = responses.ratios()
    risen = responses.values - responses.stationary > responses.error_bound
    codes = np.where(risen, responses.kinds, NOBODY)
    return Flow(codes, _shares(np.log(np.maximum(ratios, 1))))


def _shares(values: np.ndarray) -> np.ndarray:
    most = values.max(initial=0.0)
    return values / most if most > 0 else np.zeros_like(values)
