"""Directed: dead ends, who is visited most, what the films show. PageRank by NetworkX."""

from __future__ import annotations

from itertools import product

import networkx as nx
import numpy as np

from gdr_app.directed.rank import crowd_sentence
from gdr_app.directed.walk import ANSWERS, STARTS, walks
from gdr_core import datasets
from gdr_core.graphs.walks import SMALL_GRAPHS, small_graph
from gdr_core.laplacians import DIRECTIONS, pagerank
from tools.check_sentences.report import Report, count

CROWD = (
    r"([\d,]+) dead ends?; (?:all nodes are visited equally often"
    r"|most visited (?:is (\S+)|are (\S+) and ([\d,]+) others?), ([\d.]+) times the mean)\."
)


def check(name: str, alphas: tuple[float, ...] = (0.5, 0.85, 0.99)) -> Report:
    """Both directions of a graph."""
    report, data = Report(), datasets.load_dataset(name)
    for reverse, alpha in product((False, True), alphas):
        where = f"{name} {'backward' if reverse else 'forward'} α = {alpha}"
        arrows = data.adjacency.T.tocsr() if reverse else data.adjacency
        network = nx.from_scipy_sparse_array(arrows, create_using=nx.DiGraph)
        dead = [node for node in network if network.out_degree(node) == 0]
        exact = np.array(list(nx.pagerank(network, alpha, tol=1e-14, max_iter=10_000).values()))
        text = crowd_sentence(
            [f"n{k}" for k in range(data.nodes)], pagerank(arrows, alpha), len(dead)
        )
        read = report.read(where, text, CROWD)
        if read is None:
            continue
        report.claim(where, "dead ends", count(read[1]) == len(dead), text)
        first = np.flatnonzero(exact >= exact.max() * (1 - 1e-6))
        if read[5] is None:
            report.claim(where, "equally often", first.size == data.nodes, first.size)
            continue
        report.claim(where, "most visited", int((read[2] or read[3])[1:]) in first, (text, first))
        others = count(read[4]) if read[4] else 0
        report.claim(where, "equals", others == first.size - 1, (text, first.size))
        report.claim(where, "times", abs(float(read[5]) - data.nodes * exact.max()) < 0.051, text)
    return report


def check_films() -> Report:
    """What is written above each film, for every way, start and answer, without jumps."""
    report = Report()
    for name, way, start, answer in product(SMALL_GRAPHS, DIRECTIONS, STARTS, ANSWERS):
        found = walks(name, way, start, answer, 0.85)
        film, where = found.films[0], f"{name} {way} {start} {answer}"
        network = nx.from_scipy_sparse_array(found.without.adjacency, create_using=nx.DiGraph)
        dead = [node for node in network if network.out_degree(node) == 0]
        report.sentences += 1
        if name == "one-way path":
            rest = film[5].copy()
            rest[dead] = 0
            report.claim(where, "arrived after five steps", rest.max() == 0, film[5])
            report.claim(where, "no arrow leads on", len(dead) == 1)
        elif name == "two rings":
            report.claim(where, "no dead end", not dead, dead)
            parts = list(nx.strongly_connected_components(network))
            closed = [part for part in parts if not list(nx.edge_boundary(network, part))]
            report.claim(where, "one of the rings", len(parts) == 2 and len(closed) == 1)
            inside = film[:, sorted(closed[0])].sum(axis=1)
            report.claim(where, "never returns", bool((np.diff(inside) >= -1e-12).all()))
        elif name == "citations":
            report.claim(where, "no circle", nx.is_directed_acyclic_graph(network))
            report.claim(where, "every walk ends", film[-1].sum() - film[-1, dead].sum() < 1e-12)
        else:
            report.claim(where, "dead ends", len(dead) == (way == "forward"), dead)
            ring = max(nx.strongly_connected_components(network), key=len)
            gates = list(nx.edge_boundary(network, ring))
            report.claim(where, "one gate", len(gates) == (way == "forward"), gates)
            if gates:
                weights = found.without.adjacency[[gates[0][0]]].toarray()[0]
                report.claim(where, "half", weights[gates[0][1]] * 2 == weights.sum(), weights)
    report.claim("films", "all lessons read", len(SMALL_GRAPHS) == 4)
    for name in SMALL_GRAPHS:
        report.claim(name, "has a lesson", bool(small_graph(name).lesson))
    return report
