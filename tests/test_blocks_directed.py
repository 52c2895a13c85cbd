"""Directed graphs in blocks: the Laplacian of the whole matrix, the same proof, one rank or two."""

import os
import re
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.linalg

from gdr_core.blocks import build_blocks, diffuse_blocks, open_blocks
from gdr_core.blocks.diffusing import _check_additions
from gdr_core.blocks.flow import KINDS, directed_laplacian
from gdr_core.blocks.laplacian import BlockRows
from gdr_core.blocks.ranks import Alone, backend_here
from gdr_core.diffusion.engine import Budget, UnprovableError
from gdr_core.laplacians import make_laplacian
from gdr_tools.cli import main
from tests.test_blocks import (
    NODES,
    difference_of_two_ranks,
    edge_list,
    one_process,
    scores_file,
    torchrun,
    write_edges,
)

pytest.importorskip("pyarrow", reason="pyarrow is not installed")


def arrows(pairs, weights, nodes=NODES):
    dense = np.zeros((nodes, nodes))
    for tail, head, weight in zip(*pairs, weights, strict=True):
        if tail != head:
            dense[tail, head] = max(dense[tail, head], weight)
    return dense


def sparse_list():
    """Few enough edges that some nodes have no way out."""
    pairs, weights = edge_list(count=150)
    return pairs, weights


@pytest.fixture(params=["strength", None])
def graph(request, tmp_path):
    pairs, weights = sparse_list()
    file = write_edges(tmp_path / "edges.parquet", pairs, weights)
    build_blocks(
        file, tmp_path / "blocks", nodes=NODES, weight=request.param, directed=True, entries=80
    )
    dense = arrows(pairs, weights if request.param else np.ones(weights.size))
    assert (dense.sum(axis=1) == 0).any()
    assert (dense != dense.T).any()
    return dense, tmp_path / "blocks"


def test_blocks_hold_rows_of_the_matrix_and_of_its_transpose(graph):
    dense, blocks = graph
    folder = open_blocks(blocks)
    assert len(folder.blocks) > 2
    arcs = [folder.arcs(number) for number in range(len(folder.blocks))]
    np.testing.assert_array_equal(np.vstack([one.toarray() for one, _ in arcs]), dense)
    np.testing.assert_array_equal(np.vstack([other.toarray() for _, other in arcs]), dense.T)


