"""Graphs in blocks: the same matrix, the same proof, by one process, by two, and after a death."""

import errno
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as sp

from gdr_core.blocks import build_blocks, diffuse_blocks, open_blocks, open_result, writing
from gdr_core.blocks.checkpoints import Checkpoints, State
from gdr_core.blocks.laplacian import shares
from gdr_core.blocks.ranks import Alone
from gdr_core.diffusion import diffuse
from gdr_core.laplacians import make_laplacian
from gdr_tools.cli import main

pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
ROOT = Path(__file__).parents[1]
NODES = 60


def edge_list(seed=0, nodes=NODES, count=400):
    """Random pairs: some listed twice, some backwards, some from a node to itself."""
    generator = np.random.default_rng(seed)
    pairs = generator.integers(0, nodes, (2, count))
    return pairs, generator.uniform(0.5, 2.0, count)


def dense_graph(pairs, weights, nodes=NODES):
    dense = np.zeros((nodes, nodes))
    for tail, head, weight in zip(*pairs, weights, strict=True):
        if tail != head:
            dense[tail, head] = dense[head, tail] = max(dense[tail, head], weight)
    return dense


def write_edges(path, pairs, weights):
    table = pyarrow.table({"from": pairs[0], "to": pairs[1], "strength": weights})
    if path.suffix == ".csv":
        from pyarrow import csv

        csv.write_csv(table, path)
    else:
        from pyarrow import parquet

        parquet.write_table(table, path)
    return path


@pytest.fixture
def graph(tmp_path):
    """A weighted graph as a dense matrix and as a folder of blocks."""
    pairs, weights = edge_list()
    file = write_edges(tmp_path / "edges.parquet", pairs, weights)
    build_blocks(file, tmp_path / "blocks", nodes=NODES, weight="strength", entries=150)
    return dense_graph(pairs, weights), tmp_path / "blocks"


def scores_file(folder, nodes=NODES):
    scores = np.random.default_rng(5).uniform(0, 1, (nodes, 3))
    np.save(folder / "scores.npy", scores)
    return scores, folder / "scores.npy"


def whole_matrix(folder):
    return sp.vstack([folder.rows(i) for i in range(len(folder.blocks))]).toarray()


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
@pytest.mark.parametrize("weight", ["strength", None])
def test_blocks_hold_the_matrix_of_the_edges(tmp_path, suffix, weight):
    pairs, weights = edge_list()
    file = write_edges(tmp_path / f"edges.{suffix}", pairs, weights)
    folder = build_blocks(file, tmp_path / "blocks", weight=weight, entries=100)
    assert len(folder.blocks) > 3
    kept = weights if weight else np.ones(weights.size)
    found = whole_matrix(folder)
    np.testing.assert_array_equal(found, dense_graph(pairs, kept)[: len(found), : len(found)])
    assert folder.entries == np.count_nonzero(found)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["blocks", f"edges.{suffix}"]


@pytest.mark.parametrize("names", ["", "0,1\n", '"0", 1\n'])
def test_a_csv_file_without_names_loses_no_edge(tmp_path, names):
    file = tmp_path / "edges.csv"
    file.write_text((names or "from,to\n0,1\n") + "1,2\n2,3\n")
    folder = build_blocks(file, tmp_path / "blocks")
    path = np.eye(4, k=1) + np.eye(4, k=-1)
    np.testing.assert_array_equal(whole_matrix(folder), path)


def test_columns_of_a_csv_file_without_names_are_numbered(tmp_path):
    file = tmp_path / "edges.csv"
    file.write_text("0,1,2.5\n1,2,3e-1\n")
    with pytest.raises(ValueError, match="has no column 'strength'; there are f0, f1, f2"):
        build_blocks(file, tmp_path / "blocks", weight="strength")
    found = whole_matrix(build_blocks(file, tmp_path / "blocks", weight="f2"))
    assert (found[0, 1], found[1, 2]) == (2.5, 0.3)


@pytest.mark.parametrize("kind", ["combinatorial", "symmetric", "random-walk"])
def test_one_process_lies_within_the_bound_of_the_dense_exponential(tmp_path, graph, kind):
    dense, blocks = graph
    scores, file = scores_file(tmp_path)
    times = np.array([0.0, 0.1, 1.5])
    result = diffuse_blocks(blocks, file, times, tmp_path / "out", laplacian=kind, tolerance=1e-9)
    laplacian = make_laplacian(kind, dense).dense()
    exact = np.array([scipy.linalg.expm(-t * laplacian) @ scores for t in times])
    assert np.abs(result.values() - exact).max() <= result.error_bound <= 1e-9
    assert open_result(tmp_path / "out") == result
    assert not (tmp_path / "out.checkpoints").exists()


