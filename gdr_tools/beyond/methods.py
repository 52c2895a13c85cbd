"""Every method of table 6: a function from a dataset and a seed to the labels of all nodes.

Priors have the settings that the library recommends, Correct and Smooth those that a search found
for the dataset. Methods of other libraries are called as
those libraries offer them, at their defaults unless said otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp

from gdr_core.datasets.record import Dataset
from gdr_core.gdr import reclassify
from gdr_core.gdr.automatic import automatic
from gdr_core.laplacians import LAPLACIANS, make_laplacian
from gdr_core.priors import PRIORS, compute_prior
from gdr_core.priors import cache as stored
from gdr_core.priors.contract import visible
from gdr_tools.beyond.dgc import dgc

# Found by `python -m gdr_core tune correct-and-smooth --dataset NAME`; `tuning.json` has the grids.
CORRECT_AND_SMOOTH: dict[str, dict[str, float]] = {
    "cora": {"correction": 0.5, "smoothing": 0.99},
    "citeseer": {"correction": 0.5, "smoothing": 0.99},
    "pubmed": {"correction": 0.5, "smoothing": 0.9},
}
MEMBERS = 5  # of a mean of several
Labels = Callable[[Dataset, int], np.ndarray]
UNDIRECTED = tuple(name for name, kind in LAPLACIANS.items() if not kind.directed)


@dataclass(frozen=True)
class Contender:
    """A row of the table.

    family   `diffusion` (ours), `graph` (known methods, ours), `features` (no graph), `library`
    random   whether it depends on the seed
    features whether it needs features
    mean_of  a method whose runs with five seeds it is the mean of: seeds 5k to 5k + 4 for its own k
    """

    label: str
    family: str
    labels: Labels
    random: bool = False
    features: bool = True
    mean_of: str | None = None


def _prior(dataset: Dataset, seed: int, *, name: str, **options: Any) -> np.ndarray:
    return compute_prior(name, dataset, seed=seed, cache=False, **options).argmax(axis=1)


def _gdr(dataset: Dataset, seed: int, *, prior: str) -> np.ndarray:
    """GDR as the paper has it: combinatorial Laplacian, rule overshoot."""
    h = compute_prior(prior, dataset, seed=seed, cache=False)
    laplacian = make_laplacian("combinatorial", dataset.undirected)
    return reclassify(laplacian, h, dataset.labels, dataset.split).predictions()


def _automatic(dataset: Dataset, seed: int, *, prior: str) -> np.ndarray:
    """GDR with rule, Laplacian and the choice to keep the prior left to the validation nodes."""
    h = compute_prior(prior, dataset, seed=seed, cache=False)
    ways = {name: make_laplacian(name, dataset.undirected) for name in UNDIRECTED}
    return automatic(ways, h, dataset.labels, dataset.split).labels


def _correct_and_smooth(dataset: Dataset, seed: int) -> np.ndarray:
    """With the settings found for the dataset; PyG's own runs at usual ones."""
    settings = CORRECT_AND_SMOOTH.get(dataset.name, {})
    return _prior(dataset, seed, name="correct-and-smooth", **settings)


def _kept(dataset: Dataset, seed: int, *, prior: str) -> np.ndarray:
    """Trained in any case, so that its seconds are true, and kept for the mean of five."""
    spec, found = PRIORS[prior], compute_prior(prior, dataset, seed=seed, cache=False)
    key = stored.key_of(spec, visible(dataset, spec), seed, spec.checked({}))
    stored.write(key, found)
    return found.argmax(axis=1)


def _mean_of_five(dataset: Dataset, seed: int, *, prior: str) -> np.ndarray:
    """Of runs that were kept, where they are the same; others are trained."""
    drawn = [compute_prior(prior, dataset, seed=MEMBERS * seed + k) for k in range(MEMBERS)]
    return np.mean(drawn, axis=0).argmax(axis=1)


def _edges(dataset: Dataset) -> Any:
    import torch

    graph = sp.coo_array(dataset.undirected)
    return torch.from_numpy(np.stack([graph.row, graph.col]).astype(np.int64))


