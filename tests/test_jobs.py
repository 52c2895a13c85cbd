"""Training in worker processes: queue, commands, owners, crashes. No Streamlit, small graphs."""

from __future__ import annotations

import errno
import math
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from gdr_core.datasets import load
from gdr_core.jobs import (
    Job,
    NoFreeCore,
    NotTheOwner,
    Registry,
    Report,
    TooManyRuns,
    UnknownRun,
    process,
)
from gdr_core.jobs import registry as registry_module
from gdr_core.jobs import report as states
from gdr_core.jobs.commands import Commands
from gdr_core.jobs.process import ending
from gdr_core.jobs.registry import FOLDER, sweep_folders
from gdr_core.jobs.report import COLUMNS, History
from gdr_core.jobs.run import Run
from gdr_core.jobs.wire import decode, encode
from gdr_core.jobs.worker import NICENESS, Duty, Session
from gdr_core.neural import Training, TrainingOptions, recommended, use_one_thread
from gdr_core.neural.fixed_times import validation_at

ME, YOU = "me", "you"
PATIENCE = 60.0  # seconds; a busy machine imports torch slowly
SMALL = Job("karate", recommended("diff-gcn", epochs=40))
LONG = Job("karate", recommended("gcn", epochs=100_000))
LEARNED = COLUMNS[: COLUMNS.index("seconds")]  # all but the clocks


@pytest.fixture(scope="module", autouse=True)
def _one_thread():
    use_one_thread()


@pytest.fixture
def registry() -> Iterator[Registry]:
    made = Registry(slots=1)
    yield made
    made.close()


