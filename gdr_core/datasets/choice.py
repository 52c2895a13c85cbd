"""Which dataset, as one small record: the key of everything that is computed from it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from gdr_core import gate
from gdr_core.datasets.catalogue import Spec
from gdr_core.datasets.hiding import hide_test
from gdr_core.datasets.record import Dataset
from gdr_core.datasets.registry import checked_by, divide, make_graph, own_spec, spec_of
from gdr_core.option import Option

SEED = Option("seed", 0, "fixes everything that is drawn at random", 0, 2**32 - 1)


@dataclass(frozen=True)
class DatasetChoice:
    """A dataset with its split, seed and options. Equal choices give the same dataset.

    split     the dataset's first one if not given
    seed      0 where nothing of the dataset is drawn at random
    options   those that differ from their default, in the order of `spec_of(name).options`
    test_hidden   whether the classes of the test nodes are held back, see `hide_test`: part of the
              key, so that nothing made with them is ever taken for something made without
    own       the dataset itself where the list of datasets does not have it, see `of`; choices of
              own data are equal only if they mean the same object

    >>> DatasetChoice("cora", seed=7)
    DatasetChoice(name='cora', split='public', seed=0, options=(), test_hidden=False)
    """

    name: str
    split: str = ""
    seed: int = 0
    options: tuple[tuple[str, Any], ...] = ()
    test_hidden: bool = False
    own: Dataset | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        spec = self.spec
        split = spec.splits[0] if gate.is_blank(self.split) else self.split
        if not isinstance(split, str) or split not in spec.splits:
            splits = ", ".join(spec.splits)
            kind = ValueError if isinstance(split, str) else gate.WrongTypeError
            raise kind(f"{self.name} has no split {gate.shown(split)}; it has {splits}")
        seed = SEED.checked(self.seed) if spec.draws(split) else 0
        object.__setattr__(self, "split", split)
        object.__setattr__(self, "seed", seed)
        object.__setattr__(self, "options", self._changed_options())

    @classmethod
    def of(cls, dataset: Dataset) -> DatasetChoice:
        """The choice of a dataset that one has made or read oneself, with the split it has."""
        return cls(dataset.name, own=dataset)

    @property
    def spec(self) -> Spec:
        """What is known about the dataset before it is loaded."""
        if self.own is None:
            return spec_of(self.name)
        return own_spec(gate.check_record(self.own, "own", Dataset))

    @cached_property
    def concealed(self) -> DatasetChoice:
        """The choice with the test classes hidden: what never depends on them is kept under it."""
        return self if self.test_hidden else replace(self, test_hidden=True)

    @cached_property
    def graph(self) -> DatasetChoice:
        """The choice without its split: what depends on the graph alone is kept under it."""
        shape = tuple(pair for pair in self.options if pair[0] in self.spec.options)
        seed = self.seed if self.spec.seeded else 0
        return DatasetChoice(self.name, seed=seed, options=shape, own=self.own)

    @property
    def keywords(self) -> dict[str, Any]:
        """What `load_dataset` is told beside the name; a seed only where it is not 0."""
        seed = {"seed": self.seed} if self.seed else {}
        return {"split": self.split, **seed, **dict(self.options)}

    def load(self) -> Dataset:
        """The dataset itself; raises what `datasets.load_dataset` raises."""
        return self.divided(self.make_graph())

    def make_graph(self) -> Dataset:
        """The graph of this choice and of all that have the same `graph`, for `divided`."""
        return self.own or make_graph(self.spec, self.seed, dict(self.options))

    def divided(self, graph: Dataset) -> Dataset:
        """The dataset, where its graph is there already: what both have in common is shared.

        >>> one, other = (DatasetChoice("karate", "random", seed=seed) for seed in (1, 2))
        >>> graph = one.make_graph()
        >>> one.divided(graph).adjacency is other.divided(graph).adjacency
        True
        """
        if self.own is None:
            graph = divide(graph, self.split, self.seed, dict(self.options))
        return hide_test(graph) if self.test_hidden else graph

    def _changed_options(self) -> tuple[tuple[str, Any], ...]:
        pairs = dict(gate.items_of(self.options, "options of a dataset"))
        given = checked_by(self.spec, self.name, self.split, pairs)
        allowed = self.spec.options_with(self.split)
        return tuple(
            (key, given[key])
            for key, option in allowed.items()
            if key in given and given[key] != option.default
        )
