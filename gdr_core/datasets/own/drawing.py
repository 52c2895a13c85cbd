"""Places in the plane for large graphs: coarse to fine, with forces, linear in nodes and edges.

Each component is drawn for itself. Its nodes are merged with a neighbour, level by level, until a
few hundred groups are left; these are drawn by forces, and every level below starts from the places
of the level above. The forces between all pairs are a sum over a grid, one Fourier transform a
round, so that 100,000 nodes take seconds. Small components are set in rows below the large ones.

Neighbours attract each other with w·d, all pairs repel with m·m′/d, where d is the distance, w the
weight of the edge and m one plus the number of edges of a node: hubs push each other apart, and
groups of nodes that hold together become regions.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
import scipy.sparse as sp
from scipy.fft import fft2, ifft2
from scipy.sparse.csgraph import connected_components

from gdr_core.datasets.layouts import circle, fitted, springs
from gdr_core.progress import Progress, ignore, part

SMALL = 400  # nodes that are drawn by all pairs
_GRAVITY = 0.3
ROUNDS_COARSE, ROUNDS_FINE = 60, 30
_SHRINKS_ENOUGH = 0.9
GAP = 0.06


def draw(adjacency: sp.csr_array, seed: int = 0, *, progress: Progress = ignore) -> np.ndarray:
    """Places inside the square from -1 to 1, float32, shape (nodes, 2).

    >>> ring = sp.csr_array(np.roll(np.eye(6), 1, axis=0) + np.roll(np.eye(6), -1, axis=0))
    >>> draw(ring).shape
    (6, 2)
    """
    nodes = adjacency.shape[0]
    links = sp.csr_array((_weights(adjacency.data), adjacency.indices, adjacency.indptr),
                         shape=adjacency.shape)  # fmt: skip
    _, codes = connected_components(links, directed=False)
    order = np.argsort(codes, kind="stable")
    sizes = np.bincount(codes)
    members = np.split(order, np.cumsum(sizes)[:-1])
    members.sort(key=len, reverse=True)
    places = np.zeros((nodes, 2))
    done, drawn = 0, []
    for group in members:
        report = part(progress, done / nodes, (done + group.size) / nodes)
        drawn.append(_component(links, group, seed, report) * np.sqrt(group.size))
        done += group.size
    for group, where in zip(members, packed(drawn), strict=True):
        places[group] = where
    progress(1.0, "drawn")
    return fitted(places)


def _weights(weights: np.ndarray) -> np.ndarray:
    """Weights of edges, squeezed: one edge a thousand times heavier would swallow its ends."""
    return (
        np.sqrt(weights / max(float(np.median(weights)), 1e-300)).clip(0.2, 5)
        if weights.size
        else weights
    )


def _component(links: sp.csr_array, group: np.ndarray, seed: int, progress: Progress) -> np.ndarray:
    """One component, centred, the farthest node at distance one."""
    if group.size <= 3:
        return circle(group.size) if group.size > 1 else np.zeros((1, 2))
    inner = sp.csr_array(links[group][:, group])
    if group.size <= SMALL:
        return _centred(springs(inner, seed))
    return _centred(_multilevel(inner, seed, progress))


def _multilevel(adjacency: sp.csr_array, seed: int, progress: Progress = ignore) -> np.ndarray:
    """Places of a connected graph, from the coarsest level down to its own nodes."""
    generator = np.random.default_rng(seed)
    levels = list(_levels(adjacency, generator))
    coarsest = levels[-1][0]
    places = (
        springs(_plain(coarsest), seed).astype(np.float64)
        if coarsest.shape[0] <= 2 * SMALL
        else generator.normal(size=(coarsest.shape[0], 2))
    )
    total = sum(level.shape[0] for level, _ in levels)
    done = 0
    for number, (level, groups) in reversed(list(enumerate(levels))):
        if groups is not None:
            spread = 0.5 * _scale(places) / np.sqrt(len(places))
            places = places[groups] + generator.normal(scale=spread, size=(level.shape[0], 2))
        share = part(progress, done / total, (done + level.shape[0]) / total)
        rounds = ROUNDS_FINE if number == 0 else ROUNDS_COARSE
        places = _relaxed(level, places, rounds, share)
        done += level.shape[0]
    return places


def _levels(
    adjacency: sp.csr_array, generator: np.random.Generator
) -> Iterator[tuple[sp.csr_array, np.ndarray | None]]:
    """Each level with the group of each of its nodes on the level above; the coarsest has none."""
    level = adjacency
    while level.shape[0] > SMALL:
        groups = _groups(level, generator)
        count = int(groups.max()) + 1
        if count > _SHRINKS_ENOUGH * level.shape[0]:
            break
        yield level, groups
        into = sp.csr_array(
            (np.ones(groups.size), (np.arange(groups.size), groups)), shape=(groups.size, count)
        )
        level = sp.csr_array(into.T @ level @ into)
        level.setdiag(0)
        level.eliminate_zeros()
    yield level, None


def _groups(level: sp.csr_array, generator: np.random.Generator) -> np.ndarray:
    """Each node goes with the neighbour that it is most bound to for its size; who is chosen by
    others stays a centre."""
    nodes = level.shape[0]
    degree = np.maximum(np.diff(level.indptr), 1)
    rows = np.repeat(np.arange(nodes), np.diff(level.indptr))
    bond = level.data / np.sqrt(degree[level.indices]) * generator.uniform(0.5, 1.5, level.nnz)
    best = np.full(nodes, -1.0)
    np.maximum.at(best, rows, bond)
    choice = np.arange(nodes)
    winners = bond >= best[rows]
    choice[rows[winners]] = level.indices[winners]
    rank = generator.permutation(nodes)
    centre = rank < rank[choice]  # in each mutual pair one of the two
    target = np.where(centre, np.arange(nodes), choice)
    target = np.where(target[target] == target, target, np.arange(nodes))
    _, groups = np.unique(target, return_inverse=True)
    return groups


def _relaxed(
    level: sp.csr_array, places: np.ndarray, rounds: int, progress: Progress
) -> np.ndarray:
    """Rounds of both forces, with steps that shrink; places keep the unit that balances them."""
    nodes = level.shape[0]
    mass = np.diff(level.indptr) + 1.0
    pull = sp.csr_array(level)
    strength = np.asarray(pull.sum(axis=1)).ravel()
    places = places - places.mean(axis=0)
    # In balance, Σ w d² over edges equals half of Σ m m′ over pairs.
    wanted = np.sqrt(mass.sum() ** 2 / 2 / max(float(level.sum()), 1.0))
    places *= wanted / max(_edge_length(level, places), 1e-12) if nodes > 1 else 1.0
    step = 0.1 * _scale(places)
    for turn in range(rounds):
        stiff = mass * mass.sum() / _scale(places) ** 2
        held = strength + _GRAVITY * stiff  # by neighbours, and by the middle of the picture
        move = repulsion(places, mass) + pull @ places - held[:, None] * places
        move /= (held + stiff)[:, None]  # damped by how stiffly a node is held
        length = np.maximum(np.hypot(*move.T), 1e-12)
        move *= np.minimum(1.0, step * (1 - turn / rounds) / length)[:, None]
        places = places + move
        progress((turn + 1) / rounds, f"drawing {nodes:,} nodes")
    return places


def repulsion(places: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """m_i Σ_j m_j (x_i − x_j) / |x_i − x_j|², the sum taken over a grid of masses."""
    size = _grid_for(len(places))
    low = places.min(axis=0)
    cell = float((places.max(axis=0) - low).max()) / (size - 3) or 1.0
    where = (places - low) / cell + 1
    corner = where.astype(np.int64)
    beyond = where - corner
    first = corner[:, 0] * size + corner[:, 1]
    sites = [
        (first + i * size + j, np.abs(1 - i - beyond[:, 0]) * np.abs(1 - j - beyond[:, 1]))
        for i in (0, 1)
        for j in (0, 1)
    ]
    load = sum(np.bincount(site, mass * share, minlength=size * size) for site, share in sites)
    field = _field(np.asarray(load), size) / cell
    force = np.asarray(sum(share * field[site] for site, share in sites)) * mass
    return np.stack([force.real, force.imag], axis=1)


def _grid_for(nodes: int) -> int:
    """Points on a side: about one for every node, a power of two."""
    return int(2 ** np.clip(np.ceil(np.log2(np.sqrt(nodes))) + 1, 5, 8))


def _field(load: np.ndarray, size: int) -> np.ndarray:
    """The push of 1/d away from all mass at every point of the grid, y as the imaginary part."""
    both = 2 * size
    padded = np.zeros((both, both), dtype=np.complex64)
    padded[:size, :size] = load.reshape(size, size)
    return ifft2(fft2(padded) * _kernel(size))[:size, :size].ravel()


@lru_cache(maxsize=4)
def _kernel(size: int) -> np.ndarray:
    """(x + iy)/|x|² on the doubled grid, transformed; softened within one cell."""
    axis = np.fft.fftfreq(2 * size, 1 / (2 * size))
    dx, dy = np.meshgrid(axis, axis, indexing="ij")
    return fft2(((dx + 1j * dy) / (dx**2 + dy**2 + 0.5)).astype(np.complex64))


def packed(parts: list[np.ndarray]) -> list[np.ndarray]:
    """Shift centred parts side by side: rows below the first, which is the largest."""
    if len(parts) < 2:
        return parts
    radii = [float(np.hypot(*p.T).max(initial=0.0)) for p in parts]
    left = -max(radii[0], np.sqrt(len(parts)))
    placed, x, y, height = [parts[0]], left, -radii[0] * (1 + GAP) - 1, 0.0
    for one, radius in zip(parts[1:], radii[1:], strict=True):
        room = 2.4 * radius + 1  # a node alone has a place of this size, too
        if x + room > -left and x > left:
            x, y, height = left, y - height, 0.0
        placed.append(one + np.array([x + room / 2, y - room / 2]))
        x, height = x + room, max(height, room)
    return placed


def _centred(places: np.ndarray) -> np.ndarray:
    places = places - (places.min(axis=0) + places.max(axis=0)) / 2
    return places / max(float(np.hypot(*places.T).max()), 1e-12)


def _scale(places: np.ndarray) -> float:
    return max(float(np.sqrt((places.var(axis=0)).sum())), 1e-12)


def _edge_length(level: sp.csr_array, places: np.ndarray) -> float:
    rows = np.repeat(np.arange(level.shape[0]), np.diff(level.indptr))
    apart = places[rows] - places[level.indices]
    weight = max(float(level.sum()), 1e-12)
    return float(np.sqrt((level.data * (apart**2).sum(axis=1)).sum() / weight))


def _plain(level: sp.csr_array) -> sp.csr_array:
    """The level with every edge of weight one, as `springs` reads it."""
    return sp.csr_array((np.ones(level.nnz), level.indices, level.indptr), shape=level.shape)
