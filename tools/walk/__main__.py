"""The command: see `tools.walk`."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from gdr_tools.bench.browser import FLAGS, ROOT, browser_path, running_app
from tools.walk import __doc__ as about
from tools.walk.walks import STORIES, replay, shrink, walk

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def options() -> argparse.Namespace:
    """What is asked for on the command line."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--url", help="a server that runs already")
    parser.add_argument("--root", type=Path, default=ROOT, help="the checkout to start one from")
    parser.add_argument("--shrink", type=int, default=20, help="replays that shorten a failure")
    parser.add_argument("--stories", action="store_true", help="only the fixed few steps")
    parser.add_argument("--keep-going", action="store_true", help="count all disagreements")
    parser.add_argument("--pictures", type=Path, help="with --keep-going: pages that disagree")
    return parser.parse_args()


@contextmanager
def somewhere(asked: argparse.Namespace) -> Iterator[str]:
    """The address of the app."""
    if asked.url:
        yield asked.url.rstrip("/")
        return
    with running_app(asked.root) as app:
        yield app.address


def count(browser: Browser, address: str, asked: argparse.Namespace) -> int:
    """All disagreements on the way, by what differed; a new walk begins after each."""
    kinds: Counter[str] = Counter()
    done, seed = 0, asked.seed
    while done < asked.steps:
        picture = asked.pictures / f"{seed}.png" if asked.pictures else None
        taken, trouble = walk(browser, address, asked.steps - done, seed, say=_say, picture=picture)
        done, seed = done + max(1, taken), seed + 1000
        if trouble is not None:
            last = " ".join(trouble.steps[-1]) if trouble.steps else "open"
            kinds[f"{trouble.found[0]}  (after {last})"] += 1
            print(f"{done}: {last}: {'; '.join(trouble.found)}", flush=True)
            print(f"    {json.dumps(trouble.steps[-6:])}", flush=True)
    print(f"{done} steps, {kinds.total()} disagreements")
    return 1 if kinds else 0


def _tell_stories(browser: Browser, address: str) -> int:
    """What was once wrong, step by step."""
    bad = 0
    for name, steps in STORIES.items():
        trouble = replay(browser, address, steps)
        bad += trouble is not None
        last = " ".join(trouble.steps[-1]) if trouble and trouble.steps else ""
        said = f"after {last}: {'; '.join(trouble.found)}" if trouble else "no disagreement"
        print(f"{name}: {said}", flush=True)
    return 1 if bad else 0


def _say(text: str) -> None:
    print(text, flush=True)


def main() -> int:
    """Walk and report."""
    from playwright.sync_api import sync_playwright

    asked = options()
    with somewhere(asked) as address, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=browser_path(), args=list(FLAGS))
        if asked.stories:
            return _tell_stories(browser, address)
        if asked.keep_going:
            return count(browser, address, asked)
        done, trouble = walk(browser, address, asked.steps, asked.seed, say=_say)
        if trouble is None:
            print(f"{done} steps, seed {asked.seed}: no disagreement")
            return 0
        print(f"after {done} steps: {'; '.join(trouble.found)}")
        shorter = shrink(browser, address, trouble, asked.shrink)
        print(json.dumps(shorter.steps), "\n".join(shorter.found), sep="\n")
        return 1


if __name__ == "__main__":
    sys.exit(main())
