"""The transductive Planetoid of Yang, Cohen and Salakhutdinov (2016). Imports torch.

Each node has an embedding e_i, learned with context vectors w_c so that true contexts score high,
and a class probability that reads features and embedding through one hidden layer each:

    p(y | x_i, e_i) = softmax( [ h(x_i), h(e_i) ] W )
    loss = - mean_i log p(y_i | x_i, e_i)  -  E_(i,c,γ) log σ(γ w_c · e_i)

γ = +1 for pairs near each other on a random walk and pairs of training nodes of one class, -1 for
random pairs and pairs of training nodes of different classes. Both parts of the loss take turns.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
import torch
from torch.nn.functional import cross_entropy

from gdr_core.datasets.record import Dataset
from gdr_core.priors.planetoid_contexts import graph_contexts, label_contexts
from gdr_core.priors.preprocessing import PREPROCESSING
from gdr_core.priors.skip_gram import Embeddings, reached
from gdr_core.progress import Progress, part

_CONTEXTS_PER_STEP = 10_000


@dataclass(frozen=True)
class PlanetoidOptions:
    """The settings of a run; `gdr_core.priors.PRIORS["planetoid"].options` explains each."""

    features: str
    dimensions: int
    hidden: int
    walk_steps: int
    window: int
    negatives: int
    rounds: int
    label_contexts: int
    label_steps: int
    embedding_rate: float
    learning_rate: float
    weight_decay: float
    dropout: float
    embedding_dropout: float
    embedding_scale: float


class _Classifier:
    """softmax([ReLU(x A + a), ReLU(s e B + b)] W + v) with dropout while it learns.

    The embedding of a node that no training node reaches says nothing of its class: there it is
    set to zero, and features decide. The classifier learns what zero means from training nodes
    whose embedding is hidden as a whole now and then.
    """

    def __init__(
        self, features: int, classes: int, options: PlanetoidOptions, generator: torch.Generator
    ) -> None:
        self.options, self.generator = options, generator
        self.from_features = self._layer(features, options.hidden)
        self.from_embedding = self._layer(options.dimensions, options.hidden)
        self.to_classes = self._layer(2 * options.hidden, classes)
        self.parameters = [*self.from_features, *self.from_embedding, *self.to_classes]
        self.optimiser = torch.optim.Adam(
            self.parameters, lr=options.learning_rate, weight_decay=options.weight_decay
        )

    def learn(self, x: torch.Tensor, e: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        """One step on the label loss; the gradient in the embeddings of the training nodes."""
        e = e.clone().requires_grad_()
        shown = e * self._kept((len(e), 1), self.options.embedding_dropout)
        from_x, bias = self.from_features
        hidden = self._hidden(self._dropped(x) @ from_x + bias, shown)
        weights, offset = self.to_classes
        loss = cross_entropy(self._dropped(hidden) @ weights + offset, labels)
        self.optimiser.zero_grad()
        loss.backward()
        self.optimiser.step()
        assert e.grad is not None
        return e.grad

    @torch.no_grad()
    def probabilities(self, x: sp.csr_array, e: torch.Tensor) -> np.ndarray:
        """p(y | x, e) for all rows, without dropout."""
        from_x, bias = self.from_features
        product = torch.from_numpy(np.asarray(x @ from_x.numpy(), dtype=np.float32))
        weights, offset = self.to_classes
        scores = self._hidden(product + bias, e) @ weights + offset
        return torch.softmax(scores.double(), dim=1).numpy()

    def _hidden(self, feature_part: torch.Tensor, e: torch.Tensor) -> torch.Tensor:
        weights, bias = self.from_embedding
        embedding_part = (self.options.embedding_scale * e) @ weights + bias
        return torch.relu(torch.cat([feature_part, embedding_part], dim=1))

    def _dropped(self, values: torch.Tensor) -> torch.Tensor:
        rate = self.options.dropout
        return values * self._kept(values.shape, rate) / (1 - rate)

    def _kept(self, shape: tuple[int, ...], rate: float) -> torch.Tensor:
        return (torch.rand(shape, generator=self.generator) >= rate).float()

    def _layer(self, rows: int, columns: int) -> tuple[torch.Tensor, torch.Tensor]:
        width = rows**-0.5
        weights = width * (2 * torch.rand(rows, columns, generator=self.generator) - 1)
        bias = width * (2 * torch.rand(columns, generator=self.generator) - 1)
        return weights.requires_grad_(), bias.requires_grad_()


class Judge:
    """Keeps the class probabilities of the round with the highest validation accuracy.

    Accuracy and not loss: the classifier is timid at first, so that its loss still falls in rounds
    where embeddings already begin to drown the features. The loss decides between equals.
    """

    def __init__(self, dataset: Dataset) -> None:
        self.nodes = dataset.split.validation
        self.labels = dataset.labels[self.nodes]
        self.highest = (-1.0, 0.0)
        self.best: np.ndarray | None = None

    def see(self, probabilities: np.ndarray) -> None:
        """Without validation nodes all rounds are equal, and the last one is kept."""
        merit = (0.0, 0.0)
        if self.nodes.size:
            seen = probabilities[self.nodes]
            chosen = np.maximum(seen[np.arange(len(seen)), self.labels], 1e-12)
            merit = float((seen.argmax(axis=1) == self.labels).mean()), float(np.log(chosen).mean())
        if merit >= self.highest:
            self.highest, self.best = merit, probabilities


def train(dataset: Dataset, options: PlanetoidOptions, seed: int, progress: Progress) -> np.ndarray:
    """Class probabilities of all nodes, from the round that validation nodes find best."""
    sampler = np.random.default_rng(seed)
    generator = torch.Generator().manual_seed(seed)
    x = PREPROCESSING[options.features](dataset.features).astype(np.float32)
    train_nodes = torch.from_numpy(dataset.split.train.copy())
    labels = torch.from_numpy(dataset.labels[dataset.split.train])
    x_train = torch.from_numpy(x[dataset.split.train].toarray())
    embeddings = Embeddings(dataset.nodes, options.dimensions, generator)
    classifier = _Classifier(x.shape[1], dataset.classes, options, generator)
    linked = torch.from_numpy(reached(dataset)).float()[:, None]
    judge = Judge(dataset)
    for done in range(options.rounds):
        report = part(progress, done / options.rounds, (done + 1) / options.rounds)
        title = f"round {done + 1} of {options.rounds}"
        _learn_contexts(embeddings, dataset, options, sampler, report, title)
        for _ in range(options.label_steps):
            slope = classifier.learn(x_train, embeddings.vectors[train_nodes], labels)
            embeddings.vectors[train_nodes] -= options.embedding_rate * slope
        judge.see(classifier.probabilities(x, embeddings.vectors * linked))
    assert judge.best is not None
    return judge.best


def _learn_contexts(
    embeddings: Embeddings,
    dataset: Dataset,
    options: PlanetoidOptions,
    sampler: np.random.Generator,
    progress: Progress,
    title: str,
) -> None:
    """A walk from every node and some pairs of training nodes, in steps that mix both."""
    progress(0.0, f"{title}: walking")
    near = graph_contexts(
        dataset.undirected, options.walk_steps, options.window, options.negatives, sampler
    )
    train = dataset.split.train
    alike = label_contexts(train, dataset.labels[train], options.label_contexts, sampler)
    steps = max(1, -(-len(near) // _CONTEXTS_PER_STEP))
    for step in range(steps):
        progress(step / steps, f"{title}: learning embeddings")
        embeddings.learn(near[step::steps], options.embedding_rate)
        embeddings.learn(alike[step::steps], options.embedding_rate)