def wait(registry: Registry, run: str, until: Callable[[Report], bool]) -> Report:
    """Poll until the report is as wanted."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        report = registry.poll(run)
        if until(report):
            return report
        time.sleep(0.02)
    raise AssertionError(f"after {PATIENCE:g} s: {report}")


def ended(report: Report) -> bool:
    return report.ended


def trained(job: Job, epochs: int | None = None) -> Training:
    """The same run in this process, without any worker."""
    training = Training(load(job.dataset, **job.load_options()), job.options, job.seed, "cpu")
    for record in training.records():
        if record.epoch == epochs:
            break
    return training


def assert_same_result(report: Report, training: Training) -> None:
    assert report.result is not None
    assert training.best is not None
    np.testing.assert_array_equal(report.result.probabilities, training.probabilities())
    assert report.result.best["epoch"] == training.best.epoch
    for name, value in training.best_weights.items():
        np.testing.assert_array_equal(report.result.weights[name], value.numpy())


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


@pytest.mark.parametrize(("work", "apart"), [(0.03, 0.1), (0.25, 0.25)])
def test_a_pace_is_the_time_between_two_starts_unless_an_epoch_takes_longer(
    monkeypatch, work, apart
):
    clock, starts, commands = [100.0], [], Commands()

    def pass_time(seconds: float) -> None:
        clock[0] += seconds

    monkeypatch.setattr("gdr_core.jobs.commands.time", SimpleNamespace(monotonic=lambda: clock[0]))
    monkeypatch.setattr(commands.changed, "wait", pass_time)
    commands.obey("pace 10")
    commands.obey("resume")
    for _ in range(6):
        assert commands.may_train(rest=lambda: pytest.fail("it was not paused"))
        starts.append(clock[0])
        pass_time(work)
    np.testing.assert_allclose(np.diff(starts), apart)


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
    whole = Training(load("cora"), job.options, job.seed, "cpu")
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
    training = Training(load("karate"), recommended("diff-gcn", epochs=50), device="cpu")
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
    training = Training(load("karate"), recommended("diff-gcn", epochs=2), device="cpu")
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
    training = Training(load("karate"), options, device="cpu")
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
    shutil.rmtree(registry.folder / run)
    report = wait(registry, run, lambda r: bool(r.notice))
    assert "could not be written" in report.notice
    assert str(registry.folder) not in report.notice
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
    training = Training(load("karate"), recommended("gcn", epochs=5), device="cpu")
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


# ---------------------------------------------------------------- many runs, many people


def test_the_queue_has_positions_and_moves_up(registry):
    first, second, third = (registry.submit(ME, LONG) for _ in range(3))
    places = [registry.poll(run).position for run in (first, second, third)]
    assert places == [None, 1, 2]
    registry.remove(second, ME)
    assert registry.poll(third).position == 1
    registry.pause(first, ME)
    assert wait(registry, third, lambda r: r.epoch > 0).state == states.RUNNING
    registry.resume(first, ME)
    assert registry.poll(first).position == 1
    registry.stop(third, ME)
    wait(registry, first, lambda r: r.state == states.RUNNING)


def test_crowding_counts_what_is_waited_for(registry):
    assert registry.crowding == 0
    runs = [registry.submit(ME, LONG) for _ in range(3)]
    assert registry.crowding == 3  # on one core
    registry.pause(runs[2], ME)
    registry.stop(runs[1], ME)
    assert registry.crowding == 1


def test_only_the_owner_changes_a_run_and_everybody_with_its_id_may_watch(registry):
    run = registry.submit(ME, LONG)
    assert registry.owned(ME) == [run]
    assert registry.owned(YOU) == []
    assert registry.is_owner(run, ME)
    assert not registry.is_owner(run, YOU)
    for act in (
        registry.pause,
        registry.resume,
        registry.step,
        registry.stop,
        registry.remove,
        registry.resume_from_checkpoint,
    ):
        with pytest.raises(NotTheOwner, match="somebody else"):
            act(run, YOU)
    with pytest.raises(NotTheOwner):
        registry.rename(run, YOU, "mine")
    assert not registry.poll(run).ended
    registry.rename(run, ME, "first try")
    assert registry.poll(run).name == "first try"


def test_a_run_that_nobody_has_is_unknown(registry):
    with pytest.raises(UnknownRun, match="there is no training run 'nonsense'"):
        registry.poll("nonsense")
    run = registry.submit(ME, LONG)
    registry.remove(run, ME)
    with pytest.raises(UnknownRun):
        registry.poll(run)
    assert not (registry.folder / run).exists()


def test_ids_are_long_and_differ(registry):
    runs = {registry.submit(f"owner {i}", LONG) for i in range(20)}
    assert len(runs) == 20
    assert all(len(run) == 12 and run.isalnum() for run in runs)


def test_the_number_of_runs_is_bounded():
    registry = Registry(slots=0, most=3, most_of_one=2)
    try:
        for owner in (ME, ME, YOU):
            registry.submit(owner, LONG)
        with pytest.raises(TooManyRuns, match="remove one"):
            registry.submit(ME, LONG)
        with pytest.raises(TooManyRuns, match="all 3 places"):
            registry.submit(YOU, LONG)
    finally:
        registry.close()


class Clock:
    """Time that passes when the test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_unwatched_runs_pause_then_sleep_then_go_on_and_are_forgotten_in_the_end():
    clock = Clock()
    registry = Registry(slots=1, clock=clock)
    try:
        run = registry.submit(ME, LONG)
        wait(registry, run, lambda r: r.epoch > 3)
        clock.now += 31
        inner = registry.runs[run]
        while inner.state != states.PAUSED or inner.saved != inner.done:
            time.sleep(0.02)
        clock.now += 61
        while inner.worker is not None:
            time.sleep(0.02)
        before = inner.done
        assert inner.paused_by == "nobody"
        report = wait(registry, run, lambda r: r.epoch > before)
        assert report.state == states.RUNNING
        epochs = report.history["epoch"]
        np.testing.assert_array_equal(epochs, np.arange(1, len(epochs) + 1))
        clock.now += 3 * 3600
        while run in registry.runs:
            time.sleep(0.02)
        with pytest.raises(UnknownRun):
            registry.poll(run)
    finally:
        registry.close()


def test_an_owners_pause_outlives_watching(registry):
    run = registry.submit(ME, LONG)
    wait(registry, run, lambda r: r.epoch > 0)
    registry.pause(run, ME)
    for _ in range(5):
        assert registry.poll(run).state == states.PAUSED
        time.sleep(0.1)


def test_a_run_without_watchers_does_not_hold_up_the_queue():
    clock = Clock()
    registry = Registry(slots=0, clock=clock)
    try:
        forgotten = registry.submit(ME, LONG)
        clock.now += 31
        watched = registry.submit(YOU, LONG)
        registry.slots = 1
        while registry.runs[watched].state == states.QUEUED:
            time.sleep(0.02)
        assert registry.runs[forgotten].state == states.QUEUED
    finally:
        registry.close()


# ---------------------------------------------------------------- workers that do as they are told


