"""The app on a free port and the system's Chromium, both started once for all browser tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gdr_tools.bench.browser import FLAGS, browser_path, running_app

PATIENCE = 60_000  # ms; a busy machine takes long over the first page


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def environment(tmp_path_factory) -> dict[str, str]:
    """GDR_DATA_DIR is handed on, downloads go nowhere."""
    return {"OMP_NUM_THREADS": "1", "XDG_CACHE_HOME": str(tmp_path_factory.mktemp("server"))}


@pytest.fixture(scope="session")
def address(environment) -> Iterator[str]:
    """Where the app answers."""
    with running_app(environment=environment) as app:
        yield app.address


@pytest.fixture
def fresh_address(environment) -> Iterator[str]:
    """A server of which nobody has asked anything yet."""
    with running_app(environment=environment) as app:
        yield app.address


@pytest.fixture(scope="session")
def chromium() -> Iterator[object]:
    """The browser; the tests are skipped where there is none."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs requirements-dev.txt")
    if (path := browser_path()) is None:
        pytest.skip("no chromium on this machine: apt-get install chromium")
    playwright.expect.set_options(timeout=PATIENCE)
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def profile(chromium) -> Iterator[object]:
    """One browser's storage and cache for all tabs: all but the first load quickly."""
    context = chromium.new_context(color_scheme="light")
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


@pytest.fixture
def lead() -> Iterator[Callable]:
    """lead(tab, address) opens the address; errors of the page's scripts fail the test."""
    faults: list[str] = []

    def follow(tab, address: str):
        tab.on("pageerror", lambda fault: faults.append(str(fault)))
        tab.goto(address, wait_until="commit")
        return tab

    yield follow
    assert not faults, f"errors in the page's scripts: {faults}"


@pytest.fixture
def open_tab(profile, address, lead) -> Iterator[Callable]:
    """open_tab(path) gives a tab with a session of its own."""
    tabs = []

    def open_path(
        path: str = "/",
        width: int = 1280,
        height: int = 800,
        server: str = address,
    ):
        tab = profile.new_page()
        tabs.append(tab)
        tab.set_viewport_size({"width": width, "height": height})
        return lead(tab, server + path)

    yield open_path
    for tab in tabs:
        tab.close()
