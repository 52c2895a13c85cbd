"""Takes the README's pictures from the running app: `python -m tools.screenshots [NAME …]`.

Names are those of `PICTURES`, and `notebook`; without any, all are taken. `--theme dark`,
`--width`, `--height` and `--into` serve to look at the pages in other ways.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, FilePayload, Page, ViewportSize

from gdr_app.your_data.examples import example_files
from gdr_core.sketches import GALLERY, encode
from gdr_tools.bench.browser import ROOT, App, chromium, open_tab, rest, running_app
from tools.notebooks import notebook, running_lab

COLOURS = 256  # of a stored picture: a third of the size, and no eye tells


@dataclass(frozen=True)
class Picture:
    """A view of the app.

    heading   the page is scrolled so far
    drops     whether the example files are dropped on the page
    """

    path: str
    heading: str | None = None
    drops: bool = False


PICTURES = {
    "home": Picture("/"),
    "home-two-inks": Picture("/", "Two inks, two classes"),
    "home-t-min": Picture("/", "Wait a little: t_min"),
    "home-cora": Picture("/", "The same on 2,708 papers"),
    "home-you": Picture("/", "Your turn"),
    "lessons": Picture("/Lessons?lesson=2-overshoot"),
    "lab": Picture(f"/Lab?graph={encode(replace(GALLERY['bridge'].sketch, time=0.96))}"),
    "dataset": Picture("/Dataset?dataset=cora&node=31336"),
    "prior": Picture("/Prior?dataset=cora"),
    "overshoot": Picture("/Overshoot?dataset=cora"),
    "relabel": Picture("/Relabel?dataset=cora"),
    "relabel-why": Picture("/Relabel?dataset=cora&node=31336"),
    "compare": Picture("/Compare?dataset=cora"),
    "compare-graphs": Picture("/Compare?dataset=cora&node=31336", "Where two methods differ"),
    "train": Picture("/Train"),
    "directed": Picture("/Directed"),
    "structure": Picture("/Structure?aspect=smoothing"),
    "reproduce": Picture("/Reproduce"),
    "your-data": Picture("/Your_data", "What is odd, and what is done about it", drops=True),
}
STILL = 2000  # ms after which a notebook has drawn everything
_NOTEBOOK = "notebook"
_NOTEBOOK_CELLS = (
    "from gdr_core import Method, load_dataset\n\n"
    'cora = load_dataset("cora")\n'
    "result = Method.on(cora).run()\n"
    "result.view(cora, node=2188, height=330)",
)


def main() -> None:
    """Start the app, open each page, save it as docs/images/NAME.png."""
    asked = options()
    names = asked.names or [*PICTURES, _NOTEBOOK]
    with chromium() as browser:
        if pages := [name for name in names if name != _NOTEBOOK]:
            with running_app() as app:
                for name in pages:
                    take(browser, app, PICTURES[name], asked.into / f"{name}.png", asked)
        if _NOTEBOOK in names:
            _take_notebook(browser, asked.into / f"{_NOTEBOOK}.png", asked)


def options() -> argparse.Namespace:
    """What is asked for on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    known = [*PICTURES, _NOTEBOOK]
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(known))
    parser.add_argument("--theme", choices=["light", "dark"], default="light")
    parser.add_argument("--width", type=int, default=1280)
    parser.add_argument("--height", type=int, default=800)
    parser.add_argument("--into", type=Path, default=ROOT / "docs" / "images")
    asked = parser.parse_args()
    if unknown := [name for name in asked.names if name not in known]:
        parser.error(f"no picture {', '.join(unknown)}; choose from {', '.join(known)}")
    return asked


def take(
    browser: Browser, app: App, picture: Picture, target: Path, asked: argparse.Namespace
) -> None:
    """One picture of what a visitor sees, as soon as nothing moves any more."""
    theme: Literal["light", "dark"] = asked.theme
    tab = open_tab(browser, app, picture.path, theme=theme, width=asked.width, height=asked.height)
    tab.wait_for_selector("[data-testid=stMain] h1")
    rest(tab)
    tab.wait_for_selector("[data-testid=stSkeleton]", state="detached")
    if picture.drops:
        _drop_examples(tab)
    if picture.heading:
        tab.get_by_role("heading", name=picture.heading).evaluate("h => h.scrollIntoView()")
    rest(tab)
    store(tab.screenshot(), target)
    tab.context.close()


def _take_notebook(browser: Browser, target: Path, asked: argparse.Namespace) -> None:
    """The view of a result in JupyterLab, with the curves of a node."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "cora.ipynb").write_text(notebook(*_NOTEBOOK_CELLS), encoding="utf-8")
        with running_lab(Path(folder)) as address:
            size: ViewportSize = {"width": asked.width, "height": asked.height + 240}
            context = browser.new_context(viewport=size, color_scheme=asked.theme)
            tab = context.new_page()
            tab.goto(f"{address}/doc/tree/cora.ipynb")
            tab.locator(".jp-Notebook .jp-CodeCell").first.click()
            tab.keyboard.press("Shift+Enter")
            tab.locator(".curves-of-node .stage[data-ready]").wait_for(timeout=120_000)
            tab.wait_for_timeout(STILL)
            store(tab.screenshot(), target)
            context.close()


def _drop_examples(tab: Page) -> None:
    """Drop the example files on the page Your data, and wait until they are read."""
    files: list[FilePayload] = [
        {"name": name, "mimeType": "text/csv", "buffer": content.encode()}
        for name, content in example_files().items()
    ]
    tab.locator("input[type=file]").first.set_input_files(files)
    tab.get_by_role("button", name="Open this dataset").wait_for(timeout=120_000)


def store(shot: bytes, target: Path) -> None:
    """Save a picture with few colours."""
    target.parent.mkdir(parents=True, exist_ok=True)
    small = Image.open(BytesIO(shot)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    small.save(target, optimize=True)
    print(f"{target}: {target.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
