"""Softmax regression on P X: P = I, the heat kernel e^{−tL}, or a power of Â."""

from __future__ import annotations

import numpy as np
from scipy.special import softmax

from gdr_core.datasets.record import Dataset
from gdr_core.priors.linear.settings import recommended
from gdr_core.priors.linear.smoothing import (
    Smoothing,
    heat,
    identity,
    looped_laplacian,
    power,
    smoothed_rows,
)
from gdr_core.priors.linear.softmax import fit
from gdr_core.priors.preprocessing import PREPROCESSING
from gdr_core.progress import Progress, part


def linear(
    dataset: Dataset, *, seed: int, progress: Progress, features: str | None, penalty: float | None
) -> np.ndarray:
    """softmax(X W + b): features only."""
    chosen = recommended("linear", dataset.name, features=features, penalty=penalty)
    return _classified(dataset, identity, progress, **chosen)


def heat_linear(
    dataset: Dataset,
    *,
    seed: int,
    progress: Progress,
    features: str | None,
    time: float | None,
    penalty: float | None,
) -> np.ndarray:
    """softmax(e^{−tL} X W + b) with L = I − Â: one diffusion of fixed length, then a linear model.

    W is learned from the training rows of e^{−tL}X alone; all nodes are then classified by
    e^{−tL}(X W), one diffusion of as many columns as there are classes.
    """
    chosen = recommended("heat-linear", dataset.name, features=features, time=time, penalty=penalty)
    smooth = heat(looped_laplacian(dataset), chosen.pop("time"))
    return _classified(dataset, smooth, progress, **chosen)


def sgc(
    dataset: Dataset,
    *,
    seed: int,
    progress: Progress,
    features: str | None,
    steps: int | None,
    penalty: float | None,
) -> np.ndarray:
    """softmax(Â^K X W + b), the simple graph convolution of Wu et al. (2019)."""
    chosen = recommended("sgc", dataset.name, features=features, steps=steps, penalty=penalty)
    smooth = power(looped_laplacian(dataset), chosen.pop("steps"))
    return _classified(dataset, smooth, progress, **chosen)


def _classified(
    dataset: Dataset, smooth: Smoothing, progress: Progress, *, features: str, penalty: float
) -> np.ndarray:
    x = PREPROCESSING[features](dataset.features)
    train = dataset.split.train
    rows = smoothed_rows(smooth, x, train, part(progress, 0.0, 0.8))
    progress(0.8, "learning the weights")
    model = fit(rows, dataset.labels[train], dataset.classes, penalty)
    progress(0.95, "classifying the nodes")
    return softmax(smooth(x @ model.weights) + model.offset, axis=1)
