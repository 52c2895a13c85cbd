"""One tab of the browser."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tools.walk.model import Model

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

Step = tuple[str, ...]


@dataclass
class Tab:
    """A tab of the browser and what should hold in it."""

    page: Page
    model: Model


def press(control: Locator, key: str, times: str) -> None:
    """A key on a control, so many times."""
    control.focus()
    for _ in range(int(times)):
        control.press(key)
