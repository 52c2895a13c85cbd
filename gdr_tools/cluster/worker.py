"""What runs on a worker of the cluster."""

from __future__ import annotations

import json
import platform
import time
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from gdr_core import __version__
from gdr_core.progress import Cancelled, Progress
from gdr_tools.cluster.parts import Parts
from gdr_tools.jobs.worker import find

EVERY = 0.5  # seconds between two reports; with each the worker asks whether to go on
_PACKAGES = ("numpy", "scipy", "scikit-learn", "torch", "distributed")


def versions() -> dict[str, str]:
    """What results depend on: this library, Python, and the packages beneath.

    >>> from gdr_tools.cluster.worker import versions
    >>> sorted(versions())[:2]
    ['distributed', 'gdr_core']
    """
    return {
        "gdr_core": __version__,
        "python": platform.python_version(),
        **{name: _version(name) for name in _PACKAGES},
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "none"


def do(kind: str, arguments: dict[str, Any], folder: str, key: str, topic: str) -> dict[str, Any]:
    """One task: its result, as JSON would give it back.

    kind, arguments   see `gdr_tools.jobs.kinds`
    folder, key       where its result is kept; what is there already is not computed again
    topic             under which it reports, and learns that nobody wants it any more
    """
    parts = Parts(Path(folder))
    found = parts.read(key)
    if found is not None:
        return found
    result = json.loads(json.dumps(find(kind)(arguments, _reporter(topic, key))))
    with suppress(OSError):  # the client gets it all the same, and says what its own disk lacks
        parts.write(key, result)
    return result


def _reporter(topic: str, key: str) -> Progress:
    """Report to the client now and then, and stop when it has said so."""
    from distributed import Event, get_worker

    worker, stop, due = get_worker(), Event(topic), 0.0

    def report(share: float, text: str) -> None:
        nonlocal due
        if (now := time.monotonic()) < due:
            return
        due = now + EVERY
        worker.log_event(topic, {"key": key, "share": share, "text": text})
        if stop.is_set():
            raise Cancelled("nobody waits for this any more")

    return report