class Puppet:
    """A worker without a process: the test says its lines."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.pid, self.alive = 0, True
        self.on_message: Callable = lambda worker, message: None

    def begin(self, folder: Path) -> None:
        self.send("job")

    def send(self, command: str) -> None:
        self.told.append(command)

    def close(self) -> None:
        self.alive = False

    def says(self, kind: str, **fields: object) -> None:
        self.on_message(self, {"kind": kind, **fields})

    def trains(self, epoch: int) -> None:
        self.says("epoch", **(dict.fromkeys(COLUMNS, 0.5) | {"epoch": epoch}))


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def staged(monkeypatch, clock) -> Iterator[Registry]:
    """A registry of puppets, with one core and a clock that stands still."""
    monkeypatch.setattr(registry_module, "Worker", Puppet)
    made = Registry(slots=1, clock=clock)
    yield made
    made.close()


def puppet_of(registry: Registry, run: str) -> Puppet:
    worker = registry.runs[run].worker
    assert isinstance(worker, Puppet)
    return worker


def tend(registry: Registry) -> None:
    with registry.lock:
        registry._tend()


def asleep(registry: Registry, clock: Clock) -> str:
    """A paused run whose worker was let go, saved at epoch 1."""
    run = registry.submit(ME, LONG)
    worker = puppet_of(registry, run)
    worker.says("ready", epoch=0)
    worker.trains(1)
    registry.pause(run, ME)
    worker.says("saved", epoch=1)
    clock.now += 61
    registry.poll(run)
    tend(registry)
    assert registry.runs[run].worker is None
    return run


def test_stopping_a_sleeping_run_waits_until_its_worker_is_there(staged, clock):
    run = asleep(staged, clock)
    staged.stop(run, ME)
    worker = puppet_of(staged, run)
    clock.now += 50
    tend(staged)
    assert staged.poll(run).state == states.STOPPING
    worker.says("ready", epoch=1)
    clock.now += 9
    tend(staged)
    worker.says("result", probabilities=np.ones((1, 1)), weights={}, best={})
    worker.says("end", state=states.STOPPED, reason="")
    report = staged.poll(run)
    assert report.state == states.STOPPED
    assert report.result is not None


@pytest.mark.parametrize("ready", [True, False])
def test_a_worker_that_does_not_answer_to_stop_leaves_a_run_that_can_be_resumed(
    staged, clock, ready
):
    run = asleep(staged, clock)
    staged.stop(run, ME)
    if ready:
        puppet_of(staged, run).says("ready", epoch=1)
    clock.now += 11 if ready else 61
    tend(staged)
    report = staged.poll(run)
    assert report.state == states.LOST
    assert "did not answer" in report.reason
    staged.resume_from_checkpoint(run, ME)
    assert staged.poll(run).state == states.STARTING


def test_a_queued_run_does_not_step_and_a_paused_one_needs_a_core(staged, clock):
    paused = asleep(staged, clock)
    training, queued = (staged.submit(ME, LONG) for _ in range(2))
    staged.step(queued, ME)
    assert staged.poll(queued).position == 1
    assert staged.runs[queued].worker is None
    with pytest.raises(NoFreeCore, match="the only core is at work"):
        staged.step(paused, ME)
    assert staged.runs[paused].worker is None
    staged.remove(queued, ME)
    staged.pause(training, ME)
    staged.step(paused, ME)
    assert puppet_of(staged, paused).told[-1] == "step"
    with pytest.raises(NoFreeCore):  # that step has the core
        staged.step(training, ME)
    puppet_of(staged, paused).says("ready", epoch=1)
    puppet_of(staged, paused).trains(2)
    staged.step(training, ME)


def test_quick_steps_are_all_trained(staged, clock):
    run = asleep(staged, clock)
    for _ in range(3):
        staged.step(run, ME)
    told = puppet_of(staged, run).told
    assert told.count("step") == 3
    assert "pause" not in told
    clock.now += 61  # a slow start is no reason to let the worker go again
    tend(staged)
    assert staged.runs[run].worker is not None


def test_a_running_run_steps_on_its_own_core(staged):
    run, waiting = (staged.submit(ME, LONG) for _ in range(2))
    puppet_of(staged, run).says("ready", epoch=0)
    staged.step(run, ME)
    assert puppet_of(staged, run).told[-2:] == ["pause", "step"]
    assert staged.poll(waiting).position == 1
    puppet_of(staged, run).trains(1)
    tend(staged)
    assert staged.poll(run).state == states.PAUSED
    assert staged.poll(waiting).state == states.STARTING


def test_a_run_paused_before_its_first_epoch_sleeps_too(staged, clock):
    run = staged.submit(ME, LONG)
    staged.pause(run, ME)
    clock.now += 61
    staged.poll(run)
    tend(staged)
    assert staged.runs[run].worker is None


def test_the_notice_of_a_start_from_the_beginning_ends_with_the_first_checkpoint(staged):
    run = staged.submit(ME, LONG)
    worker = puppet_of(staged, run)
    worker.on_exit(worker, "It was killed.")
    staged.resume_from_checkpoint(run, ME)
    assert "from the beginning" in staged.poll(run).notice
    puppet_of(staged, run).says("saved", epoch=1)
    assert staged.poll(run).notice == ""


def refuse_process() -> None:
    raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))


def test_without_a_process_a_run_fails_with_its_reason_and_can_be_resumed(staged, monkeypatch):
    with monkeypatch.context() as crowded:
        crowded.setattr(registry_module, "Worker", refuse_process)
        staged.expect()
        run = staged.submit(ME, LONG)
        report = staged.poll(run)
        assert report.state == states.FAILED
        assert "could not start a process" in report.reason
        assert os.strerror(errno.EAGAIN) in report.reason
    staged.resume_from_checkpoint(run, ME)
    assert staged.poll(run).state == states.STARTING


@pytest.mark.parametrize("act", ["stop", "step", "resume"])
def test_a_sleeping_run_without_a_process_fails_and_is_not_lost(staged, clock, monkeypatch, act):
    run = asleep(staged, clock)
    monkeypatch.setattr(registry_module, "Worker", refuse_process)
    getattr(staged, act)(run, ME)
    report = staged.poll(run)
    assert report.state == states.FAILED
    assert report.saved == 1


def test_a_worker_without_threads_is_ended_and_refused(monkeypatch):
    made: list[subprocess.Popen] = []

    class Recorded(subprocess.Popen):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            made.append(self)

    def refuse(self: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(process.subprocess, "Popen", Recorded)
    monkeypatch.setattr(process.Thread, "start", refuse)
    with pytest.raises(OSError, match="can't start new thread"):
        process.Worker()
    assert made[0].returncode is not None


def test_the_keeper_outlives_a_round_that_fails(staged, monkeypatch):
    rounds: list[int] = []

    def fail() -> None:
        rounds.append(1)
        raise RuntimeError("on purpose")

    monkeypatch.setattr(staged, "_tend", fail)
    end = time.monotonic() + 10
    while len(rounds) < 2 and time.monotonic() < end:
        time.sleep(0.02)
    assert len(rounds) >= 2


def test_a_job_that_cannot_be_written_leaves_nothing_behind(staged, monkeypatch):
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_text", refuse)
    with pytest.raises(OSError, match="No space left"):
        staged.submit(ME, LONG)
    assert staged.owned(ME) == []
    assert list(staged.folder.iterdir()) == []


# ---------------------------------------------------------------- no worker outlives the server

SERVER = """
import sys, time
from gdr_core.jobs import Job, Registry
from gdr_core.neural import recommended
registry = Registry(slots=1)
run = registry.submit("me", Job("karate", recommended("gcn", epochs=100_000)))
while registry.poll(run).epoch < int(sys.argv[1]):
    time.sleep(0.02)
