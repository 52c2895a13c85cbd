"""A QR code says the address that it was made of; views keep to what a link may say."""

from __future__ import annotations

import re

import numpy as np
import pytest

from gdr_app.serving.guard import frames
from gdr_app.state.visit import PAGES, Visit
from gdr_app.widgets.presenting import HIDEABLE, qr_code, style_of

ADDRESS = "http://localhost:8501/Relabel?dataset=cora&t_min=0.0335&view=present"


def modules(svg: str) -> np.ndarray:
    """The squares that an SVG of horizontal strokes paints, drawn once more on a grid."""
    size = int(re.search(r'viewBox="0 0 (\d+)|width="(\d+)"', svg)[2] or 0) // 4
    grid = np.zeros((size, size), dtype=bool)
    path = re.search(r'class="qrline"[^>]*d="([^"]+)"|d="(M[^"]+)" class="qrline"', svg)
    x = y = 0.0
    for kind, numbers in re.findall(r"([Mmh])([-\d. ]+)", path[1] or path[2]):
        values = [float(n) for n in re.findall(r"-?\d*\.?\d+", numbers)]
        if kind == "h":
            grid[int(y), int(x) : int(x + values[0])] = True
            x += values[0]
        else:
            x, y = (values[0], values[1]) if kind == "M" else (x + values[0], y + values[1])
    return grid


def test_the_picture_of_a_code_is_the_code():
    import segno

    drawn = modules(qr_code(ADDRESS))
    code = np.array([list(row) for row in segno.make_qr(ADDRESS, error="m").matrix], dtype=bool)
    np.testing.assert_array_equal(drawn[4:-4, 4:-4], code)
    assert not drawn[:4].any()
    assert not drawn[:, -4:].any()


def test_a_view_stays_from_page_to_page_and_hide_only_with_it():
    visit = Visit()
    visit.arrive("Relabel", {"view": ["present"], "hide": ["title"]}, whole=True)
    assert visit.link() == {"view": "present", "hide": ("title",)}
    for page in PAGES - {"Lessons"}:
        visit.page = page
        assert visit.link()["view"] == "present"
    visit.put("view", None)
    assert "hide" not in visit.link()


def test_what_is_hidden_is_hidden_in_the_page_only():
    for name, selector in HIDEABLE.items():
        style = style_of("embed", (name,))
        assert f'[data-testid="stMain"] :is({selector})' in style
    assert style_of("page", tuple(HIDEABLE)) == ""


def test_other_sites_may_frame_the_app_only_where_they_are_listed(monkeypatch):
    monkeypatch.delenv("GDR_FRAMES", raising=False)
    assert frames() == ["'self'"]
    monkeypatch.setenv("GDR_FRAMES", "https://course.example, http://localhost:8000")
    assert frames() == ["'self'", "https://course.example", "http://localhost:8000"]
    for wrong in ("*", "https://*.example", "https://a.example; script-src *", "javascript:1"):
        monkeypatch.setenv("GDR_FRAMES", wrong)
        with pytest.raises(ValueError, match="GDR_FRAMES must list sites"):
            frames()
