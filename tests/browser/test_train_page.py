"""Live training in a real browser: a whole journey, a killed worker, a stopped server."""

from __future__ import annotations

import csv
import os
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from gdr_tools.bench.browser import App, running_app
from tests.browser.conftest import PATIENCE
from tests.browser.tabs import assert_accessible, assert_healthy

STATUS = re.compile(r"epoch ([\d,]+) of")
PROCESS = re.compile(r"process (\d+)")
TIME = re.compile(r"t·r̄ = ([\d.]+)")
WORKER = b"gdr_tools.jobs.worker"
LONG = "/Train?diff-gcn-undirected-epochs=90000"


@pytest.fixture(scope="module")
def app() -> Iterator[App]:
    """A server of our own: its process is the parent of the workers."""
    with running_app() as running:
        yield running


@pytest.fixture
def visit(chromium, app, lead) -> Iterator:
    """visit(path) is a new visitor's tab."""
    contexts = []

    def open_path(path: str, width: int = 1280, address: str = app.address):
        context = chromium.new_context(
            viewport={"width": width, "height": 1000}, accept_downloads=True
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        return lead(context.new_page(), address + path)

    yield open_path
    for context in contexts:
        context.close()


def status(tab) -> str:
    return tab.locator("[data-testid=stMain] p").filter(has_text=STATUS).first.inner_text()


def epoch(tab) -> int:
    return int(STATUS.search(status(tab)).group(1).replace(",", ""))


def wait_for_epoch(tab, least: int) -> int:
    end = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < end:
        if (now := epoch(tab)) >= least:
            return now
        tab.wait_for_timeout(50)
    raise AssertionError(f"still at epoch {now}: {status(tab)}")


def wait_for_state(tab, word: str) -> None:
    tab.locator("[data-testid=stMain] strong").filter(has_text=f": {word}").first.wait_for()


def press(tab, name: str) -> None:
    tab.get_by_role("button", name=name, exact=True).click()


def settled_epoch(tab) -> int:
    """The epoch, once it has not moved for longer than the page looks away from a paused run."""
    before, now = -1, epoch(tab)
    while before != now:
        before = now
        tab.wait_for_timeout(4500)
        now = epoch(tab)
    return now


def run_in(tab) -> str:
    return re.search(r"run=(\w+)", tab.url).group(1)


def workers(server: int) -> list[int]:
    """Processes that this server has started to train."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if WORKER in command and int(fields[1]) == server and fields[0] != "Z":
            found.append(int(folder.name))
    return found


def alive(pids: list[int]) -> list[int]:
    def lives(pid: int) -> bool:
        try:
            return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
        except OSError:
            return False

    return [pid for pid in pids if lives(pid)]


def test_a_run_from_start_to_prior(visit):
    tab = visit(LONG)
    press(tab, "Start")
    first = wait_for_epoch(tab, 3)
    time_before = float(TIME.search(status(tab)).group(1))
    wait_for_epoch(tab, first + 20)
    assert float(TIME.search(status(tab)).group(1)) != time_before

    press(tab, "Pause")
    wait_for_state(tab, "Paused")
    resting = settled_epoch(tab)
    press(tab, "Step")
    assert wait_for_epoch(tab, resting + 1) == resting + 1
    assert settled_epoch(tab) == resting + 1
    press(tab, "Resume")
    wait_for_epoch(tab, resting + 10)

    run = run_in(tab)
    tab.locator("[data-testid=stSidebar]").get_by_role("link", name="Dataset").click()
    tab.get_by_role("heading", name="Table of all nodes").wait_for()
    tab.locator("[data-testid=stSidebar]").get_by_role("link", name="Train").click()
    wait_for_state(tab, "Training")
    tab.wait_for_url("**run=**")  # the address follows the page
    assert run_in(tab) == run
    back = epoch(tab)
    tab.reload()
    wait_for_state(tab, "Training")
    wait_for_epoch(tab, back + 1)
    tab.get_by_role("button", name="Stop", exact=True).wait_for()  # still the owner

    link = tab.url.removeprefix(tab.url.split("/Train")[0])
    guest = visit(link)
    seen = wait_for_epoch(guest, 1)
    wait_for_epoch(guest, seen + 5)
    guest.get_by_text("somebody else's run").wait_for()
    assert guest.get_by_role("button", name="Stop", exact=True).count() == 0
    same_browser = tab.context.new_page()
    same_browser.goto(tab.url)
    same_browser.get_by_role("button", name="Stop", exact=True).wait_for()
    same_browser.close()

    press(tab, "Stop")
    wait_for_state(tab, "Stopped")
    wait_for_state(guest, "Stopped")
    press(tab, "Use as prior")
    tab.get_by_text("is now the prior of every page").wait_for()
    assert_healthy(tab)
    tab.get_by_role("link", name="GDR on top of it").click()
    tab.get_by_role("heading", name="Which nodes change their label").wait_for()
    sidebar = tab.locator("[data-testid=stSidebar]")
    sidebar.get_by_text("relabelled").wait_for()
    assert f"run-{run}" in tab.url
    assert "Training run" in sidebar.inner_text()
    assert tab.locator("[data-testid=stException]").count() == 0
    press_sidebar(tab, "Train")
    press(tab, "Remove")
    tab.get_by_text("Press Start").wait_for()


def press_sidebar(tab, name: str) -> None:
    tab.locator("[data-testid=stSidebar]").get_by_role("link", name=name, exact=True).click()
    tab.get_by_role("heading", name="A network learns").wait_for()


def history(tab) -> list[dict[str, str]]:
    """The downloaded history, without the clock."""
    with tab.expect_download() as waiting:
        tab.get_by_role("button", name="History").click()
    with open(waiting.value.path(), encoding="utf-8") as file:
        return [
            {name: value for name, value in row.items() if name != "seconds"}
            for row in csv.DictReader(file)
        ]


def test_a_killed_worker_is_told_within_two_seconds_and_the_run_ends_the_same(visit, app):
    tab = visit("/Train?diff-gcn-undirected-epochs=250&diff-gcn-undirected-hidden=8")
    press(tab, "Start")
    wait_for_epoch(tab, 1)
    tab.get_by_role("combobox", name="Pace").click()
    tab.get_by_role("option", name="10 epochs a second").click()
    wait_for_epoch(tab, 30)
    pid = int(PROCESS.search(status(tab)).group(1))
    assert pid in workers(app.process.pid)
    os.kill(pid, signal.SIGKILL)
    killed = time.monotonic()
    tab.get_by_text("killed by SIGKILL").wait_for()
    assert time.monotonic() - killed < 2
    wait_for_state(tab, "Interrupted")
    press(tab, "Resume from checkpoint")
    wait_for_state(tab, "Training")
    tab.get_by_role("combobox", name="Pace").click()
    tab.get_by_role("option", name="full speed").click()
    wait_for_state(tab, "Finished")
    interrupted = history(tab)
    press(tab, "Restart")
    wait_for_epoch(tab, 1)
    tab.get_by_role("combobox", name="Pace").wait_for()
    wait_for_state(tab, "Finished")
    assert len(interrupted) == 250
    assert history(tab) == interrupted
    assert_healthy(tab)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL], ids=["SIGTERM", "SIGKILL"])
def test_no_process_is_left_when_the_server_stops(visit, how):
    with running_app() as app:
        tab = visit(LONG, address=app.address)
        press(tab, "Start")
        wait_for_epoch(tab, 3)
        pids = workers(app.process.pid)
        assert pids
        app.process.send_signal(how)
        end = time.monotonic() + 5
        while alive([*pids, app.process.pid]) and time.monotonic() < end:
            app.process.poll()
            time.sleep(0.05)
        assert not alive([*pids, app.process.pid])


def test_a_run_can_be_read_by_everybody(visit):
    tab = visit("/Train?dataset=karate&diff-gcn-undirected-epochs=60")
    press(tab, "Start")
    wait_for_state(tab, "Finished")
    tab.get_by_role("heading", name="Use this run").wait_for()
    tab.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
    for theme in ("light", "dark"):
        tab.emulate_media(color_scheme=theme)
        tab.wait_for_timeout(700)
        assert_accessible(tab)
    assert_healthy(tab)


def test_a_tablet_does_not_scroll_sideways_and_a_lost_link_says_so(visit):
    tab = visit("/Train?dataset=karate&run=nonsense", width=820)
    tab.get_by_text("There is no run “nonsense”").wait_for()
    press(tab, "Start")
    wait_for_state(tab, "Finished")
    assert_healthy(tab)


def test_another_model_shows_other_charts_and_reveal_shows_test(visit):
    tab = visit("/Train?dataset=karate&model=gcn&gcn-undirected-epochs=40")
    press(tab, "Start")
    wait_for_state(tab, "Finished")
    charts = tab.locator("[role=img][aria-label*='over epochs']")
    assert charts.count() == 2
    assert tab.get_by_role("columnheader", name="Test").count() == 0
    tab.get_by_text("Reveal test").click()
    tab.get_by_role("columnheader", name="Test").wait_for()


def test_no_chart_stands_alone_on_its_row(visit):
    """Four charts: in one row, two and two, or one below the other."""
    tab = visit("/Train", width=1440)
    tab.locator(".panels > :nth-child(4)").wait_for()
    seen = set()
    for width in (390, 820, 1024, 1280, 1440, 1600, 1760, 1920, 2240, 2560):
        tab.set_viewport_size({"width": width, "height": 1000})
        tab.wait_for_timeout(150)
        tops = tab.locator(".panels > *").evaluate_all(
            "boxes => boxes.map((box) => Math.round(box.getBoundingClientRect().top))"
        )
        rows = tuple(tops.count(top) for top in dict.fromkeys(tops))
        assert rows in ((1, 1, 1, 1), (2, 2), (4,)), f"{width} px wide: {rows} charts in a row"
        seen.add(rows)
    assert (2, 2) in seen


def test_the_example_replays_and_is_gone_through_by_hand(visit):
    tab = visit("/Train", width=1440)
    slider = tab.get_by_role("slider", name="Epoch shown")
    slider.wait_for()
    tab.get_by_text("Predictions at epoch 300").wait_for()
    charts = tab.locator("[role=img][aria-label*='over epochs']").first
    graph = tab.locator(".stage canvas").last
    assert graph.bounding_box()["x"] > charts.bounding_box()["x"] + charts.bounding_box()["width"]
    network = tab.locator("svg[aria-label^='Network:']")
    end = network.get_attribute("aria-label")
    slider.focus()
    tab.keyboard.press("Home")
    tab.get_by_text(re.compile(r"Predictions at epoch 1\b")).wait_for()
    expect(network).not_to_have_attribute("aria-label", end)
    press(tab, "Replay")
    tab.get_by_text(re.compile(r"Predictions at epoch \d\d")).wait_for()
    press(tab, "Pause replay")
    tab.get_by_role("button", name="Replay", exact=True).wait_for()
    assert_healthy(tab)
