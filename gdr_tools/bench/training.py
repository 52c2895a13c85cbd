"""Benchmark of live training: how fast a watched run is, and how quick other visitors' pages stay.

Two visitors train and watch, a third moves t_min on the Relabel page, a fourth waits in the queue.
All four tabs and both workers share this machine with the server, which makes it a hard case.
Rates are compared with the same training on the command line in the same run.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from gdr_core.progress import Progress, ignore
from gdr_tools.bench.browser import ROOT, App, chromium, open_tab, rest, running_app, timed
from gdr_tools.jobs import cores

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LONG: Final = 90_000  # epochs: no run ends while it is measured
ARRIVAL: Final = 3000  # ms until a tab has loaded everything and only looks
_WATCHED_FOR: Final = 8.0  # seconds
REPEATS: Final = 9
_LATENCY_TARGET: Final = 400.0  # ms
_RATE_TARGETS: Final = {"gcn": 25.0, "diff-gcn": 12.0}  # epochs a second …
_SHARE_TARGET: Final = 0.7  # … or this share of the command line's rate
_EPOCH: Final = re.compile(r"epoch ([\d,]+) of")
_PLACE: Final = re.compile(r"place (\d+) in the queue")


def run(quick: bool = False, progress: Progress = ignore) -> dict[str, Any]:
    """All measurements as plain numbers; `quick` times fewer key presses."""
    result: dict[str, Any] = {"cores": cores(), "processors": os.cpu_count(), "rates": {}}
    repeats = 5 if quick else REPEATS
    with chromium() as browser:
        result["browser"] = browser.version
        with running_app() as app:
            for i, model in enumerate(_RATE_TARGETS):
                progress(i / 4, f"{model}: epochs a second on the command line and watched")
                result["rates"][model] = {
                    "command_line": _command_line_rate(model),
                    "watched": _watched_rate(browser, app, model),
                }
        with running_app() as app:
            progress(2 / 4, "t_min while nobody trains, then while two do")
            result.update(crowd(browser, app, repeats))
    progress(1.0, "done")
    return result


def _command_line_rate(model: str) -> float:
    """Epochs a second of `python -m gdr_core train cora`."""
    command = [sys.executable, "-m", "gdr_core", "train", "cora", "--model", model, "--json"]
    done = subprocess.run(
        [*command, "--epochs", "400"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return 1 / json.loads(done.stdout)["runs"][0]["seconds_per_epoch"]


def _watched_rate(browser: Browser, app: App, model: str) -> float:
    """Epochs a second by the page's own count, while it is watched."""
    tab = _start_run(browser, app, model)
    wait_for_epoch(tab, 20)
    first, start = epoch(tab), perf_counter()
    tab.wait_for_timeout(1000 * _WATCHED_FOR)
    rate = (epoch(tab) - first) / (perf_counter() - start)
    tab.get_by_role("button", name="Remove", exact=True).click()
    tab.get_by_text("Press Start").wait_for()
    tab.context.close()
    return rate


def crowd(browser: Browser, app: App, repeats: int) -> dict[str, Any]:
    """The third visitor's t_min with and without two trainers, and the fourth's place."""
    third = open_tab(browser, app, "/Relabel?dataset=cora")
    rest(third)
    idle = _t_min_latency(third, repeats)
    trainers = [_start_run(browser, app, "diff-gcn") for _ in range(max(2, cores()))]
    for tab in trainers:
        wait_for_epoch(tab, 5)
    fourth = _start_run(browser, app, "gcn")
    place = _PLACE.search(status(fourth, "in the queue"))
    fourth.wait_for_timeout(ARRIVAL)
    before = [epoch(tab) for tab in trainers]
    busy = _t_min_latency(third, repeats)
    return {
        "t_min_idle_ms": idle,
        "t_min_ms": busy,
        "trainers": len(trainers),
        "epochs_meanwhile": [epoch(t) - e for t, e in zip(trainers, before, strict=True)],
        "fourth_place": int(place[1]) if place else None,
    }


def _t_min_latency(tab: Page, repeats: int) -> float:
    """Median milliseconds from an arrow key on the slider until all is drawn again."""
    tab.locator("[data-testid=stMain]").get_by_role("slider", name="t_min").focus()
    laps = [timed(tab, lambda: tab.keyboard.press("ArrowLeft")) for _ in range(repeats)]
    return median(lap.settled for lap in laps)


def _start_run(browser: Browser, app: App, model: str) -> Page:
    """A new visitor who has just pressed Start, and wants it as fast as it goes."""
    tab = open_tab(browser, app, f"/Train?model={model}&{model}-undirected-epochs={LONG}")
    tab.get_by_role("button", name="Start", exact=True).click()
    status(tab, "epoch")
    tab.get_by_role("combobox", name="Pace").click()
    tab.get_by_role("option", name="full speed").click()
    return tab


def status(tab: Page, words: str) -> str:
    """The line that tells how a run stands, once it has these words."""
    line = tab.locator("[data-testid=stMain] p").filter(has_text=_EPOCH).filter(has_text=words)
    return line.first.inner_text()


def epoch(tab: Page) -> int:
    """The epoch that the page shows."""
    found = _EPOCH.search(status(tab, "epoch"))
    return int(found[1].replace(",", "")) if found else 0


def wait_for_epoch(tab: Page, least: int) -> None:
    """Wait until a run is under way."""
    end = perf_counter() + 120
    while epoch(tab) < least:
        if perf_counter() > end:
            raise TimeoutError(f"no epoch {least} within two minutes: {status(tab, 'epoch')}")
        tab.wait_for_timeout(100)


def table(result: dict[str, Any]) -> str:
    """The measurements for people, each beside its target."""
    lines = [f"{'epochs a second on Cora':<30}{'command line':>14}{'watched':>10}{'target':>26}"]
    for model, rates in result["rates"].items():
        share = rates["watched"] / rates["command_line"]
        target = f"≥ {_RATE_TARGETS[model]:.0f} or {_SHARE_TARGET:.0%} (is {share:.0%})"
        lines.append(
            f"{model:<30}{rates['command_line']:>14.1f}{rates['watched']:>10.1f}{target:>26}"
        )
    place = result["fourth_place"]
    lines += [
        f"t_min of another visitor, nobody trains: {result['t_min_idle_ms']:.0f} ms",
        f"t_min of another visitor, {result['trainers']} train: {result['t_min_ms']:.0f} ms "
        f"(target < {_LATENCY_TARGET:.0f}); they did "
        f"{' and '.join(map(str, result['epochs_meanwhile']))} epochs meanwhile",
        "one more job: " + (f"place {place} in the queue" if place else "no place in the queue"),
        f"Chromium {result['browser']}, {result['cores']} workers at once",
    ]
    return "\n".join(lines)
