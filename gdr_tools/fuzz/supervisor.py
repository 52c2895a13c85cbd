"""Runs inputs in processes of their own, so that a crash or a hang is a finding and not the end."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gdr_tools.fuzz.kinds import made

SECONDS = 10  # of work for one input
_WORKER = (sys.executable, "-m", "gdr_tools.fuzz.worker")
_HANGS = "hangs"
_SIGNALS = {signal.SIGPROF: f"more than {SECONDS} s of work", signal.SIGALRM: _HANGS}


@dataclass(frozen=True)
class Finding:
    """An input that came to something else than a result or a refusal."""

    kind: str
    number: int
    outcome: str
    case: bytes


@dataclass
class Tally:
    """What came of all inputs of a kind."""

    outcomes: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)

    @property
    def inputs(self) -> int:
        """How many were tried."""
        return self.outcomes.total()


def run(
    kind: str,
    inputs: int,
    seed: int = 0,
    first: int = 0,
    worker: Sequence[str] = _WORKER,
    report: Callable[[Tally], None] = lambda tally: None,
) -> Tally:
    """Try `inputs` inputs of a kind; a worker that dies is replaced behind the input that did it.

    By the clock, a worker that was stopped for a while has waited as long: what hangs is tried
    again, and found only where it hangs twice.

    report   hears of the tally as it grows
    """
    tally, number, last, again = Tally(), first, first + inputs, -1
    while number < last:
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder, "number")
            place.write_text(str(number))
            ended = _work(
                [*worker, kind, str(seed), str(number), str(last), folder], kind, tally, report
            )
            if ended is None:
                return tally
            reached = int(place.read_text() or number)
        if ended == _HANGS and again != reached:
            number = again = reached
            continue
        tally.outcomes["wrong"] += 1
        case = made(kind, seed, reached)
        tally.findings.append(Finding(kind, reached, f"wrong: {ended}", case))
        number = reached + 1
    return tally


def _work(
    command: list[str], kind: str, tally: Tally, report: Callable[[Tally], None]
) -> str | None:
    """Hear one worker out; how it died, or None where it came to its end."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for message in _messages(process.stdout):
            tally.outcomes.update(message["outcomes"])
            for number, outcome, case in message["findings"]:
                tally.findings.append(Finding(kind, number, outcome, bytes.fromhex(case)))
            report(tally)
            if message["done"]:
                process.wait()
                return None
    code = process.returncode
    if code >= 0:
        return f"the worker ended with code {code}"
    return _SIGNALS.get(signal.Signals(-code), f"a crash ({signal.Signals(-code).name})")


def _messages(lines: Iterator[str]) -> Iterator[dict]:
    """What a worker says; other lines come from code under test that prints."""
    for line in lines:
        if line.startswith('{"outcomes"'):
            yield json.loads(line)
