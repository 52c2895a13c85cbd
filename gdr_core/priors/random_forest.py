"""Random forest (Breiman 2001): the average vote of decision trees on the features."""

from __future__ import annotations

import numpy as np

from gdr_core.datasets.record import Dataset
from gdr_core.priors.preprocessing import PREPROCESSING
from gdr_core.progress import Progress

_TREES_PER_REPORT = 10
NODES_PER_BLOCK = 4096


def random_forest(
    dataset: Dataset,
    *,
    seed: int,
    progress: Progress,
    features: str,
    trees: int,
    max_depth: int,
) -> np.ndarray:
    """The mean over the trees of the class frequencies in the leaf that a node falls into.

    The forest is the one that scikit-learn grows in one piece; it is grown in small steps so
    that it can report and be stopped.
    """
    from sklearn.ensemble import RandomForestClassifier

    x = PREPROCESSING[features](dataset.features).astype(np.float32)
    train = dataset.split.train
    x_train, labels = x[train].toarray(), dataset.labels[train]
    forest = RandomForestClassifier(max_depth=max_depth, random_state=seed, warm_start=True)
    for grown in range(0, trees, _TREES_PER_REPORT):
        progress(0.5 * grown / trees, f"growing tree {grown + 1} of {trees}")
        forest.set_params(n_estimators=min(grown + _TREES_PER_REPORT, trees))
        forest.fit(x_train, labels)
    votes = np.empty((dataset.nodes, dataset.classes))
    for start in range(0, dataset.nodes, NODES_PER_BLOCK):
        progress(0.5 + 0.5 * start / dataset.nodes, "classifying the nodes")
        block = slice(start, start + NODES_PER_BLOCK)
        votes[block] = forest.predict_proba(x[block].toarray())
    return votes
