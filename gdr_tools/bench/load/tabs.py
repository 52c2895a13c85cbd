"""A few real browsers among the visitors: what is measured by protocol holds on a screen, too."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from gdr_tools.bench.browser import App, arrive, chromium, open_tab, timed

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from gdr_tools.bench.load.moves import Log

BETWEEN: Final = 1000  # ms


def browse(address: str, log: Log, end: float, tabs: int) -> None:
    """Open some tabs at the Relabel page and move t_min in them by turns."""
    with chromium() as browser:
        app = App(address, None, 0.0, 0.0)  # type: ignore[arg-type]
        opened = [open_tab(browser, app, "/Relabel?dataset=cora") for _ in range(tabs)]
        for tab in opened:
            log.seconds["first page in a browser"].append(arrive(tab) / 1000)
            _slider(tab).focus()
        while time.perf_counter() < end:
            for tab in opened:
                tab.bring_to_front()
                lap = timed(tab, lambda tab=tab: tab.keyboard.press("ArrowLeft"))  # type: ignore[misc]
                log.seconds["t_min in a browser"].append(lap.settled / 1000)
                tab.wait_for_timeout(BETWEEN)


def _slider(tab: Page):  # type: ignore[no-untyped-def]
    return tab.locator("[data-testid=stMain]").get_by_role("slider", name="t_min")