@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_laplacian_is_that_of_the_whole_matrix(tmp_path, graph, kind, direction):
    dense, blocks = graph
    rows = BlockRows(open_blocks(blocks), Alone())
    found = directed_laplacian(kind, rows, tmp_path / "flow", 0.7, direction)
    plain = make_laplacian(kind, dense, alpha=0.7, direction=direction)
    np.testing.assert_allclose(found.dense(), plain.dense(), rtol=0, atol=1e-15)
    np.testing.assert_allclose(found.upper_bound, plain.upper_bound, rtol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_one_process_lies_within_the_bound_of_the_dense_exponential(tmp_path, graph, kind):
    dense, blocks = graph
    scores, file = scores_file(tmp_path)
    times = np.array([0.0, 0.5, 3.0]) * (NODES if kind == "directed" else 1)
    result = diffuse_blocks(blocks, file, times, tmp_path / "out", laplacian=kind, tolerance=1e-9)
    matrix = make_laplacian(kind, dense).dense()
    exact = np.array([scipy.linalg.expm(-t * matrix) @ scores for t in times])
    assert np.abs(result.values() - exact).max() <= result.error_bound <= 1e-9
    highest = np.sort(exact, axis=2)
    certain = highest[:, :, -1] - highest[:, :, -2] > 2 * result.error_bound
    assert certain.mean() > 0.9
    np.testing.assert_array_equal(result.labels()[certain], exact.argmax(axis=2)[certain])
    other = make_laplacian(kind, dense, direction="backward").dense()
    assert np.abs(scipy.linalg.expm(-times[2] * other) @ scores - exact[2]).max() > 1e-3
    assert sorted(p.name for p in tmp_path.iterdir() if "out" in p.name) == ["out"]


def test_a_laplacian_that_does_not_fit_is_one_sentence(tmp_path, graph, capsys):
    _, file = scores_file(tmp_path)
    words = ["diffuse", "--blocks", graph[1], "--scores", file, "--times", "1", "--out"]
    words = [str(word) for word in (*words, tmp_path / "out")]
    assert main([*words, "--laplacian", "symmetric"]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert re.search("holds a directed graph, for which Laplacians are directed, directed-n", said)
    assert main([*words, "--alpha", "1.5"]) == 1
    assert "alpha must lie in (0, 1]" in capsys.readouterr().err
    assert main([*words, "--direction", "backward", "--alpha", "0.6"]) == 0
    assert "(proved)" in capsys.readouterr().out


def test_what_is_refused_or_ended_leaves_no_flow(tmp_path, graph, monkeypatch):
    _, file = scores_file(tmp_path)
    before = sorted(p.name for p in tmp_path.iterdir())

    def diffused(**more):
        diffuse_blocks(graph[1], file, np.array([0.5, 3.0]), tmp_path / "out", **more)

    with pytest.raises(ValueError, match="cannot be proved"):
        diffused(tolerance=1e-17)
    assert sorted(p.name for p in tmp_path.iterdir()) == before

    def refuse(*given):
        raise UnprovableError("no proof", 1.0)

    with monkeypatch.context() as patched:
        patched.setattr(Budget, "check", refuse)
        with pytest.raises(ValueError, match="no proof"):
            diffused(every=1)
    assert sorted(p.name for p in tmp_path.iterdir()) == before

    def end(fraction, message):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        diffused(progress=end)
    assert sorted(p.name for p in tmp_path.iterdir()) == before


def test_the_command_line_builds_arrows(tmp_path, capsys):
    pairs, weights = sparse_list()
    file = write_edges(tmp_path / "edges.csv", pairs, weights)
    blocks = tmp_path / "blocks"
    assert main(["blocks", "build", str(file), str(blocks), "--directed"]) == 0
    assert "linked pairs of nodes" in capsys.readouterr().out
    assert main(["blocks", "check", str(blocks)]) == 0
    assert open_blocks(blocks).directed
    os.replace(blocks / "block-00000.along.npy", blocks / "block-00000.against.npy")
    assert main(["blocks", "check", str(blocks)]) == 1
    assert "lacks block-00000.along.npy" in capsys.readouterr().err


def test_more_ranks_than_the_proof_holds_for_are_refused():
    def rows(nodes, count):
        bounds = np.linspace(0, nodes, count + 1).astype(int)
        pairs = list(zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True))
        return SimpleNamespace(bounds=pairs, ranks=SimpleNamespace(count=count))

    for nodes, count in ((1000, 2), (10**6, 64), (10**9, 64), (10**9, 500)):
        _check_additions(nodes, rows(nodes, count))
    with pytest.raises(ValueError, match="2000 ranks are too many"):
        _check_additions(10**6, rows(10**6, 2000))


@pytest.mark.parametrize(
    ("gpus", "ranks", "nccl", "expected"),
    [
        (0, 2, True, ("gloo", "cpu")),
        (1, 2, True, ("gloo", "cpu")),
        (2, 2, False, ("gloo", "cpu")),
        (2, 2, True, ("nccl", "cuda:1")),
        (4, 2, True, ("nccl", "cuda:1")),
    ],
)
def test_ranks_speak_by_nccl_where_each_has_a_gpu(monkeypatch, gpus, ranks, nccl, expected):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    monkeypatch.setenv("LOCAL_RANK", "1")
    monkeypatch.setenv("LOCAL_WORLD_SIZE", str(ranks))
    monkeypatch.setattr(torch.cuda, "is_available", lambda: gpus > 0)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: gpus)
    monkeypatch.setattr(torch.distributed, "is_nccl_available", lambda: nccl)
    assert backend_here() == expected


@pytest.mark.processes
def test_two_ranks_equal_one_process(tmp_path, graph):
    pytest.importorskip("torch.distributed", reason="torch is not installed")
    alone, words = one_process(graph[1], tmp_path, [30.0, 2000.0], 1e-7)
    code = torchrun(words, tmp_path).wait()
    assert code == 0, (tmp_path / "log.txt").read_text(errors="replace")[-2000:]
    assert difference_of_two_ranks(tmp_path, alone) > 0
    assert not (tmp_path / "out.flow").exists()
