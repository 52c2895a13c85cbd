"""Datasets by name: loaded, described, and asked for with options that are checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gdr_core import gate
from gdr_core.datasets import embedded
from gdr_core.datasets.catalogue import DATASETS, SPLIT_OPTIONS, SPLITS, Spec
from gdr_core.datasets.record import Dataset
from gdr_core.datasets.splits import trained_classes
from gdr_core.option import Option


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
    """Whether `load_dataset` needs nothing that is not on this machine."""
    return spec_of(name).available


def spec_of(name: str) -> Spec:
    """What is known about a dataset before it is loaded."""
    return DATASETS[gate.check_name(name, "dataset", DATASETS)]


def load_dataset(name: str, split: str | None = None, seed: int = 0, **options: Any) -> Dataset:
    """A dataset by name, with one of its splits.

    split    one of `splits_of(name)`; the first of them if not given
    seed     draws the random split, and the graph or the features where these are random
    options  what `spec_of(name).options` lists; for the split `random` also per_class,
             validation and test (numbers of nodes)

    >>> from gdr_core import load_dataset
    >>> karate = load_dataset("karate")
    >>> karate.nodes, karate.edges, karate.class_names
    (34, 78, ('Mr. Hi', 'Officer'))
    >>> load_dataset("sbm", nodes=50, homophily=0.9, seed=1).split.name
    'random'
    """
    spec = spec_of(name)
    chosen = spec.splits[0] if split is None else split
    seed = gate.check_seed(seed)
    if not isinstance(chosen, str) or chosen not in spec.splits:
        kind = ValueError if isinstance(chosen, str) else gate.WrongTypeError
        splits = ", ".join(spec.splits)
        raise kind(f"{name} has no split {gate.shown(chosen)}; it has {splits}")
    checked = checked_options(name, chosen, options)
    return divide(make_graph(spec, seed, checked), chosen, seed, checked)


def make_graph(spec: Spec, seed: int, options: Mapping[str, Any]) -> Dataset:
    """The graph with whatever split it comes with, see `divide`; options of splits do not count."""
    shape = {key: value for key, value in options.items() if key in spec.options}
    return spec.build(**shape, **({"seed": seed} if spec.seeded else {}))


def divide(graph: Dataset, split: str, seed: int, options: Mapping[str, Any]) -> Dataset:
    """A graph of `make_graph` with one of its splits; all its splits share the graph's arrays."""
    sizes = {key: value for key, value in options.items() if key in SPLIT_OPTIONS}
    return trained_classes(graph.with_split(SPLITS[split](graph, seed, sizes)))


def own_spec(dataset: Dataset) -> Spec:
    """What is known about a dataset that is not in the list: it has one split, its own."""
    return Spec(
        title=dataset.name,
        kind="own",
        about="",
        build=lambda: dataset,
        splits=(dataset.split.name,),
        directed=dataset.directed,
    )


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
        **_known_counts(name, spec),
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


def checked_options(name: str, split: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options given for a dataset with one of its splits, checked; others are refused."""
    return checked_by(spec_of(name), name, split, options)


def checked_by(spec: Spec, name: str, split: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """As `checked_options`, for a dataset that need not be in the list."""
    allowed = spec.options_with(split)
    for key in options:
        if key not in allowed:
            choice = f"choose from {', '.join(allowed)}" if allowed else "it takes none"
            raise ValueError(
                f"{name} with the split {split} has no option {gate.shown(key)}; {choice}"
            )
    return {key: allowed[key].checked(value) for key, value in options.items()}


def _known_counts(name: str, spec: Spec) -> dict[str, int]:
    if spec.sizes is not None:
        return dict(spec.sizes)
    return _stored_counts(spec) if spec.stored else counts(load_dataset(name))


def _stored_counts(spec: Spec) -> dict[str, int]:
    entry = embedded.manifest_entry(str(spec.stored))
    keys = ("nodes", "edges", "classes", "features", "train", "validation", "test")
    edges = entry["directed_edges" if spec.directed else "edges"]
    return {key: int(entry[key]) for key in keys} | {"edges": int(edges)}
