"""Contexts of a node, sampled for Planetoid: near nodes in the graph, nodes of the same class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp


@dataclass(frozen=True)
class Contexts:
    """Triples (node, context, sign): +1 for a true pair, -1 for one drawn at random."""

    nodes: np.ndarray
    contexts: np.ndarray
    signs: np.ndarray

    def __len__(self) -> int:
        return len(self.nodes)

    def __getitem__(self, some: slice) -> Contexts:
        return Contexts(self.nodes[some], self.contexts[some], self.signs[some])

    def taken(self, order: np.ndarray) -> Contexts:
        """The triples of these numbers, in this order."""
        return Contexts(self.nodes[order], self.contexts[order], self.signs[order])


def random_walks(
    adjacency: sp.csr_array, starts: np.ndarray, steps: int, generator: np.random.Generator
) -> np.ndarray:
    """Walks from each start, shape (starts, steps + 1); each step follows an edge by its weight.

    All walks move at once: a uniform number within the stretch that the node's edges fill on the
    line of all cumulated weights names the edge. A node without edges stays where it is.
    """
    line = np.concatenate([[0.0], np.cumsum(adjacency.data)])
    first, last = adjacency.indptr[:-1], adjacency.indptr[1:]
    walks = np.empty((len(starts), steps + 1), dtype=np.int64)
    walks[:, 0] = starts
    for step in range(steps):
        here = walks[:, step]
        low, high = line[first[here]], line[last[here]]
        drawn = low + generator.random(len(here)) * (high - low)
        edge = np.searchsorted(line, drawn, side="right") - 1
        edge = np.clip(edge, first[here], np.maximum(last[here] - 1, first[here]))
        moves = last[here] > first[here]
        walks[:, step + 1] = here
        walks[moves, step + 1] = adjacency.indices[edge[moves]]
    return walks


def pairs_within(walks: np.ndarray, window: int) -> tuple[np.ndarray, np.ndarray]:
    """All ordered pairs of different nodes at most `window` steps apart on the same walk."""
    near, far = [], []
    for gap in range(1, min(window, walks.shape[1] - 1) + 1):
        near.append(walks[:, :-gap].ravel())
        far.append(walks[:, gap:].ravel())
    one, other = np.concatenate(near + far), np.concatenate(far + near)
    different = one != other
    return one[different], other[different]


def graph_contexts(
    adjacency: sp.csr_array,
    steps: int,
    window: int,
    negatives: int,
    generator: np.random.Generator,
) -> Contexts:
    """One walk from every node; each pair within the window, and `negatives` random ones each."""
    walks = random_walks(adjacency, np.arange(adjacency.shape[0]), steps, generator)
    nodes, contexts = pairs_within(walks, window)
    random_ones = generator.integers(adjacency.shape[0], size=negatives * len(nodes))
    found = Contexts(
        np.concatenate([nodes, np.tile(nodes, negatives)]),
        np.concatenate([contexts, random_ones]),
        np.repeat([1.0, -1.0], [len(nodes), len(random_ones)]),
    )
    return found.taken(generator.permutation(len(found)))


def label_contexts(
    train: np.ndarray, labels: np.ndarray, size: int, generator: np.random.Generator
) -> Contexts:
    """`size` pairs of training nodes; the sign says whether their classes are the same.

    Half the pairs have the same class; the others are drawn among nodes of different classes.
    """
    first = generator.integers(len(train), size=size)
    same = np.arange(size) < size // 2
    alike = labels[:, None] == labels[None, :]
    wanted = np.where(same[:, None], alike[first], ~alike[first])
    second = np.argmax(generator.random(wanted.shape) * wanted, axis=1)
    signs = np.where(labels[first] == labels[second], 1.0, -1.0)
    return Contexts(train[first], train[second], signs)
