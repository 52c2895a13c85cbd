"""A Laplacian as plain arrays, and back: for processes that hand one to each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import scipy.sparse as sp

from gdr_core.laplacians.operator import Laplacian, RankTwo

_WEIGHTS: Final = ("data", "indices", "indptr")
_FOUND: Final = ("gap", "upper_bound")  # numbers that take long to find


def pack_laplacian(laplacian: Laplacian) -> dict[str, np.ndarray]:
    """All of a Laplacian by name; λ₂, the spectral bound and the components are found for it.

    >>> from gdr_core import make_laplacian
    >>> pair = make_laplacian("combinatorial", [[0, 1], [1, 0]])
    >>> sorted(pack_laplacian(pair))[:3]
    ['components', 'gap', 'name']
    """
    optional = {"similarity": laplacian.similarity}
    if laplacian.rank_two is not None:
        optional |= {"rank_two_a": laplacian.rank_two.a, "rank_two_b": laplacian.rank_two.b}
    return {
        "name": np.array(laplacian.name),
        **{f"weights_{part}": getattr(laplacian.weights, part) for part in _WEIGHTS},
        "rates": laplacian.rates,
        "null": laplacian.null,
        "components": laplacian.components,
        **{name: np.array(getattr(laplacian, name)) for name in _FOUND},
        **{name: array for name, array in optional.items() if array is not None},
    }


def unpack_laplacian(arrays: Mapping[str, np.ndarray]) -> Laplacian:
    """The Laplacian that `pack_laplacian` has packed; what was found for it is not sought again.

    >>> from gdr_core import make_laplacian
    >>> pair = make_laplacian("combinatorial", [[0, 1], [1, 0]])
    >>> again = unpack_laplacian(pack_laplacian(pair))
    >>> again.gap == pair.gap, bool((again.dense() == pair.dense()).all())
    (True, True)
    """
    nodes = arrays["rates"].size
    parts = tuple(arrays[f"weights_{part}"] for part in _WEIGHTS)
    teleporting = "rank_two_a" in arrays
    made = Laplacian(
        str(arrays["name"]),
        sp.csr_array(parts, shape=(nodes, nodes)),
        arrays["rates"],
        arrays["null"],
        arrays.get("similarity"),
        RankTwo(arrays["rank_two_a"], arrays["rank_two_b"]) if teleporting else None,
    )
    # A cached property keeps its value here.
    vars(made).update(components=arrays["components"], **{n: float(arrays[n]) for n in _FOUND})
    return made
