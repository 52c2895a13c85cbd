"""The parts of a worker and of its registry: commands, messages, records."""

from __future__ import annotations

import math
import signal
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from gdr_core.datasets import load_dataset
from gdr_core.neural import Training, recommended
from gdr_core.neural.fixed_times import validation_at
from gdr_tools.jobs import Job
from gdr_tools.jobs.commands import Commands
from gdr_tools.jobs.process import ending
from gdr_tools.jobs.report import COLUMNS, History
from gdr_tools.jobs.run import Run
from gdr_tools.jobs.training import Duty
from gdr_tools.jobs.wire import decode, encode
from tests.staging import ME, SMALL, trained


@pytest.mark.parametrize(("work", "apart"), [(0.03, 0.1), (0.25, 0.25)])
def test_a_pace_is_the_time_between_two_starts_unless_an_epoch_takes_longer(
    monkeypatch, work, apart
):
    clock, starts, commands = [100.0], [], Commands()

    def pass_time(seconds: float) -> None:
        clock[0] += seconds

    monkeypatch.setattr("gdr_tools.jobs.commands.time", SimpleNamespace(monotonic=lambda: clock[0]))
    monkeypatch.setattr(commands.changed, "wait", pass_time)
    commands.obey("pace 10")
    commands.obey("resume")
    for _ in range(6):
        assert commands.may_train(rest=lambda: pytest.fail("it was not paused"))
        starts.append(clock[0])
        pass_time(work)
    np.testing.assert_allclose(np.diff(starts), apart)


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
        validation_at(Training(load_dataset("karate"), recommended("gcn")), np.array([1.0]))


def test_a_job_travels_as_json():
    job = Job("sbm", recommended("mlp", seed=None), "random", 7, 3, (("homophily", 0.3),))
    assert Job.from_json(job.to_json()) == job
    assert job.load_options() == {"split": "random", "seed": 3, "homophily": 0.3}
    with pytest.raises(
        ValueError, match="seed must be a whole number from 0 to 4294967295, got -1"
    ):
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
    ("code", "words"),
    [
        (-9, ("SIGKILL", "memory")),
        (-15, ("SIGTERM",)),
        (-64, ("signal 64",)) if not hasattr(signal, "SIGRTMAX") else (-11, ("SIGSEGV",)),
        (1, ("exit code 1",)),
    ],
)
def test_the_end_of_a_process_in_words(code, words):
    assert all(word in ending(code) for word in words)


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
    run = Run(None, "x", ME, "", 1, "x", SMALL, Path(), 0.0, 0.0, (0, 1))
    for epoch in range(1, 400):
        message = {"epoch": epoch, "relative_times": np.ones(1), "accuracy": np.ones(1)}
        run.hear({"kind": "scan", **message}, 0.0)
    assert len(run.scans) <= 121
    assert run.scans[-1].epoch == 399
