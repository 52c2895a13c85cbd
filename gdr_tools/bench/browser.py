"""The app and a browser for benchmarks: both started here, timed inside the page.

    with running_app() as app, chromium() as browser:
        tab = open_tab(browser, app, "/Relabel?dataset=cora")
        print(timed(tab, lambda: tab.keyboard.press("ArrowRight")))

The server is a process of its own, so nothing here imports Streamlit. Playwright and Chromium are
needed for development only.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT: Final = Path(__file__).parents[2]
_PROBE: Final = Path(__file__).with_name("probe.js")
_BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome")
FLAGS: Final = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE: Final = 120_000  # ms for one page
NOTHING: Final[Mapping[str, str]] = {}
_QUIET: Final = 350  # ms without a change: the page has come to rest


@dataclass(frozen=True)
class App:
    """A running server: where it answers, its process, when it was started and first answered."""

    address: str
    process: subprocess.Popen[bytes]
    started: float
    answered: float

    def memory(self) -> int:
        """Resident bytes of the server."""
        status = Path(f"/proc/{self.process.pid}/status")
        if not status.exists():
            raise OSError("the memory of a process can be read on Linux only")
        found = re.search(r"VmRSS:\s+(\d+) kB", status.read_text(encoding="ascii"))
        return int(found[1]) * 1024 if found else 0

    def processor_seconds(self) -> float:
        """Seconds of processor time that the server has used."""
        stat = Path(f"/proc/{self.process.pid}/stat")
        if not stat.exists():
            return float("nan")
        fields = stat.read_text(encoding="ascii").rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def running_app(root: Path = ROOT, environment: Mapping[str, str] = NOTHING) -> Iterator[App]:
    """The app on a free port, with empty caches; it ends with the block.

    environment holds variables for the server, in addition to those of this process.
    """
    if not (root / "app.py").is_file():
        raise FileNotFoundError(f"there is no app.py in {root}: run this from a full checkout")
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", f"--server.port={port}"]
    command += ["--server.headless=true", "--server.fileWatcherType=none"]
    with tempfile.TemporaryFile() as log:
        started = time.perf_counter()
        process = subprocess.Popen(
            command,
            cwd=root,
            stdout=log,
            stderr=subprocess.STDOUT,
            env={**os.environ, **environment},
        )
        address = f"http://localhost:{port}"
        try:
            _wait_until_it_answers(address, process, log)
            yield App(address, process, started, time.perf_counter())
        finally:
            process.terminate()
            process.wait(10)


def _wait_until_it_answers(address: str, process: subprocess.Popen[bytes], log: IO[bytes]) -> None:
    end = time.perf_counter() + PATIENCE / 1000
    while time.perf_counter() < end:
        if process.poll() is not None:
            log.seek(0)
            raise OSError(f"the app ended at once: {log.read().decode(errors='replace')[-300:]}")
        try:
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise TimeoutError("the app did not answer within two minutes")


def browser_path() -> str | None:
    """The program of the first browser that is installed."""
    return next((found for name in _BROWSERS if (found := shutil.which(name))), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    """The system's Chromium, driven by Playwright; says what is missing where one is."""
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError as error:
        raise OSError(
            "this benchmark drives a browser: pip install -r requirements-dev.txt"
        ) from error
    if (path := browser_path()) is None:
        raise FileNotFoundError(
            f"no browser found, looked for {', '.join(_BROWSERS)}: apt-get install chromium"
        )
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


def open_tab(
    browser: Browser,
    app: App,
    path: str,
    *,
    theme: Literal["light", "dark"] = "light",
    width: int = 1280,
    height: int = 800,
) -> Page:
    """A new visitor at a path; the probe is in the page before its first script."""
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme)
    context.set_default_timeout(PATIENCE)
    context.add_init_script(path=_PROBE)
    tab = context.new_page()
    tab.goto(app.address + path, wait_until="commit")
    return tab


def rest(tab: Page) -> None:
    """Return when the script has ended and nothing on the page has changed for a while."""
    tab.wait_for_function(f"() => window.gdrProbe?.quiet({_QUIET})", polling=100)


def arrive(tab: Page) -> float:
    """Wait until a page that was opened has drawn its graph and comes to rest.

    Before its script begins a page is at rest, too. Returns the milliseconds until the graph and
    the first numbers could be seen.
    """
    tab.wait_for_function("() => window.gdrProbe?.reached > 0", polling=50)
    first = float(tab.evaluate("() => gdrProbe.reached"))
    rest(tab)
    return first


@dataclass(frozen=True)
class Reaction:
    """Milliseconds from what the visitor did.

    reached   until what was waited for was on the screen; None if nothing was
    settled   until the last change that it brought about
    """

    reached: float | None
    settled: float


def timed(tab: Page, act: Callable[[], object], awaited: str | None = None) -> Reaction:
    """Time a key or a mouse button and what follows from it, by the clock of the page.

    awaited names one of the probe's readings that is to change, `card` or `title`.
    """
    rest(tab)
    tab.evaluate("() => gdrProbe.reset()")
    if awaited:
        tab.evaluate("read => gdrProbe.awaitChange(read)", awaited)
    act()
    tab.wait_for_function("() => gdrProbe.acted > 0 && gdrProbe.changes > 0", polling=50)
    if awaited:
        tab.wait_for_function("() => gdrProbe.reached > 0", polling=50)
    rest(tab)
    acted, reached, changed = tab.evaluate(
        "() => [gdrProbe.acted, gdrProbe.reached, gdrProbe.changed]"
    )
    return Reaction(reached - acted if awaited else None, changed - acted)


def answered(tab: Page, act: Callable[[], object], awaited: str) -> float:
    """Milliseconds from a click until one of the probe's readings (`epoch`, `verdict`) changes, on
    a page that does not come to rest."""
    tab.evaluate("read => { gdrProbe.reset(); gdrProbe.awaitChange(read); }", awaited)
    act()
    tab.wait_for_function("() => gdrProbe.acted > 0 && gdrProbe.reached > 0", polling=50)
    return float(tab.evaluate("() => gdrProbe.reached - gdrProbe.acted"))


def frame_rate(tab: Page, act: Callable[[], object]) -> float:
    """Frames a second that the page shows while something is done to it."""
    tab.evaluate("() => gdrProbe.countFrames()")
    act()
    frames = tab.evaluate("() => gdrProbe.stopFrames()")
    return 1000 * (len(frames) - 1) / (frames[-1] - frames[0])


def busy_meter(tab: Page) -> Callable[[], float]:
    """A clock of the seconds that the page's main thread has been busy."""
    session = tab.context.new_cdp_session(tab)
    session.send("Performance.enable")

    def read() -> float:
        found = session.send("Performance.getMetrics")["metrics"]
        return float(next(entry["value"] for entry in found if entry["name"] == "ProcessTime"))

    return read
