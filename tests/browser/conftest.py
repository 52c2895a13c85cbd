"""A server on a free port and Debian's Chromium, both started once for all browser tests."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SERVER_FLAGS = ("--server.headless=true", "--server.fileWatcherType=none")
PATIENCE = 60_000  # ms; a busy machine takes long over the first page


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def address(tmp_path_factory) -> Iterator[str]:
    """Where the app answers. GDR_DATA_DIR is handed on, downloads go nowhere."""
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port = probe.getsockname()[1]
    log = tmp_path_factory.mktemp("server") / "log.txt"
    with log.open("w") as output:
        server = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "streamlit",
                "run",
                "app.py",
                f"--server.port={port}",
                *SERVER_FLAGS,
            ],
            cwd=ROOT,
            stdout=output,
            stderr=subprocess.STDOUT,
            env={**os.environ, "OMP_NUM_THREADS": "1", "XDG_CACHE_HOME": str(log.parent)},
        )
    try:
        _wait_until_it_answers(f"http://localhost:{port}/_stcore/health", server, log)
        yield f"http://localhost:{port}"
    finally:
        server.terminate()
        server.wait(10)


def _wait_until_it_answers(url: str, server: subprocess.Popen, log: Path) -> None:
    for _ in range(300):
        if server.poll() is not None:
            pytest.fail(f"the server ended at once:\n{log.read_text()}")
        try:
            urllib.request.urlopen(url, timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    pytest.fail(f"the server did not answer within 30 s:\n{log.read_text()}")


@pytest.fixture(scope="session")
def chromium() -> Iterator[object]:
    """The browser; the tests are skipped where there is none."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip("no chromium on this machine: apt-get install chromium")
    playwright = pytest.importorskip("playwright.sync_api", reason="needs requirements-dev.txt")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def open_tab(chromium, address) -> Iterator[Callable]:
    """open_tab(path, theme="light") gives a new visitor's tab; its script errors fail the test."""
    contexts, faults = [], []

    def open_path(path: str = "/", theme: str = "light", width: int = 1280, height: int = 800):
        context = chromium.new_context(
            viewport={"width": width, "height": height}, color_scheme=theme
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        tab = context.new_page()
        tab.on("pageerror", lambda fault: faults.append(str(fault)))
        tab.goto(address + path, wait_until="commit")
        return tab

    yield open_path
    for context in contexts:
        context.close()
    assert not faults, f"errors in the page's scripts: {faults}"
