"""Fuzzers: hostile input by the thousand, and what may come of it.

    python -m gdr_core fuzz --inputs 200000 --seed 0

An input is fine if it gives a result, or one sentence of ours as a ValueError or TypeError.
Anything else is a finding: another exception, an exception that somebody else's code raised, a
crash of the interpreter, more than ten seconds of work. Findings are saved as they are, to become
part of the corpus in `tests/corpus`, which the test suite replays.

Each kind of input is a module with `make(draw) -> bytes`, which makes one input, and
`attempt(case)`, which runs it and returns its outcome; `prepare()`, where there is one, imports
what is slow. An input is made from the seed and its number alone, so that it can be made again.
"""

from gdr_tools.fuzz.kinds import KINDS, attempt, made, module_of
from gdr_tools.fuzz.supervisor import Finding, Tally, run

__all__ = ["KINDS", "Finding", "Tally", "attempt", "made", "module_of", "run"]
