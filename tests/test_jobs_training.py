"""Training in real worker processes: results, commands, crashes, full disks. Small graphs."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from gdr_core.datasets import load_dataset
from gdr_core.neural import Training, TrainingOptions, recommended, use_one_thread
from gdr_tools.jobs import Job, Registry, TooManyRuns
from gdr_tools.jobs import report as states
from gdr_tools.jobs.commands import Commands
from gdr_tools.jobs.report import COLUMNS
from gdr_tools.jobs.shelter import FOLDER, sweep_folders
from gdr_tools.jobs.training import Session
from gdr_tools.jobs.worker import niceness
from tests.staging import (
    LONG,
    ME,
    SMALL,
    Clock,
    alive,
    assert_same_result,
    ended,
    eventually,
    trained,
    wait,
)

pytestmark = pytest.mark.processes  # its workers train in processes of their own

LEARNED = COLUMNS[: COLUMNS.index("seconds")]  # all but the clocks


@pytest.fixture(scope="module", autouse=True)
def _one_thread():
    use_one_thread()


# ---------------------------------------------------------------- one run


def test_a_run_gives_exactly_what_training_here_gives(registry):
    run = registry.submit(ME, SMALL)
    report = wait(registry, run, ended)
    assert report.state == states.FINISHED
    assert len(report.history) == report.epoch == 40
    assert_same_result(report, trained(SMALL))
    assert report.reason == ""
    assert report.picture.epoch == 40
    assert report.picture.labels.shape == (34,)
    assert 0 < report.picture.confidence.min() <= report.picture.confidence.max() <= 1
    assert report.scans[-1].epoch == 40


def test_pause_stands_still_step_trains_one_and_stop_keeps_the_best(registry):
    run = registry.submit(ME, LONG)
    wait(registry, run, lambda r: r.epoch > 5)
    registry.pause(run, ME)
    resting = wait(registry, run, lambda r: r.saved == r.epoch)
    assert resting.state == states.PAUSED
    time.sleep(0.3)
    assert registry.poll(run).epoch == resting.epoch
    registry.step(run, ME)
    stepped = wait(registry, run, lambda r: r.epoch > resting.epoch and r.saved == r.epoch)
    time.sleep(0.2)
    assert registry.poll(run).epoch == stepped.epoch == resting.epoch + 1
    registry.resume(run, ME)
    wait(registry, run, lambda r: r.state == states.RUNNING and r.epoch > stepped.epoch + 3)
    registry.stop(run, ME)
    report = wait(registry, run, ended)
    assert report.state == states.STOPPED
    assert_same_result(report, trained(LONG, report.epoch))


def test_pace_slows_a_run_down(registry):
    run = registry.submit(ME, LONG, pace=10)
    wait(registry, run, lambda r: r.epoch >= 10)
    assert registry.poll(run).history.rate < 11  # how far below depends on the machine's other work
    registry.set_pace(run, ME, 0)
    wait(registry, run, lambda r: r.history.rate > 30)


def test_a_killed_worker_is_reported_and_the_run_ends_as_if_nothing_had_happened(registry):
    job = Job("cora", recommended("diff-gcn", epochs=120, hidden=4))
    run = registry.submit(ME, job, pace=25)
    report = wait(registry, run, lambda r: (r.saved or 0) > 20)
    os.kill(report.pid, signal.SIGKILL)
    killed = time.monotonic()
    report = wait(registry, run, ended)
    assert time.monotonic() - killed < 2
    assert report.state == states.LOST
    assert "SIGKILL" in report.reason
    assert report.result is None
    registry.set_pace(run, ME, 0)
    registry.resume_from_checkpoint(run, ME)
    report = wait(registry, run, ended)
    assert report.state == states.FINISHED
    whole = Training(load_dataset("cora"), job.options, job.seed, "cpu")
    records = [[getattr(record, name) for name in LEARNED] for record in whole.records()]
    np.testing.assert_array_equal(report.history.rows[:, : len(LEARNED)], records)
    assert_same_result(report, whole)


def test_a_loss_that_is_no_number_is_reported_at_its_epoch(registry):
    hopeless = Job("karate", TrainingOptions(model="gcn", learning_rate=1e38, epochs=50))
    run = registry.submit(ME, hopeless)
    report = wait(registry, run, ended)
    assert report.state == states.DIVERGED
    assert f"at epoch {report.epoch + 1}" in report.reason
    assert len(report.history) == report.epoch
    assert report.result is None


def test_a_time_that_runs_away_is_reported_at_its_epoch_and_not_offered_to_resume(
    tmp_path, monkeypatch
):
    told: list[dict] = []
    training = Training(load_dataset("karate"), recommended("diff-gcn", epochs=50), device="cpu")
    commands = Commands()

    def step():
        if training.epoch == 3:
            training.network.propagation.log_time.data.fill_(100.0)
        return Training.step(training)

    monkeypatch.setattr(training, "step", step)
    commands.obey("resume")
    Session(training, commands, told.append, tmp_path / "checkpoint.pt").run()
    assert [message["epoch"] for message in told if message["kind"] == "epoch"] == [1, 2, 3]
    assert told[-1]["state"] == states.DIVERGED
    assert "out of range for this graph, at epoch 4;" in told[-1]["reason"]


def test_fixed_times_out_of_range_cost_the_scan_and_not_the_run(tmp_path):
    told: list[dict] = []
    training = Training(load_dataset("karate"), recommended("diff-gcn", epochs=2), device="cpu")
    commands = Commands()
    session = Session(training, commands, told.append, tmp_path / "checkpoint.pt")
    session.times = np.array([1.0, 1e30])
    commands.obey("resume")
    session.run()
    assert told[-1] == {"kind": "end", "state": "finished", "reason": ""}
    assert not [message for message in told if message["kind"] == "scan"]


def test_a_run_that_loses_patience_says_so(tmp_path):
    told: list[dict] = []
    options = TrainingOptions(model="gcn", epochs=500, patience=3, learning_rate=1.0)
    commands = Commands()
    training = Training(load_dataset("karate"), options, device="cpu")
    commands.obey("resume")
    Session(training, commands, told.append, tmp_path / "checkpoint.pt").run()
    reason = "No lower validation loss for 3 epochs."
    assert told[-1] == {"kind": "end", "state": "finished", "reason": reason}
    assert training.epoch < 500


def test_a_dataset_that_cannot_be_learned_from_fails_with_its_reason(registry):
    run = registry.submit(ME, Job("path", recommended("gcn"), dataset_options=(("nodes", 1e9),)))
    report = wait(registry, run, ended)
    assert report.state == states.FAILED
    assert "nodes" in report.reason


def test_without_room_for_checkpoints_training_goes_on_and_says_so(registry):
    run = registry.submit(ME, LONG, pace=20)
    wait(registry, run, lambda r: r.epoch > 1)
    shutil.rmtree(registry.shelter.folder / run)
    report = wait(registry, run, lambda r: bool(r.notice))
    assert "could not be written" in report.notice
    assert str(registry.shelter.folder) not in report.notice
    assert "would lose this run" in report.notice  # the earlier checkpoint is gone as well
    seen = report.epoch
    wait(registry, run, lambda r: r.epoch > seen)
    registry.stop(run, ME)
    report = wait(registry, run, ended)
    assert report.state == states.STOPPED
    assert report.result is not None


def test_a_full_disk_is_named_once_and_forgotten_when_there_is_room_again(tmp_path, monkeypatch):
    from gdr_core.neural import checkpoint

    told: list[dict] = []
    training = Training(load_dataset("karate"), recommended("gcn", epochs=5), device="cpu")
    session = Session(training, Commands(), told.append, tmp_path / "checkpoint.pt")
    training.step()
    with monkeypatch.context() as full:
        refusal = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        full.setattr(checkpoint.torch, "save", lambda *_: (_ for _ in ()).throw(refusal))
        session.save()
        session.save()
    session.save()
    texts = [message["text"] for message in told if message["kind"] == "notice"]
    assert len(texts) == 2
    assert "No space left on device" in texts[0]
    assert "goes on; a crash now would lose this run" in texts[0]
    assert str(tmp_path) not in texts[0]
    assert texts[1] == ""
    assert told[-2] == {"kind": "saved", "epoch": 1}
    training.step()
    monkeypatch.setattr(checkpoint.torch, "save", lambda *_: (_ for _ in ()).throw(refusal))
    session.save()
    assert "would take this run back to epoch 1" in told[-1]["text"]


# ---------------------------------------------------------------- no worker outlives the server

SERVER = """
import sys, time
from gdr_tools.jobs import Job, Registry
from gdr_core.neural import recommended
registry = Registry(slots=1)
run = registry.submit("me", Job("karate", recommended("gcn", epochs=100_000)))
while registry.poll(run).epoch < int(sys.argv[1]):
    time.sleep(0.02)