@pytest.mark.parametrize("kind", ["combinatorial", "symmetric", "random-walk"])
def test_labels_are_those_of_one_process_in_memory(tmp_path, graph, kind):
    """Wherever the two largest values are farther apart than both bounds allow them to move."""
    dense, blocks = graph
    scores, file = scores_file(tmp_path)
    times = np.array([0.0, 0.05, 0.3, 1.5])
    found = diffuse_blocks(blocks, file, times, tmp_path / "out", laplacian=kind, tolerance=1e-7)
    memory = diffuse(make_laplacian(kind, dense), scores, times, tolerance=1e-7)
    values = memory.values()
    highest = np.sort(values, axis=2)
    margin = highest[:, :, -1] - highest[:, :, -2]
    certain = margin > 2 * (found.error_bound + memory.error_bound)
    assert certain.mean() > 0.9
    assert len(found.parts) == 1
    labels = found.labels()
    assert (labels[0] != labels[-1]).any()
    np.testing.assert_array_equal(labels[certain], values.argmax(axis=2)[certain])


def test_a_call_that_was_ended_goes_on_from_its_checkpoint(tmp_path, graph):
    _, blocks = graph
    _, file = scores_file(tmp_path)
    times = np.array([0.2, 2.0])
    plain = diffuse_blocks(blocks, file, times, tmp_path / "plain", tolerance=1e-9).values()

    def end_late(fraction, message):
        if fraction > 0.8:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        diffuse_blocks(
            blocks, file, times, tmp_path / "out", tolerance=1e-9, every=3, progress=end_late
        )
    assert len(list((tmp_path / "out.checkpoints").iterdir())) == 2
    seen = []
    result = diffuse_blocks(
        blocks, file, times, tmp_path / "out", tolerance=1e-9, every=3,
        progress=lambda fraction, message: seen.append(fraction),
    )  # fmt: skip
    assert min(seen) > 0.5
    np.testing.assert_array_equal(result.values(), plain)


def test_a_disk_that_fills_up_in_a_checkpoint_costs_only_that_checkpoint(
    tmp_path, graph, monkeypatch
):
    _, blocks = graph
    _, file = scores_file(tmp_path)
    times = np.array([0.2, 2.0])
    fresh, seen = [], []
    plain = diffuse_blocks(
        blocks, file, times, tmp_path / "plain", tolerance=1e-9, every=3,
        progress=lambda fraction, message: fresh.append(fraction),
    ).values()  # fmt: skip
    save, saved = np.savez, []

    def full(stream, **arrays):
        if len(saved) == 3:
            stream.write(b"half of it")
            raise OSError(errno.ENOSPC, "No space left on device")
        saved.append(stream)
        save(stream, **arrays)

    def go_on(**more):
        return diffuse_blocks(
            blocks, file, times, tmp_path / "out", tolerance=1e-9, every=3, **more
        )

    monkeypatch.setattr(np, "savez", full)
    with pytest.raises(OSError, match=r"^the disk is full: term-\d+-rank-0\.npz was not written"):
        go_on()
    monkeypatch.undo()
    left = sorted(one.name for one in tmp_path.iterdir())
    assert left == ["blocks", "edges.parquet", "out.checkpoints", "plain", "scores.npy"]
    kept = sorted(one.name for one in (tmp_path / "out.checkpoints").iterdir())
    assert len(kept) == 2
    assert all(name.endswith("-rank-0.npz") for name in kept)
    result = go_on(progress=lambda fraction, message: seen.append(fraction))
    assert min(seen) > min(fresh)  # not from the start
    np.testing.assert_array_equal(result.values(), plain)
    assert not (tmp_path / "out.checkpoints").exists()


def test_damaged_and_foreign_checkpoints_are_passed_over(tmp_path):
    states = Checkpoints(tmp_path / "states", "this job", Alone())
    block = np.ones((4, 2))
    for term in (2, 5, 8):
        states.save(State(term, term * block, block, block[None]))
    kept = sorted(file.name for file in (tmp_path / "states").iterdir())
    assert kept == ["term-0000005-rank-0.npz", "term-0000008-rank-0.npz"]
    (tmp_path / "states" / kept[1]).write_bytes(b"cut off")
    found = states.latest()
    assert found is not None
    assert found.term == 5
    np.testing.assert_array_equal(found.current, 5 * block)
    assert Checkpoints(tmp_path / "states", "another job", Alone()).latest() is None


