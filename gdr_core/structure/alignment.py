"""How well features, graph and classes agree: the subspace alignment measure of Qian et al.

Each of the three spans a subspace of R^N, one axis a node:

    X   the leading principal directions of the features, rows normalised and columns centred
    A   the leading eigenvectors of Â = D̄^{−1/2} (A + I) D̄^{−1/2}
    Y   the indicator vectors of the classes

Two subspaces are compared by their principal angles: d² = Σ sin²θ, the chordal distance. With
orthonormal bases Q₁ (k₁ columns) and Q₂ (k₂ columns), cos θ are the singular values of Q₁ᵀQ₂, so

    d² = min(k₁, k₂) − ‖Q₁ᵀQ₂‖²_F,

and cumulative sums of the squared entries of one product give the distances for all dimensions at
once. The three distances make one number,

    S = √(2 (d²_XA + d²_XY + d²_AY)),

larger where the three are less aligned. The dimensions of X and A are those at which S is farthest
below that of a randomised version (features permuted over the nodes, the graph rewired with its
degrees kept): there the three have most in common that is not chance. Y keeps all its classes.

Equal eigenvalues leave a choice of basis, and a cut through them a choice of subspace; no number
may depend on it. Turned at random, a direction of an eigenspace carries the same share of it as any
other, so the squared inner products with directions of one eigenspace are replaced by their mean.
That changes nothing where a cut lies between different eigenvalues, and elsewhere gives the mean d²
over all bases. The dimensions that are chosen are always cuts between different eigenvalues; of
several that are equally good, the first.

The authors publish a program and a constructive example: 1,000 nodes in ten classes, 6,541 edges,
500 features. Their files of it are one draw without a seed, and what their demonstration prints of
it is not S but the dimensions that are best on a coarse grid (k_X of 10, 132, 255, 377, 500 and k_A
of 10, 257, 505, 752, 1000): k_X = 255, k_A = 10, k_Y = 10. The features of that draw are not at
hand here, so S of it cannot be compared digit by digit. Graphs of the same kind, drawn with links
(and words of the own topic) of probability 0.07 inside a class and 0.007 outside, which makes 6,615
edges on average (the probabilities are our choice: they fit the number of edges, and nothing at
hand confirms them for the features), give those three numbers; S is then 4.72, 4.71 and 4.71 for
the seeds 0, 1 and 2, and the best dimensions of all are 265, 276 and 303 for X, and 10 for A.
`tests/test_structure.py` has the example, and compares S with principal angles found otherwise.

Y. Qian, P. Expert, T. Rieu, P. Panzarasa, M. Barahona (2021). Quantifying the alignment of graph
and features in deep learning. IEEE Transactions on Neural Networks and Learning Systems.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gdr_core.datasets.features import row_normalised
from gdr_core.datasets.record import UNKNOWN, Dataset
from gdr_core.graphs.rewiring import rewired
from gdr_core.progress import Progress, ignore
from gdr_core.structure.subspaces import (
    ALL_THE_SAME,
    SMALLEST,
    Bases,
    Directions,
    bases_of,
    class_basis,
    graph_basis,
)

DRAWS = 3  # randomised versions
_LOOSE = 1e-4  # relative error of eigenvalues that is enough to know what chance gives
_TIE = 1e-9  # in S: what is less apart is equally good


@dataclass(frozen=True, eq=False)
class Distances:
    """Squared chordal distances for every pair of dimensions.

    features_graph    shape (k_X, k_A); entry [a − 1, b − 1] is for a and b dimensions
    features_classes  shape (k_X,)
    graph_classes     shape (k_A,)
    """

    features_graph: np.ndarray
    features_classes: np.ndarray
    graph_classes: np.ndarray

    @property
    def measure(self) -> np.ndarray:
        """S for every pair of dimensions, shape (k_X, k_A)."""
        return np.sqrt(
            2 * (self.features_graph + self.features_classes[:, None] + self.graph_classes)
        )


@dataclass(frozen=True)
class Alignment:
    """The alignment of a dataset at its best dimensions, beside that of randomised versions.

    dimensions         of X and of A
    distances          d_XA, d_XY, d_AY
    measure            S; larger is less aligned
    randomised         S of each randomised version at the same dimensions
    random_distances   d_XA, d_XY, d_AY of the randomised versions, on average
    """

    dimensions: tuple[int, int]
    distances: tuple[float, float, float]
    measure: float
    randomised: tuple[float, ...]
    random_distances: tuple[float, float, float]

    @property
    def gap(self) -> float:
        """How far S lies below that of chance, as a share of the latter."""
        chance = float(np.mean(self.randomised))
        return (chance - self.measure) / chance if chance else 0.0


def alignment(
    dataset: Dataset,
    *,
    seed: int = 0,
    draws: int = DRAWS,
    dimensions: tuple[int, int] | None = None,
    bases: Bases | None = None,
    progress: Progress = ignore,
) -> Alignment:
    """The alignment of features, graph and known classes.

    seed         fixes the randomised versions
    dimensions   of X and A at which S is read; where not given, those at which it is farthest below
                 chance. Two versions of one dataset are compared at the same dimensions.
    bases        those of the dataset, where they are at hand; `bases_of` says how many dimensions
                 are looked at

    >>> from gdr_core import load_dataset
    >>> from gdr_core.structure.alignment import alignment
    >>> found = alignment(load_dataset("sbm", nodes=120, homophily=0.9), draws=2)
    >>> found.measure < min(found.randomised)
    True
    """
    check_alignable(dataset)
    bases = bases or bases_of(dataset)
    [(real, chance)] = _compared([dataset], bases, seed, draws, progress)
    return _read(real, chance, dimensions or _best(bases, real, chance))


def alignments(
    versions: Sequence[Dataset], *, seed: int = 0, draws: int = DRAWS
) -> list[Alignment]:
    """The alignment of one graph with its features, for each of several sets of known classes.

    versions   the same dataset, say with the classes of test nodes and without: what is costly,
               the directions of features and graphs, is computed once

    >>> from gdr_core import load_dataset
    >>> from gdr_core.datasets.hiding import hide_test
    >>> from gdr_core.structure.alignment import alignment, alignments
    >>> blocks = load_dataset("sbm", nodes=60, homophily=0.8)
    >>> both = alignments([hide_test(blocks), blocks], draws=1)
    >>> both[1] == alignment(blocks, draws=1)
    True
    """
    for each in versions:
        check_alignable(each)
    bases = bases_of(versions[0])
    found = _compared(versions, bases, seed, draws)
    return [_read(real, chance, _best(bases, real, chance)) for real, chance in found]


def _compared(
    versions: Sequence[Dataset], bases: Bases, seed: int, draws: int, progress: Progress = ignore
) -> list[tuple[Distances, list[Distances]]]:
    """The distances for the classes of each version, and the same for each randomised version."""
    classes = [class_basis(each.labels, each.classes) for each in versions]
    real, chance = _for_each(bases, classes), []
    progress(1 / (draws + 1), "randomised versions")
    for k, mixed in enumerate(_randomised(versions[0], bases, seed, draws)):
        chance.append(_for_each(mixed, classes))
        progress((k + 2) / (draws + 1), "randomised versions")
    return [(near, far) for near, *far in zip(real, *chance, strict=True)]


def _for_each(bases: Bases, classes: Sequence[np.ndarray]) -> list[Distances]:
    """The distances for several sets of classes; that of features and graph is one for all."""
    shared = distances_of(bases)
    return [
        replace(
            shared,
            features_classes=_to_classes(bases.features, each),
            graph_classes=_to_classes(bases.graph, each),
        )
        for each in classes
    ]


def _randomised(dataset: Dataset, bases: Bases, seed: int, draws: int) -> Iterator[Bases]:
    """The bases of versions whose features are permuted and whose graph is rewired."""
    random = np.random.default_rng(seed)
    for _ in range(draws):
        graph = rewired(dataset.undirected, 1.0, int(random.integers(2**31)))
        order = random.permutation(dataset.nodes)
        features = replace(bases.features, vectors=bases.features.vectors[order])
        yield Bases(features, graph_basis(graph, bases.graph.values.size, _LOOSE), bases.classes)


def measure_at(
    dataset: Dataset,
    dimensions: tuple[int, int],
    *,
    features: Directions | None = None,
    graph: Directions | None = None,
) -> float:
    """S at given dimensions of X and A, without any randomised version.

    features, graph   the directions of the dataset's own features or graph, where they are at hand

    >>> from gdr_core import load_dataset
    >>> from gdr_core.structure.alignment import alignment, measure_at
    >>> blocks = load_dataset("sbm", nodes=60, homophily=0.8)
    >>> found = alignment(blocks, draws=1)
    >>> measure_at(blocks, found.dimensions) == found.measure
    True
    """
    check_alignable(dataset)
    grid = distances_of(bases_of(dataset, features=features, graph=graph)).measure
    a, b = (min(k, size) - 1 for k, size in zip(dimensions, grid.shape, strict=True))
    return float(grid[a, b])


def check_alignable(dataset: Dataset) -> None:
    """Say what is missing before anything is computed."""
    if dataset.nodes < 3:
        raise ValueError(f"alignment needs three nodes or more, {dataset.name} has {dataset.nodes}")
    if not dataset.features.nnz:
        raise ValueError(f"{dataset.name} has no features to align with its graph")
    if not dataset.adjacency.nnz:
        raise ValueError(f"{dataset.name} has no edges to align with its features")
    if np.unique(dataset.labels[dataset.labels != UNKNOWN]).size < 2:
        raise ValueError(f"alignment needs two known classes or more in {dataset.name}")
    rows = row_normalised(dataset.features)
    square = float(np.square(rows.data).sum())
    mean = np.asarray(rows.mean(axis=0)).ravel()
    if square - dataset.nodes * float(mean @ mean) <= SMALLEST * square:
        raise ValueError(ALL_THE_SAME)


def distances_of(bases: Bases) -> Distances:
    """All chordal distances at once, by cumulative sums of squared inner products."""
    features, graph = bases.features, bases.graph
    shared = np.square(features.vectors.T @ graph.vectors)
    shared = _levelled(_levelled(shared, features.spaces).T, graph.spaces).T
    both = shared.cumsum(axis=0).cumsum(axis=1)
    a, b = np.arange(1, both.shape[0] + 1), np.arange(1, both.shape[1] + 1)
    return Distances(
        np.maximum(np.minimum(a[:, None], b) - both, 0),
        _to_classes(features, bases.classes),
        _to_classes(graph, bases.classes),
    )


def _to_classes(basis: Directions, classes: np.ndarray) -> np.ndarray:
    shared = np.square(basis.vectors.T @ classes).sum(axis=1)
    fewer = np.minimum(np.arange(1, basis.values.size + 1), classes.shape[1])
    return np.maximum(fewer - _levelled(shared, basis.spaces).cumsum(), 0)


def _levelled(shared: np.ndarray, spaces: np.ndarray) -> np.ndarray:
    """Each row replaced by the mean over the rows of its eigenspace."""
    _, starts, sizes = np.unique(spaces, return_index=True, return_counts=True)
    means = (np.add.reduceat(shared, starts, axis=0).T / sizes).T
    return means[spaces]


def _best(bases: Bases, real: Distances, chance: list[Distances]) -> tuple[int, int]:
    """The dimensions at which S lies farthest below its mean over the randomised versions."""
    gain = np.mean([found.measure for found in chance], axis=0) - real.measure
    gain[~bases.features.whole] = -np.inf
    gain[:, ~bases.graph.whole] = -np.inf
    a, b = np.unravel_index(int((gain >= gain.max() - _TIE).argmax()), gain.shape)
    return int(a) + 1, int(b) + 1


def _read(real: Distances, chance: list[Distances], dimensions: tuple[int, int]) -> Alignment:
    wide, high = real.features_graph.shape
    a, b = min(dimensions[0], wide) - 1, min(dimensions[1], high) - 1
    sides = np.array([_sides(found, a, b) for found in chance])
    return Alignment(
        dimensions=(a + 1, b + 1),
        distances=_sides(real, a, b),
        measure=float(real.measure[a, b]),
        randomised=tuple(float(found.measure[a, b]) for found in chance),
        random_distances=tuple(sides.mean(axis=0).tolist()),
    )


def _sides(found: Distances, a: int, b: int) -> tuple[float, float, float]:
    return (
        float(np.sqrt(found.features_graph[a, b])),
        float(np.sqrt(found.features_classes[a])),
        float(np.sqrt(found.graph_classes[b])),
    )
