"""The workers of a server on a cluster: the same runs and results, though machines die."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from contextlib import closing, nullcontext
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from urllib.request import urlopen

import numpy as np
import pytest
from staging import LONG, ME, PATIENCE, SMALL, assert_same_result, ended, eventually, trained, wait

from gdr_app import launch
from gdr_core.datasets import load_dataset
from gdr_core.neural import Training
from gdr_tools.cluster import joining, office, parcel
from gdr_tools.cluster.joining import ClusterError
from gdr_tools.cluster.office import pool_on
from gdr_tools.cluster.parcel import Parcel
from gdr_tools.cluster.remote import RemoteWorker, Wishes
from gdr_tools.jobs import Pool, Registry, Task, TaskFailed, everybody
from gdr_tools.jobs.handover import hand_over, take
from gdr_tools.jobs.job import CHECKPOINT, JOB

UNIFORM = Task("prior", {"dataset": "karate", "load": {}, "prior": "uniform", "seed": 0})


def quiet(share, text):
    pass


@pytest.fixture
def distributed():
    return pytest.importorskip("distributed", reason="the extra `cluster` is not installed")


@pytest.fixture(scope="module")
def machines():
    """A scheduler and two workers, each a process that can be killed."""
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    from distributed import LocalCluster

    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with LocalCluster(host="127.0.0.1", silence_logs=50, **options) as found:
        yield found


@pytest.fixture
def registry(machines):
    made = Registry(pool_on(machines.scheduler_address))
    yield made
    made.close()


def where(registry, run):
    """The process id of the worker of Dask that a run is on: the parent of its process."""
    stat = Path(f"/proc/{registry.poll(run).pid}/stat").read_text()
    return int(stat.rpartition(")")[2].split()[1])


@pytest.mark.processes
def test_a_run_on_a_cluster_is_the_run_of_a_local_worker(registry):
    report = wait(registry, registry.submit(ME, SMALL), ended)
    assert (report.state, report.reason) == ("finished", "")
    assert_same_result(report, trained(SMALL))
    np.testing.assert_array_equal(report.history["epoch"], np.arange(1, report.epoch + 1))


def test_a_scheduler_without_a_page_has_no_dashboard(monkeypatch):
    class Client:
        @property
        def dashboard_link(self):
            return {}["dashboard"]

    monkeypatch.setattr(joining.Cluster, "_check_workers", lambda self: None)
    assert joining.Cluster(Client(), "tcp://host:8786").dashboard == ""


@pytest.mark.parametrize("link", ["http://127.0.0.1:8787/status", ""])
def test_the_log_names_the_dashboard_where_there_is_one(monkeypatch, caplog, link):
    info = {"workers": {"tcp://one": {"nthreads": 3}}}
    client = SimpleNamespace(status="running", scheduler_info=lambda n_workers: info)
    cluster = SimpleNamespace(client=client, dashboard=link)
    monkeypatch.setattr(office, "joined", lambda *given, **more: nullcontext(cluster))
    with caplog.at_level("INFO"):
        assert office.Office("tcp://host:8786").client() is client
    told = "computing on the cluster at tcp://host:8786, 3 threads"
    assert caplog.messages == [f"{told}; dashboard: {link}" if link else told]


@pytest.mark.processes
def test_the_dashboard_of_a_local_cluster_answers(distributed):
    pytest.importorskip("bokeh", reason="bokeh is in requirements-dev.txt")
    with (
        joining.joined("local", 1, processes=False) as cluster,
        urlopen(cluster.dashboard, timeout=30) as answer,
    ):
        assert b"<title>Dask" in answer.read()


@pytest.mark.processes
def test_pause_step_and_stop_reach_the_cluster(registry):
    run = registry.submit(ME, LONG)
    wait(registry, run, lambda report: report.epoch > 2)
    registry.pause(run, ME)
    paused = wait(registry, run, lambda report: report.saved == report.epoch)
    registry.step(run, ME)
    assert wait(registry, run, lambda report: not report.stepping).epoch == paused.epoch + 1
    registry.stop(run, ME)
    stopped = wait(registry, run, ended)
    assert stopped.state == "stopped"
    assert stopped.result is not None


@pytest.mark.processes
def test_a_removed_run_leaves_no_process(registry):
    run = registry.submit(ME, LONG)
    pid = wait(registry, run, lambda report: report.epoch > 2).pid
    registry.remove(run, ME)
    eventually(lambda: not Path(f"/proc/{pid}").exists())


@pytest.mark.processes
def test_a_killed_worker_costs_a_run_nothing_but_time(registry):
    """The machine dies after the first checkpoint; another one goes on from it."""
    run = registry.submit(ME, LONG)
    saved = wait(registry, run, lambda report: report.saved).saved
    before = registry.poll(run).pid
    os.kill(where(registry, run), signal.SIGKILL)
    report = wait(registry, run, lambda report: report.pid != before and report.epoch > saved + 50)
    registry.stop(run, ME)
    whole = Training(load_dataset(LONG.dataset), LONG.options, LONG.seed, "cpu").records()
    expected = [record.train_loss for record in islice(whole, report.epoch)]
    np.testing.assert_array_equal(report.history["train_loss"], expected)


@pytest.mark.processes
def test_a_prior_on_a_cluster_and_own_data_that_travel(registry):
    from gdr_core.datasets.own.packing import pack

    found = registry.pool.submit(ME, UNIFORM).wait(quiet)["probabilities"]
    file = hand_over(pack(load_dataset("karate")))
    own = Task("prior", {"own": str(file), "prior": "uniform", "seed": 0})
    np.testing.assert_array_equal(registry.pool.submit(ME, own).wait(quiet)["probabilities"], found)
    assert not file.exists()


def test_a_cluster_that_does_not_answer_is_told_and_nothing_is_computed_here(
    distributed, monkeypatch, caplog
):
    monkeypatch.setattr(joining, "_PATIENCE", 1)
    monkeypatch.setattr(subprocess, "Popen", lambda *given, **named: pytest.fail("a process here"))
    pool = pool_on("tcp://127.0.0.1:9")
    try:
        with pytest.raises(TaskFailed, match="it does not answer") as told:
            pool.submit(ME, UNIFORM).wait(quiet)
    finally:
        pool.close()
    assert "Nothing is computed on the server instead" in str(told.value)
    assert "127.0.0.1" not in str(told.value)
    assert "no cluster answers at tcp://127.0.0.1:9" in caplog.text


def test_a_worker_that_was_gone_before_anybody_listened_is_told_of():
    """The cluster refuses at once: before the pool has told the worker whom to tell."""

    class Nobody:
        def client(self) -> None:
            raise ClusterError("nobody is there", "nobody is there")

        def left(self, machine: str) -> None:
            pass

    def hire() -> RemoteWorker:
        worker = RemoteWorker(Nobody())
        eventually(lambda: not worker.alive)
        return worker

    with closing(Pool(slots=1, spare_for=0.0, hire=hire)) as pool:
        ticket = pool.submit(ME, UNIFORM)
        eventually(lambda: ticket.state.ended, 10)
        assert pool.at_work == 0
        with pytest.raises(TaskFailed, match="nobody is there"):
            ticket.wait(quiet)


@pytest.mark.processes
def test_workers_of_another_version_are_told(machines, monkeypatch):
    monkeypatch.setattr("gdr_tools.cluster.worker.__version__", "0.0.0")
    pool = pool_on(machines.scheduler_address)
    try:
        with pytest.raises(TaskFailed, match="its workers run other versions than this server"):
            pool.submit(ME, UNIFORM).wait(quiet)
    finally:
        pool.close()


def test_a_worker_that_came_later_with_another_version_is_refused():
    ours = joining.versions()
    joining.check_versions("here", ours)
    with pytest.raises(ClusterError, match="numpy 0 instead of"):
        joining.check_versions("here", {**ours, "numpy": "0"})


def test_a_process_that_begins_anew_hears_what_matters():
    wishes = Wishes()
    for word in ("resume", "pause", "resume", "pace 5", "pace 0"):
        wishes.add(word)
    assert wishes.commands() == ["pace 0", "resume"]
    wishes.add("pause")
    wishes.add("stop")
    assert wishes.commands() == ["pace 0", "stop"]


def test_a_job_travels_with_its_files_and_its_checkpoint_comes_back(tmp_path):
    here, there = tmp_path / "server", tmp_path / "worker"
    here.mkdir()
    there.mkdir()
    (here / JOB).write_text("the job")
    file = hand_over(b"own data")
    sent = Parcel({"kind": "training", "folder": str(here), "memory": 1, "own": str(file)})
    assert not file.exists()
    for content in (None, b"an epoch"):
        if content:
            (here / CHECKPOINT).write_bytes(content)
        request = parcel.unpack(sent.packed(), there, 7)
        assert (request["folder"], request["memory"]) == (str(there), 7)
        assert take(request["own"]) == b"own data"
        assert (there / JOB).read_text() == "the job"
        assert (there / CHECKPOINT).exists() == bool(content)
    (there / CHECKPOINT).write_bytes(b"later")
    said = parcel.with_checkpoint({"kind": "saved", "epoch": 9}, there)
    assert parcel.keep_checkpoint(said, here) == {"kind": "saved", "epoch": 9}
    assert (here / CHECKPOINT).read_bytes() == b"later"


def test_a_full_disk_of_the_server_keeps_the_checkpoint_before(tmp_path, monkeypatch):
    (tmp_path / CHECKPOINT).write_bytes(b"before")
    said = parcel.with_checkpoint({"kind": "saved", "epoch": 9}, tmp_path)

    def full(path, content):
        with open(path, "wb") as file:
            file.write(content[:2])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    told = parcel.keep_checkpoint(said, tmp_path)
    assert told["kind"] == "notice"
    assert "No space left" in told["text"]
    assert [path.name for path in tmp_path.iterdir()] == [CHECKPOINT]
    assert (tmp_path / CHECKPOINT).read_bytes() == b"before"


def test_the_setting_of_the_server_chooses_the_pool(monkeypatch):
    asked = []
    monkeypatch.setattr("gdr_tools.cluster.office.pool_on", asked.append)
    monkeypatch.setenv(everybody.CLUSTER_VARIABLE, " tcp://host:8786 ")
    everybody._new_pool()
    assert asked == ["tcp://host:8786"]


def test_without_a_cluster_nothing_of_dask_is_imported():
    code = (
        "import sys; from gdr_tools.jobs.everybody import pool; pool().close(); "
        "assert not {'dask', 'distributed', 'gdr_tools.cluster'} & set(sys.modules)"
    )
    env = {k: v for k, v in os.environ.items() if k != everybody.CLUSTER_VARIABLE}
    subprocess.run([sys.executable, "-c", code], check=True, env=env, timeout=PATIENCE)


def test_the_launcher_passes_the_cluster_on_and_refuses_what_is_no_address(monkeypatch, capsys):
    monkeypatch.setattr(launch, "serve", lambda script, chosen: None)
    monkeypatch.setattr(launch, "check_port", lambda address, port: None)
    monkeypatch.setattr(launch, "need", lambda package: None)
    monkeypatch.setenv(everybody.CLUSTER_VARIABLE, "")
    assert launch.main(["--cluster", "tls://host:8786"]) == 0
    assert os.environ[everybody.CLUSTER_VARIABLE] == "tls://host:8786"
    with pytest.raises(SystemExit):
        launch.main(["--cluster", "host"])
    assert "tcp://host:8786, tls://host:8786 or local" in capsys.readouterr().err


def test_the_launcher_names_the_extra_that_a_cluster_needs(monkeypatch, capsys):
    monkeypatch.setattr("gdr_core.extras._is_there", lambda package: package != "distributed")
    monkeypatch.setenv(everybody.CLUSTER_VARIABLE, "local")
    assert launch.main([]) == 1
    assert "the package distributed is missing" in capsys.readouterr().err
