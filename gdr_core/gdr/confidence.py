"""How sure a reclassification is of each node: raw shares of overshoots, and probabilities.

The shares Ω_μ / Σ_ν Ω_ν order the classes of a node but promise nothing: a share of 0.6 may be
right nine times out of ten. One temperature, fitted on the validation nodes (`priors.calibration`),
turns them into probabilities that mean what they say, and leaves every label as it is. Many shares
are exactly 0, also of true classes; so a part ε of each row is first shared out evenly, as much as
the validation nodes ask for. Without it the temperature would serve these few nodes alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gdr_core.datasets.record import UNKNOWN
from gdr_core.gdr.result import GDRResult
from gdr_core.gdr.trust import knows_nothing, unseen_classes
from gdr_core.priors.assessment import Reliability, reliability
from gdr_core.priors.calibration import Calibration, calibrate

EVENNESS = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4)  # ε, to choose from


@dataclass(frozen=True, eq=False)
class Confidence:
    """Class probabilities of all nodes at one t_min.

    shares         overshoots as shares, shape (nodes, classes)
    probabilities  the same after calibration
    calibration    the temperature, and the nodes that it was fitted on
    before, after  confidence against truth on the validation nodes; `error` is the expected
                   calibration error
    held_out       as `after`, but each half of the validation nodes is judged by the temperature
                   of the other half: what to expect of nodes that no temperature was fitted on;
                   empty where a half is too small to fit one
    unseen         how many classes have no validation node: for these nothing was fitted or judged
    """

    shares: np.ndarray
    probabilities: np.ndarray
    calibration: Calibration
    before: Reliability
    after: Reliability
    held_out: Reliability
    unseen: int

    @property
    def doubt(self) -> str:
        """A sentence on classes without a validation node; empty where every class has one."""
        unseen = self.unseen if self.calibration.enough else 0
        return knows_nothing("calibration", unseen, self.shares.shape[1])


def confidence(result: GDRResult, t_min_index: int | None = None) -> Confidence:
    """Shares and calibrated probabilities at one t_min, the chosen one by default.

    >>> from gdr_core import compute_prior, load_dataset, make_laplacian, reclassify
    >>> blocks = load_dataset("sbm")
    >>> laplacian = make_laplacian("combinatorial", blocks.adjacency)
    >>> prior = compute_prior("projection", blocks)
    >>> found = confidence(reclassify(laplacian, prior, blocks.labels, blocks.split))
    >>> bool(found.after.error < found.before.error)
    True
    """
    raw, members = shares(result, t_min_index), result.split.validation
    fitted = fitted_to(raw, result.truth, members)
    probabilities = fitted(raw)
    probabilities[result.split.train] = result.start[result.split.train]
    before, after = (reliability(result.truth, p, members) for p in (raw, probabilities))
    unseen = unseen_classes(result.truth, members, raw.shape[1])
    return Confidence(raw, probabilities, fitted, before, after, _crossed(raw, result), unseen)


def fitted_to(raw: np.ndarray, truth: np.ndarray, members: np.ndarray) -> Calibration:
    """The calibration of shares: ε and temperature with the lowest log-loss on the members."""
    return calibrate(raw, truth, members, EVENNESS)


def _crossed(raw: np.ndarray, result: GDRResult) -> Reliability:
    """Each half of the validation nodes, every second one, by the other half's temperature."""
    members = result.split.validation
    known = members[result.truth[members] != UNKNOWN]
    halves = known[::2], known[1::2]
    fits = [fitted_to(raw, result.truth, half) for half in halves]
    if not all(fit.enough for fit in fits):
        return reliability(result.truth, raw, known[:0])
    judged = raw.copy()
    for half, fit in zip(halves, reversed(fits), strict=True):
        judged[half] = fit(raw[half])
    return reliability(result.truth, judged, known)


def shares(result: GDRResult, t_min_index: int | None = None) -> np.ndarray:
    """Shares of the overshoots; the class that the rule decides for has the largest.

    Rules other than `overshoot` may decide for another class than the one that overshoots most:
    then the two exchange their shares. The prior's row where nothing overshoots, and everywhere
    where the prior is kept.
    """
    if result.keeps_prior:
        return result.start.copy()
    labels = result.predictions(t_min_index)
    weights = result.overshoot(t_min_index)
    weights[result.never_overshooting(t_min_index)] = 0  # what is left there is numerical error
    sums = weights.sum(axis=1, keepdims=True)
    found = np.divide(weights, sums, out=result.start.copy(), where=sums > 0)
    found[result.split.train] = result.start[result.split.train]
    rows, largest = np.arange(labels.size), found.argmax(axis=1)
    top = found[rows, largest]
    found[rows, largest] = found[rows, labels]
    found[rows, labels] = top
    first = found.argmax(axis=1) != labels
    found[first, labels[first]] = np.nextafter(top[first], 2)
    return found
