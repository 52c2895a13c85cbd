"""Control, page and link show the same, whatever a visitor does in whatever order.

`python -m tools.walk --steps 2000` walks further.
"""

from __future__ import annotations

import pytest

from tools.walk.walks import STORIES, replay, walk


@pytest.mark.parametrize("story", list(STORIES))
def test_what_was_once_wrong(chromium, address, story):
    assert replay(chromium, address, STORIES[story]) is None


def test_a_walk_at_random_finds_no_disagreement(chromium, address):
    steps, trouble = walk(chromium, address, 120, seed=0)
    assert trouble is None, f"after {trouble.steps}: {trouble.found}"
    assert steps == 120
