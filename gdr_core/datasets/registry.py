"""Every dataset by name: one table fills the loader, the command line and the select boxes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from numbers import Integral, Real
from typing import Any

from gdr_core.datasets import embedded, generated, heterophilous, toys, wikipedia
from gdr_core.datasets.record import Dataset, Split
from gdr_core.datasets.splits import paper_directed_split, random_split, trained_classes

SPLIT_OPTIONS = ("per_class", "validation", "test")


@dataclass(frozen=True)
class Option:
    """A number that shapes a dataset: its default, the range that makes sense, its meaning."""

    default: float
    low: float
    high: float
    meaning: str


@dataclass(frozen=True)
class Spec:
    """What is known about a dataset before it is loaded."""

    title: str
    kind: str
    about: str
    build: Callable[..., Dataset]
    splits: tuple[str, ...]
    options: Mapping[str, Option] = field(default_factory=dict)
    seeded: bool = False
    directed: bool = False
    stored: str | None = None
    sizes: Mapping[str, int] | None = None


@dataclass(frozen=True)
class Description:
    """A line of the list of datasets: sizes for the default split and default options."""

    name: str
    title: str
    kind: str
    about: str
    nodes: int
    edges: int
    classes: int
    features: int
    train: int
    validation: int
    test: int
    directed: bool
    available: bool
    splits: tuple[str, ...]
    options: Mapping[str, Option]


def names() -> tuple[str, ...]:
    """All datasets, the real graphs first."""
    return tuple(DATASETS)


def splits_of(name: str) -> tuple[str, ...]:
    """The splits that a dataset has; the first is the default."""
    return spec_of(name).splits


def available(name: str) -> bool:
    """Whether `load` needs nothing that is not on this machine."""
    stored = spec_of(name).stored
    if stored and not embedded.is_whole(stored):
        return False
    if name in heterophilous.FILES:
        return heterophilous.available(name)
    return name != "wikipedia" or wikipedia.available()


def spec_of(name: str) -> Spec:
    """What is known about a dataset before it is loaded."""
    if name not in DATASETS:
        raise ValueError(f"unknown dataset {name!r}; choose one of {', '.join(DATASETS)}")
    return DATASETS[name]


def load(name: str, split: str | None = None, seed: int = 0, **options: Any) -> Dataset:
    """A dataset by name, with one of its splits.

    split    one of `splits_of(name)`; the first of them if not given
    seed     draws the random split, and the graph or the features where these are random
    options  what `spec_of(name).options` lists; for the split `random` also per_class,
             validation and test (numbers of nodes)
    """
    spec = spec_of(name)
    chosen = spec.splits[0] if split is None else split
    if chosen not in spec.splits:
        raise ValueError(f"{name} has no split {chosen!r}; it has {', '.join(spec.splits)}")
    sizes = _split_sizes(name, spec, chosen, options)
    shape = {
        key: _checked(key, value, spec.options[key])
        for key, value in options.items()
        if key in spec.options
    }
    dataset = spec.build(**shape, **({"seed": seed} if spec.seeded else {}))
    return trained_classes(dataset.with_split(SPLITS[chosen](dataset, seed, sizes)))


def describe(name: str) -> Description:
    """Sizes and choices of a dataset; stored sets are described without being read."""
    spec = spec_of(name)
    return Description(
        name=name,
        title=spec.title,
        kind=spec.kind,
        about=spec.about,
        directed=spec.directed,
        available=available(name),
        splits=spec.splits,
        options=spec.options,
        **(spec.sizes or (_stored_counts(spec) if spec.stored else counts(load(name)))),
    )


def counts(dataset: Dataset) -> dict[str, int]:
    """The numbers of a dataset that lists show."""
    return {
        "nodes": dataset.nodes,
        "edges": dataset.edges,
        "classes": dataset.classes,
        "features": int(dataset.features.shape[1]),
        "train": dataset.split.train.size,
        "validation": dataset.split.validation.size,
        "test": dataset.split.test.size,
    }


def _stored_counts(spec: Spec) -> dict[str, int]:
    entry = embedded.manifest_entry(str(spec.stored))
    keys = ("nodes", "edges", "classes", "features", "train", "validation", "test")
    edges = entry["directed_edges" if spec.directed else "edges"]
    return {key: int(entry[key]) for key in keys} | {"edges": int(edges)}


def _split_sizes(name: str, spec: Spec, split: str, options: Mapping[str, Any]) -> dict[str, Any]:
    allowed = (*spec.options, *(SPLIT_OPTIONS if split == "random" else ()))
    for key in options:
        if key not in allowed:
            choice = f"choose from {', '.join(allowed)}" if allowed else "it takes none"
            raise ValueError(f"{name} with the split {split} has no option {key!r}; {choice}")
    return {key: options[key] for key in SPLIT_OPTIONS if key in options}


def _checked(key: str, value: Any, option: Option) -> float:
    """The value as a whole number or a float, like the option's default; refused otherwise."""
    whole = isinstance(option.default, int)
    fits = isinstance(value, Integral if whole else Real) and not isinstance(value, bool)
    if not fits or not option.low <= value <= option.high:
        kind = "a whole number" if whole else "a number"
        raise ValueError(f"{key} must be {kind} from {option.low} to {option.high}, got {value!r}")
    return int(value) if whole else float(value)


