"""A drawing of a large graph in which neighbourhoods become regions; only the graph decides.

The giant component is drawn in three steps, all seeded and in one thread, so that the same
libraries give the same numbers:

1. each node gets coordinates in many dimensions, the slow modes of the random walk on the graph:
   with D^{-1/2} A D^{-1/2} = V Λ Vᵀ the rows of D^{-1/2} V (1 − 0.9 Λ)^{-1}, scaled to length one;
2. t-SNE brings them to the plane: all nodes of a small graph, of a large one a sample, the other
   nodes next to those of the sample that are most like them;
3. a few rounds of Fruchterman and Reingold's forces, started cool, part nodes that lie on top of
   each other and straighten the edges.

The small components are drawn by forces alone and set in rings around the giant one, so that it
keeps most of the picture.
"""

from __future__ import annotations

import random

import igraph
import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import eigsh
from scipy.spatial import cKDTree
from sklearn.manifold import TSNE
from threadpoolctl import threadpool_limits

from gdr_core.datasets.layouts import fitted

DIMENSIONS = 30
MEMORY = 0.9
SAMPLE = 4000
SPREAD = 0.6
ROUNDS = 50
SPACING = 0.02


@threadpool_limits.wrap(limits=1)
def large_layout(edges: np.ndarray, nodes: int, seed: int = 0) -> np.ndarray:
    """Places of all nodes inside the square from -1 to 1; `edges` has each edge once."""
    components = _components(edges, nodes)
    places = np.zeros((nodes, 2))
    giant, *others = components
    places[giant] = _giant(*_part(edges, giant, nodes), seed)
    rest = [_small(*_part(edges, members, nodes), seed) for members in others]
    for members, where in zip(others, _rings(places[giant], rest), strict=True):
        places[members] = where
    return fitted(places)


@threadpool_limits.wrap(limits=1)
def points_layout(points: np.ndarray, seed: int = 0) -> np.ndarray:
    """Places for points of many dimensions, by t-SNE alone."""
    return fitted(_plane(points, seed))


def _giant(edges: np.ndarray, nodes: int, seed: int) -> np.ndarray:
    modes = _walk_modes(edges, nodes, seed)
    sample = np.random.default_rng(seed).permutation(nodes)[:SAMPLE]
    start = _like_the_sample(modes, sample, _plane(modes[sample], seed), seed)
    return _relaxed(edges, fitted(start) * SPREAD * np.sqrt(nodes), seed)


def _walk_modes(edges: np.ndarray, nodes: int, seed: int) -> np.ndarray:
    half = sp.coo_array((np.ones(len(edges)), tuple(edges.T)), shape=(nodes, nodes))
    adjacency = sp.csr_array(half + half.T)
    degree = adjacency.sum(axis=0)
    scale = sp.diags_array(1 / np.sqrt(degree))
    start = np.random.default_rng(seed).normal(size=nodes)
    values, vectors = eigsh(
        scale @ adjacency @ scale, k=min(DIMENSIONS, nodes - 1), which="LA", v0=start
    )
    modes = (scale @ vectors / (1 - MEMORY * values))[:, np.argsort(-values)[1:]]
    return modes / np.maximum(np.linalg.norm(modes, axis=1, keepdims=True), 1e-12)


def _plane(points: np.ndarray, seed: int) -> np.ndarray:
    model = TSNE(perplexity=30, init="pca", max_iter=500, random_state=seed, n_jobs=1)
    return model.fit_transform(points)


def _like_the_sample(
    modes: np.ndarray, sample: np.ndarray, places: np.ndarray, seed: int
) -> np.ndarray:
    """Nodes outside the sample go to the middle of the three most similar ones, give or take."""
    _, nearest = cKDTree(modes[sample]).query(modes, k=3)
    scatter = np.random.default_rng(seed).normal(scale=0.5, size=(len(modes), 2))
    start = places[nearest].mean(axis=1) + scatter
    start[sample] = places
    return start


def _relaxed(edges: np.ndarray, start: np.ndarray, seed: int) -> np.ndarray:
    random.seed(seed)
    graph = igraph.Graph(n=len(start), edges=edges.tolist())
    layout = graph.layout_fruchterman_reingold(
        seed=start.tolist(), niter=ROUNDS, start_temp=1.0, grid=len(start) > SAMPLE
    )
    return fitted(np.array(layout.coords))


def _small(edges: np.ndarray, nodes: int, seed: int) -> np.ndarray:
    """A small component, drawn at the scale of the rings."""
    random.seed(seed)
    if nodes == 1:
        return np.zeros((1, 2))
    graph = igraph.Graph(n=nodes, edges=edges.tolist())
    places = fitted(np.array(graph.layout_kamada_kawai().coords))
    return places * SPACING * np.sqrt(nodes) / 2


def _rings(giant: np.ndarray, components: list[np.ndarray]) -> list[np.ndarray]:
    """Shift each component to its place in rings around the giant one, the largest inside."""
    radius = float(np.hypot(*giant.T).max()) + 2 * SPACING
    placed: list[np.ndarray] = []
    while len(placed) < len(components):
        row, thickness = _row(components[len(placed) :], radius)
        placed += row
        radius += thickness
    return placed


def _row(components: list[np.ndarray], radius: float) -> tuple[list[np.ndarray], float]:
    """As many components as fit on one circle, spread evenly, and how thick that ring is."""
    widths = np.array([_width(c) for c in components])
    fit = max(1, int(np.searchsorted(np.cumsum(widths), 2 * np.pi * radius)))
    share = widths[:fit] / max(widths[:fit].sum(), 2 * np.pi * radius * (fit < len(widths)))
    angles = np.pi / 2 - 2 * np.pi * (np.cumsum(share) - share / 2)
    thickness = float(widths[:fit].max())
    centres = (radius + thickness / 2) * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return [c + centre for c, centre in zip(components[:fit], centres, strict=True)], thickness


def _width(places: np.ndarray) -> float:
    return 2 * float(np.hypot(*places.T).max()) + SPACING


def _components(edges: np.ndarray, nodes: int) -> list[np.ndarray]:
    """Members of each component, the largest first."""
    parts = igraph.Graph(n=nodes, edges=edges.tolist()).connected_components()
    return sorted((np.array(members) for members in parts), key=lambda m: (-m.size, m[0]))


def _part(edges: np.ndarray, members: np.ndarray, nodes: int) -> tuple[np.ndarray, int]:
    """The edges among `members`, renumbered from zero, and how many members there are."""
    number = np.full(nodes, -1)
    number[members] = np.arange(members.size)
    inside = number[edges[:, 0]] >= 0
    return number[edges[inside]], members.size
