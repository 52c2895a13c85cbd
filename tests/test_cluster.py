"""The same work on a Dask cluster: equal results, though workers die and disks are full."""

from __future__ import annotations

import errno
import json
import os
import signal
from pathlib import Path

import pytest
from threadpoolctl import threadpool_limits

from gdr_core.neural.options import recommended
from gdr_core.progress import Cancelled, ignore
from gdr_tools.cli import main, parser, reproduce
from gdr_tools.cluster import ClusterError, Parts, joined, joining
from gdr_tools.jobs.kinds import CELL
from gdr_tools.paper.cells import Cell
from gdr_tools.paper.run import run_cell
from gdr_tools.paper.store import Store
from gdr_tools.paper.worker import request_of

CELLS = [
    Cell("undirected", name, "public", method)
    for name in ("cora", "citeseer")
    for method in ("uniform", "projection")
]


def without_seconds(found):
    """What a run gives, but for how long it took."""
    if isinstance(found, dict):
        kept = {k: v for k, v in found.items() if not k.endswith("seconds")}
        return {k: without_seconds(v) for k, v in kept.items() if not k.startswith("seconds")}
    return [without_seconds(each) for each in found] if isinstance(found, list) else found


@pytest.fixture(scope="module")
def cluster():
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    with joined("local", 2) as found:
        yield found


@pytest.fixture
def address(cluster):
    return cluster.client.scheduler.address


def test_parts_are_read_only_when_whole(tmp_path):
    parts = Parts(tmp_path / "parts")
    parts.write("one", {"value": 0.1 + 0.2})
    assert parts.read("one") == {"value": 0.1 + 0.2}
    parts.path("two").write_text(parts.path("one").read_text()[:-4])
    parts.path("three").write_text(parts.path("one").read_text())
    assert parts.read("two") is None
    assert parts.read("three") is None
    for key in ("one", "two", "three"):
        parts.drop(key)
    assert not parts.folder.exists()


def full_disk(self, text, **more):
    with open(self, "w", encoding="utf-8") as file:
        file.write(text[:10])
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self))


def test_a_full_disk_leaves_nothing_half_written(tmp_path, monkeypatch):
    cell, store, parts = CELLS[0], Store(tmp_path), Parts(tmp_path / "parts")
    store.put(cell, {"prior": 1})
    monkeypatch.setattr(Path, "write_text", full_disk)
    for write in (lambda: store.put(cell, {"prior": 2}), lambda: parts.write("a", {})):
        with pytest.raises(OSError, match="No space left"):
            write()
    monkeypatch.undo()
    assert store.get(cell) == {"prior": 1}
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["undirected.json"]


def test_a_seed_goes_on_from_its_checkpoint(tmp_path, monkeypatch):
    pytest.importorskip("torch")
    from gdr_tools.jobs import seeds

    monkeypatch.setattr(seeds, "_SAVE_EVERY", 0.0)
    options = recommended("gcn", "undirected", "karate", epochs=12).as_dict()
    asked = {"dataset": "karate", "split": None, "options": options, "seed": 3}
    whole = seeds.train_request({**asked, "checkpoint": str(tmp_path / "a.pt")}, ignore)
    reached = []

    def stop(share, text):
        reached.append(text)
        if len(reached) == 7:
            raise Cancelled

    again = {**asked, "checkpoint": str(tmp_path / "b.pt")}
    with pytest.raises(Cancelled):
        seeds.train_request(again, stop)
    later = []
    found = seeds.train_request(again, lambda share, text: later.append(text))
    assert later[1] == "epoch 6"
    assert without_seconds(found) == without_seconds(whole)