def _own_split(dataset: Dataset, seed: int, sizes: Mapping[str, Any]) -> Split:
    return dataset.split


def _paper_directed(dataset: Dataset, seed: int, sizes: Mapping[str, Any]) -> Split:
    return paper_directed_split()


def _drawn(dataset: Dataset, seed: int, sizes: Mapping[str, Any]) -> Split:
    return replace(dataset.split, name="drawn")


def _geometric(number: int, dataset: Dataset, seed: int, sizes: Mapping[str, Any]) -> Split:
    return heterophilous.split_of(dataset.name, number)


def _random(dataset: Dataset, seed: int, sizes: Mapping[str, Any]) -> Split:
    return random_split(dataset.labels, dataset.class_names, seed=seed, **sizes)


SPLITS: dict[str, Callable[[Dataset, int, Mapping[str, Any]], Split]] = {
    "public": _own_split,
    "teaching": _own_split,
    "paper-directed": _paper_directed,
    "random": _random,
    "drawn": _drawn,
    **{split: partial(_geometric, i) for i, split in enumerate(heterophilous.SPLITS)},
}


def _size(default: int, low: int, high: int, meaning: str) -> dict[str, Option]:
    return {"size": Option(default, low, high, meaning)}


SIGNAL = Option(toys.FEATURE_SIGNAL, 0.0, 1.0, "how often a word tells the class")


def _toy(name: str, title: str, about: str, options: Mapping[str, Option] | None = None) -> Spec:
    return Spec(
        title=title,
        kind="small",
        about=about,
        build=partial(toys.load_toy, name),
        splits=("teaching", "random"),
        options={**(options or {}), "feature_signal": SIGNAL},
        seeded=True,
        directed=name.startswith("directed"),
    )


def _heterophilous(name: str) -> Spec:
    return Spec(
        title=name.replace("-", ", ").capitalize(),
        kind="heterophilous",
        about=heterophilous.ABOUT[name],
        build=partial(heterophilous.load, name),
        splits=(*heterophilous.SPLITS, "random"),
        sizes=heterophilous.sizes(name),
    )


