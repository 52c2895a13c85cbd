"""A worker that a file sends round in circles ends; one that is quick goes on as before."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

pytest.importorskip("resource", reason="this system limits no processor time")

ENDLESS = """
from gdr_tools.jobs.patience import processor_seconds
with processor_seconds(0):
    while True:
        sum(range(10**6))
"""
QUICK = """
import resource, time
from gdr_tools.jobs.patience import processor_seconds
before = resource.getrlimit(resource.RLIMIT_CPU)
with processor_seconds(0):
    assert resource.getrlimit(resource.RLIMIT_CPU)[0] <= time.process_time() + 1
assert resource.getrlimit(resource.RLIMIT_CPU) == before
end = time.process_time() + 1.5
while time.process_time() < end:
    pass
print("alive")
"""


def run(lines: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", lines], capture_output=True, text=True, check=False, timeout=300
    )


def test_what_goes_round_in_circles_is_ended_by_the_system():
    assert run(ENDLESS).returncode == -signal.SIGXCPU


def test_the_limit_is_lifted_again():
    done = run(QUICK)
    assert (done.returncode, done.stdout) == (0, "alive\n"), done.stderr
