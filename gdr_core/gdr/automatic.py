"""Rule, Laplacian and whether to reclassify at all, chosen on the validation nodes.

Every rule is read off the diffusion of every Laplacian, each at its own t_min, chosen as always
(`scan.choose`). A candidate is judged as t_min is: by validation accuracy averaged over t_min up to
a factor √2 away. The best one is taken only if the validation nodes show that it beats the prior:
of the nodes that it fixed or broke, so many must be fixed that fair coins would do it with a chance
below 5 % divided by the number of candidates. Otherwise the prior is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gdr_core.datasets.record import UNKNOWN, Split
from gdr_core.gdr.options import GDROptions
from gdr_core.gdr.reclassify import reclassify, with_rule
from gdr_core.gdr.result import GDRResult
from gdr_core.gdr.rules import RULES
from gdr_core.gdr.scan import neighbourhood_mean
from gdr_core.gdr.trust import FEWEST, Gain, gain, verdict
from gdr_core.laplacians import Laplacian
from gdr_core.progress import Progress, ignore, part

_RISK = 0.05  # of leaving the prior where the graph knows nothing, over all candidates
DEFAULT_RULE = "overshoot"


@dataclass(frozen=True)
class Candidate:
    """A Laplacian and a rule; `merit` is validation accuracy around its t_min."""

    laplacian: str
    rule: str
    t_min: float
    merit: float


@dataclass(frozen=True, eq=False)
class Automatic:
    """What was chosen, and from what.

    result       the reclassification by the chosen Laplacian and rule, at its chosen t_min
    candidates   all that were tried, in the order they were tried
    chosen       the one that `result` is made by
    gain         of `result` over the prior, on the validation nodes
    keeps_prior  whether the prior's labels are kept all the same
    unseen       classes without a validation node
    """

    result: GDRResult
    candidates: tuple[Candidate, ...]
    chosen: Candidate
    gain: Gain
    keeps_prior: bool
    unseen: int = 0

    @cached_property
    def labels(self) -> np.ndarray:
        """The labels to go by: the prior's where it is kept, else those of the result."""
        return self.result.prior_labels if self.keeps_prior else self.result.predictions()

    @cached_property
    def decided(self) -> GDRResult:
        """`result` with the labels to go by, at every t_min: the prior's where it is kept."""
        return self.result.keeping_prior() if self.keeps_prior else self.result

    def accuracy(self, part: str) -> float:
        """Share of a part's nodes that `labels` have right."""
        if self.keeps_prior:
            return self.result.prior_accuracy[part]
        return float(self.result.accuracy[part][self.result.chosen])

    @property
    def sentence(self) -> str:
        """What was decided, and why, and which classes it was decided without."""
        if not self.unseen:
            return self._decision
        one = self.unseen == 1
        return (
            f"{self._decision} {self.unseen} of {self.result.stationary.shape[1]} classes "
            f"{'has' if one else 'have'} no validation node: the choice knows nothing of "
            f"{'it' if one else 'them'}."
        )

    @property
    def _decision(self) -> str:
        way = f"{self.chosen.rule} on the {self.chosen.laplacian} Laplacian"
        tried = f"the best of {len(self.candidates)} ways by the validation nodes"
        if not self.gain.enough:
            return f"Too few validation nodes to choose by: {way}, as usual. {verdict(self.gain)}"
        if self.keeps_prior:
            return (
                f"The prior is kept: {way} is {tried}, but the prior may be as good. "
                f"{verdict(self.gain)}"
            )
        return f"Reclassified by {way}, {tried}. {verdict(self.gain)}"


def automatic(
    laplacians: Mapping[str, Laplacian],
    prior: np.ndarray,
    truth: np.ndarray,
    split: Split,
    options: GDROptions | None = None,
    *,
    progress: Progress = ignore,
) -> Automatic:
    """Choose Laplacian and rule on the validation nodes, or keep the prior.

    laplacians   by name, the usual one first: it is taken where there is nothing to choose by
    options      for all candidates; its rule is not used

    >>> from gdr_core import compute_prior, load_dataset, make_laplacian
    >>> club = load_dataset("karate")
    >>> usual = {"combinatorial": make_laplacian("combinatorial", club.adjacency)}
    >>> found = automatic(usual, compute_prior("uniform", club), club.labels, club.split)
    >>> found.keeps_prior, found.chosen.rule
    (False, 'overshoot')
    """
    base = options or GDROptions()
    found: list[tuple[Candidate, GDRResult]] = []
    for done, (name, laplacian) in enumerate(laplacians.items()):
        report = part(progress, done / len(laplacians), (done + 1) / len(laplacians))
        result = reclassify(laplacian, prior, truth, split, base, progress=report)
        for rule in RULES:
            read = with_rule(result, rule)
            found.append((_candidate(name, rule, read), read))
    if not found:
        raise ValueError("there is no Laplacian to choose from")
    return _decided(found, split, truth)


def _decided(
    found: list[tuple[Candidate, GDRResult]], split: Split, truth: np.ndarray
) -> Automatic:
    merits = np.array([candidate.merit for candidate, _ in found])
    judged = gain(found[0][1].prior_labels, found[0][1].prior_labels, truth, split.validation)
    usual = next(i for i, (candidate, _) in enumerate(found) if candidate.rule == DEFAULT_RULE)
    best = usual if judged.nodes < FEWEST else int(np.nanargmax(merits))
    chosen, result = found[best]
    gained = gain(result.prior_labels, result.predictions(), truth, split.validation)
    keeps = gained.enough and gained.chance > _RISK / len(found)
    candidates = tuple(candidate for candidate, _ in found)
    known = truth[split.validation]
    unseen = (
        result.stationary.shape[1] - len(np.unique(known[known != UNKNOWN])) if gained.enough else 0
    )
    return Automatic(result, candidates, chosen, gained, keeps, unseen)


def _candidate(laplacian: str, rule: str, result: GDRResult) -> Candidate:
    around = neighbourhood_mean(result.accuracy["validation"], result.times)
    chosen = result.chosen
    return Candidate(laplacian, rule, float(result.relative_times[chosen]), float(around[chosen]))
