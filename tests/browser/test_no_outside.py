"""No page asks another host for anything, and the security policy blocks nothing of ours."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.browser.tabs import ended, settled

ROOT = Path(__file__).parents[2]
PAGES = {
    "/": settled,
    "/Dataset?dataset=karate&node=5": settled,
    "/Prior?dataset=karate": settled,
    "/Overshoot?dataset=karate&prior=uniform": settled,
    "/Relabel?dataset=karate&prior=uniform": settled,
    "/Compare?dataset=karate&prior=uniform&compare=rules": settled,
    "/Train?dataset=karate": ended,
    "/Directed?dataset=directed-ring": settled,
    "/Reproduce": ended,
    "/Your_data": ended,
    "/Structure?dataset=karate": ended,
    "/Lab": ended,
    "/Lessons": ended,
}


def test_no_page_is_left_out():
    pages = {path.stem.partition("_")[2] for path in (ROOT / "pages").glob("*.py")}
    assert {path.partition("?")[0].removeprefix("/") for path in PAGES} == pages | {""}


@pytest.mark.parametrize("path", PAGES)
def test_nothing_comes_from_and_nothing_goes_to_elsewhere(profile, address, path):
    asked, blocked = set(), []
    tab = profile.new_page()
    tab.on("request", lambda request: asked.add(urlsplit(request.url)[:2]))
    tab.on("websocket", lambda socket: asked.add(urlsplit(socket.url)[:2]))
    tab.on(
        "console",
        lambda said: blocked.append(said.text) if "Content Security Policy" in said.text else None,
    )
    tab.goto(address + path, wait_until="commit")
    tab.get_by_role("heading", level=1).wait_for()
    PAGES[path](tab)
    tab.close()
    here = urlsplit(address).netloc
    assert ("ws", here) in asked
    assert {(kind, host) for kind, host in asked if kind in ("http", "https", "ws", "wss")} == {
        ("http", here),
        ("ws", here),
    }
    assert blocked == []
