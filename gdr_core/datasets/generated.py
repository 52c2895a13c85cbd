"""Graphs made from a seed or from points: block models and nearest-neighbour graphs."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from gdr_core.datasets import layouts
from gdr_core.datasets.embedded import adjacency_from_edges, read_arrays
from gdr_core.datasets.record import Dataset, Provenance
from gdr_core.datasets.splits import random_split, teaching_split
from gdr_core.datasets.words import class_words

_DIGITS_LAYOUT = "digits_layout.npz"
_DIGITS_FILE = Path("datasets", "data", "digits.csv.gz")  # in scikit-learn's folder


def load_sbm(
    seed: int = 0,
    nodes: int = 300,
    classes: int = 3,
    mean_degree: float = 8.0,
    homophily: float = 0.8,
    feature_signal: float = 0.5,
) -> Dataset:
    """A stochastic block model whose graph and features can be made to agree or to disagree.

    Classes are of equal size (give or take one node). Pairs are joined independently, those
    within a class with probability p_in = h·m / (pairs within), the others with p_out =
    (1 − h)·m / (pairs between), where m = nodes·mean_degree/2: so the expected number of edges
    is m, and `homophily` h is the expected fraction of them that join equal classes. With
    h = 1/classes the graph says next to nothing about the classes, below that it misleads.
    Features are made-up words, see `words.class_words`.
    """
    if classes * 2 > nodes:
        raise ValueError(f"{nodes} nodes are too few for {classes} classes: at least two for each")
    labels = np.arange(nodes) * classes // nodes
    first, second = np.triu_indices(nodes, k=1)
    same = labels[first] == labels[second]
    edges = nodes * mean_degree / 2
    within = _probability(homophily * edges, int(same.sum()), "within")
    between = _probability((1 - homophily) * edges, int((~same).sum()), "between")
    generator = np.random.default_rng(seed)
    drawn = generator.random(same.size) < np.where(same, within, between)
    adjacency = adjacency_from_edges(
        np.stack([first[drawn], second[drawn]], axis=1), nodes, directed=False
    )
    class_names = tuple(f"Block {k + 1}" for k in range(classes))
    return Dataset(
        name="sbm",
        adjacency=adjacency,
        features=class_words(labels, classes, feature_signal, seed=seed + 1),
        labels=labels,
        class_names=class_names,
        node_names=tuple(str(i) for i in range(nodes)),
        split=random_split(labels, class_names, seed=seed),
        directed=False,
        layout=layouts.springs(adjacency, seed, start=_blocks(labels, classes, seed)),
        provenance=Provenance(
            source=(
                f"Drawn from a stochastic block model (seed {seed}, homophily {homophily:g}, "
                f"mean degree {mean_degree:g}); synthetic words with feature signal "
                f"{feature_signal:g}."
            ),
            citation=(
                "Holland, P. W., Laskey, K. B., Leinhardt, S. (1983). Stochastic blockmodels: "
                "first steps. Social Networks 5(2), 109–137."
            ),
            licence="Generated; free to use.",
        ),
    )


def load_digits(size: int = 1797, neighbours: int = 7) -> Dataset:
    """Handwritten digits, 8 × 8 pixels, each joined to its nearest neighbours by pixel values."""
    points, labels = (part[:size] for part in _digits())
    class_names = tuple(str(k) for k in range(10))
    return Dataset(
        name="digits",
        adjacency=neighbour_graph(points, neighbours),
        features=sp.csr_array(points),
        labels=labels,
        class_names=class_names,
        node_names=tuple(f"Image {i}" for i in range(size)),
        split=random_split(labels, class_names),
        directed=False,
        layout=layouts.fitted(layouts.unquantised(read_arrays(_DIGITS_LAYOUT)["layout"])[:size]),
        provenance=Provenance(
            source=(
                f"load_digits of scikit-learn: the test part of the UCI set 'Optical Recognition "
                f"of Handwritten Digits'; images are joined when one is among the {neighbours} "
                f"nearest of the other."
            ),
            citation=(
                "Alpaydin, E., Kaynak, C. (1998). Optical Recognition of Handwritten Digits. UCI "
                "Machine Learning Repository. Pedregosa, F. et al. (2011). Scikit-learn: machine "
                "learning in Python. JMLR 12, 2825–2830."
            ),
            licence="CC BY 4.0 (UCI Machine Learning Repository).",
        ),
    )


def load_two_moons(
    seed: int = 0, size: int = 200, noise: float = 0.08, neighbours: int = 6
) -> Dataset:
    """Two interlocking half circles of points, joined to their nearest neighbours.

    The features are the two coordinates, shifted so that none is negative; a straight line
    cannot part the moons, the graph can. The split `teaching` knows one point of each moon.
    """
    points, labels = _moons(size, noise, seed)
    tips = [int(np.flatnonzero(labels == k)[size // 4]) for k in (0, 1)]
    return Dataset(
        name="two-moons",
        adjacency=neighbour_graph(points, neighbours),
        features=sp.csr_array(points - points.min(axis=0)),
        labels=labels,
        class_names=("Upper moon", "Lower moon"),
        node_names=tuple(str(i) for i in range(size)),
        split=teaching_split(labels, np.array(tips)),
        directed=False,
        layout=layouts.fitted(points),
        provenance=Provenance(
            source=(
                f"make_moons of scikit-learn (seed {seed}, noise {noise:g}); points are joined "
                f"when one is among the {neighbours} nearest of the other."
            ),
            citation=(
                "Pedregosa, F. et al. (2011). Scikit-learn: machine learning in Python. "
                "JMLR 12, 2825–2830."
            ),
            licence="Generated; free to use.",
        ),
    )


def _digits() -> tuple[np.ndarray, np.ndarray]:
    """Pixels and digits from the file that scikit-learn brings along, without importing it: that
    takes longer than all else here, and a server that only draws pages has no other use for it."""
    found = find_spec("sklearn")
    if found is None or found.origin is None:
        raise ModuleNotFoundError("No module named 'sklearn'", name="sklearn")
    table = np.loadtxt(Path(found.origin).parent / _DIGITS_FILE, delimiter=",")
    return table[:, :-1], table[:, -1].astype(int)


def _moons(size: int, noise: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The points of scikit-learn's `make_moons`, and which moon each is of."""
    upper = np.linspace(0, np.pi, size // 2)
    lower = np.linspace(0, np.pi, size - size // 2)
    points = np.concatenate(
        [
            np.column_stack([np.cos(upper), np.sin(upper)]),
            np.column_stack([1 - np.cos(lower), 1 - np.sin(lower) - 0.5]),
        ]
    )
    scatter = np.random.RandomState(seed).standard_normal(points.shape)
    return points + noise * scatter, np.repeat([0, 1], [upper.size, lower.size])


def neighbour_graph(points: np.ndarray, neighbours: int) -> sp.csr_array:
    """Joins i and j when j is among the nearest neighbours of i, or i among those of j."""
    from scipy.spatial import cKDTree

    count = len(points)
    if not 1 <= neighbours < count:
        raise ValueError(f"neighbours must lie between 1 and {count - 1}, got {neighbours}")
    _, nearest = cKDTree(points).query(points, k=neighbours + 1)
    edges = [
        [i, j]
        for i, found in enumerate(nearest.tolist())
        for j in [other for other in found if other != i][:neighbours]
    ]
    return adjacency_from_edges(np.array(edges), count, directed=False)


def _blocks(labels: np.ndarray, classes: int, seed: int) -> np.ndarray:
    """A start for the layout: every class around its own place on a circle."""
    scatter = np.random.default_rng(seed).normal(scale=0.15, size=(labels.size, 2))
    return layouts.circle(classes, radius=0.5)[labels] + scatter


def _probability(edges: float, pairs: int, where: str) -> float:
    if edges > pairs:
        raise ValueError(
            f"this homophily and mean_degree ask for {edges:.0f} edges {where} classes, but there "
            f"are only {pairs} pairs of nodes; lower mean_degree or change homophily"
        )
    return edges / pairs
