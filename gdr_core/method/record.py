"""A method on a dataset: one record from which everything follows.

    method = Method.on("cora", prior="projection", rule="peak")
    result = method.run()            # a GDRResult
    print(method.python())           # the lines that repeat it
    method.to_arguments()            # ["cora", "--rule", "peak"], for `python -m gdr_core classify`
    method.to_link()                 # {"dataset": "cora", "rule": "peak"}, for the app

The stages can be had one by one, and each has a small key to be kept under:

    dataset = method.load_dataset()                          # method.dataset
    prior = method.compute_prior(dataset)                    # method.prior_key
    laplacian = method.make_laplacian(dataset)               # method.laplacian_key
    result = method.reclassify(dataset, prior, laplacian)    # method.diffusion_key and method.rule

What has no effect is forgotten when the record is made, so that methods that give the same result
are equal: the direction and α of an undirected Laplacian, the seed where nothing is random, options
at their default.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Final

import numpy as np

from gdr_core import gate, laplacians, priors
from gdr_core.datasets import Dataset, DatasetChoice
from gdr_core.datasets.choice import SEED
from gdr_core.gdr import (
    SPACINGS,
    Automatic,
    Decision,
    GDROptions,
    GDRResult,
    automatic,
    reclassify,
)
from gdr_core.laplacians import ALPHA, DIRECTIONS, LAPLACIANS, SCOPES, Laplacian, fitting
from gdr_core.laplacians.directed import check_alpha
from gdr_core.method.lines import PriorLines, body_of, closing, head_of
from gdr_core.method.words import (
    CHOICES,
    CHOSEN_BY_AUTO,
    FIRST,
    LAST,
    PLAIN,
    PRIOR,
    TIMES,
    Choice,
    from_arguments,
    from_link,
    options_of,
    usual_laplacian,
)
from gdr_core.priors import PRIORS
from gdr_core.progress import Progress, ignore, part

_BASE_RULE: Final = PLAIN.rule
_GDR_FIELDS: Final = tuple(field.name for field in fields(GDROptions))

_Resolve = Callable[[str, Dataset], np.ndarray]


@dataclass(frozen=True)
class Method:
    """Which dataset, which prior, which Laplacian, and how to reclassify.

    prior          a name of `PRIORS`, or any other that the caller resolves (see `compute_prior`)
    laplacian      a name of `LAPLACIANS`; the usual one for the dataset if not given
    direction      `forward` along the arrows or `backward`; of directed Laplacians only
    alpha          probability of following an arrow; of directed Laplacians only
    prior_options  those that differ from their default
    prior_seed     of random priors; None: the dataset's
    last           None is the Laplacian's own horizon
    auto           rule and Laplacian are chosen on the validation nodes, which may also keep the
                   prior; `rule` and `laplacian` are the usual ones, or what was `decided`
    keeps_prior    whether it was decided so

    The other fields are those of `GDROptions`.

    >>> Method(DatasetChoice("cora"), direction="backward") == Method(DatasetChoice("cora"))
    True
    """

    dataset: DatasetChoice
    prior: str = PRIOR
    laplacian: str = ""
    direction: str = DIRECTIONS[0]
    rule: str = _BASE_RULE
    stationary: str = SCOPES[0]
    tolerance: float = 1e-7
    first: float = 1e-4
    last: float | None = None
    alpha: float = ALPHA
    count: int = 200
    spacing: str = SPACINGS[0]
    normalise: bool = False
    precision: str = PLAIN.precision
    prior_options: tuple[tuple[str, Any], ...] = ()
    prior_seed: int | None = None
    auto: bool = False
    keeps_prior: bool = False

    def __post_init__(self) -> None:
        gate.check_record(self.dataset, "dataset", DatasetChoice)
        for flag in ("auto", "keeps_prior"):
            gate.check_flag(getattr(self, flag), flag)
        usual = usual_laplacian(self.dataset.spec)
        laplacian = usual if gate.is_blank(self.laplacian) else self.laplacian
        gate.check_name(laplacian, "Laplacian", LAPLACIANS)
        gate.check_name(self.direction, "direction", DIRECTIONS)
        check_alpha(self.alpha)
        if not isinstance(self.prior, str):
            raise gate.WrongTypeError(f"prior must be a name, got {gate.shown(self.prior)}")
        canonical: dict[str, Any] = {"laplacian": laplacian}
        if not self._may_have_direction(laplacian):
            canonical |= {"direction": DIRECTIONS[0], "alpha": ALPHA}
        canonical |= {"prior_options": self._changed_options(), "prior_seed": self._own_seed()}
        for name, value in canonical.items():
            object.__setattr__(self, name, value)
        if self.keeps_prior and not self.auto:
            raise ValueError("only a method with auto=True can keep the prior")
        _ = self.options  # which are checked there

    @classmethod
    def on(
        cls,
        name: str | Dataset,
        *,
        split: str = "",
        seed: int = 0,
        options: Mapping[str, Any] | None = None,
        prior_options: Mapping[str, Any] | None = None,
        **choices: Any,
    ) -> Method:
        """A method on a dataset by its name, or on a dataset of one's own.

        seed      of everything random: the graph, its split, the prior; see also `prior_seed`
        options   of the dataset
        choices   the other fields of the record
        """
        pairs = gate.items_of(options, "options of a dataset")
        if isinstance(name, Dataset):
            data = DatasetChoice(name.name, split, seed, pairs, own=name)
        else:
            data = DatasetChoice(name, split, seed, pairs)
        prior_seed = choices.pop("prior_seed", None)
        return cls(
            data,
            prior_seed=seed if prior_seed is None else prior_seed,
            prior_options=gate.items_of(prior_options, "options of a prior"),
            **choices,
        )

    # ------------------------------------------------------------------ what follows from it

    @property
    def is_directed(self) -> bool:
        """Whether the Laplacian has a direction and an α."""
        return LAPLACIANS[self.laplacian].directed

    @property
    def seed(self) -> int:
        """The seed of the prior."""
        return self.dataset.seed if self.prior_seed is None else self.prior_seed

    @property
    def window(self) -> tuple[float, float]:
        """The first and the last time looked at, in relaxation times."""
        horizon = LAPLACIANS[self.laplacian].horizon
        return self.first, horizon if self.last is None else self.last

    @property
    def options(self) -> GDROptions:
        """The choices of reclassification as `reclassify` takes them."""
        return GDROptions(**{name: getattr(self, name) for name in _GDR_FIELDS})

    @property
    def by_hand(self) -> Method:
        """The same rule and Laplacian, named and not chosen."""
        return replace(self, auto=False, keeps_prior=False)

    @property
    def ways(self) -> dict[str, Method]:
        """What `auto` chooses from: the method with each Laplacian that fits the graph.

        >>> list(Method.on("karate", auto=True).ways)
        ['combinatorial', 'symmetric', 'random-walk', 'max-entropy']
        """
        plain = replace(self.by_hand, rule=_BASE_RULE)
        names, walk = fitting(self.dataset.spec.directed), (self.direction, self.alpha)
        return {
            name: replace(plain, laplacian=name, direction=walk[0], alpha=walk[1]) for name in names
        }

    def decided(self, found: Decision) -> Method:
        """The method with what was chosen for it."""
        rule, laplacian, keeps = found.chosen.rule, found.chosen.laplacian, found.keeps_prior
        return replace(self, auto=True, rule=rule, laplacian=laplacian, keeps_prior=keeps)

    def with_prior(self, name: str, **options: Any) -> Method:
        """The same with another prior and its options."""
        return replace(self, prior=name, prior_options=tuple(options.items()))

    # ------------------------------------------------------------------ keys of the stages

    @property
    def graph_key(self) -> DatasetChoice:
        """What the graph depends on."""
        return self.dataset.graph

    @property
    def prior_key(self) -> tuple[Any, ...]:
        """What the prior depends on."""
        return ("prior", self.dataset, self.prior, self.prior_options, self.prior_seed)

    @property
    def laplacian_key(self) -> tuple[Any, ...]:
        """What the Laplacian depends on."""
        return ("laplacian", self.graph_key, self.laplacian, self.direction, self.alpha)

    @cached_property
    def diffusion_key(self) -> Method:
        """What the diffusion depends on: everything but the rule that reads it."""
        return replace(self.by_hand, rule=_BASE_RULE, last=self.window[1])

    # ------------------------------------------------------------------ stages

    def run(self, progress: Progress = ignore, resolve: _Resolve | None = None) -> GDRResult:
        """Load, compute the prior, make the Laplacian, reclassify."""
        dataset = self.load_dataset()
        prior = self.compute_prior(dataset, part(progress, 0.0, 0.5), resolve)
        if self.auto:
            return self.choose(dataset, prior, part(progress, 0.5, 1.0)).decided
        laplacian = self.make_laplacian(dataset)
        return self.reclassify(dataset, prior, laplacian, part(progress, 0.5, 1.0))

    def load_dataset(self) -> Dataset:
        """The graph with its features, classes and split."""
        return self.dataset.load()

    def compute_prior(
        self,
        dataset: Dataset,
        progress: Progress = ignore,
        resolve: _Resolve | None = None,
        *,
        cache: bool = True,
    ) -> np.ndarray:
        """H, the classifier's beliefs, shape (nodes, classes).

        resolve   (name, dataset) -> H, for names that the registry does not know
        cache     keep the result on disk and take it from there the next time
        """
        if resolve is not None and self.prior not in PRIORS:
            return resolve(self.prior, dataset)
        options = dict(self.prior_options)
        return priors.compute_prior(
            self.prior, dataset, seed=self.seed, progress=progress, cache=cache, **options
        )

    def make_laplacian(self, dataset: Dataset) -> Laplacian:
        """The Laplacian; undirected ones forget the directions of the graph."""
        adjacency = laplacians.adjacency_for(self.laplacian, dataset)
        return laplacians.make_laplacian(
            self.laplacian, adjacency, direction=self.direction, alpha=self.alpha
        )

    def reclassify(
        self,
        dataset: Dataset,
        prior: np.ndarray,
        laplacian: Laplacian,
        progress: Progress = ignore,
    ) -> GDRResult:
        """The result for every t_min; `gdr.with_rule` reads the same diffusion by another rule."""
        truth, split = dataset.labels, dataset.split
        return reclassify(laplacian, prior, truth, split, self.options, progress=progress)

    def choose(self, dataset: Dataset, prior: np.ndarray, progress: Progress = ignore) -> Automatic:
        """Rule and Laplacian, or the prior, by the validation nodes.

        >>> method = Method.on("karate", prior="uniform", auto=True)
        >>> club = method.load_dataset()
        >>> method.choose(club, method.compute_prior(club)).chosen.rule
        'overshoot'
        """
        made = {name: way.make_laplacian(dataset) for name, way in self.ways.items()}
        truth, split = dataset.labels, dataset.split
        return automatic(made, prior, truth, split, self.options, progress=progress)

    # ------------------------------------------------------------------ command line

    def to_arguments(self) -> list[str]:
        """The words after `classify` that lead back to this method."""
        self._refuse_own("the words of a command")
        found = [self.dataset.name]
        for choice, value in self._changed():
            found += [choice.argument, *([] if value is True else [choice.text(value)])]
        if (self.first, self.last) != (FIRST.default, LAST.default):
            found += ["--window", FIRST.word(self.first), LAST.word(self.last)]
        allowed = self.dataset.spec.options_with(self.dataset.split)
        for name, value in self.dataset.options:
            found += ["--option", f"{name}={allowed[name].word(value)}"]
        own = options_of(self.prior)
        for name, value in self.prior_options:
            found += ["--prior-option", f"{name}={own[name].word(value)}"]
        return found

    @classmethod
    def from_arguments(
        cls, arguments: Sequence[str] | argparse.Namespace, own: Dataset | None = None
    ) -> Method:
        """The method that words of a command line ask for, or what a parser made of them.

        A parser for them is one that `add_arguments` has filled.

        own   the dataset, where the arguments do not name one
        """
        return cls.on(**from_arguments(arguments, own))

    # ------------------------------------------------------------------ links

    def to_link(self) -> dict[str, str]:
        """The parameters of the app's link to this method; what is at its default is left out."""
        self._refuse_own("a link")
        allowed = self.dataset.spec.options_with(self.dataset.split)
        link = {"dataset": self.dataset.name}
        for name, value in self.dataset.options:
            link[f"{self.dataset.name}-{name}"] = allowed[name].word(value)
        for choice, value in self._changed():
            link[choice.parameter] = choice.text(value)
        for choice in TIMES:
            if (value := getattr(self, choice.field)) != choice.option.default:
                link[choice.parameter] = choice.text(value)
        own = options_of(self.prior)
        for name, value in self.prior_options:
            option = own[name]
            if not option.portable:
                raise ValueError(f"{name} of the prior {self.prior} cannot be part of a link")
            link[f"{self.prior}-{name}"] = option.word(value)
        return link

    @classmethod
    def from_link(cls, link: Mapping[str, str], other_priors: Collection[str] = ()) -> Method:
        """The method that the parameters of a link name; it ignores those that are not about it.

        other_priors   names to accept beside those of the registry
        """
        return cls.on(**from_link(link, other_priors))

    # ------------------------------------------------------------------ Python

    def python(
        self,
        t_min: float | None = None,
        part: str = "test",
        lines: PriorLines | None = None,
    ) -> str:
        """Lines of Python that give the same numbers and print the accuracy.

        t_min   in relaxation times; None: the one that GDR chooses
        part    of the split, whose accuracy is printed
        lines   for a prior that the registry does not know
        """
        asked = None if t_min is None else gate.finite(t_min, "t_min", 0)
        return self.python_head(lines) + self.python_body(lines) + closing(asked, part)

    def python_head(self, lines: PriorLines | None = None) -> str:
        """The imports, and the line that loads the dataset."""
        return head_of(self, lines)

    def python_body(self, lines: PriorLines | None = None) -> str:
        """The lines from `dataset` to `result`."""
        return body_of(self, lines)

    # ------------------------------------------------------------------ checks

    def _may_have_direction(self, laplacian: str) -> bool:
        """Whether direction and α mean something: to the Laplacian, or to one to choose from."""
        return LAPLACIANS[laplacian].directed or (self.auto and self.dataset.spec.directed)

    def _refuse_own(self, where: str) -> None:
        if self.dataset.own is not None:
            raise ValueError(f"data of one's own cannot be part of {where}")

    def _changed(self) -> Iterator[tuple[Choice, Any]]:
        """The choices that are not what one has without asking, with their values."""
        usual = {
            "split": self.dataset.spec.splits[0],
            "laplacian": usual_laplacian(self.dataset.spec),
        }
        for choice in CHOICES:
            if self.auto and choice.field in CHOSEN_BY_AUTO:
                continue
            holder = self.dataset if choice.field in ("split", "seed") else self
            value = getattr(holder, choice.field)
            if value != usual.get(choice.field, choice.option.default):
                yield choice, value

    def _changed_options(self) -> tuple[tuple[str, Any], ...]:
        """The prior's options, checked, without those at their default."""
        pairs = gate.items_of(self.prior_options, "options of a prior")
        given = {name: _plain_value(name, value) for name, value in pairs}
        if self.prior not in PRIORS:
            if given:
                raise ValueError(f"the prior {self.prior} takes no options, got {list(given)}")
            return ()
        spec = PRIORS[self.prior]
        checked = spec.checked(given)
        return tuple(
            (o.name, checked[o.name]) for o in spec.options if checked[o.name] != o.default
        )

    def _own_seed(self) -> int | None:
        """The prior's seed, where it has an effect and is not the dataset's."""
        if self.prior_seed is None or self.prior not in PRIORS or not PRIORS[self.prior].random:
            return None
        seed = int(SEED.checked(self.prior_seed))
        return None if seed == self.dataset.seed else seed


def _plain_value(name: str, value: Any) -> Any:
    """A value that can be compared and hashed; a path becomes text."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if value is not None and not isinstance(value, str | bool | int | float | np.generic):
        raise gate.WrongTypeError(
            f"{name} must be one value or the name of a file, got {gate.shown(value)}"
        )
    return value
