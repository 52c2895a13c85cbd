"""A sheet for each page, at three sizes, light and dark: `python -m tools.contact_sheets [PAGE …]`.

Each picture is what a visitor sees without scrolling. The sheets are in docs/images/sheets, shown
by docs/GALLERY.md; without a PAGE, all are made.
"""

from __future__ import annotations

import argparse
from io import BytesIO
from pathlib import Path
from typing import Final, Literal

from PIL import Image
from playwright.sync_api import Page

from gdr_tools.bench.browser import ROOT, App, chromium, open_tab, rest, running_app
from tools.screenshots import PICTURES, Picture

SIZES: Final = ((1440, 900), (820, 1180), (390, 844))  # a laptop, a tablet, a phone
_THEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
HIGH, GAP = 800, 12  # pixels of a picture on the sheet, and between two
_GROUND: Final = "#8A8F98"
_SETTLES: Final = 400  # ms in which a change of theme begins to be drawn
_QUALITIES: Final = range(15, 91, 5)  # of WebP
LARGEST: Final = 250_000  # bytes of a sheet
PAGES: Final = {
    "home": PICTURES["home"],
    "lab": PICTURES["lab"],
    "lessons": PICTURES["lessons"],
    "dataset": PICTURES["dataset"],
    "prior": PICTURES["prior"],
    "prior-regions": Picture("/Prior?dataset=cora&colours=region"),
    "overshoot": PICTURES["overshoot"],
    "relabel": PICTURES["relabel-why"],
    "compare": PICTURES["compare"],
    "train": PICTURES["train"],
    "directed": PICTURES["directed"],
    "structure": PICTURES["structure"],
    "reproduce": PICTURES["reproduce"],
    "your-data": Picture("/Your_data"),
}


def main() -> None:
    """Make the sheets that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="PAGE", help=", ".join(PAGES))
    parser.add_argument("--into", type=Path, default=ROOT / "docs" / "images" / "sheets")
    asked = parser.parse_args()
    if unknown := [name for name in asked.names if name not in PAGES]:
        parser.error(f"no page {', '.join(unknown)}; choose from {', '.join(PAGES)}")
    asked.into.mkdir(parents=True, exist_ok=True)
    with running_app() as app, chromium() as browser:
        tabs = [open_tab(browser, app, "/", width=wide, height=high) for wide, high in SIZES]
        for name in asked.names or PAGES:
            data = small(_sheet_of([_shots_of(tab, app, PAGES[name].path) for tab in tabs]))
            (asked.into / f"{name}.webp").write_bytes(data)
            print(f"{name}: {len(data) / 1000:.0f} kB", flush=True)


def _shots_of(tab: Page, app: App, path: str) -> list[Image.Image]:
    """A page in every theme, each as soon as nothing moves any more."""
    shots = []
    tab.goto(app.address + path, wait_until="commit")
    tab.wait_for_selector("[data-testid=stMain] h1")
    rest(tab)
    tab.wait_for_selector("[data-testid=stSkeleton]", state="detached")
    for theme in _THEMES:
        tab.emulate_media(color_scheme=theme)
        tab.wait_for_timeout(_SETTLES)
        rest(tab)
        shots.append(scaled(tab.screenshot()))
    tab.emulate_media(color_scheme=_THEMES[0])
    return shots


def _sheet_of(columns: list[list[Image.Image]]) -> Image.Image:
    """Light above dark, wide to narrow."""
    width = sum(column[0].width + GAP for column in columns) + GAP
    sheet = Image.new("RGB", (width, (HIGH + GAP) * len(_THEMES) + GAP), _GROUND)
    x = GAP
    for column in columns:
        for line, shot in enumerate(column):
            sheet.paste(shot, (x, GAP + line * (HIGH + GAP)))
        x += column[0].width + GAP
    return sheet


def scaled(shot: bytes) -> Image.Image:
    """A picture as high as all others on the sheet."""
    image = Image.open(BytesIO(shot)).convert("RGB")
    return image.resize((round(image.width * HIGH / image.height), HIGH), Image.Resampling.LANCZOS)


def small(sheet: Image.Image) -> bytes:
    """A sheet as WebP, as good as it can be within its bytes."""
    tried = {quality: _webp(sheet, quality) for quality in (_QUALITIES[0],)}
    low, high = 0, len(_QUALITIES) - 1
    while low < high:  # a few tries: each takes a second
        middle = (low + high + 1) // 2
        tried[_QUALITIES[middle]] = block = _webp(sheet, _QUALITIES[middle])
        low, high = (middle, high) if len(block) <= LARGEST else (low, middle - 1)
    return tried[_QUALITIES[low]]


def _webp(sheet: Image.Image, quality: int) -> bytes:
    block = BytesIO()
    sheet.save(block, "WEBP", quality=quality, method=4)
    return block.getvalue()


if __name__ == "__main__":
    main()