def test_every_rank_has_blocks_and_none_is_left_out(graph):
    folder = open_blocks(graph[1])
    count = len(folder.blocks)
    for ranks in range(1, count + 1):
        found = shares(folder, ranks)
        assert len(found) == ranks
        assert all(found)
        assert [number for share in found for number in share] == list(range(count))
    with pytest.raises(ValueError, match=f"has {count} blocks, too few for {count + 1} ranks"):
        shares(folder, count + 1)


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda f: (f / "manifest.json").unlink(), "is no folder of blocks"),
        (lambda f: (f / "manifest.json").write_text("{"), "manifest.json is damaged"),
        (lambda f: (f / "block-00001.indices.npy").unlink(), "lacks block-00001.indices.npy"),
        (
            lambda f: os.replace(f / "block-00000.weights.npy", f / "block-00001.weights.npy"),
            "lacks block-00000.weights.npy",
        ),
        (
            lambda f: (f / "block-00001.indices.npy").write_bytes(
                (f / "block-00000.indices.npy").read_bytes()
            ),
            "block 1 of .* is damaged or belongs to another graph",
        ),
    ],
)
def test_missing_foreign_and_damaged_blocks_are_one_sentence(
    tmp_path, graph, capsys, spoil, sentence
):
    spoil(graph[1])
    _, file = scores_file(tmp_path)
    words = ["diffuse", "--blocks", graph[1], "--scores", file, "--times", "1", "--out"]
    assert main([str(word) for word in (*words, tmp_path / "out")]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert re.search(sentence, said)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        ({"a": [0, -1], "b": [1, 2]}, "must lie between 0 and"),
        ({"a": ["x", "y"], "b": [1, 2]}, "must hold the numbers of nodes"),
        ({"a": [0, None], "b": [1, 2]}, "with gaps"),
        ({"a": [0, 1]}, "needs two columns"),
    ],
)
def test_edges_that_are_none_are_refused_and_leave_nothing(tmp_path, columns, sentence):
    from pyarrow import parquet

    parquet.write_table(pyarrow.table(columns), tmp_path / "edges.parquet")
    with pytest.raises(ValueError, match=sentence):
        build_blocks(tmp_path / "edges.parquet", tmp_path / "blocks")
    assert [file.name for file in tmp_path.iterdir()] == ["edges.parquet"]


def test_a_full_disk_is_one_sentence_and_leaves_nothing(tmp_path, monkeypatch):
    pairs, weights = edge_list()
    file = write_edges(tmp_path / "edges.parquet", pairs, weights)

    def full(*given):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(np, "save", full)
    with pytest.raises(OSError, match="the disk is full: blocks was not written"):
        build_blocks(file, tmp_path / "blocks")
    assert [one.name for one in tmp_path.iterdir()] == ["edges.parquet"]
    with pytest.raises(OSError, match="GB free, and this needs about"):
        writing.check_space(tmp_path, 10**18)


def test_the_command_line_builds_checks_and_diffuses(tmp_path, capsys):
    pairs, weights = edge_list()
    file = write_edges(tmp_path / "edges.csv", pairs, weights)
    blocks = str(tmp_path / "blocks")
    assert main(["blocks", "build", str(file), blocks, "--nodes", str(NODES)]) == 0
    assert main(["blocks", "check", blocks]) == 0
    _, scores = scores_file(tmp_path)
    words = ["diffuse", "--blocks", blocks, "--scores", str(scores), "--times", "0.5", "2", "--out"]
    assert main([*words, str(tmp_path / "out"), "--labels", str(tmp_path / "labels.npy")]) == 0
    labels = np.load(tmp_path / "labels.npy")
    np.testing.assert_array_equal(labels, open_result(tmp_path / "out").values().argmax(axis=2))
    assert "(proved)" in capsys.readouterr().out
    assert main([*words, str(tmp_path / "out")]) == 1
    assert "has a result already" in capsys.readouterr().err


def torchrun(words, folder):
    """Two ranks on this machine; the agent's process."""
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node"]
    command += ["2", "--max-restarts", "3", "-m", "gdr_core", "diffuse", *map(str, words)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
    log = (folder / "log.txt").open("wb")
    return subprocess.Popen(command, env=environment, stdout=log, stderr=log, cwd=ROOT)


def children_of(process):
    return [
        int(word)
        for word in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    ]


def one_process(blocks, folder, times, tolerance):
    """What one process gives, and the words that ask `gdr diffuse` for the same, into `out`."""
    _, file = scores_file(folder)
    alone = diffuse_blocks(blocks, file, np.array(times), folder / "alone", tolerance=tolerance)
    words = ["--blocks", blocks, "--scores", file, "--times", *times, "--out", folder / "out"]
    return alone, [*words, "--tolerance", tolerance]


def difference_of_two_ranks(folder, alone):
    """How far what two ranks have left in `out` is from one process: no more than is proved."""
    together = open_result(folder / "out")
    assert len(together.parts) == 2
    difference = np.abs(together.values() - alone.values()).max()
    assert difference <= together.error_bound + alone.error_bound
    return difference


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc to find the ranks")
@pytest.mark.processes
def test_two_ranks_of_which_one_is_killed_equal_one_process(tmp_path, graph):
    pytest.importorskip("torch.distributed", reason="torch is not installed")
    alone, words = one_process(graph[1], tmp_path, [1.0, 2000.0], 1e-6)
    agent = torchrun([*words, "--checkpoint-every", 5], tmp_path)
    states, killed = tmp_path / "out.checkpoints", False
    try:
        while agent.poll() is None:
            if not killed and states.is_dir() and len(list(states.glob("term-*.npz"))) >= 4:
                os.kill(children_of(agent)[-1], signal.SIGKILL)
                killed = True
            time.sleep(0.002)
    finally:
        agent.kill()
    log = (tmp_path / "log.txt").read_text(errors="replace")
    assert agent.returncode == 0, log[-2000:]
    assert killed
    difference_of_two_ranks(tmp_path, alone)
    assert not states.exists()