def _pyg_correct_and_smooth(dataset: Dataset, seed: int) -> np.ndarray:
    """PyG's own, with 50 steps and α = 0.9 twice, on our linear classifier."""
    import torch
    from torch_geometric.nn.models import CorrectAndSmooth

    spec, train = PRIORS["linear"], dataset.split.train
    seen = visible(dataset, spec)
    scores = spec.function(seen, seed=seed, progress=lambda *_: None, **spec.checked({}))
    model = CorrectAndSmooth(50, 0.9, 50, 0.9, autoscale=True)
    known = torch.from_numpy(dataset.labels[train])
    mask, edges = torch.from_numpy(train.copy()), _edges(dataset)
    corrected = model.correct(torch.from_numpy(scores), known, mask, edges)
    return model.smooth(corrected, known, mask, edges).numpy().argmax(axis=1)


def _pyg_label_propagation(dataset: Dataset, seed: int) -> np.ndarray:
    """PyG's own, with 50 layers and α = 0.9."""
    import torch
    from torch_geometric.nn.models import LabelPropagation

    start = torch.zeros(dataset.nodes, dataset.classes)
    train = torch.from_numpy(dataset.split.train.copy())
    start[train, torch.from_numpy(dataset.labels[dataset.split.train])] = 1.0
    found = LabelPropagation(num_layers=50, alpha=0.9)(start, _edges(dataset), mask=train)
    return found.numpy().argmax(axis=1)


def _scikit_network(dataset: Dataset, seed: int, *, name: str) -> np.ndarray:
    """scikit-network's classifier of this name at its defaults."""
    import sknetwork.classification as classifiers

    train = dataset.split.train
    known = {int(node): int(dataset.labels[node]) for node in train}
    model = getattr(classifiers, name)()
    return np.asarray(model.fit_predict(sp.csr_matrix(dataset.undirected), known))


def _label_spreading(dataset: Dataset, seed: int) -> np.ndarray:
    """scikit-learn's own on this graph, at its defaults."""
    from sklearn.semi_supervised import LabelSpreading

    graph = sp.csr_matrix(dataset.undirected)
    labels = np.full(dataset.nodes, -1)
    labels[dataset.split.train] = dataset.labels[dataset.split.train]
    model = LabelSpreading(kernel=lambda rows, others=None: graph)
    return model.fit(np.arange(dataset.nodes)[:, None], labels).transduction_


def _ours(name: str, label: str, family: str) -> Contender:
    spec = PRIORS[name]
    return Contender(label, family, partial(_prior, name=name), spec.random, spec.needs_features)


METHODS: dict[str, Contender] = {
    "linear": _ours("linear", "linear", "features"),
    "linear-gdr": Contender("linear → GDR", "diffusion", partial(_gdr, prior="linear")),
    "linear-auto": Contender("linear → auto", "diffusion", partial(_automatic, prior="linear")),
    "projection-gdr": Contender("projection → GDR", "diffusion", partial(_gdr, prior="projection")),
    "projection-auto": Contender(
        "projection → auto", "diffusion", partial(_automatic, prior="projection")
    ),
    "heat-linear": _ours("heat-linear", "heat-linear", "diffusion"),
    "heat-net": Contender("heat-net", "diffusion", partial(_kept, prior="heat-net"), True),
    "heat-net-mean": Contender(
        "mean of five heat-nets",
        "diffusion",
        partial(_mean_of_five, prior="heat-net"),
        True,
        mean_of="heat-net",
    ),
    "diff-gcn": _ours("diff-gcn", "diff-GCN", "diffusion"),
    "gcn": _ours("gcn", "GCN", "graph"),
    "sgc": _ours("sgc", "SGC", "graph"),
    "appnp": _ours("appnp", "APPNP", "graph"),
    "deepwalk": _ours("deepwalk", "DeepWalk", "graph"),
    "semi-embedding": _ours("semi-embedding", "semi-supervised embedding", "graph"),
    "dgc": Contender("DGC's recipe", "graph", dgc, True),
    "correct-and-smooth": Contender("linear → Correct and Smooth", "graph", _correct_and_smooth),
    "pyg-correct-and-smooth": Contender(
        "linear → CorrectAndSmooth (PyG)", "library", _pyg_correct_and_smooth
    ),
    "pyg-label-propagation": Contender(
        "LabelPropagation (PyG)", "library", _pyg_label_propagation, features=False
    ),
    "sknetwork-diffusion": Contender(
        "DiffusionClassifier (scikit-network)",
        "library",
        partial(_scikit_network, name="DiffusionClassifier"),
        features=False,
    ),
    "sknetwork-pagerank": Contender(
        "PageRankClassifier (scikit-network)",
        "library",
        partial(_scikit_network, name="PageRankClassifier"),
        features=False,
    ),
    "sklearn-label-spreading": Contender(
        "LabelSpreading (scikit-learn)", "library", _label_spreading, features=False
    ),
}
