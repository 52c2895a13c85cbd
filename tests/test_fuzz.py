"""The fuzzers: what they once found stays mended, a short run finds nothing, and they do find."""

import random
import sys
from pathlib import Path

import pytest

from gdr_tools.cli import main
from gdr_tools.fuzz import KINDS, attempt, made, module_of, run
from gdr_tools.fuzz.judging import FINE, is_ours, outcome_of

CORPUS = Path(__file__).parent / "corpus"
CASES = sorted(path for kind in KINDS for path in (CORPUS / kind).glob("*"))
SHORT = {"library": 250, "files": 60, "own": 60, "commands": 12, "links": 150, "checkpoints": 12}


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("GDR_CACHE_DIR", str(tmp_path))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_once_went_wrong_does_not(path):
    assert attempt(path.parent.name, path.read_bytes()) in FINE


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", KINDS)
def test_a_short_run_finds_nothing(kind):
    module = module_of(kind)
    outcomes = {}
    for number in range(SHORT[kind]):
        case = module.make(random.Random(f"{kind} 7 {number}"))
        outcomes[number] = module.attempt(case)
    assert {n: found for n, found in outcomes.items() if found not in FINE} == {}
    assert set(FINE) <= set(outcomes.values())  # neither all nonsense nor all sense


def test_an_input_follows_from_seed_and_number():
    assert made("links", 3, 14) == made("links", 3, 14) != made("links", 4, 14)


WORKER = """
import json, os, signal, sys
kind, seed, first, last, folder = sys.argv[1:]
for number in range(int(first), int(last)):
    open(os.path.join(folder, "number"), "w").write(str(number))
    if number == 2:
        os.kill(os.getpid(), signal.SIGSEGV)
    if number == 4:
        os.kill(os.getpid(), signal.SIGPROF)
    print("something that the code under test prints")
    wrong = [[number, "wrong: it", "00"]] if number == 5 else []
    outcomes = {"wrong" if wrong else "result": 1}
    print(json.dumps({"outcomes": outcomes, "findings": wrong, "done": number == int(last) - 1}))
"""


def test_a_crash_and_a_hang_are_findings_and_the_run_goes_on(tmp_path):
    script = tmp_path / "worker.py"
    script.write_text(WORKER)
    tally = run("links", 8, seed=1, worker=(sys.executable, str(script)))
    assert [finding.number for finding in tally.findings] == [2, 4, 5]
    assert tally.findings[0].outcome == "wrong: a crash (SIGSEGV)"
    assert "10 s" in tally.findings[1].outcome
    assert tally.findings[0].case == made("links", 1, 2)
    assert tally.outcomes == {"result": 5, "wrong": 3}


STOPPED = """
import json, os, signal, sys
kind, seed, first, last, folder = sys.argv[1:]
for number in range(int(first), int(last)):
    open(os.path.join(folder, "number"), "w").write(str(number))
    if number == 3 or (number == 1 and int(first) != 1):
        os.kill(os.getpid(), signal.SIGALRM)
    done = number == int(last) - 1
    print(json.dumps({"outcomes": {"result": 1}, "findings": [], "done": done}), flush=True)
"""


def test_who_was_stopped_for_a_while_does_not_hang(tmp_path):
    """The worker waits at 1 the first time only, and at 3 whenever it comes there."""
    script = tmp_path / "worker.py"
    script.write_text(STOPPED)
    tally = run("links", 6, worker=(sys.executable, str(script)))
    assert [(each.number, each.outcome) for each in tally.findings] == [(3, "wrong: hangs")]
    assert tally.outcomes == {"result": 5, "wrong": 1}


def test_the_command_runs_a_worker_and_counts(capsys):
    assert main(["fuzz", "--inputs", "40", "--kind", "links", "--seed", "5"]) == 0
    printed = capsys.readouterr().out
    assert "40 inputs" in printed
    assert "wrong" not in printed
    assert main(["fuzz", "--inputs", "0"]) == 2


def test_only_what_our_code_raises_on_purpose_is_ours():
    import gdr_core

    def raised(text, place):
        code = compile(text, place, "exec")
        try:
            exec(code, {"gdr_core": gdr_core})
        except Exception as error:
            return error

    inside = gdr_core.__file__
    assert is_ours(raised("raise ValueError('a sentence')", inside))
    assert not is_ours(raised("None + 1", inside))  # an operator that fails in our code
    assert not is_ours(raised("raise ValueError('a sentence')", "/elsewhere/x.py"))
    assert not is_ours(raised("raise ValueError('two\\nlines')", inside))
    assert not is_ours(raised("raise ValueError", inside))
    assert outcome_of(lambda: 1 / 0).startswith("wrong: ZeroDivisionError")
