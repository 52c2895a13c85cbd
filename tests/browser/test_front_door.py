"""`gdr-explorer`, as it is started by somebody who has installed the wheel."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.tabs import assert_healthy, settled
from tests.packed import build_wheel, environment, unpack

INSTALLED = "GDR_EXPLORER"  # where continuous integration has installed the wheel: its program


@pytest.fixture(scope="module")
def front_door(tmp_path_factory) -> Iterator[str]:
    """Where the app answers, started in an empty folder without the checkout on its path."""
    here = tmp_path_factory.mktemp("empty")
    variables = dict(os.environ)
    if program := os.environ.get(INSTALLED):
        command = [program]
    else:
        packages = unpack(build_wheel(here / "dist"), tmp_path_factory.mktemp("site"))
        command = [sys.executable, "-m", "gdr_app.launch"]
        variables = environment(packages, here)
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [*command, "--port", str(port), "--no-browser"],
        cwd=here,
        env=variables,
        stdout=subprocess.DEVNULL,
    )
    try:
        yield wait_for(f"http://localhost:{port}", process)
    finally:
        process.terminate()
        process.wait(10)


def wait_for(address: str, process: subprocess.Popen[bytes]) -> str:
    end = time.monotonic() + 120
    while process.poll() is None and time.monotonic() < end:
        try:
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=1).close()
            return address
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"gdr-explorer does not answer; it ended with {process.poll()}")


def test_the_relabel_page_of_the_installed_app(front_door, open_tab):
    assert urllib.request.urlopen(f"{front_door}/Relabel").status == 200
    tab = open_tab("/Relabel?dataset=karate", server=front_door)
    tab.get_by_role("heading", name="Which nodes change their label").wait_for()
    tab.get_by_text("relabelled").first.wait_for()
    settled(tab)
    assert_healthy(tab)
    # The theme is our own: .streamlit/config.toml came with the wheel and was found.
    colour = tab.evaluate("getComputedStyle(document.querySelector('.stSidebar')).backgroundColor")
    assert colour == "rgb(243, 245, 248)"
    links = tab.locator('.stSidebar [data-testid="stPageLink"]')
    assert links.count() == 1 + len(list(Path("pages").glob("[0-9]*_*.py")))  # and Home
