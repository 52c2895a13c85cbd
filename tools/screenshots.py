"""Takes the README's pictures from the running app: `python tools/screenshots.py`."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import Browser, ViewportSize, sync_playwright

ROOT = Path(__file__).parents[1]
PICTURES = {
    "dataset": "/Dataset?dataset=cora&node=31336",
    "home": "/",
    "prior": "/Prior?dataset=cora",
    "overshoot": "/Overshoot?dataset=cora",
    "relabel": "/Relabel?dataset=cora",
    "compare": "/Compare?dataset=cora",
}
SIZE: ViewportSize = {"width": 1280, "height": 800}
SETTLE = 4000  # ms until the edges are drawn and the charts have stopped moving


def main() -> None:
    """Start the app, open each page, save it as docs/images/NAME.png."""
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        address = f"localhost:{probe.getsockname()[1]}"
    port = address.split(":")[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", "app.py", f"--server.port={port}"],
        cwd=ROOT,
        env={**os.environ, "STREAMLIT_SERVER_HEADLESS": "true"},
    )
    try:
        wait_for(f"http://{address}/_stcore/health")
        with sync_playwright() as driver:
            browser = driver.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
            )
            for name, path in PICTURES.items():
                take(browser, f"http://{address}{path}", ROOT / "docs" / "images" / f"{name}.png")
    finally:
        server.terminate()
        server.wait(10)


def wait_for(url: str, seconds: float = 30) -> None:
    """Return as soon as the server answers."""
    end = time.monotonic() + seconds
    while True:
        try:
            urllib.request.urlopen(url, timeout=1).close()
            return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


def take(browser: Browser, url: str, target: Path) -> None:
    """One picture of what a visitor sees first."""
    tab = browser.new_page(viewport=SIZE)
    tab.goto(url)
    tab.wait_for_selector(".stage[data-ready]", timeout=60_000)
    tab.wait_for_timeout(SETTLE)
    target.parent.mkdir(parents=True, exist_ok=True)
    tab.screenshot(path=target)
    tab.close()
    print(target.relative_to(ROOT))


if __name__ == "__main__":
    main()
