"""Rule, Laplacian and whether to reclassify at all, chosen on the validation nodes.

Every rule is read off the diffusion of every Laplacian, each at its own t_min, chosen as always
(`scan.choose`). A candidate is judged as t_min is: by validation accuracy averaged over t_min up to
a factor √2 away. The best one is taken only if the validation nodes show that it beats the prior:
of the nodes that it fixed or broke, so many must be fixed that fair coins would do it with a chance
below 5 % divided by the number of candidates. Otherwise the prior is kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from gdr_core.datasets.record import Split
from gdr_core.gdr.options import GDROptions
from gdr_core.gdr.reclassify import reclassify, with_rule
from gdr_core.gdr.result import GDRResult
from gdr_core.gdr.rules import RULES
from gdr_core.gdr.scan import neighbourhood_mean
from gdr_core.gdr.trust import Gain, counted, gain, knows_nothing, unseen_classes, verdict
from gdr_core.laplacians import Laplacian
from gdr_core.progress import Progress, ignore, part

_RISK = 0.05  # of leaving the prior where the graph knows nothing, over all candidates
_EQUAL = 1e-9  # merits that differ by less are means of the same counts
DEFAULT_RULE = "overshoot"


@dataclass(frozen=True)
class Candidate:
    """A Laplacian and a rule; `merit` is validation accuracy around its t_min."""

    laplacian: str
    rule: str
    t_min: float
    merit: float


@dataclass(frozen=True)
class Decision:
    """What was chosen, and from what.

    candidates   all that were tried, in the order they were tried
    chosen       the one to reclassify by
    gain         of that reclassification over the prior, on the validation nodes
    keeps_prior  whether the prior's labels are kept all the same
    classes      how many there are
    unseen       those of them without a validation node
    """

    candidates: tuple[Candidate, ...]
    chosen: Candidate
    gain: Gain
    keeps_prior: bool
    classes: int
    unseen: int

    @property
    def sentence(self) -> str:
        """What was decided, and why, and which classes it was decided without."""
        doubt = knows_nothing("the choice", self.unseen, self.classes)
        return f"{self._decision} {doubt}".rstrip()

    @property
    def _decision(self) -> str:
        way = f"{self.chosen.rule} on the {self.chosen.laplacian} Laplacian"
        count = len(self.candidates)
        tried = f"{self._rank} by the validation nodes"
        if not self.gain.enough:
            return f"Too few validation nodes to choose by: {way}, as usual. {verdict(self.gain)}"
        if not self.keeps_prior:
            return f"Reclassified by {way}, {tried}. {verdict(self.gain)}"
        if self.gain.better:
            return (
                f"The prior is kept, though {way} is {tried}: {counted(self.gain)} That would do "
                f"for one way alone, but the best of {count} has to be surer."
            )
        doubt = "" if self.gain.worse else ", but the prior may be as good"
        return f"The prior is kept: {way} is {tried}{doubt}. {verdict(self.gain)}"

    @property
    def _rank(self) -> str:
        """Where the chosen way stands among all; others may be as good, and come later."""
        count = len(self.candidates)
        equal = sum(one.merit >= self.chosen.merit - _EQUAL for one in self.candidates)
        if equal == count > 1:
            return f"one of {count} equally good ways"
        best = "the best" if equal == 1 else f"one of the {equal} best"
        return f"{best} of {count} ways"


@dataclass(frozen=True)
class Automatic(Decision):
    """A decision together with the result that it leads to.

    result    the reclassification by the chosen Laplacian and rule, at its chosen t_min
    """

    result: GDRResult

    @property
    def decision(self) -> Decision:
        """What was chosen, and from what, without the result."""
        return Decision(**{one.name: getattr(self, one.name) for one in fields(Decision)})

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
    read: dict[str, list[GDRResult]] = {}
    for done, (name, laplacian) in enumerate(laplacians.items()):
        report = part(progress, done / len(laplacians), (done + 1) / len(laplacians))
        result = reclassify(laplacian, prior, truth, split, base, progress=report)
        read[name] = [with_rule(result, rule) for rule in RULES]
    tried = [try_out(name, result) for name, results in read.items() for result in results]
    decision = decide(tried)
    place = list(RULES).index(decision.chosen.rule)
    return Automatic(**vars(decision), result=read[decision.chosen.laplacian][place])


@dataclass(frozen=True)
class Tried:
    """What is kept of a candidate's result: enough to decide by.

    gain     over the prior, on the validation nodes
    classes  how many there are
    unseen   those of them without a validation node
    """

    candidate: Candidate
    gain: Gain
    classes: int
    unseen: int


def try_out(laplacian: str, result: GDRResult) -> Tried:
    """What a result of this Laplacian, read by its rule, has to say for itself."""
    around = neighbourhood_mean(result.accuracy["validation"], result.times)
    chosen, truth, members = result.chosen, result.truth, result.split.validation
    candidate = Candidate(
        laplacian,
        result.options.rule,
        float(result.relative_times[chosen]),
        float(around[chosen]),
    )
    classes = result.stationary.shape[1]
    gained = gain(result.prior_labels, result.predictions(), truth, members)
    return Tried(candidate, gained, classes, unseen_classes(truth, members, classes))


def decide(tried: Sequence[Tried]) -> Decision:
    """The best of the candidates, or the prior; with too few validation nodes the usual one.

    tried   with the usual Laplacian first
    """
    if not tried:
        raise ValueError("there is no Laplacian to choose from")
    enough = tried[0].gain.enough
    usual = next(one for one in tried if one.candidate.rule == DEFAULT_RULE)
    best = tried[int(np.nanargmax([t.candidate.merit for t in tried]))] if enough else usual
    return Decision(
        candidates=tuple(one.candidate for one in tried),
        chosen=best.candidate,
        gain=best.gain,
        keeps_prior=enough and best.gain.chance > _RISK / len(tried),
        classes=best.classes,
        unseen=best.unseen if enough else 0,
    )
