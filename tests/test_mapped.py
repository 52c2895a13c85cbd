"""Matrices mapped from files: the same numbers without a copy, and nothing odd gets through."""

import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp

from gdr_core import gate
from gdr_core.blocks import diffuse_mapped, open_result
from gdr_core.diffusion import diffuse
from gdr_core.laplacians import make_laplacian
from gdr_tools.cli import main


def random_graph(nodes=40, seed=0):
    dense = (np.random.default_rng(seed).random((nodes, nodes)) < 0.2).astype(float)
    np.fill_diagonal(dense, 0)
    return sp.csr_array(np.maximum(dense, dense.T))


def in_folder(matrix, folder):
    folder.mkdir()
    for name in ("indptr", "indices", "data"):
        np.save(folder / f"{name}.npy", getattr(matrix, name))
    return folder


def in_archive(matrix, file):
    sp.save_npz(file, matrix, compressed=False)
    return file


@pytest.mark.parametrize("write", [in_folder, in_archive])
def test_a_mapped_graph_diffuses_as_one_in_memory_and_is_not_copied(tmp_path, write):
    graph = random_graph()
    mapped = gate.mapped_matrix(write(graph, tmp_path / "graph.npz"))
    np.testing.assert_array_equal(mapped.toarray(), graph.toarray())
    laplacian = make_laplacian("combinatorial", mapped)
    assert np.shares_memory(laplacian.weights.data, mapped.data)
    assert np.shares_memory(laplacian.weights.indices, mapped.indices)
    scores, times = np.eye(40)[:, :3], np.array([0.1, 1.0])
    plain = diffuse(make_laplacian("combinatorial", graph), scores, times).values()
    np.testing.assert_array_equal(diffuse(laplacian, scores, times).values(), plain)


def test_rows_that_are_not_in_order_or_hold_zeros_are_copied_and_put_right(tmp_path):
    graph = random_graph()
    graph.indices = graph.indices.reshape(-1).copy()
    first, last = graph.indptr[:2]
    graph.indices[first:last] = graph.indices[first:last][::-1]
    graph.data[first] = 0.0
    mapped = gate.mapped_matrix(in_folder(graph, tmp_path / "graph"))
    found = gate.adjacency_matrix(mapped)
    np.testing.assert_array_equal(found.toarray(), graph.toarray())
    assert found.has_sorted_indices
    assert (found.data != 0).all()
    assert not np.shares_memory(found.data, mapped.data)


@pytest.mark.parametrize(
    ("name", "values", "sentence"),
    [
        ("data", lambda a: np.full_like(a, np.nan), "not finite"),
        ("indices", lambda a: a + 100, "an index lies outside|holds no compressed rows"),
        ("indptr", lambda a: a[::-1], "holds no compressed rows|row pointers do not fit"),
        (
            "indptr",
            lambda a: np.r_[0, 2**31 - 1, -(2**31), a[3:]].astype(np.int32),
            "holds no compressed rows|row pointers do not fit",
        ),
        ("data", lambda a: -a, "must not be negative"),
    ],
)
def test_damaged_arrays_are_refused_before_anything_multiplies(tmp_path, name, values, sentence):
    folder = in_folder(random_graph(), tmp_path / "graph")
    array = np.load(folder / f"{name}.npy")
    np.save(folder / f"{name}.npy", values(array))
    with pytest.raises(ValueError, match=sentence):
        gate.adjacency_matrix(gate.mapped_matrix(folder))


def test_files_that_hold_something_else_are_one_sentence(tmp_path):
    with pytest.raises(FileNotFoundError):
        gate.mapped_matrix(tmp_path / "nothing.npz")
    (tmp_path / "text.npz").write_text("text")
    with pytest.raises(gate.UnreadableError, match=r"text\.npz holds no compressed rows"):
        gate.mapped_matrix(tmp_path / "text.npz")
    sp.save_npz(tmp_path / "small.npz", random_graph(), compressed=True)
    with pytest.raises(gate.UnreadableError, match="write it with compressed=False"):
        gate.mapped_matrix(tmp_path / "small.npz")
    np.savez(tmp_path / "other.npz", other=np.ones(3))
    with pytest.raises(gate.UnreadableError, match="holds no compressed rows"):
        gate.mapped_matrix(tmp_path / "other.npz")


@pytest.mark.parametrize("kind", ["combinatorial", "symmetric", "random-walk"])
@pytest.mark.parametrize("write", [in_folder, in_archive])
def test_the_command_line_diffuses_a_mapped_graph(tmp_path, capsys, write, kind):
    graph, scores = random_graph(), np.random.default_rng(1).random((40, 3))
    file = write(graph, tmp_path / "graph.npz")
    np.save(tmp_path / "scores.npy", scores)
    words = ["diffuse", "--graph", file, "--scores", tmp_path / "scores.npy", "--laplacian", kind]
    words = [str(w) for w in (*words, "--times", 0, 0.1, "--labels", tmp_path / "l.npy", "--out")]
    assert main([*words, str(tmp_path / "out")]) == 0
    assert "(proved)" in capsys.readouterr().out
    found = open_result(tmp_path / "out")
    plain = diffuse(make_laplacian(kind, graph), scores, np.array([0, 0.1]))
    difference = np.abs(found.values() - plain.values()).max()
    assert difference <= found.error_bound + plain.error_bound <= 2e-6
    np.testing.assert_array_equal(np.load(tmp_path / "l.npy"), found.values().argmax(axis=2))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["graph.npz", "l.npy", "out", "scores.npy"]
    assert main([*words, str(tmp_path / "out")]) == 1
    assert "has a result already" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([*words, str(tmp_path / "other"), "--blocks", "b"])


def test_graphs_that_cannot_be_mapped_are_one_sentence(tmp_path):
    np.save(tmp_path / "scores.npy", np.ones((3, 1)))

    def diffused(matrix):
        file = in_archive(sp.csr_array(matrix), tmp_path / "graph.npz")
        diffuse_mapped(file, tmp_path / "scores.npy", np.array([1.0]), tmp_path / "out")

    with pytest.raises(ValueError, match="the graph has directions"):
        diffused(np.eye(3, k=1))
    with pytest.raises(ValueError, match="from a node to itself"):
        diffused(np.eye(3))
    with pytest.raises(ValueError, match="square"):
        diffused(np.ones((3, 2)))


def test_a_mapped_graph_is_not_held_in_memory(tmp_path):
    graph = random_graph(nodes=1200)
    size = graph.data.nbytes + graph.indices.nbytes
    in_archive(graph, tmp_path / "graph.npz")
    np.save(tmp_path / "scores.npy", np.random.default_rng(1).random((1200, 1)))
    del graph
    tracemalloc.start()
    try:
        diffuse_mapped(
            *(tmp_path / "graph.npz", tmp_path / "scores.npy", np.array([0.01]), tmp_path / "out")
        )
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < size / 2
