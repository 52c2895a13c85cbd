"""The names that fuzzed calls may use: the library, small records, and ways to damage matrices."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
import scipy.sparse as sp


def names() -> dict[str, Any]:
    """Every name by what it stands for."""
    return {**_library(), **_tools(), **_records()}


class _Evil:
    """An object that refuses whatever is asked of it."""

    def _refuse(self, *_: Any) -> NoReturn:
        raise ValueError("refused")

    __len__ = __repr__ = __str__ = __iter__ = __array__ = __eq__ = __hash__ = __float__ = _refuse


def _library() -> dict[str, Any]:
    import gdr_core
    from gdr_core.estimator import NodeGraph
    from gdr_core.graphs.walks import Walk
    from gdr_core.laplacians import pagerank
    from gdr_core.neural.options import TrainingOptions
    from gdr_core.option import Option

    public = {name: getattr(gdr_core, name) for name in gdr_core.PUBLIC}
    more = {"NodeGraph": NodeGraph, "Walk": Walk, "pagerank": pagerank, "Option": Option}
    return {**public, **more, "TrainingOptions": TrainingOptions}


def _tools() -> dict[str, Any]:
    from dataclasses import replace
    from decimal import Decimal
    from fractions import Fraction

    import networkx as nx
    import pandas as pd

    graph = nx.Graph([(0, 1, {"w": "x"}), (1, 2, {"w": None})])
    nx.set_node_attributes(graph, {0: "a", 1: None}, "kind")
    nx.set_node_attributes(graph, {0: [1, 2], 1: "x"}, "x")
    edges = pd.DataFrame({"source": ["a", "b"], "target": ["b", "c"], "w": [1.0, np.nan]})
    nodes = pd.DataFrame({"id": ["a", "b", "c"], "kind": ["x", None, "y"], "x": [1, 2, 3]})
    return {"np": np, "sp": sp, "nx": nx, "pd": pd, "replace": replace, "Fraction": Fraction,
            "Decimal": Decimal, "nan": np.nan, "inf": np.inf, "Evil": _Evil, "GRAPH": graph,
            "EDGES": edges, "NODES": nodes, "forced": _forced, "usable": _usable,
            "forced_entries": _forced_entries, "sparse": _sparse}  # fmt: skip


def _records() -> dict[str, Any]:
    from gdr_core import GDROptions, compute_prior, load_dataset, make_laplacian, reclassify

    club, ring = load_dataset("karate"), load_dataset("directed-ring", size=33)
    laplacian = make_laplacian("combinatorial", club.adjacency)
    prior, few = compute_prior("projection", club), GDROptions(count=12)
    truth = club.labels.copy()
    truth[5:9] = -1
    return {"D": club, "A": club.adjacency, "L": laplacian, "H": prior, "S": club.split, "Y": truth,
            "DL": make_laplacian("directed", ring.adjacency), "FEW": few,
            "EMPTY": make_laplacian("combinatorial", sp.csr_array((0, 0))),
            "R": reclassify(laplacian, prior, club.labels, club.split, few),
            "X": club.features.toarray(), "NAMES": club.node_names}  # fmt: skip


def _forced(kind: str, data: list, indices: list, pointers: list, shape: tuple, types: type) -> Any:
    """A compressed matrix whose arrays are put in behind the constructor's back."""
    blocks = kind == "bsr"
    matrix = {"csr": sp.csr_array, "csc": sp.csc_array, "bsr": sp.bsr_array}[kind]((1, 1))
    matrix._shape = shape
    numbers = np.array(data, dtype=float)
    matrix.data = numbers.reshape(-1, 1, 1) if blocks else numbers
    matrix.indices, matrix.indptr = np.array(indices, dtype=types), np.array(pointers, dtype=types)
    return matrix


def _forced_entries(data: list, rows: list, columns: list, shape: tuple) -> Any:
    """The same for lists of entries."""
    matrix = sp.coo_array((1, 1))
    matrix._shape = shape
    matrix.data = np.array(data, dtype=float)
    matrix.coords = (np.array(rows, dtype=np.int64), np.array(columns, dtype=np.int64))
    return matrix


def _sparse(kind: str, array: np.ndarray) -> Any:
    """A sparse matrix of the array, or the array where SciPy has none of its kind."""
    try:
        return getattr(sp, kind)(array)
    except (TypeError, ValueError):
        return array


def _usable(laplacian: Any) -> Any:
    """A Laplacian that was made must be one that can be computed with."""
    numbers = (laplacian.rates, laplacian.null, laplacian.upper_bound, laplacian.gap)
    if not all(np.isfinite(number).all() for number in numbers):
        raise AssertionError("a Laplacian with numbers that are not finite")
    return laplacian
