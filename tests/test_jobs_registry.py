"""Who may do what with a run, places and pauses: with workers that do as they are told."""

from __future__ import annotations

import errno
import os
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from gdr_tools.jobs import NoFreeCore, NotTheOwner, Registry, TooManyRuns, UnknownRun, process
from gdr_tools.jobs import pool as pool_module
from gdr_tools.jobs import report as states
from gdr_tools.jobs.job import CHECKPOINT
from tests.staging import LONG, ME, PATIENCE, YOU, Clock, Puppet, wait

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
    assert not (registry.shelter.folder / run).exists()


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
        registry.pool.slots = 1
        while registry.runs[watched].state == states.QUEUED:
            time.sleep(0.02)
        assert registry.runs[forgotten].state == states.QUEUED
    finally:
        registry.close()


# ---------------------------------------------------------------- workers that do as they are told


@pytest.fixture
def staged(puppets, clock) -> Iterator[Registry]:
    """A registry of puppets, with one core and a clock that stands still."""
    made = Registry(slots=1, clock=clock)
    yield made
    made.close()


def puppet_of(registry: Registry, run: str) -> Puppet:
    worker = registry.runs[run].worker
    assert isinstance(worker, Puppet)
    return worker


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
    registry.pool.tend()
    assert registry.runs[run].worker is None
    return run


def test_stopping_a_sleeping_run_waits_until_its_worker_is_there(staged, clock):
    run = asleep(staged, clock)
    staged.stop(run, ME)
    worker = puppet_of(staged, run)
    clock.now += 50
    staged.pool.tend()
    assert staged.poll(run).state == states.STOPPING
    worker.says("ready", epoch=1)
    clock.now += 9
    staged.pool.tend()
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
    staged.pool.tend()
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
    staged.pool.tend()
    assert staged.runs[run].worker is not None


def test_a_running_run_steps_on_its_own_core(staged):
    run, waiting = (staged.submit(ME, LONG) for _ in range(2))
    puppet_of(staged, run).says("ready", epoch=0)
    staged.step(run, ME)
    assert puppet_of(staged, run).told[-2:] == ["pause", "step"]
    assert staged.poll(waiting).position == 1
    puppet_of(staged, run).trains(1)
    staged.pool.tend()
    assert staged.poll(run).state == states.PAUSED
    assert staged.poll(waiting).state == states.STARTING


def test_a_run_paused_before_its_first_epoch_sleeps_too(staged, clock):
    run = staged.submit(ME, LONG)
    staged.pause(run, ME)
    clock.now += 61
    staged.poll(run)
    staged.pool.tend()
    assert staged.runs[run].worker is None


def test_the_notice_of_a_start_from_the_beginning_ends_with_the_first_checkpoint(staged):
    run = staged.submit(ME, LONG)
    worker = puppet_of(staged, run)
    worker.dies()
    staged.resume_from_checkpoint(run, ME)
    assert "from the beginning" in staged.poll(run).notice
    puppet_of(staged, run).says("saved", epoch=1)
    assert staged.poll(run).notice == ""


def refuse_process() -> None:
    raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))


def test_without_a_process_a_run_fails_with_its_reason_and_can_be_resumed(staged, monkeypatch):
    with monkeypatch.context() as crowded:
        crowded.setattr(pool_module, "Worker", refuse_process)
        staged.pool.expect()
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
    monkeypatch.setattr(pool_module, "Worker", refuse_process)
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

    staged.pool.keepers.append(fail)
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
    assert list(staged.shelter.folder.iterdir()) == []


# ---------------------------------------------------------------- places that come back


@pytest.fixture
def crowd(puppets, clock) -> Iterator[Registry]:
    """A registry of puppets with four places."""
    with closing(Registry(slots=1, most=4, clock=clock)) as made:
        yield made