print(registry.poll(run).pid, registry.shelter.folder, flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("epochs", [0, 5], ids=["starting", "training"])
def test_no_worker_outlives_its_server(how, epochs):
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(epochs)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[1],
    )
    assert server.stdout is not None
    pid, folder = server.stdout.readline().split()
    server.send_signal(how)
    server.wait(5)
    end = time.monotonic() + 5
    while alive(int(pid)) and time.monotonic() < end:
        time.sleep(0.05)
    assert not alive(int(pid))
    sweep_folders()
    assert not Path(folder).exists()


def test_a_worker_that_was_expected_takes_the_job_and_leaves_when_no_other_comes():
    clock = Clock()
    registry = Registry(slots=1, clock=clock)
    pool = registry.pool
    try:
        pool.expect()
        waiting = pool.spare.pid
        run = registry.submit(ME, SMALL)
        assert registry.poll(run).pid == waiting
        assert_same_result(wait(registry, run, ended), trained(SMALL))
        eventually(lambda: pool.spare is not None)
        assert pool.spare.pid == waiting, "it waits for the next job"
        clock.now += pool.spare_for + 1
        eventually(lambda: not alive(waiting))
        assert pool.spare is None
    finally:
        registry.close()


@pytest.mark.skipif(not hasattr(os, "getpriority"), reason="this system has no niceness")
def test_a_worker_lets_every_other_process_go_first(registry):
    run = registry.submit(ME, LONG)
    wait(registry, run, lambda report: report.epoch > 0)
    pid = registry.runs[run].worker.pid
    assert os.getpriority(os.PRIO_PROCESS, pid) == niceness()
    session = Path(f"/proc/{pid}/autogroup")
    if session.exists() and os.access(session, os.W_OK):
        # Without this the niceness counts among the worker's own threads only.
        assert session.read_text(encoding="ascii").split()[-1] == str(niceness())


def test_closing_ends_workers_and_deletes_files():
    registry = Registry(slots=1)
    run = registry.submit(ME, LONG)
    pid = wait(registry, run, lambda r: r.epoch > 0).pid
    registry.close()
    end = time.monotonic() + 5
    while alive(pid) and time.monotonic() < end:
        time.sleep(0.02)
    assert not alive(pid)
    assert not registry.shelter.folder.exists()
    with pytest.raises(TooManyRuns, match="stopping"):
        registry.submit(ME, LONG)


def test_folders_of_living_servers_are_left_alone(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    mine = tmp_path / f"{FOLDER}{os.getpid()}-x"
    odd = tmp_path / f"{FOLDER}odd"
    for folder in (mine, odd):
        folder.mkdir()
    sweep_folders()
    assert mine.exists()
    assert odd.exists()


def test_a_full_disk_troubles_only_those_who_submit(monkeypatch):
    def refuse(**_: object) -> str:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("tempfile.mkdtemp", refuse)
    registry = Registry(slots=0)
    try:
        assert registry.owned(ME) == []
        with pytest.raises(OSError, match="No space left"):
            registry.submit(ME, LONG)
        assert registry.owned(ME) == []
    finally:
        registry.close()
