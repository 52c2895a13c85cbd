"""One step of t_min on the Relabel page runs few functions of ours, in few files."""

from __future__ import annotations

import pytest

from tools.trace_step import files_of, trace_step

# Where the class of a node is highest at t_min itself, each step asks anew where its belief came
# from: a row of the kernel at another time.
MOST = {"235670": (43, 18), "31336": (136, 43)}  # functions, files


@pytest.mark.parametrize("node", MOST)
def test_a_step_runs_no_more_than_it_did(node):
    calls = trace_step("cora", node)
    ran = sorted(code.co_qualname for code in calls)
    functions, files = MOST[node]
    assert "explore" in ran  # it was a step that was traced
    assert len(ran) <= functions, ran
    assert len(files_of(calls)) <= files, sorted(files_of(calls))
