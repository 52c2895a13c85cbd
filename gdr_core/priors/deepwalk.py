"""DeepWalk (Perozzi et al. 2014): nodes that share walks get similar vectors. No features are read.

From every node several random walks start. Nodes at most `window` steps apart on a walk are a true
pair; each comes with pairs whose context is drawn at random, a node c with chance ∝ d_c^{3/4}, d_c
its degree (how often walks visit it). From both skip-gram learns vectors, and softmax regression on
those of the training nodes gives class probabilities. The step size falls to zero along the way.

A walk that starts at i and is at j after s steps has the chance (Pˢ)_ij, with P = D⁻¹A: how often a
pair is drawn is known in closed form, and checked by the tests.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy.special import softmax

from gdr_core.datasets.record import Dataset
from gdr_core.extras import need
from gdr_core.priors.linear.softmax import fit
from gdr_core.priors.planetoid_contexts import Contexts, pairs_within, random_walks
from gdr_core.progress import Progress, part

_PAIRS_AT_ONCE = 500_000  # that are drawn, shuffled and learned from together
_PAIRS_PER_STEP = 50  # at least; else as many as there are nodes
_POWER = 0.75


@dataclass(frozen=True)
class Corpus:
    """Which pairs are drawn; `gdr_core.priors.PRIORS["deepwalk"].options` explains each number."""

    rounds: int
    walk_steps: int
    window: int
    negatives: int


def deepwalk(
    dataset: Dataset,
    *,
    seed: int,
    progress: Progress,
    dimensions: int,
    rounds: int,
    walk_steps: int,
    window: int,
    negatives: int,
    rate: float,
    penalty: float,
) -> np.ndarray:
    """Class probabilities by vectors of nodes; of nodes that no training node reaches nothing."""
    need("torch")
    from gdr_core.priors.skip_gram import reached

    corpus = Corpus(rounds, walk_steps, window, negatives)
    learning = part(progress, 0.0, 0.95)
    rows = vectors(dataset.undirected, corpus, dimensions, rate, seed, learning)
    progress(0.95, "classifying the nodes")
    train = dataset.split.train
    model = fit(rows[train], dataset.labels[train], dataset.classes, penalty)
    scores = softmax(rows @ model.weights + model.offset, axis=1)
    return scores * reached(dataset)[:, None]


def vectors(
    adjacency: sp.csr_array,
    corpus: Corpus,
    dimensions: int,
    rate: float,
    seed: int,
    progress: Progress,
) -> np.ndarray:
    """The vector of every node, shape (nodes, dimensions), after all walks."""
    import torch

    from gdr_core.priors.skip_gram import Embeddings

    sampler = np.random.default_rng(seed)
    embeddings = Embeddings(adjacency.shape[0], dimensions, torch.Generator().manual_seed(seed))
    size = max(_PAIRS_PER_STEP, adjacency.shape[0]) * (1 + corpus.negatives)
    for share, pairs in _drawn(adjacency, corpus, sampler):
        progress(share, "walking, and learning vectors")
        for start in range(0, len(pairs), size):
            embeddings.learn(pairs[start : start + size], rate * (1 - share))
    return embeddings.vectors.double().numpy()


def _drawn(
    adjacency: sp.csr_array, corpus: Corpus, sampler: np.random.Generator
) -> Iterator[tuple[float, Contexts]]:
    """All pairs, some walks at a time, and how much was done before."""
    nodes = adjacency.shape[0]
    at_once = max(1, _PAIRS_AT_ONCE // (2 * corpus.walk_steps * corpus.window))
    for turn in range(corpus.rounds):
        order = sampler.permutation(nodes)
        for start in range(0, nodes, at_once):
            starts = order[start : start + at_once]
            yield (
                (turn + start / nodes) / corpus.rounds,
                contexts_of(adjacency, starts, corpus, sampler),
            )


def contexts_of(
    adjacency: sp.csr_array, starts: np.ndarray, corpus: Corpus, sampler: np.random.Generator
) -> Contexts:
    """The pairs of one walk from each start, each with its random ones, in random order."""
    walks = random_walks(adjacency, starts, corpus.walk_steps, sampler)
    nodes, contexts = pairs_within(walks, corpus.window)
    count = corpus.negatives * len(nodes)
    found = Contexts(
        np.concatenate([nodes, np.tile(nodes, corpus.negatives)]),
        np.concatenate([contexts, noise(adjacency, count, sampler)]),
        np.repeat([1.0, -1.0], [len(nodes), count]),
    )
    return found.taken(sampler.permutation(len(found)))


def noise(adjacency: sp.csr_array, count: int, sampler: np.random.Generator) -> np.ndarray:
    """So many nodes, each drawn with a chance ∝ its degree to the power 3/4."""
    degrees = np.asarray(adjacency.sum(axis=1)).ravel()
    line = np.cumsum(degrees**_POWER)
    drawn = np.searchsorted(line, line[-1] * sampler.random(count), side="right")
    return np.minimum(drawn, len(line) - 1)
