"""A process that tries inputs one after the other; it may die of one, and says which it is at.

python -m gdr_tools.fuzz.worker KIND SEED FIRST LAST FOLDER
"""

from __future__ import annotations

import json
import logging
import os
import random
import resource
import signal
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import TextIO

from gdr_tools.fuzz.judging import FINE
from gdr_tools.fuzz.supervisor import SECONDS

_EVERY = 200  # inputs between two reports
_ASLEEP = 12 * SECONDS  # of the clock, for an input that waits rather than works
_MEMORY = 8 * 2**30
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def main(kind: str, seed: str, first: str, last: str, folder: str) -> None:
    """Try the inputs from number `first` up to `last`."""
    os.environ.update(dict.fromkeys(_ONE_THREAD, "1"))
    os.environ["GDR_CACHE_DIR"] = folder
    from gdr_tools.fuzz.kinds import module_of

    module, out = module_of(kind), sys.stdout
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.chdir(folder)
    outcomes: Counter[str] = Counter()
    findings: list[tuple[int, str, str]] = []
    with Path(folder, "number").open("w") as place:
        for number in range(int(first), int(last)):
            _note(place, number)
            case = module.make(random.Random(f"{kind} {seed} {number}"))
            outcome = _limited(module.attempt, case)
            outcomes[outcome.partition(":")[0]] += 1
            if outcome not in FINE:
                findings.append((number, outcome, case.hex()))
            if outcomes.total() >= _EVERY:
                _tell(out, outcomes, findings, done=False)
    _tell(out, outcomes, findings, done=True)


def _limited(attempt: Callable[[bytes], str], case: bytes) -> str:
    """One attempt; the system ends a process that works or waits too long, also inside of C."""
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    signal.setitimer(signal.ITIMER_REAL, _ASLEEP)
    try:
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            return attempt(case)
    except BaseException as error:  # what a fuzzer's own code lets through is a finding, too
        return f"wrong: {type(error).__name__}: {str(error)[:300]}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)


def _note(place: TextIO, number: int) -> None:
    place.seek(0)
    place.write(str(number))
    place.flush()


def _tell(
    out: TextIO, outcomes: Counter[str], findings: list[tuple[int, str, str]], done: bool
) -> None:
    message = {"outcomes": dict(outcomes), "findings": findings, "done": done}
    print(json.dumps(message), file=out, flush=True)
    outcomes.clear()
    findings.clear()


if __name__ == "__main__":
    main(*sys.argv[1:])
