"""Benchmark of the app in a real browser: how long a visitor waits, how much the server holds.

Every time is taken inside the page, from the event of the key or the mouse to the paint of what it
brought about; see `browser` and `probe.js`. Medians of several repeats.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from gdr_core.priors import PRIORS
from gdr_core.progress import Progress, ignore
from gdr_tools.bench.browser import (
    App,
    answered,
    arrive,
    busy_meter,
    chromium,
    frame_rate,
    open_tab,
    rest,
    running_app,
    timed,
)
from gdr_tools.bench.cold import OPENINGS, cold_paints, lines

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

DATASETS: Final = ("cora", "pubmed")
_MEMORY_DATASETS: Final = ("cora", "citeseer", "pubmed")
PAGES: Final = ("Dataset", "Prior", "Overshoot", "Relabel", "Compare")
ROUNDS: Final = 2
REPEATS: Final = 9
_DRAG_STEPS: Final = 90
STARTS: Final = 3  # of a run, and of a cell
_READING: Final = 6000  # ms that a visitor looks at a page before pressing a button
_BETWEEN_STEPS: Final = 700  # ms
# What is aimed at: milliseconds at most, frames a second at least, bytes at most.
TARGETS: Final[dict[str, dict[str, float]]] = {
    "page_switch_ms": {"cora": 500, "pubmed": 1000},
    "t_min_ms": {"cora": 300, "pubmed": 500},
    "drag_frames_per_second": {"cora": 50, "pubmed": 50},
    "relabel_frames_per_second": {"cora": 55, "pubmed": 30},
    "click_to_card_ms": {"cora": 400, "pubmed": 400},
    "first_epoch_ms": {"cora": 1000, "pubmed": 1000},
    "paused_step_ms": {"cora": 300, "pubmed": 300},
    "cell_again_ms": {"cora": 2000, "pubmed": 2000},
}
_MEMORY_TARGET: Final = 2_000_000_000
# Where nodes are drawn opaque: the only way to aim at one of them.
PLACES: Final = """stage => {
  const shot = stage.querySelector('.nodes');
  const {width, height} = shot;
  const alpha = shot.getContext('2d').getImageData(0, 0, width, height).data;
  const box = stage.getBoundingClientRect();
  const scale = stage.clientWidth / width;
  const found = [];
  for (let y = 0; y < height; y += 2) for (let x = 0; x < width; x += 2)
    if (alpha[4 * (y * width + x) + 3] === 255)
      found.push([box.left + x * scale, box.top + y * scale]);
  return found;
}"""


def run(quick: bool = False, progress: Progress = ignore) -> dict[str, Any]:
    """All measurements as plain numbers; `quick` takes Cora only and leaves memory out."""
    names = DATASETS[:1] if quick else DATASETS
    steps = len(names) + (0 if quick else 1)
    result: dict[str, Any] = {"processors": os.cpu_count(), "datasets": {}, "memory": None}
    progress(0.0, "cold start: a new server and a new browser for each opening")
    result["cold"] = cold_paints(names[0], 1 if quick else OPENINGS)
    with chromium() as browser:
        result["browser"] = browser.version
        for i, name in enumerate(names):
            progress(i / steps, f"{name}: first paint, page switches, t_min, dragging, clicks")
            with running_app() as app:
                result["datasets"][name] = _latencies(browser, app, name)
        if not quick:
            progress(len(names) / steps, "memory: all pages, datasets and cheap priors, in rounds")
            with running_app() as app:
                result["memory"] = memory(browser, app)
    progress(1.0, "done")
    return result


def _latencies(browser: Browser, app: App, name: str) -> dict[str, Any]:
    """What a visitor of one dataset waits for; the app has just been started."""
    answers = app.answered - app.started
    tab = open_tab(browser, app, f"/Relabel?dataset={name}")
    first = arrive(tab)
    found = {
        "cold_server_ms": 1000 * answers,
        "cold_first_paint_ms": first,
        **_page_switches(tab),
        **_t_min_steps(tab, app),
        **_node_clicks(tab),
        **_recolouring(tab),
        **dragging(tab),
    }
    tab.context.close()
    return found | _heavy_work(browser, app, name)


def _heavy_work(browser: Browser, app: App, name: str) -> dict[str, float]:
    """What the worker processes answer: a first epoch, a step while paused, a cell run again.

    The visitor reads each page for a while, as visitors do; meanwhile a worker gets ready.
    """
    tab = open_tab(browser, app, f"/Train?dataset={name}&model=gcn&gcn-undirected-epochs=90000")
    found = {
        "first_epoch_ms": median(_first_epoch(tab) for _ in range(STARTS)),
        "paused_step_ms": median(_paused_steps(tab)),
    }
    tab.context.close()
    cells = [_cell_again(browser, app, name) for _ in range(STARTS)]
    return found | {"cell_again_ms": median(cells)}


def _first_epoch(tab: Page) -> float:
    """From Start until the page shows an epoch; a run before is removed."""
    button = partial(tab.get_by_role, "button", exact=True)
    button(name="Start").wait_for()
    if button(name="Remove").count():
        button(name="Remove").click()
        tab.get_by_text("Press Start").wait_for()
    tab.wait_for_timeout(_READING)
    return answered(tab, button(name="Start").click, "epoch")


def _paused_steps(tab: Page) -> list[float]:
    """From Step until the page shows the next epoch, some times over."""
    button = partial(tab.get_by_role, "button", exact=True)
    button(name="Pause").click()
    button(name="Resume").wait_for()
    tab.wait_for_timeout(_READING)
    steps = []
    for _ in range(REPEATS):
        steps.append(answered(tab, button(name="Step").click, "epoch"))
        tab.wait_for_timeout(_BETWEEN_STEPS)
    return steps


def _cell_again(browser: Browser, app: App, name: str) -> float:
    """From the button until the number of the cell is there, for a new visitor."""
    tab = open_tab(browser, app, f"/Reproduce?cell=table 2 GDR: projection, {name}")
    again = tab.get_by_role("button", name="Run this cell again", exact=True)
    again.wait_for()
    tab.wait_for_timeout(_READING)
    took = answered(tab, again.click, "verdict")
    tab.context.close()
    return took


def _page_switches(tab: Page) -> dict[str, Any]:
    """From page to page when all have been visited; ends on Relabel."""
    sidebar = tab.locator("[data-testid=stSidebar]")

    def go(page: str) -> Callable[[], None]:
        return sidebar.get_by_role("link", name=page, exact=True).click

    tour = [*PAGES[-1:], *PAGES[:-1]]
    for page in tour:
        timed(tab, go(page), "title")
    laps = {page: [timed(tab, go(page), "title")] for page in tour}
    for page in tour:
        laps[page].append(timed(tab, go(page), "title"))
    settled = {page: median(lap.settled for lap in each) for page, each in laps.items()}
    titles = [lap.reached for each in laps.values() for lap in each if lap.reached is not None]
    return {
        "page_switch_ms": median(settled.values()),
        "page_switch_title_ms": median(titles),
        "page_switch_slowest": dict([max(settled.items(), key=lambda entry: entry[1])]),
    }


def _t_min_steps(tab: Page, app: App) -> dict[str, float]:
    """A press of an arrow key on the bar of t_min, until everything has been drawn again."""
    slider = tab.locator("[data-testid=stMain]").get_by_role("slider", name="t_min")
    slider.focus()
    busy = busy_meter(tab)
    server, page = app.processor_seconds(), busy()
    laps = [timed(tab, lambda: tab.keyboard.press("ArrowLeft")).settled for _ in range(REPEATS)]
    return {
        "t_min_ms": median(laps),
        "t_min_server_cpu_ms": 1000 * (app.processor_seconds() - server) / REPEATS,
        "t_min_browser_cpu_ms": 1000 * (busy() - page) / REPEATS,
    }


def _node_clicks(tab: Page) -> dict[str, float]:
    """A click on a node of the whole graph, until its card is there."""
    stage = tab.locator(".stage[data-ready]").first
    stage.scroll_into_view_if_needed()
    rest(tab)
    places = visible_places(stage)
    laps = []
    for k in range(REPEATS):
        x, y = places[(k + 1) * len(places) // (REPEATS + 1)]
        laps.append(timed(tab, lambda x=x, y=y: tab.mouse.click(x, y), "card"))  # type: ignore[misc]
    reached = [lap.reached for lap in laps if lap.reached is not None]
    return {
        "click_to_card_ms": median(reached),
        "click_settled_ms": median(lap.settled for lap in laps),
    }


def visible_places(stage: Locator) -> list[tuple[float, float]]:
    """Points of the window at which a node is drawn."""
    height = stage.page.viewport_size["height"] if stage.page.viewport_size else 0
    return [(x, y) for x, y in stage.evaluate(PLACES) if 10 < y < height - 10]


def _recolouring(tab: Page) -> dict[str, float]:
    """Frames a second while t_min is dragged on the Relabel page and its graph follows."""
    return {"relabel_frames_per_second": _dragged(tab, tab.locator(".track[role=slider]"))}


def dragging(tab: Page) -> dict[str, float]:
    """Frames a second while t_min is dragged over the curves of the Overshoot page."""
    sidebar = tab.locator("[data-testid=stSidebar]")
    timed(tab, sidebar.get_by_role("link", name="Overshoot", exact=True).click, "title")
    curves = tab.locator(".stage[role=slider][data-ready]")
    return {"drag_frames_per_second": _dragged(tab, curves)}


def _dragged(tab: Page, stage: Locator) -> float:
    """Frames a second while the hand moves along a stage without a rest."""
    stage.scroll_into_view_if_needed()
    rest(tab)
    box = stage.bounding_box()
    if box is None:
        raise OSError("what is to be dragged is not on the screen")
    y = box["y"] + box["height"] / 2

    def drag() -> None:
        for step in range(_DRAG_STEPS):
            tab.mouse.move(box["x"] + box["width"] * (0.7 - 0.5 * step / _DRAG_STEPS), y)

    tab.mouse.move(box["x"] + box["width"] * 0.7, y)
    tab.mouse.down()
    rate = frame_rate(tab, drag)
    tab.mouse.up()
    return rate


def memory(browser: Browser, app: App) -> dict[str, Any]:
    """Resident bytes of the server after each round through everything that is cheap."""
    instant = [s.name for s in PRIORS.values() if s.cost == "instant" and s.name != "external"]
    rounds = []
    for _ in range(ROUNDS):
        for name in _MEMORY_DATASETS:
            for prior in instant:
                for page in PAGES:
                    tab = open_tab(browser, app, f"/{page}?dataset={name}&prior={prior}")
                    arrive(tab)
                    tab.context.close()
        rounds.append(app.memory())
    return {"priors": instant, "datasets": list(_MEMORY_DATASETS), "round_bytes": rounds}


def table(result: dict[str, Any], earlier: dict[str, Any] | None = None) -> str:
    """The measurements for people, each beside its target and as a ratio to an earlier one."""
    names, before = list(result["datasets"]), earlier or {}
    said = [f"{'':<34}" + "".join(f"{name:>12}" for name in names) + f"{'target':>16}"]
    for key, text in ROWS.items():
        values = "".join(f"{result['datasets'][name][key]:>12.0f}" for name in names)
        said.append(f"{text:<34}{values}{_target(key, names):>16}{_ratios(key, result, before)}")
    for name in names:
        (page, slowest), *_ = result["datasets"][name]["page_switch_slowest"].items()
        said.append(f"slowest page on {name}: {page}, {slowest:.0f} ms")
    said += lines(result["cold"], before.get("cold", {}))
    if result["memory"]:
        sizes = ", then ".join(f"{size / 1e6:.0f} MB" for size in result["memory"]["round_bytes"])
        said.append(f"server memory after each round: {sizes} (target {_MEMORY_TARGET / 1e6:.0f})")
    said.append(f"Chromium {result['browser']}, {result['processors']} processors")
    return "\n".join(said)


def _ratios(key: str, result: dict[str, Any], earlier: dict[str, Any]) -> str:
    """By how much a row has changed since an earlier measurement, for the datasets of both."""
    before = earlier.get("datasets", {})
    both = [name for name in result["datasets"] if before.get(name, {}).get(key)]
    found = [f"{result['datasets'][name][key] / before[name][key]:.2f}" for name in both]
    return f"   × {', '.join(found)}" if found else ""


ROWS: Final = {
    "cold_server_ms": "server answers, ms",
    "cold_first_paint_ms": "first useful paint, ms",
    "page_switch_ms": "page switch, ms",
    "page_switch_title_ms": "  its title, ms",
    "t_min_ms": "t_min key to all repainted, ms",
    "t_min_server_cpu_ms": "  processor of the server, ms",
    "t_min_browser_cpu_ms": "  processor of the page, ms",
    "click_to_card_ms": "node click to card, ms",
    "click_settled_ms": "  to all repainted, ms",
    "drag_frames_per_second": "frames a second while dragging",
    "relabel_frames_per_second": "  with the graph of Relabel",
    "first_epoch_ms": "Start to first epoch, ms",
    "paused_step_ms": "step while paused, ms",
    "cell_again_ms": "a cheap cell run again, ms",
}


def _target(key: str, names: list[str]) -> str:
    if key not in TARGETS:
        return ""
    least = "≥" if key.endswith("frames_per_second") else "<"
    return least + " " + ", ".join(f"{TARGETS[key][name]:.0f}" for name in names)
