"""Planetoid's pickles: read when harmless, refused before they run when not."""

import collections
import os
import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from gdr_core.datasets import planetoid
from gdr_core.datasets.planetoid import UnsafePickleError, assemble, restricted_load


class Runs:
    """Pickles into a call of a function."""

    def __init__(self, function, *arguments):
        self.call = (function, arguments)

    def __reduce__(self):
        return self.call


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_malicious_pickle_is_refused_before_it_runs(tmp_path, protocol):
    witness = tmp_path / "it-ran"
    attack = pickle.dumps({0: [1], 1: Runs(os.mkdir, str(witness))}, protocol=protocol)
    with pytest.raises(UnsafePickleError, match=r"evil asks for (posix|nt)\.mkdir"):
        restricted_load(attack, "evil")
    assert not witness.exists()
    pickle.loads(attack)
    assert witness.exists(), "the attack must be one that works on a plain unpickler"


@pytest.mark.parametrize(
    "content",
    [
        b"cbuiltins\neval\n(S'1'\ntR.",
        b"cnumpy.core.multiarray\nfromfile\n.",
        b"cnumpy\nload\n.",
        b"ccollections\nnamedtuple\n.",
        b"cbuiltins\ngetattr\n.",
    ],
)
def test_functions_of_trusted_modules_are_refused_too(content):
    with pytest.raises(UnsafePickleError, match="refused"):
        restricted_load(content)


def test_references_to_outside_objects_are_refused():
    with pytest.raises(UnsafePickleError, match="outside object"):
        restricted_load(b"Psomething\n.")


@pytest.mark.parametrize("content", [b"", b"not a pickle", pickle.dumps([1, 2])[:-3]])
def test_a_broken_pickle_is_an_error_that_names_the_file(content):
    with pytest.raises(ValueError, match=r"ind\.x is not a readable Planetoid file"):
        restricted_load(content, "ind.x")


def test_the_classes_of_planetoid_are_read():
    graph = collections.defaultdict(list, {0: [1], 1: [0]})
    for value in (np.arange(6.0).reshape(2, 3), sp.csr_matrix(np.eye(3)), graph):
        copy = restricted_load(pickle.dumps(value, protocol=4))
        assert type(copy) is type(value)
        different = copy != value
        assert not np.any(different.toarray() if sp.issparse(different) else different)


def tiny(test_index=b"3\n5\n", graph=None) -> dict[str, bytes]:
    """Six nodes: 0 … 2 known, 3 and 5 to test, 4 missing from the files."""
    rows, one_hot = sp.csr_matrix(np.eye(3)), np.eye(2, dtype=int)
    last = sp.csr_matrix(np.array([[0.0, 7, 0], [0, 0, 8]]))
    parts = {
        "x": rows[:2], "y": one_hot, "allx": rows, "ally": one_hot[[0, 1, 0]],
        "tx": last, "ty": one_hot[[1, 0]],
        "graph": graph or {0: [1, 1, 0], 1: [0, 5], 2: [3], 3: [2], 4: [], 5: [1]},
    }  # fmt: skip
    files = {f"ind.tiny.{key}": pickle.dumps(value, protocol=4) for key, value in parts.items()}
    return files | {"ind.tiny.test.index": test_index}


def test_parts_are_joined_in_the_order_of_the_graph():
    graph = assemble(tiny(test_index=b"5\n3\n"), "tiny")
    assert graph.labels.tolist() == [0, 1, 0, 0, -1, 1]
    assert graph.features.toarray()[[3, 4, 5]].tolist() == [[0, 0, 8], [0, 0, 0], [0, 7, 0]]
    assert graph.edges.tolist() == [[0, 1], [1, 5], [2, 3]]
    assert graph.test.tolist() == [3, 5]
    assert graph.train.tolist() == [0, 1]


def test_wrong_kinds_and_wrong_numbers_are_refused():
    with pytest.raises(ValueError, match=r"ind\.tiny\.graph holds a list, expected dict"):
        assemble(tiny() | {"ind.tiny.graph": pickle.dumps([1])}, "tiny")
    with pytest.raises(
        ValueError, match=r"ind\.tiny\.test\.index must hold one node number a line"
    ):
        assemble(tiny(test_index=b"3\nfive\n"), "tiny")
    with pytest.raises(ValueError, match="names nodes outside 0 … 5"):
        assemble(tiny(graph={0: [99]}), "tiny")


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9))))
def test_undirected_pairs_are_the_set_of_unordered_pairs(links):
    source, target = np.array(links, dtype=int).reshape(-1, 2).T
    expected = sorted({(min(a, b), max(a, b)) for a, b in links if a != b})
    assert [tuple(pair) for pair in planetoid.undirected_pairs(source, target).tolist()] == expected