DATASETS: dict[str, Spec] = {
    "cora": Spec(
        title="Cora",
        kind="citation",
        about="Machine-learning papers, joined where one cites the other; words as features.",
        build=partial(embedded.load_embedded, "cora"),
        splits=("public", "paper-directed", "random"),
        stored="cora.npz",
    ),
    "citeseer": Spec(
        title="Citeseer",
        kind="citation",
        about="Computer-science papers; 438 separate components, 48 papers stand alone.",
        build=partial(embedded.load_embedded, "citeseer"),
        splits=("public", "random"),
        stored="citeseer.npz",
    ),
    "pubmed": Spec(
        title="Pubmed",
        kind="citation",
        about="Papers on diabetes, in three classes; words weighted by tf-idf.",
        build=partial(embedded.load_embedded, "pubmed"),
        splits=("public", "random"),
        stored="pubmed.npz",
    ),
    "cora-directed": Spec(
        title="Cora, directed",
        kind="citation",
        about="Cora with the direction of citations kept: edges run from cited to citing.",
        build=embedded.load_cora_directed,
        splits=("public", "paper-directed", "random"),
        directed=True,
        stored="cora.npz",
    ),
    "wikipedia": Spec(
        title="Wikipedia",
        kind="citation",
        about="Articles joined by hyperlinks; 12 categories; downloaded on demand (8 MB).",
        build=wikipedia.load_wikipedia,
        splits=("public", "random"),
        stored=wikipedia.LAYOUT_FILE,
    ),
    "cells": Spec(
        title="Blood cells",
        kind="biology",
        about="700 blood cells, joined to cells of similar expression; classes are cell types.",
        build=partial(embedded.load_embedded, "cells"),
        splits=("drawn", "random"),
        stored="cells.npz",
    ),
    **{name: _heterophilous(name) for name in heterophilous.FILES},
    "karate": _toy("karate", "Karate club", "34 members of a club that broke in two."),
    "path": _toy(
        "path", "Path", "Nodes in a row; the two ends are known.", _size(12, 4, 1000, "nodes")
    ),
    "ring": _toy("ring", "Ring", "Three arcs of a ring.", _size(15, 6, 1000, "nodes")),
    "star": _toy(
        "star", "Star", "A hub speaks for the majority of its leaves.", _size(13, 6, 1000, "nodes")
    ),
    "grid": _toy("grid", "Grid", "A square; left against right.", _size(8, 3, 50, "nodes a side")),
    "tree": _toy("tree", "Tree", "Two branches of a binary tree.", _size(4, 2, 9, "levels")),
    "barbell": _toy(
        "barbell", "Barbell", "Two cliques and a bridge.", _size(6, 3, 50, "nodes of a clique")
    ),
    "ring-of-cliques": _toy(
        "ring-of-cliques",
        "Ring of cliques",
        "Dense groups, thin bridges: fast inside, slow between.",
        {**_size(6, 3, 100, "cliques"), "clique": Option(5, 3, 20, "nodes of a clique")},
    ),
    "directed-ring": _toy(
        "directed-ring",
        "Directed ring",
        "A one-way ring with a node that one cannot leave.",
        _size(10, 4, 1000, "nodes on the ring"),
    ),
    "directed-path": _toy(
        "directed-path",
        "Directed path",
        "A one-way row of nodes that ends nowhere.",
        _size(12, 4, 1000, "nodes"),
    ),
    "directed-rings": _toy(
        "directed-rings",
        "Two directed rings",
        "One arrow from ring to ring: no dead end, and yet a trap.",
        _size(6, 3, 500, "nodes of a ring"),
    ),
    "directed-citations": _toy(
        "directed-citations",
        "Two schools",
        "Papers of two schools, year by year; arrows run from cited to citing.",
        _size(8, 3, 40, "papers of a school"),
    ),
    "sbm": Spec(
        title="Block model",
        kind="generated",
        about="Random blocks; make graph and features agree or disagree.",
        build=generated.load_sbm,
        splits=("random",),
        options={
            "nodes": Option(300, 10, 2000, "nodes"),
            "classes": Option(3, 2, 20, "classes"),
            "mean_degree": Option(8.0, 0.5, 50.0, "expected neighbours of a node"),
            "homophily": Option(0.8, 0.0, 1.0, "expected share of edges within a class"),
            "feature_signal": Option(0.5, 0.0, 1.0, "how often a word tells the class"),
        },
        seeded=True,
    ),
    "digits": Spec(
        title="Digits",
        kind="generated",
        about="Handwritten digits, joined to their nearest neighbours.",
        build=generated.load_digits,
        splits=("random",),
        options={
            "size": Option(1797, 100, 1797, "images"),
            "neighbours": Option(7, 1, 30, "nearest neighbours of an image"),
        },
    ),
    "two-moons": Spec(
        title="Two moons",
        kind="generated",
        about="Points on two interlocking half circles, joined to their nearest neighbours.",
        build=generated.load_two_moons,
        splits=("teaching", "random"),
        options={
            "size": Option(200, 20, 5000, "points"),
            "noise": Option(0.08, 0.0, 0.5, "how far points stray from their half circle"),
            "neighbours": Option(6, 1, 30, "nearest neighbours of a point"),
        },
        seeded=True,
    ),
}
