"""Every dataset, and what is known of it before it is loaded: one table for all lists of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from gdr_core.datasets import embedded, generated, heterophilous, toys, wikipedia
from gdr_core.datasets.download import Download
from gdr_core.datasets.record import Dataset, Split
from gdr_core.datasets.splits import paper_directed_split, random_split
from gdr_core.option import Option

SPLIT_OPTIONS: dict[str, Option] = {
    option.name: option
    for option in (
        Option("per_class", None, "training nodes of every class", low=1, kind=int),
        Option("validation", None, "validation nodes", low=0, kind=int),
        Option("test", None, "test nodes", low=0, kind=int),
    )
}


@dataclass(frozen=True)
class Spec:
    """What is known about a dataset before it is loaded.

    build      makes it, from its options by name and, where it is `seeded`, the seed
    splits     names of its splits, the default first
    seeded     whether the graph or its features are drawn at random
    stored     the shipped file that it is read from, or that belongs to it
    download   its files that are not shipped: how they are fetched, and whether they are here
    sizes      the numbers that lists show (see `counts`), where neither the manifest has them nor
               reading the dataset is the way to know them
    """

    title: str
    kind: str
    about: str
    build: Callable[..., Dataset]
    splits: tuple[str, ...]
    options: Mapping[str, Option] = field(default_factory=dict)
    seeded: bool = False
    directed: bool = False
    stored: str | None = None
    download: Download | None = None
    sizes: Mapping[str, int] | None = None

    @property
    def available(self) -> bool:
        """Whether it can be built from what is on this machine."""
        shipped = self.stored is None or embedded.is_whole(self.stored)
        return shipped and (self.download is None or self.download.available())

    def options_with(self, split: str) -> dict[str, Option]:
        """The options that apply with one of the splits, by name."""
        return {**self.options, **(SPLIT_OPTIONS if split == "random" else {})}

    def draws(self, split: str) -> bool:
        """Whether the seed has a part in the graph, its features or this split."""
        return self.seeded or split == "random"


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


def _named(*options: Option) -> dict[str, Option]:
    return {option.name: option for option in options}


def _size(default: int, low: int, high: int, meaning: str = "nodes") -> Option:
    return Option("size", default, meaning, low, high)


def _neighbours(default: int, whose: str) -> Option:
    return Option("neighbours", default, f"nearest neighbours of {whose}", 1, 30)


def _signal(default: float) -> Option:
    return Option("feature_signal", default, "how often a word tells the class", 0.0, 1.0)


def _stored(
    name: str, title: str, about: str, splits: tuple[str, ...] = ("public", "random")
) -> Spec:
    """Papers that cite each other, in a file that is shipped."""
    build = partial(embedded.load_embedded, name)
    return Spec(title, "citation", about, build, splits, stored=f"{name}.npz")


def _generated(
    build: Callable[..., Dataset],
    title: str,
    about: str,
    *options: Option,
    splits: tuple[str, ...] = ("random",),
    seeded: bool = True,
) -> Spec:
    """A graph made by a recipe with options."""
    return Spec(title, "generated", about, build, splits, _named(*options), seeded)


def _toy(name: str, title: str, about: str, *options: Option) -> Spec:
    return Spec(
        title=title,
        kind="small",
        about=about,
        build=partial(toys.load_toy, name),
        splits=("teaching", "random"),
        options=_named(*options, _signal(toys.FEATURE_SIGNAL)),
        seeded=True,
        directed=name.startswith("directed"),
    )


def _heterophilous(name: str) -> Spec:
    graph = heterophilous.GRAPHS[name]
    return Spec(
        title=name.replace("-", ", ").capitalize(),
        kind="heterophilous",
        about=graph.about,
        build=partial(heterophilous.load_heterophilous, name),
        splits=(*heterophilous.SPLITS, "random"),
        download=heterophilous.DOWNLOADS[name],
        sizes=graph.sizes,
    )


DATASETS: dict[str, Spec] = {
    "cora": _stored(
        "cora",
        "Cora",
        "Machine-learning papers, joined where one cites the other; words as features.",
        splits=("public", "paper-directed", "random"),
    ),
    "citeseer": _stored(
        "citeseer",
        "Citeseer",
        "Computer-science papers; 438 separate components, 48 papers stand alone.",
    ),
    "pubmed": _stored(
        "pubmed", "Pubmed", "Papers on diabetes, in three classes; words weighted by tf-idf."
    ),
    "cora-directed": replace(
        _stored(
            "cora",
            "Cora, directed",
            "Cora with the direction of citations kept: edges run from cited to citing.",
            splits=("public", "paper-directed", "random"),
        ),
        build=embedded.load_cora_directed,
        directed=True,
    ),
    "wikipedia": Spec(
        "Wikipedia",
        "citation",
        "Articles joined by hyperlinks; 12 categories; downloaded on demand (8 MB).",
        wikipedia.load_wikipedia,
        ("public", "random"),
        stored=wikipedia.LAYOUT_FILE,
        download=wikipedia.FILES,
    ),
    "cells": Spec(
        title="Blood cells",
        kind="biology",
        about="700 blood cells, joined to cells of similar expression; classes are cell types.",
        build=partial(embedded.load_embedded, "cells"),
        splits=("drawn", "random"),
        stored="cells.npz",
    ),
    **{name: _heterophilous(name) for name in heterophilous.GRAPHS},
    "karate": _toy("karate", "Karate club", "34 members of a karate club that split in two."),
    "path": _toy("path", "Path", "Nodes in a row; the two ends are known.", _size(12, 4, 1000)),
    "ring": _toy("ring", "Ring", "Three arcs of a ring.", _size(15, 6, 1000)),
    "star": _toy(
        "star", "Star", "A hub speaks for the majority of its leaves.", _size(13, 6, 1000)
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
        _size(6, 3, 100, "cliques"),
        Option("clique", 5, "nodes of a clique", 3, 20),
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
        "A one-way path; its last node is a dead end.",
        _size(12, 4, 1000),
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
    "sbm": _generated(
        generated.load_sbm,
        "Block model",
        "Random blocks; choose how well links and features fit the classes.",
        Option("nodes", 300, "nodes", 10, 2000),
        Option("classes", 3, "classes", 2, 20),
        Option("mean_degree", 8.0, "expected neighbours of a node", 0.5, 50.0),
        Option("homophily", 0.8, "expected share of edges within a class", 0.0, 1.0),
        _signal(0.5),
    ),
    "digits": _generated(
        generated.load_digits,
        "Digits",
        "Handwritten digits, joined to their nearest neighbours.",
        _size(1797, 100, 1797, "images"),
        _neighbours(7, "an image"),
        seeded=False,
    ),
    "two-moons": _generated(
        generated.load_two_moons,
        "Two moons",
        "Points on two interlocking half circles, joined to their nearest neighbours.",
        _size(200, 20, 5000, "points"),
        Option("noise", 0.08, "how far points stray from their half circle", 0.0, 0.5),
        _neighbours(6, "a point"),
        splits=("teaching", "random"),
    ),
}
