"""One step of t_min on the Relabel page runs few functions of ours, in few files."""

from __future__ import annotations

import pytest

from tools.trace_step import files_of, trace_step

MOST_FUNCTIONS, MOST_FILES = 43, 18


@pytest.mark.parametrize("node", [None, "235670"])
def test_a_step_runs_no_more_than_it_did(node):
    calls = trace_step("cora", node)
    ran = sorted(code.co_qualname for code in calls)
    assert "explore" in ran  # it was a step that was traced
    assert len(ran) <= MOST_FUNCTIONS, ran
    assert len(files_of(calls)) <= MOST_FILES, sorted(files_of(calls))