print(registry.poll(run).pid, registry.folder, flush=True)
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


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended but was not collected does not."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return text.rpartition(")")[2].split()[0] != "Z"


def test_a_worker_that_was_expected_takes_the_job_and_one_that_was_not_wanted_leaves():
    clock = Clock()
    registry = Registry(slots=1, clock=clock)
    try:
        registry.expect()
        waiting = registry.spare.pid
        run = registry.submit(ME, SMALL)
        assert registry.poll(run).pid == waiting
        assert_same_result(wait(registry, run, ended), trained(SMALL))
        registry.expect()
        unused = registry.spare.pid
        clock.now += 61
        while alive(unused):
            time.sleep(0.02)
        assert registry.spare is None
    finally:
        registry.close()


@pytest.mark.skipif(not hasattr(os, "getpriority"), reason="this system has no niceness")
def test_a_worker_lets_every_other_process_go_first(registry):
    run = registry.submit(ME, LONG)
    wait(registry, run, lambda report: report.epoch > 0)
    pid = registry.runs[run].worker.pid
    assert os.getpriority(os.PRIO_PROCESS, pid) == NICENESS
    session = Path(f"/proc/{pid}/autogroup")
    if session.exists() and os.access(session, os.W_OK):
        # Without this the niceness counts among the worker's own threads only.
        assert session.read_text(encoding="ascii").split()[-1] == str(NICENESS)


