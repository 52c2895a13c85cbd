"""How long the first visitor of a fresh server waits for a picture, and what that time is made of.

A new server and a new browser for every opening: nothing is in any cache. The clock starts when
the browser asks for the page. Starting the server, where all that pages import is imported, comes
before and is told apart (`server_ms`). From there on, each since the one before:

    scripts   the page and Streamlit's code, until it asks for data
    data      until the first data are here
    title     until the title of the page can be seen
    picture   until its first picture and number can be seen: numbers are computed, code of the
              picture comes, and it is drawn
"""

from __future__ import annotations

from statistics import median
from typing import Any, Final

from gdr_tools.bench.browser import arrive, chromium, open_tab, running_app

PAGES: Final = ("Home", "Overshoot", "Relabel")
STEPS: Final = {"scripts": "connected", "data": "data", "title": "titled", "picture": "reached"}
OPENINGS: Final = 3
_MARKS: Final = f"() => [{', '.join(f'gdrProbe.{mark}' for mark in STEPS.values())}]"


def cold_paints(dataset: str, openings: int = OPENINGS) -> dict[str, dict[str, float]]:
    """For each page the medians of all openings, in milliseconds."""
    return {page: _medians([_opening(page, dataset) for _ in range(openings)]) for page in PAGES}


def _opening(page: str, dataset: str) -> dict[str, float]:
    path = "/" if page == "Home" else f"/{page}"
    with running_app() as app, chromium() as browser:
        before = app.processor_seconds()
        tab = open_tab(browser, app, f"{path}?dataset={dataset}")
        arrive(tab)
        marks = tab.evaluate(_MARKS)
        spent = app.processor_seconds() - before
    start = 1000 * (app.answered - app.started)
    return {**parts_of(marks), "server_ms": start, "server_cpu_ms": 1000 * spent}


def parts_of(marks: list[float]) -> dict[str, float]:
    """What the time until the picture is made of, from when each step was reached.

    >>> parts_of([500.0, 600.0, 900.0, 1500.0])
    {'paint_ms': 1500.0, 'scripts': 500.0, 'data': 100.0, 'title': 300.0, 'picture': 600.0}
    """
    since = [0.0, *marks[:-1]]
    steps = {step: now - then for step, now, then in zip(STEPS, marks, since, strict=True)}
    return {"paint_ms": marks[-1], **steps}


def _medians(openings: list[dict[str, float]]) -> dict[str, float]:
    return {name: median(each[name] for each in openings) for name in openings[0]}


def lines(found: dict[str, dict[str, float]], earlier: dict[str, Any]) -> list[str]:
    """One line a page; with its ratio to an earlier measurement where there is one."""
    said = []
    for page, parts in found.items():
        made = " + ".join(f"{step} {parts[step]:.0f}" for step in STEPS)
        before = earlier.get(page, {}).get("paint_ms")
        ratio = f", {parts['paint_ms'] / before:.2f} of {before:.0f} before" if before else ""
        said.append(
            f"cold {page}: {parts['paint_ms']:.0f} ms = {made}{ratio} (server: processor "
            f"{parts['server_cpu_ms']:.0f} ms; its start, not counted, {parts['server_ms']:.0f} ms)"
        )
    return said
