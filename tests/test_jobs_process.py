"""A worker's process, as the server that commands it hears it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from gdr_tools.jobs import process
from gdr_tools.jobs.handover import hand_over
from gdr_tools.jobs.process import Worker
from tests.staging import eventually

RESULT = 'print(\'{"kind": "result", "result": {}}\', flush=True)'


@pytest.fixture
def start(monkeypatch, tmp_path) -> Callable[..., Worker]:
    """A worker that waits for a line, runs these lines of Python, and waits for its end."""

    def started(lines: str, **ears: Any) -> Worker:
        code = f"import sys\nsys.stdin.readline()\n{lines}\nsys.stdin.read()\n"
        (tmp_path / "a_worker_of_this_test.py").write_text(code)
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        monkeypatch.setattr(process, "_MODULE", "a_worker_of_this_test")
        return Worker(**ears)

    return started


@pytest.mark.parametrize("error", [OSError("cut"), ValueError("cut"), MemoryError()])
def test_an_answer_that_cannot_be_picked_up_is_told_and_the_worker_is_heard_on(
    start, monkeypatch, error
):
    def fail(said: dict[str, Any], place: Path) -> None:
        raise error

    monkeypatch.setattr(process, "pick_up", fail)
    heard: list[dict[str, Any]] = []
    lines = f'{RESULT}\nprint(\'{{"kind": "idle"}}\', flush=True)'
    with closing(start(lines, on_message=lambda worker, message: heard.append(message))) as worker:
        worker.answer = hand_over(b"")
        worker.files = [worker.answer]
        worker.send("go")
        eventually(lambda: len(heard) == 2, 20)
    assert [message["kind"] for message in heard] == ["error", "idle"]
    assert heard[0]["text"].startswith("its answer is lost: ")
    assert heard[0]["text"][-1] != " "
    assert worker.files == []


def test_a_worker_that_cannot_be_heard_any_more_is_ended_and_told_of(start):
    ended: list[str] = []

    def fail(worker: Worker, message: dict[str, Any]) -> None:
        raise RuntimeError("on purpose")

    with closing(
        start(RESULT, on_message=fail, on_exit=lambda _, how: ended.append(how))
    ) as worker:
        worker.send("go")
        eventually(lambda: bool(ended), 20)
        assert not worker.alive
        assert ended == [worker.gone]
        assert "on purpose" not in ended[0]


def test_the_log_tells_what_ended_by_itself_and_nothing_of_a_message_that_was_cut_off(
    start, caplog
):
    cut = """print('{"kind": "result", "result": {"numbers": "SECRET', flush=True)"""
    long = "print('complaint ' + 'x' * 1000, file=sys.stderr, flush=True)"
    ended: list[str] = []
    lines = f"{cut}\n{long}\nsys.exit(3)"
    with closing(start(lines, on_exit=lambda _, how: ended.append(how))) as worker:
        worker.send("go")
        eventually(lambda: bool(ended), 20)
    assert "ended by itself with exit code 3" in caplog.text
    assert "complaint x" in caplog.text
    assert "SECRET" not in caplog.text
    assert max(len(line) for line in caplog.text.splitlines()) < 300


def test_a_worker_that_the_server_ends_was_not_killed_by_somebody(start, caplog):
    """Its last lines are told without alarm."""
    caplog.set_level(logging.INFO)
    ended: list[str] = []
    lines = "print('a complaint', file=sys.stderr, flush=True)"
    worker = start(lines, on_exit=lambda _, how: ended.append(how))
    worker.send("go")
    eventually(lambda: bool(worker.errors), 20)
    worker.close()
    eventually(lambda: bool(ended), 20)
    assert "a complaint" in caplog.text
    assert "SIGKILL" not in caplog.text
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]