def test_closing_ends_workers_and_deletes_files():
    registry = Registry(slots=1)
    run = registry.submit(ME, LONG)
    pid = wait(registry, run, lambda r: r.epoch > 0).pid
    registry.close()
    end = time.monotonic() + 5
    while alive(pid) and time.monotonic() < end:
        time.sleep(0.02)
    assert not alive(pid)
    assert not registry.folder.exists()
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


# ---------------------------------------------------------------- parts


def test_validation_at_the_own_time_is_the_records_accuracy_and_changes_nothing():
    training = trained(SMALL, 20)
    plain = trained(SMALL, 20)
    tau = math.exp(training.average["propagation.log_time"])
    own, *others = validation_at(training, np.array([tau, tau / 4, 4 * tau]))
    with plain.judging():
        assert own == plain.judge(plain.logits())["validation_accuracy"]
    assert all(0 <= other <= 1 for other in others)
    for _ in range(5):
        assert training.step().train_loss == plain.step().train_loss
    with pytest.raises(ValueError, match="gcn has no diffusion time"):
        validation_at(Training(load("karate"), recommended("gcn")), np.array([1.0]))


def test_a_job_travels_as_json():
    job = Job("sbm", recommended("mlp", seed=None), "random", 7, 3, (("homophily", 0.3),))
    assert Job.from_json(job.to_json()) == job
    assert job.load_options() == {"split": "random", "seed": 3, "homophily": 0.3}
    with pytest.raises(ValueError, match="seed must lie between"):
        Job("karate", job.options, seed=-1)
    with pytest.raises(ValueError, match="whole number"):
        Job("karate", job.options, seed=0.5)


def test_messages_travel_whole():
    message = {"kind": "x", "nan": math.nan, "array": np.arange(6, dtype=np.float16).reshape(2, 3)}
    heard = decode(encode(message))
    np.testing.assert_array_equal(heard["array"], message["array"])
    assert heard["array"].dtype == np.float16
    assert math.isnan(heard["nan"])
    for nonsense in (b"a warning from some library\n", b"[1, 2]\n", b"{}\n"):
        with pytest.raises(ValueError, match=r"Expecting value|not a message"):
            decode(nonsense)


def test_commands():
    commands, rests = Commands(), []
    for word in ("resume", "pause", "step", "step"):
        commands.obey(word)
    assert [commands.may_train(lambda: rests.append(1)) for _ in range(2)] == [True, True]
    assert not rests
    commands.obey("stop")
    assert not commands.may_train(lambda: rests.append(1))
    with pytest.raises(ValueError, match="unknown command 'dance'"):
        commands.obey("dance")


def test_a_duty_takes_no_more_than_its_share():
    done: list[float] = []

    def act() -> None:
        done.append(time.perf_counter())
        time.sleep(0.02)

    duty = Duty(act, every=0.0, share=0.1)
    end = time.perf_counter() + 0.6
    while time.perf_counter() < end:
        duty.do_if_due()
    assert 2 <= len(done) <= 4


@pytest.mark.parametrize(
    ("code", "errors", "words"),
    [
        (-9, [], ("SIGKILL", "memory")),
        (-15, [], ("SIGTERM",)),
        (-64, [], ("signal 64",)) if not hasattr(signal, "SIGRTMAX") else (-11, [], ("SIGSEGV",)),
        (1, ["Traceback", "MemoryError: no", ""], ("exit code 1", "MemoryError: no")),
    ],
)
def test_the_end_of_a_process_in_words(code, errors, words):
    assert all(word in ending(code, errors) for word in words)


def test_history_as_csv_hides_test_accuracy_unless_asked():
    rows = np.full((2, len(COLUMNS)), 0.5)
    rows[:, 0] = [1, 2]
    rows[:, COLUMNS.index("time")] = math.nan
    history = History(rows)
    assert "test_accuracy" not in history.to_csv()
    header, first, _ = history.to_csv(test=True).splitlines()
    assert header.split(",") == list(COLUMNS[:-1])
    assert first == "1,0.5,0.5,0.5,0.5,0.5,,0.5,0.5"


def test_many_scans_are_thinned_but_keep_the_newest():
    run = Run("x", ME, 1, "x", SMALL, Path(), 0.0, 0.0, 1)
    for epoch in range(1, 400):
        message = {"epoch": epoch, "relative_times": np.ones(1), "accuracy": np.ones(1)}
        run.hear({"kind": "scan", **message}, 0.0)
    assert len(run.scans) <= 121
    assert run.scans[-1].epoch == 399
