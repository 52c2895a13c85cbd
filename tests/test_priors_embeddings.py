"""DeepWalk and semi-supervised embedding, against closed forms, finite differences and an MLP."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
import torch
from scipy.special import expit

from gdr_core.datasets import load_dataset
from gdr_core.neural import Training, recommended
from gdr_core.neural.network import misfit
from gdr_core.neural.propagation import Neighbours
from gdr_core.priors import compute_prior
from gdr_core.priors.deepwalk import Corpus, contexts_of, noise, vectors
from gdr_core.priors.planetoid_contexts import Contexts
from gdr_core.priors.skip_gram import Embeddings
from gdr_core.progress import ignore


def kite() -> sp.csr_array:
    """Five nodes, weights of their own; no two have the same surroundings."""
    weights = {(0, 1): 1.0, (0, 2): 2.0, (1, 2): 1.0, (2, 3): 3.0, (3, 4): 1.0}
    dense = np.zeros((5, 5))
    for (one, other), weight in weights.items():
        dense[one, other] = dense[other, one] = weight
    return sp.csr_array(dense)


def test_pairs_are_as_frequent_as_powers_of_the_transition_matrix_say():
    """From node s at step a, gap b: P(node i, context j) = Σ_a (Pᵃ)_si (Pᵇ)_ij, both ways."""
    adjacency, corpus, starts = kite(), Corpus(1, 6, 2, 1), np.arange(5)
    walks = 20_000
    found = contexts_of(adjacency, np.repeat(starts, walks), corpus, np.random.default_rng(0))
    true = found.signs > 0
    counts = np.zeros((5, 5))
    np.add.at(counts, (found.nodes[true], found.contexts[true]), 1.0 / walks)
    p = adjacency.toarray() / adjacency.sum(axis=1)[:, None]
    power = [np.linalg.matrix_power(p, k) for k in range(7)]
    expected = np.zeros((5, 5))
    for gap in (1, 2):
        for step in range(6 - gap + 1):
            visits = power[step].sum(axis=0)
            expected += visits[:, None] * power[gap]
    expected = expected + expected.T
    np.fill_diagonal(expected, 0.0)  # a node is no context of itself
    np.testing.assert_allclose(counts, expected, atol=0.05)


def test_random_contexts_follow_degrees_to_the_power_three_quarters():
    drawn = noise(kite(), 200_000, np.random.default_rng(1))
    expected = kite().sum(axis=1) ** 0.75
    np.testing.assert_allclose(np.bincount(drawn) / 200_000, expected / expected.sum(), atol=5e-3)


def test_a_step_of_skip_gram_is_the_slope_by_finite_differences():
    generator = np.random.default_rng(2)
    pairs = Contexts(np.array([0, 1, 1, 3]), np.array([2, 0, 3, 1]), np.array([1.0, 1, -1, -1]))
    embeddings = Embeddings(4, 3, torch.Generator().manual_seed(0))
    embeddings.vectors = torch.from_numpy(generator.normal(size=(4, 3)))
    embeddings.contexts = torch.from_numpy(generator.normal(size=(4, 3)))
    e, w = embeddings.vectors.numpy().copy(), embeddings.contexts.numpy().copy()

    def loss(e: np.ndarray, w: np.ndarray) -> float:
        scores = (e[pairs.nodes] * w[pairs.contexts]).sum(axis=1)
        return float(-np.log(expit(pairs.signs * scores)).sum())

    embeddings.learn(pairs, 1.0)
    for before, after, of in ((e, embeddings.vectors, 0), (w, embeddings.contexts, 1)):
        for place in np.ndindex(before.shape):
            step = np.zeros_like(before)
            step[place] = 1e-6
            ends = [(e + s * step, w) if of == 0 else (e, w + s * step) for s in (1, -1)]
            slope = (loss(*ends[0]) - loss(*ends[1])) / 2e-6
            assert before[place] - float(after[place]) == pytest.approx(slope, abs=1e-6)


def test_deepwalk_tells_two_communities_apart_without_features():
    graph = load_dataset("sbm", nodes=120, classes=2, homophily=0.95, seed=1)
    bare = replace(graph, features=sp.csr_array((graph.nodes, 0)))
    found = compute_prior("deepwalk", bare, cache=False, dimensions=16)
    rest = np.setdiff1d(np.arange(graph.nodes), graph.split.train)
    assert (found[rest].argmax(axis=1) == graph.labels[rest]).mean() > 0.9


def test_vectors_stay_small_around_a_hub():
    """A hub is in every other pair: a step that adds up too many of them goes ever farther."""
    hub = np.zeros((180, 180))
    hub[0, 1:] = hub[1:, 0] = 1.0
    found = vectors(sp.csr_array(hub), Corpus(5, 40, 10, 1), 64, 0.1, 0, ignore)
    assert np.linalg.norm(found, axis=1).max() < 20


def test_deepwalk_says_nothing_of_nodes_that_no_walk_joins_to_a_known_one():
    graph = load_dataset("karate")
    pair = sp.csr_array(np.array([[0.0, 1.0], [1.0, 0.0]]))
    alone = sp.csr_array(sp.block_diag([graph.adjacency, pair]))
    more = replace(
        graph,
        adjacency=alone,
        features=sp.csr_array((36, 0)),
        labels=np.append(graph.labels, [0, 1]),
        node_names=(*graph.node_names, "one", "other"),
        layout=np.zeros((36, 2)),
    )
    found = compute_prior("deepwalk", more, cache=False, dimensions=4, rounds=1)
    np.testing.assert_array_equal(found[34:], np.full((2, 2), 0.5))


def test_without_weight_semi_embedding_is_the_perceptron():
    graph = load_dataset("sbm", nodes=60, seed=0)
    shared = {"seed": 3, "cache": False, "epochs": 20}
    plain = compute_prior("mlp", graph, **shared)
    np.testing.assert_array_equal(
        compute_prior("semi-embedding", graph, embedding=0.0, **shared), plain
    )
    assert not np.allclose(compute_prior("semi-embedding", graph, **shared), plain)


def test_misfit_is_what_its_formula_says():
    rows = torch.randn(6, 4, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    near, far = torch.tensor([[0, 1], [2, 3]]), torch.tensor([[0, 4, 5, 2], [1, 5, 5, 0]])
    g = rows.numpy()
    squares = [((g[i] - g[j]) ** 2).sum() for i, j in near.T.tolist()]
    apart = [max(0.0, 2.5 - np.linalg.norm(g[i] - g[j])) ** 2 for i, j in far.T.tolist()]
    expected = np.mean(squares) + np.mean(apart)
    assert float(misfit(rows, near, far, 2.5)) == pytest.approx(expected, abs=1e-5)
    assert torch.isfinite(
        torch.autograd.grad(misfit(rows.requires_grad_(), near, far, 2.5), rows)[0]
    ).all()


def test_edges_are_drawn_by_their_weights():
    neighbours, generator = Neighbours(kite()), torch.Generator().manual_seed(0)
    ends = neighbours.near(100_000, generator).numpy()
    counts = np.zeros((5, 5))
    np.add.at(counts, (ends[0], ends[1]), 1e-5)
    np.testing.assert_allclose(counts, kite().toarray() / kite().sum(), atol=0.01)
    assert neighbours.random(10, generator).max() < 5
    assert Neighbours(sp.csr_array((3, 3))).near(10, generator).shape == (2, 0)


def test_a_heavy_weight_draws_neighbours_together():
    graph = load_dataset("sbm", nodes=80, seed=2)
    ends = sp.coo_array(graph.undirected)
    ratios = []
    for weight in (0.0, 30.0):
        options = recommended("semi-embedding", epochs=60, embedding=weight, dropout=0.0)
        training = Training(graph, options, seed=0)
        for _ in range(60):
            training.step()
        hidden = training.arrangement.restore(training.network._hidden().detach().numpy())
        near = ((hidden[ends.row] - hidden[ends.col]) ** 2).sum(axis=1).mean()
        ratios.append(near / (2 * hidden.var(axis=0).sum()))
    assert ratios[1] < ratios[0]
