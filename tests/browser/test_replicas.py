"""Three replicas behind a proxy, as plain processes: one is killed, and nobody loses anything."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.tabs import settled

ROOT = Path(__file__).parents[2]
VIEW = "/Relabel?dataset=karate&prior=uniform&t_min=0.25&node=5"
RUN = "/Train?dataset=karate&model=gcn&gcn-undirected-epochs=90000"
PATIENCE = 90.0  # seconds


@pytest.fixture(scope="module")
def replicas(environment, tmp_path_factory) -> Iterator[dict[str, Any]]:
    if shutil.which("haproxy", path=f"{os.environ['PATH']}:/usr/sbin") is None:
        pytest.skip("no haproxy on this machine: apt-get install haproxy")
    folder = tmp_path_factory.mktemp("shared")
    command = [sys.executable, "deploy/replicas.py", f"--port={_ports(4)}", f"--folder={folder}"]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout is not None
    yield json.loads(process.stdout.readline())
    process.terminate()
    process.wait(30)


def _ports(count: int) -> int:
    """The first of some free ports in a row."""
    for first in range(20_000 + os.getpid() % 20_000, 60_000, count):
        try:
            for port in range(first, first + count):
                with socket.socket() as probe:
                    probe.bind(("127.0.0.1", port))
        except OSError:
            continue
        return first
    raise AssertionError("no free ports")


def used(tab, place: str = "view") -> dict[str, Any]:
    """What the page says that it computed with."""
    text = tab.locator(f".st-key-sent-used-{place} .gdr-used").get_attribute("data-used")
    return json.loads(text)


def epoch(tab) -> int:
    found = re.search(r"epoch ([\d,]+) of", tab.locator("[data-testid=stMain]").inner_text())
    return int(found[1].replace(",", "")) if found else -1


def wait_for_epoch(tab, least: int) -> int:
    end = time.monotonic() + PATIENCE
    while (now := epoch(tab)) < least:
        assert time.monotonic() < end, f"still at epoch {now}"
        tab.wait_for_timeout(200)
    return now


def server_of(context) -> str:
    """Which replica the cookie of the proxy names."""
    return next(each["value"] for each in context.cookies() if each["name"] == "GDR_SERVER")


def note_states(tab) -> None:
    """Write down how the page stands to its server, whenever that changes."""
    tab.evaluate("""() => {
      const app = document.querySelector("[data-testid=stApp]");
      const state = () => `${app.dataset.testConnectionState} ${app.dataset.testScriptState}`;
      window.states = [];
      new MutationObserver(() => states.push(state())).observe(app, { attributes: true });
    }""")


def wait_for_another_server(tab, killed: str) -> None:
    """The page has lost its server, has found another one, and has been drawn by it.

    What tabs of a browser share, the cookie, may be new when only another tab has come back.
    """
    tab.wait_for_function("""() => {
      const away = states.findIndex((state) => !state.startsWith("CONNECTED"));
      return away >= 0 && states.slice(away).includes("CONNECTED running");
    }""")
    assert server_of(tab.context) != killed
    settled(tab)


def test_when_a_replica_is_killed_visitors_and_runs_go_on_with_another(replicas, chromium, lead):
    context = chromium.new_context()
    context.set_default_timeout(1000 * PATIENCE)
    address = f"http://localhost:{replicas['port']}"
    reader, trainer = (lead(context.new_page(), address + path) for path in (VIEW, RUN))
    settled(reader)
    before, link = used(reader), reader.url
    trainer.get_by_role("button", name="Start", exact=True).click()
    wait_for_epoch(trainer, 20)
    trainer.wait_for_timeout(3000)  # until a checkpoint is there
    reached, run = epoch(trainer), trainer.url
    killed = server_of(context)
    note_states(reader)
    os.kill(replicas["processes"][killed], signal.SIGKILL)

    wait_for_another_server(reader, killed)
    assert reader.url == link
    reader.locator("[data-testid=stMain]").get_by_role("slider", name="t_min").press("ArrowRight")
    reader.wait_for_function("link => location.href !== link", arg=link)
    settled(reader)
    now = used(reader)
    assert {**now, "t_min": before["t_min"]} == before
    assert now["t_min"] != before["t_min"]

    assert wait_for_epoch(trainer, reached + 1) > reached
    assert trainer.url == run
    assert trainer.get_by_role("button", name="Pause", exact=True).count()  # still its owner
    context.close()