@pytest.mark.processes
def test_a_killed_worker_costs_nothing(cluster, tmp_path):
    """One of two workers is killed by its process id while it computes."""
    parts, killed = Parts(tmp_path / "parts"), []
    workers = list(cluster.client.run(os.getpid).values())

    def kill(key, share, text):
        if not killed:
            killed.append(workers[0])
            os.kill(workers[0], signal.SIGKILL)

    requests = {cell.key: request_of(cell, 1) for cell in CELLS}
    found = dict(cluster.each(CELL, requests, parts, kill))
    assert killed
    for cell in CELLS:
        with threadpool_limits(1):  # as a worker has; sums over several threads round differently
            expected = json.loads(json.dumps(run_cell(cell, 1)))
        assert without_seconds(found[cell.key]) == without_seconds(expected)
        assert parts.read(cell.key) == found[cell.key]


def test_what_a_worker_kept_is_not_computed_again(tmp_path):
    cell = CELLS[0]
    parts = Parts(tmp_path / "parts")
    parts.write(f"undirected/{cell.key}, 3 seeds", {"kept": "from a client that was killed"})
    words = ["reproduce", "--table", "2", "--prior", "uniform", "--dataset", "cora"]
    more = ["--seeds", "3", "--folder", str(tmp_path), "--cluster", "local"]
    store = Store(tmp_path)
    arguments = parser([*words, *more]).parse_args([*words, *more])
    reproduce.compute([cell], arguments, store)
    assert store.get(cell) == {"kept": "from a client that was killed"}
    assert not parts.folder.exists()


@pytest.mark.processes
def test_tune_on_a_cluster_chooses_the_same(address, tmp_path, monkeypatch, capsys):
    from gdr_tools.tuning import GRIDS

    monkeypatch.setenv("GDR_CACHE_DIR", str(tmp_path))
    small = {"features": ("unit-rows",), "penalty": (1e-3, 1e-2, 1e-1)}
    monkeypatch.setitem(GRIDS, "linear", small)
    words = ["tune", "linear", "--dataset", "sbm", "--json"]
    found = []
    for more in ([], ["--cluster", address]):
        assert main([*words, *more]) == 0
        found.append(without_seconds(json.loads(capsys.readouterr().out)))
    assert found[0] == found[1]
    assert not list((tmp_path / "cluster").rglob("*.json"))


@pytest.mark.processes
def test_training_on_a_cluster_gives_the_same_runs(address, tmp_path, monkeypatch, capsys):
    pytest.importorskip("torch")
    monkeypatch.setenv("GDR_CACHE_DIR", str(tmp_path))
    words = ["train", "karate", "--model", "gcn", "--epochs", "15", "--seeds", "2", "--json"]
    found = []
    for more in ([], ["--cluster", address]):
        assert main([*words, *more]) == 0
        out = capsys.readouterr()
        found.append(without_seconds(json.loads(out.out)))
    assert "dashboard: http" in out.err
    for run in [*found[0]["runs"], *found[1]["runs"]]:
        run.pop("seconds_per_epoch", None)
    assert found[0] == found[1]


@pytest.mark.processes
def test_workers_of_another_version_are_refused(cluster, monkeypatch):
    monkeypatch.setattr("gdr_tools.cluster.worker.__version__", "0.0.0")
    with pytest.raises(ClusterError, match=r"gdr_core \S+ instead of 0\.0\.0"):
        joining.Cluster(cluster.client, "here")


def test_a_cluster_that_does_not_answer_is_said_in_one_sentence(monkeypatch, capsys, tmp_path):
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    monkeypatch.setattr(joining, "_PATIENCE", 1)
    words = ["reproduce", "--table", "1", "--dataset", "cora", "--folder", str(tmp_path)]
    assert main([*words, "--cluster", "tcp://127.0.0.1:9"]) == 1
    assert capsys.readouterr().err.startswith("error: no cluster answers at tcp://127.0.0.1:9")


def test_without_dask_the_extra_is_named(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr("gdr_core.extras._is_there", lambda package: package != "distributed")
    words = ["reproduce", "--table", "1", "--dataset", "cora", "--folder", str(tmp_path)]
    assert main([*words, "--cluster", "local"]) == 1
    assert "the package distributed is missing" in capsys.readouterr().err
