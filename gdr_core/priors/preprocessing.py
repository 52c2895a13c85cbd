"""What happens to the features before a prior reads them."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from gdr_core.priors.specification import Option


def raw(features: sp.csr_array) -> sp.csr_array:
    """The features as they are."""
    return features


def row_normalised(features: sp.csr_array) -> sp.csr_array:
    """Every row divided by the sum of its absolute values; empty rows stay empty."""
    size = np.asarray(abs(features).sum(axis=1)).ravel()
    inverse = np.divide(1.0, size, out=np.zeros_like(size), where=size > 0)
    return sp.csr_array(sp.diags_array(inverse) @ features)


PREPROCESSING = {"raw": raw, "row-normalised": row_normalised}


def features_option(default: str, reason: str) -> Option:
    """The option `features` of a prior; `reason` says why this default."""
    explanation = (
        "raw: features as given; row-normalised: every row divided by the sum of its absolute "
        f"values. {reason}"
    )
    return Option("features", default, explanation, choices=tuple(PREPROCESSING))
