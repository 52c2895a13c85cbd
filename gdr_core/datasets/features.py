"""What happens to features before anything reads them."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp


def row_normalised(features: sp.csr_array) -> sp.csr_array:
    """Every row divided by the sum of its absolute values; empty rows stay empty."""
    return _divided(features, np.asarray(abs(features).sum(axis=1)).ravel())


def unit_rows(features: sp.csr_array) -> sp.csr_array:
    """Every row divided by its Euclidean length; empty rows stay empty."""
    return _divided(features, np.sqrt(np.asarray(features.multiply(features).sum(axis=1)).ravel()))


def tf_idf(features: sp.csr_array) -> sp.csr_array:
    """Rare features count more: x_if · (ln((1 + N)/(1 + n_f)) + 1), then rows of unit length.

    n_f is the number of nodes, out of N, that have the feature f.
    """
    having = np.bincount(features.nonzero()[1], minlength=features.shape[1])
    weight = np.log((1 + features.shape[0]) / (1 + having)) + 1
    return unit_rows(sp.csr_array(features @ sp.diags_array(weight)))


def _divided(features: sp.csr_array, size: np.ndarray) -> sp.csr_array:
    inverse = np.divide(1.0, size, out=np.zeros_like(size), where=size > 0)
    return sp.csr_array(sp.diags_array(inverse) @ features)