def test_places_of_a_client_that_has_left_go_to_whoever_comes(crowd, clock):
    taken = [crowd.submit(f"session {i}", LONG) for i in range(4)]
    with pytest.raises(TooManyRuns, match=r"all 4 places .* watched it for 30 seconds"):
        crowd.submit(YOU, LONG)
    clock.now += crowd.unwatched + 1
    crowd.pool.tend()
    mine = [crowd.submit(YOU, LONG) for _ in range(4)]
    assert crowd.poll(mine[0]).state == states.STARTING
    assert all((crowd.shelter.folder / run).exists() for run in taken), "checkpoints are kept"
    returned = crowd.poll(taken[0])
    assert returned.state == states.PAUSED
    assert "goes on when a place is free" in returned.reason
    crowd.remove(mine[3], YOU)
    assert crowd.poll(taken[0]).state == states.QUEUED


def test_a_run_that_trains_or_is_watched_keeps_its_place(crowd, clock):
    first, *others = [crowd.submit(f"session {i}", LONG) for i in range(4)]
    clock.now += crowd.unwatched - 1
    for run in (first, *others[:2]):
        crowd.poll(run)
    clock.now += 2
    crowd.submit(YOU, LONG)
    assert [crowd.runs[run].shelved for run in (first, *others)] == [False] * 3 + [True]


def test_an_ended_run_gives_its_place_first_and_keeps_its_result(crowd, clock):
    ended_run, *_ = [crowd.submit(f"session {i}", LONG) for i in range(4)]
    worker = puppet_of(crowd, ended_run)
    worker.says("result", probabilities=np.ones((1, 1)), weights={}, best={})
    worker.says("end", state=states.FINISHED, reason="")
    worker.says("idle")
    clock.now += crowd.unwatched + 1
    crowd.submit(YOU, LONG)
    assert crowd.runs[ended_run].shelved
    report = crowd.poll(ended_run)
    assert report.result is not None
    assert report.reason == ""


def test_what_has_given_its_place_away_is_not_kept_without_end(crowd, clock):
    for i in range(40):
        crowd.submit(f"session {i}", LONG)
        clock.now += crowd.unwatched + 1
        crowd.pool.tend()
    assert len(crowd.runs) == 4 + 4 * 4
    assert len(list(crowd.shelter.folder.iterdir())) == len(crowd.runs)


def test_one_address_does_not_take_all_places(crowd):
    for i in range(3):
        crowd.submit(f"session {i}", LONG, address="192.0.2.1")
    with pytest.raises(TooManyRuns, match="3 runs from your network address"):
        crowd.submit("session 4", LONG, address="192.0.2.1")
    crowd.submit(YOU, LONG, address="192.0.2.2")


def test_runs_of_one_address_are_few_on_the_shelf_too_and_push_out_nobody_elses(crowd, clock):
    mine = crowd.submit(YOU, LONG, address="192.0.2.2")
    for i in range(40):
        clock.now += crowd.unwatched + 1
        crowd.submit(f"session {i}", LONG, address="192.0.2.1")
        crowd.pool.tend()
    assert mine in crowd.runs
    assert sum(run.address == "192.0.2.1" for run in crowd.runs.values()) <= 3 + 3


def finish(registry: Registry, owner: str, weights: int, shares: int = 1, address: str = "") -> str:
    """A run that has ended with a result of so many bytes."""
    run = registry.submit(owner, LONG, address=address)
    worker = puppet_of(registry, run)
    worker.says("ready", epoch=0)
    result = {"weights": {"w": np.ones(weights, np.uint8)}, "best": {"epoch": 1}}
    worker.says("result", probabilities=np.ones((shares, 1), np.uint8), **result)
    worker.says("end", state=states.FINISHED, reason="")
    worker.says("idle")
    return run


