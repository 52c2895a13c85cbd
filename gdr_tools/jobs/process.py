"""A worker as its registry sees it: a process to command, and messages that come from it."""

from __future__ import annotations

import errno
import json
import logging
import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any

from gdr_tools.jobs.handover import hand_over, handed_in, pick_up
from gdr_tools.jobs.kinds import ANSWER, TRAINING
from gdr_tools.jobs.wire import decode

ROOT = Path(__file__).parents[2]
LOG = logging.getLogger(__name__)
_LAST_LINES = 6  # of what it complained of, and …
_LONGEST = 200  # … characters of each
_UNHEARD = "The server could not read what the worker said, and ended it."
_MODULE = "gdr_tools.jobs.worker"
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class Worker:
    """A process that computes on one thread and tells of it; see `wire` for its messages.

    It has imported what it needs before it is given anything to do, and does one job after another.

    on_message   called with every message, from the thread that reads them
    on_exit      called once, with one sentence on how the process ended, after its last message

    gone         how it ended, in the same sentence; empty while nothing is known of that
    closed       whether it was ended from here

    What it complains of may be of an earlier job, which was somebody else's, and names files of the
    server: that goes to the log. A message that was cut off may hold what came of a visitor's own
    data: that goes nowhere.

    Raises OSError where the system gives no process, or no thread to listen to it.
    """

    gone = ""
    closed = False

    def __init__(
        self,
        on_message: Callable[[Worker, dict[str, Any]], None] = lambda worker, message: None,
        on_exit: Callable[[Worker, str], None] = lambda worker, how: None,
    ):
        self.on_message, self.on_exit = on_message, on_exit
        self.errors: deque[str] = deque(maxlen=_LAST_LINES)
        self.files: list[Path] = []  # of its job: the one for the answer, and what it was handed
        self.answer: Path | None = None
        # A session of its own: an interrupt typed at the server's terminal is not meant for it.
        self.process = subprocess.Popen(
            [sys.executable, "-m", _MODULE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            env={**os.environ, **dict.fromkeys(_THREADS, "1"), "PYTHONUNBUFFERED": "1"},
            start_new_session=True,
        )
        self.pid = self.process.pid
        self.complaints = Thread(target=self._read_errors, daemon=True)
        try:
            self.complaints.start()
            Thread(target=self._read_messages, daemon=True).start()
        except RuntimeError as error:  # a limit on processes counts threads too
            self.close()
            self.process.wait()
            raise OSError(errno.EAGAIN, f"no thread to listen to it: {error}") from error

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self.process.poll() is None

    def begin(self, request: dict[str, Any]) -> None:
        """Give it a job, see `kinds`; it begins when it is told to resume."""
        self._clear_away()
        self.files = handed_in(request)
        if request["kind"] != TRAINING:
            request = {**request, **self._place_for_answer()}
        self.send(f"job {json.dumps(request)}")

    def _place_for_answer(self) -> dict[str, str]:
        """Where large arrays of the answer go: nowhere, but over the pipe, if there is no room."""
        with suppress(OSError):
            self.answer = hand_over(b"")
        if self.answer is None:
            return {}
        self.files = [*self.files, self.answer]
        return {ANSWER: str(self.answer)}

    def _clear_away(self) -> None:
        files, self.files, self.answer = self.files, [], None
        for place in files:
            with suppress(OSError):
                place.unlink(missing_ok=True)

    def forget(self) -> None:
        """Tell nobody of what it says: it has no job."""
        self.on_message = lambda worker, message: None
        self.on_exit = lambda worker, how: None

    def send(self, command: str) -> None:
        """Give a command; a worker that is gone is reported by `on_exit`, not here."""
        pipe = self.process.stdin
        assert pipe is not None
        with suppress(OSError, ValueError):
            pipe.write(f"{command}\n".encode())
            pipe.flush()

    def close(self) -> None:
        """End the process: it leaves when its input closes, and is killed in any case."""
        self.closed = True
        pipe = self.process.stdin
        assert pipe is not None
        with suppress(OSError):
            pipe.close()
        self.process.kill()
        self._clear_away()

    def _read_messages(self) -> None:
        """Pass on what it says until it has ended, or cannot be heard any more; then tell how."""
        how = ""
        try:
            self._pass_on()
        except Exception:  # nobody else would tell, and its job would never end
            LOG.exception("worker %s cannot be heard any more and is ended", self.pid)
            self.close()
            how = _UNHEARD
        self._clear_away()
        code = self.process.wait()
        self.complaints.join(1.0)
        how = how or ending(code)
        self._log_end(how)
        self.gone = how
        self.on_exit(self, how)

    def _log_end(self, how: str) -> None:
        """Its last lines, with how it ended where that was not the server's doing."""
        lines = "\n".join(self.errors)
        if lines and self.closed:
            LOG.info("worker %s was ended by the server. Its last lines:\n%s", self.pid, lines)
        elif lines:
            LOG.warning("worker %s: %s Its last lines:\n%s", self.pid, how, lines)

    def _pass_on(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            try:
                message = decode(line)
            except ValueError:
                self._keep(line)
                continue
            self.on_message(self, self._complete(message))

    def _complete(self, message: dict[str, Any]) -> dict[str, Any]:
        """A message with what was put into the file for the answer."""
        place = self.answer
        if place is None or message["kind"] != "result":
            return message
        try:
            return {**message, "result": pick_up(message["result"], place)}
        except (OSError, ValueError, MemoryError) as error:
            text = f"its answer is lost: {_why_lost(error)}"
            return {"kind": "error", "text": text, "refused": False}
        finally:
            self._clear_away()

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self._keep(line)

    def _keep(self, line: bytes) -> None:
        """Keep the beginning of a line for the log, and nothing of a message that was cut off."""
        if line.startswith(b"{"):
            self.errors.append("(a message that was cut off)")
        else:
            self.errors.append(line.decode(errors="replace").rstrip()[:_LONGEST])


def _why_lost(error: Exception) -> str:
    if isinstance(error, MemoryError):
        return "the server has no memory for it"
    return str(getattr(error, "strerror", None) or error)


def ending(code: int) -> str:
    """How a process ended, in one sentence that any visitor may read.

    >>> ending(1)
    'The worker ended by itself with exit code 1.'
    """
    if code < 0:
        return f"The worker was killed by {_signal_name(-code)}."
    return f"The worker ended by itself with exit code {code}."


def _signal_name(number: int) -> str:
    hints = {
        "SIGKILL": " (by somebody, or by the system for want of memory)",
        "SIGXCPU": " (it took longer than the two minutes allowed)",
    }
    try:
        found = signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
    return found + hints.get(found, "")
