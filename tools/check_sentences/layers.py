"""Train: how far a layer looks, against dense matrices and NetworkX's distances."""

from __future__ import annotations

import re

import networkx as nx
import numpy as np
import scipy.linalg

from gdr_app.train.network import beyond_sentence
from gdr_core import datasets
from gdr_core.diffusion.reach import typical_node, weight_by_distance
from gdr_core.figures.network import Layers, network_picture
from tools.check_sentences.report import Report

_BEYOND = r"(?: (\d+)% of the weight lies (\d+) or more links away and is not drawn\.)?"


def _row_of(adjacency: np.ndarray, node: int, kind: str, time: float) -> np.ndarray:
    """Row of what a layer multiplies by, from the definition."""
    if kind == "mlp":
        return np.eye(len(adjacency))[node]
    if kind == "gcn":
        looped = adjacency + np.eye(len(adjacency))
        root = np.sqrt(looped.sum(axis=1))
        return (looped / root[:, None] / root)[node]
    return scipy.linalg.expm(-time * (np.diag(adjacency.sum(axis=1)) - adjacency))[node]


def check(name: str, times: tuple[float, ...] = (0.05, 0.5, 3.0, 40.0)) -> Report:
    """All kinds of layers at the node that the page draws."""
    report, data = Report(), datasets.load_dataset(name)
    node = typical_node(data.undirected)
    dense = data.undirected.toarray()
    away = nx.single_source_shortest_path_length(nx.Graph(data.undirected), node)
    cases = [("mlp", 0.0), ("gcn", 0.0), *(("combinatorial", time) for time in times)]
    for kind, time in cases:
        where = f"{name} {kind} t = {time}"
        shares = np.round(weight_by_distance(data.undirected, node, kind, time), 4).tolist()
        row = _row_of(dense, node, kind, time)
        exact = np.zeros(6)
        for j, weight in enumerate(row):
            exact[min(away.get(j, 5), 5)] += weight / row.sum()
        picture = network_picture(Layers(data.features.shape[1], 8, data.classes, "x", shares), "n")
        said = re.findall(r"(\d+)% at (\d)", picture)
        report.sentences += 1
        report.claim(where, "readable", len(said) >= 5 or kind == "mlp", picture[:300])
        for share, hop in said:
            close = abs(int(share) - 100 * exact[int(hop)]) <= 0.6
            report.claim(where, "share of a ring", close, (share, hop, exact))
        read = report.read(where, beyond_sentence(shares), _BEYOND)
        if read is not None:
            told = int(read[1]) if read[1] else 0
            report.claim(where, "beyond the rings", abs(told - 100 * exact[5]) <= 1, exact)
            report.claim(where, "from", read[2] in (None, "5"))
    return report
