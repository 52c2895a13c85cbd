"""Tiny named graphs that every test can check by hand, and the way to real data files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import settings

if TYPE_CHECKING:  # what needs torch is imported by the fixtures that use it
    from gdr_tools.jobs import Registry
    from tests.staging import Clock

# Times vary with the machine's load; what is tested is truth, not speed. CI draws the same
# examples every time, so that a failure there can be repeated.
settings.register_profile("project", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("project")
# Tests wait for their workers: these do not give way to other tests.
os.environ.setdefault("GDR_WORKER_NICENESS", "0")


def graph(nodes: int, edges: list[tuple[int, int]], weights: list[float] | None = None):
    """The undirected graph with these edges, as SciPy CSR."""
    half = arrows(nodes, edges, weights)
    return sp.csr_array(half + half.T)


def arrows(nodes: int, edges: list[tuple[int, int]], weights: list[float] | None = None):
    """The directed graph with these edges, as SciPy CSR."""
    rows, columns = np.array(edges, dtype=int).reshape(-1, 2).T
    values = np.ones(len(edges)) if weights is None else np.array(weights, dtype=float)
    return sp.csr_array((values, (rows, columns)), shape=(nodes, nodes))


@pytest.fixture
def two_nodes() -> sp.csr_array:
    """One edge: relaxes at rate two."""
    return graph(2, [(0, 1)])


@pytest.fixture
def path_graph() -> sp.csr_array:
    """0 – 1 – 2 – 3."""
    return graph(4, [(0, 1), (1, 2), (2, 3)])


@pytest.fixture
def star_graph() -> sp.csr_array:
    """A hub, node 0, with four leaves."""
    return graph(5, [(0, 1), (0, 2), (0, 3), (0, 4)])


@pytest.fixture
def two_components() -> sp.csr_array:
    """A triangle 0, 1, 2 and, apart from it, an edge 3 – 4."""
    return graph(5, [(0, 1), (1, 2), (0, 2), (3, 4)])


@pytest.fixture
def weighted_triangle() -> sp.csr_array:
    """A triangle whose edges weigh 1, 2 and 3."""
    return graph(3, [(0, 1), (1, 2), (0, 2)], [1.0, 2.0, 3.0])


@pytest.fixture
def isolated_node() -> sp.csr_array:
    """An edge 0 – 1 and the lonely node 2."""
    return graph(3, [(0, 1)])


@pytest.fixture
def directed_ring() -> sp.csr_array:
    """0 → 1 → 2 → 3 → 0."""
    return arrows(4, [(0, 1), (1, 2), (2, 3), (3, 0)])


@pytest.fixture
def dangling_ring() -> sp.csr_array:
    """0 → 1 → 2 → 0 and 1 → 3, from where no arrow leads on."""
    return arrows(4, [(0, 1), (1, 2), (2, 0), (1, 3)])


@pytest.fixture(scope="module")
def workers_end() -> Iterator[None]:
    """The workers that pages have started end with the tests of a module."""
    from gdr_tools.jobs.everybody import pool

    yield
    pool().close()


@pytest.fixture
def clock() -> Clock:
    """Time that passes when the test says so."""
    from tests.staging import Clock

    return Clock()


@pytest.fixture
def puppets(monkeypatch) -> None:
    """Workers without processes, in place of real ones."""
    from gdr_tools.jobs import pool
    from tests.staging import Puppet

    monkeypatch.setattr(pool, "Worker", Puppet)


@pytest.fixture
def registry() -> Iterator[Registry]:
    """A registry with one core and real workers."""
    from gdr_tools.jobs import Registry

    made = Registry(slots=1)
    yield made
    made.close()


def planetoid_folder(name: str) -> Path:
    """The folder with the Planetoid files of a set, or a skip that says what is missing."""
    folder = Path(os.environ.get("GDR_DATA_DIR") or "there is no such folder")
    if not (folder / f"ind.{name}.graph").is_file():
        pytest.skip(f"GDR_DATA_DIR names no folder with the files ind.{name}.*")
    return folder


@pytest.fixture
def planetoid_files():
    """A function from a set's name to its folder; skips the test where the files are not."""
    return planetoid_folder