def test_results_keep_to_a_budget_and_who_holds_most_gives_the_oldest_weights(staged, clock):
    staged.holdings.memory = 1000
    yours = finish(staged, YOU, 300, address="192.0.2.2")
    greedy = []
    for i in range(6):
        clock.now += 1
        greedy.append(finish(staged, f"session {i}", 300, address="192.0.2.1"))
    kept = [bool(staged.poll(run).result.weights) for run in (yours, *greedy)]
    assert kept == [True, False, False, False, False, True, True]
    assert all(staged.poll(run).result.probabilities.size for run in (yours, *greedy))


def test_results_without_weights_keep_to_the_budget_too(staged, clock):
    staged.holdings.memory = 1000
    for i in range(8):
        clock.now += staged.unwatched + 1
        finish(staged, f"session {i}", 0, shares=300)
    assert len(staged.runs) == 3


def save(registry: Registry, run: str, size: int) -> None:
    (registry.runs[run].folder / CHECKPOINT).write_bytes(bytes(size))
    puppet_of(registry, run).says("saved", epoch=1)


def test_checkpoints_keep_to_a_budget_those_of_ended_runs_go_first(staged, clock):
    staged.holdings.disk = 1000
    runs = []
    for i in range(5):
        clock.now += 1
        runs.append(run := staged.submit(f"session {i}", LONG))
        worker = puppet_of(staged, run)
        worker.says("ready", epoch=0)
        worker.trains(1)
        save(staged, run, 400)
        if i == 2:
            worker.says("end", state=states.FINISHED, reason="")
            worker.says("idle")
        else:
            staged.pause(run, f"session {i}")
    left = [(staged.runs[run].folder / CHECKPOINT).exists() for run in runs]
    assert sum(left) == 2
    assert not left[2]
    assert left[4]
    [lost] = [run for run, there in zip(runs, left, strict=True) if not there and run != runs[2]][
        :1
    ]
    report = staged.poll(lost)
    assert (report.state, report.saved) == (states.FAILED, None)
    assert "lost its own" in report.reason
    owner = staged.runs[lost].owner
    staged.resume_from_checkpoint(lost, owner)
    assert "from the beginning" in staged.poll(lost).notice


def test_own_data_of_a_run_that_is_over_leave_the_memory(staged):
    run = staged.submit(ME, LONG, data=b"a graph")
    worker = puppet_of(staged, run)
    worker.says("ready", epoch=0)
    assert staged.runs[run].data == b"a graph"
    worker.says("end", state=states.FINISHED, reason="")
    assert staged.runs[run].data is None


def test_no_more_workers_rest_than_there_are_cores(staged, clock):
    workers = []
    for _ in range(4):
        run = staged.submit(ME, LONG)
        workers.append(puppet_of(staged, run))
        workers[-1].says("ready", epoch=0)
        workers[-1].trains(1)
        staged.pause(run, ME)
        workers[-1].says("saved", epoch=1)
        clock.now += 1
        staged.pool.tend()
    assert [worker.alive for worker in workers] == [False, False, False, True]


def test_a_step_can_be_waited_for(staged):
    run = staged.submit(ME, LONG)
    worker = puppet_of(staged, run)
    worker.says("ready", epoch=0)
    staged.pause(run, ME)
    staged.step(run, ME)
    assert staged.poll(run).stepping
    threading.Timer(0.05, lambda: worker.trains(1)).start()
    staged.await_epoch(run, 0, patience=PATIENCE)
    assert staged.poll(run).epoch == 1
    assert not staged.poll(run).stepping
    staged.await_epoch(run, 1, patience=0.01)  # comes back without one


def test_rows_grow_with_the_epochs_and_reports_keep_theirs(staged):
    run = staged.submit(ME, LONG)
    worker = puppet_of(staged, run)
    worker.says("ready", epoch=0)
    for epoch in range(1, 1001):
        worker.trains(epoch)
    report = staged.poll(run)
    np.testing.assert_array_equal(report.history["epoch"], np.arange(1, 1001))
    for epoch in range(1001, 2001):
        worker.trains(epoch)
    assert len(report.history) == 1000
    assert staged.poll(run).epoch == 2000
