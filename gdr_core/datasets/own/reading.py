"""Own data from files to a dataset, in two steps: see what was recognised, then read.

opened = recognise(files, choices)     # formats, columns and first rows, to show and correct
reading = read(files, choices)         # the dataset, with everything odd that was found
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from os import PathLike

import numpy as np
import scipy.sparse as sp

from gdr_core.datasets.own.assembly import Assembly, assemble
from gdr_core.datasets.own.files import File, as_files
from gdr_core.datasets.own.findings import Finding, Notebook, ReadingError, counted, listed
from gdr_core.datasets.own.layout import on_a_circle, quick_layout
from gdr_core.datasets.own.limits import DEFAULT, Limits
from gdr_core.datasets.own.neighbours import NEIGHBOURS, neighbour_graph
from gdr_core.datasets.own.opening import FileChoice, Opened, open_file
from gdr_core.datasets.own.parts import Part
from gdr_core.datasets.own.sharing import SHARES, shared_split
from gdr_core.datasets.record import PARTS, UNKNOWN, Dataset, Provenance, Split
from gdr_core.progress import Progress, ignore

NAME = "own"
OWN = Provenance(source="Your own data.", citation="", licence="")


@dataclass(frozen=True)
class Choices:
    """What the user decides; everything has a default.

    files        for each file name what the user says about it
    treatments   for each kind of finding what is done about it, see `findings.TREATMENTS`
    directed     whether edges have a direction; None takes what the file says, else undirected
    neighbours   of the graph that is built from features where there are no edges
    metric       of that graph: cosine or euclidean
    seed, shares of the split that is drawn where none is given: train, validation, test
    draw_layout  whether to compute places in the plane
    """

    files: Mapping[str, FileChoice] = field(default_factory=dict)
    treatments: Mapping[str, str] = field(default_factory=dict)
    directed: bool | None = None
    neighbours: int = NEIGHBOURS
    metric: str = "cosine"
    seed: int = 0
    shares: tuple[float, float, float] = SHARES
    name: str = NAME
    draw_layout: bool = True
    limits: Limits = DEFAULT


@dataclass(frozen=True, eq=False)
class Reading:
    """A dataset with what was found on the way.

    probabilities   class probabilities for the dataset's nodes and classes, if a file gave them
    recognised      the files as they were understood
    """

    dataset: Dataset
    probabilities: np.ndarray | None
    findings: tuple[Finding, ...]
    recognised: tuple[Opened, ...] = ()


Given = Iterable[File | str | PathLike[str]]


def recognise(files: Given, choices: Choices | None = None) -> tuple[Opened, ...]:
    """Formats, roles, columns and first rows of the files."""
    choices = choices or Choices()
    return _opened(files, choices, Notebook(choices.treatments), ignore)


def read(files: Given, choices: Choices | None = None, *, progress: Progress = ignore) -> Reading:
    """A dataset from own files; a `ReadingError` says in one sentence why there is none."""
    choices = choices or Choices()
    notebook = Notebook(choices.treatments)
    recognised = _opened(files, choices, notebook, progress)
    parts: list[Part] = []
    for i, one in enumerate(recognised):
        progress(0.1 + 0.5 * i / len(recognised), f"reading {one.file.name}")
        parts += one.parts
    reading = from_parts(parts, choices, notebook, progress=progress)
    return replace(reading, recognised=recognised)


def from_parts(
    parts: list[Part], choices: Choices, notebook: Notebook, *, progress: Progress = ignore
) -> Reading:
    """A dataset from parts that are already read."""
    try:
        progress(0.6, "putting the graph together")
        whole = assemble(parts, notebook, choices.directed, choices.limits)
        adjacency = _graph(whole, choices)
        split = _split(whole, choices)
        whole, split = _classes_with_training(whole, split)
        keep = _kept_nodes(whole, adjacency)
        progress(0.8, "drawing" if choices.draw_layout else "checking")
        dataset = _dataset(whole, adjacency, split, choices, keep)
    except ReadingError:
        raise
    except ValueError as problem:
        raise ReadingError(str(problem)) from problem
    probabilities = (
        whole.probabilities if whole.probabilities is None else whole.probabilities[keep]
    )
    progress(1.0, "read")
    return Reading(dataset, probabilities, tuple(notebook.findings))


def _opened(
    files: Given, choices: Choices, notebook: Notebook, progress: Progress
) -> tuple[Opened, ...]:
    progress(0.0, "opening files")
    listed_files = as_files(files, choices.limits)
    if not listed_files:
        raise ReadingError("no file was given")
    names = {file.name for file in listed_files}
    if unknown := [name for name in choices.files if name not in names]:
        raise ReadingError(f"there is no file {listed(unknown)}; there are {listed(names)}")
    default = FileChoice()
    return tuple(open_file(f, choices.files.get(f.name, default), notebook) for f in listed_files)


def _graph(whole: Assembly, choices: Choices) -> sp.csr_array:
    if whole.adjacency is not None:
        return whole.adjacency
    assert whole.features is not None
    text = (
        f"there are no edges; k = {choices.neighbours} nearest neighbours by {choices.metric} "
        "distance"
    )
    whole.notebook.note("no-graph", text)
    most, asked = choices.limits.edges, whole.nodes * min(choices.neighbours, whole.nodes - 1)
    if asked > 2 * most:  # as many at least are left where all neighbours are mutual
        raise ReadingError(
            f"{choices.neighbours} neighbours of each of {whole.nodes:,} nodes are more than the "
            f"{most:,} edges that are read; choose fewer neighbours"
        )
    return neighbour_graph(whole.features, choices.neighbours, choices.metric)


def _split(whole: Assembly, choices: Choices) -> Split:
    if whole.parts is not None:
        train, validation, test = (np.flatnonzero(whole.parts == part) for part in PARTS)
        return Split(train, validation, test, "own")
    split = shared_split(whole.labels, choices.shares, choices.seed)
    if split.train.size:
        text = (
            f"there is no split; {split.train.size:,} training, {split.validation.size:,} "
            f"validation and {split.test.size:,} test nodes (seed {choices.seed})"
        )
        whole.notebook.note("split-drawn", text)
    return split


def _classes_with_training(whole: Assembly, split: Split) -> tuple[Assembly, Split]:
    """Classes that no training node has, and no probability speaks of, become unlabelled."""
    _note_few_classes(whole, split)
    trained = np.zeros(len(whole.class_names), dtype=bool)
    trained[whole.labels[split.train]] = True
    if whole.probabilities is not None:
        trained |= whole.probabilities.sum(axis=0) > 0
    if trained.all() or not trained.any():
        return whole, split
    gone = [name for name, there in zip(whole.class_names, trained, strict=True) if not there]
    noun = counted(len(gone), "class", "classes")
    text = f"{noun} without a training node: {listed(gone, 5)}"
    whole.notebook.note("class-without-training", text, len(gone))
    number = np.append(np.where(trained, np.cumsum(trained) - 1, UNKNOWN), UNKNOWN)
    whole.labels = number[whole.labels]
    whole.class_names = tuple(n for n, t in zip(whole.class_names, trained, strict=True) if t)
    if whole.probabilities is not None:
        whole.probabilities = whole.probabilities[:, trained]
    known = whole.labels != UNKNOWN
    train, validation, test = (getattr(split, part) for part in PARTS)
    split = Split(train[known[train]], validation[known[validation]], test[known[test]], split.name)
    return whole, split


def _note_few_classes(whole: Assembly, split: Split) -> None:
    if not whole.class_names:
        whole.notebook.note("no-class", "there is no class")
    elif len(whole.class_names) == 1:
        whole.notebook.note("one-class", f"there is one class only, {listed(whole.class_names)}")
    elif not split.train.size:
        whole.notebook.note("no-training", "there is no training node")


def _kept_nodes(whole: Assembly, adjacency: sp.csr_array) -> np.ndarray:
    alone = np.diff(adjacency.indptr) + np.bincount(adjacency.indices, minlength=whole.nodes) == 0
    if count := int(alone.sum()):
        verb = "has" if count == 1 else "have"
        text = f"{counted(count, 'node')} that {verb} no edge"
        if whole.notebook.note("isolated", text, count) == "remove":
            return np.flatnonzero(~alone)
    return np.arange(whole.nodes)


def _dataset(
    whole: Assembly, adjacency: sp.csr_array, split: Split, choices: Choices, keep: np.ndarray
) -> Dataset:
    features = sp.csr_array((whole.nodes, 0)) if whole.features is None else whole.features
    names = tuple(whole.number)
    if keep.size < whole.nodes:
        adjacency, features = adjacency[keep][:, keep], features[keep]
        names, split = tuple(names[i] for i in keep), _renumbered(split, keep, whole.nodes)
    both = adjacency if not whole.directed else sp.csr_array(adjacency.maximum(adjacency.T))
    return Dataset(
        name=choices.name,
        adjacency=adjacency,
        features=features,
        labels=whole.labels[keep],
        class_names=whole.class_names,
        node_names=names,
        split=split,
        directed=whole.directed,
        layout=quick_layout(both, choices.seed) if choices.draw_layout else on_a_circle(keep.size),
        provenance=OWN,
    )


def _renumbered(split: Split, keep: np.ndarray, nodes: int) -> Split:
    number = np.full(nodes, -1)
    number[keep] = np.arange(keep.size)
    train, validation, test = (number[getattr(split, part)] for part in PARTS)
    return Split(train[train >= 0], validation[validation >= 0], test[test >= 0], split.name)
