"""Finished results on disk, one file each, written where they were computed.

A worker that dies takes along what only it held, and a client that dies forgets whom it asked. So
a worker writes each result before it hands it over, under a name that follows from what was asked
for. Who is asked for the same again finds it there: doing a task twice changes nothing. The folder
must be one that client and workers share.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any


class Parts:
    """The results of tasks in a folder, by their keys.

    >>> from tempfile import mkdtemp
    >>> from gdr_tools.cluster.parts import Parts
    >>> parts = Parts(Path(mkdtemp()) / "parts")
    >>> parts.write("a task", {"accuracy": 0.5})
    >>> parts.read("a task"), parts.read("another task")
    ({'accuracy': 0.5}, None)
    """

    def __init__(self, folder: Path):
        self.folder = Path(folder).absolute()

    def path(self, key: str, kind: str = "json") -> Path:
        """The file of a task: its result, or under another kind what else belongs to it."""
        return self.folder / f"{hashlib.sha256(key.encode()).hexdigest()[:24]}.{kind}"

    def read(self, key: str) -> dict[str, Any] | None:
        """The result of a task, or None where there is none that is whole."""
        try:
            found = json.loads(self.path(key).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        whole = isinstance(found, dict) and found.get("key") == key
        return found["result"] if whole and isinstance(found.get("result"), dict) else None

    def write(self, key: str, result: dict[str, Any]) -> None:
        """Keep a result, in one move: a reader finds all of it or nothing."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.path(key)
        fresh = path.with_suffix(f".{os.getpid()}.part")
        try:
            fresh.write_text(json.dumps({"key": key, "result": result}), encoding="utf-8")
            fresh.replace(path)
        except OSError:
            with suppress(OSError):
                fresh.unlink(missing_ok=True)
            raise

    def drop(self, key: str) -> None:
        """Forget a task: its result has been put where it belongs."""
        with suppress(OSError):
            for path in self.folder.glob(f"{self.path(key).stem}.*"):
                path.unlink(missing_ok=True)
        with suppress(OSError):  # not empty, or never made
            self.folder.rmdir()
