"""Results on disk: one JSON file for each group of cells, written after every cell."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any, Final

from gdr_core.places import data_folder, made, repair, results_folder
from gdr_tools.paper.cells import Cell

GROUPS: Final = ("sizes", "undirected", "directed", "networks")
_SHIPPED = data_folder() / "results"
FOLDER = results_folder()


def checked(found: Any, path: Path) -> dict[str, Any]:
    """What a file of results holds, or a sentence that it holds something else."""
    results = found.items() if isinstance(found, dict) else [("", None)]
    if not all(key.count("/") == 3 and isinstance(value, dict) for key, value in results):
        raise ValueError(
            f"{path} does not hold results of `reproduce` and is left alone; choose another folder"
        )
    return found


class Store:
    """The results in a folder. Reading never fails on a missing file; writing replaces whole.

    An installed package reads the results it came with until there are newer ones of one's own,
    which are written elsewhere.
    """

    def __init__(self, folder: Path = FOLDER):
        self.folder = Path(folder)

    def path(self, group: str) -> Path:
        """The file of a group, as it is read."""
        own = self._own(group)
        return own if os.path.exists(own) or self.folder != FOLDER else _SHIPPED / own.name

    def group(self, group: str) -> dict[str, Any]:
        """All results of a group by the keys of their cells."""
        path = self.path(group)
        if not path.exists():
            return {}
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise ValueError(f"{path} is not valid JSON ({error}); {self._advice(path)}") from error
        return checked(found, path)

    def get(self, cell: Cell) -> dict[str, Any] | None:
        """The stored result of a cell, or None."""
        return self.group(cell.group).get(cell.key)

    def put(self, cell: Cell, result: dict[str, Any]) -> None:
        """Add or replace the result of a cell, atomically."""
        made(self.folder)
        results = self.group(cell.group) | {cell.key: result}
        ordered = {key: results[key] for key in sorted(results)}
        path = self._own(cell.group)
        fresh = path.with_suffix(f".{os.getpid()}.part")
        text = json.dumps(ordered, indent=1, ensure_ascii=False) + "\n"
        try:
            fresh.write_text(text, encoding="utf-8")
            fresh.replace(path)
        except OSError:  # a full disk: the old file stays, and nothing half-written beside it
            fresh.unlink(missing_ok=True)
            raise

    def _own(self, group: str) -> Path:
        return self.folder / f"{group}.json"

    def _advice(self, path: Path) -> str:
        if path.parent != self.folder:
            return repair(f"results/{path.name}")
        return "remove it to compute its cells again"


class Snapshot(Store):
    """A store whose files were read once: a page asks it for a hundred cells.

    digests   SHA-256 of the files as they were read
    """

    def __init__(self, store: Store):
        super().__init__(store.folder)
        contents = {group: _content(store.path(group)) for group in GROUPS}
        self.kept = {
            group: _parsed(store.path(group), text) if text else {}
            for group, text in contents.items()
        }
        self.digests = {
            store.path(group).name: hashlib.sha256(text).hexdigest()
            for group, text in contents.items()
            if text
        }

    def group(self, group: str) -> dict[str, Any]:
        """All results of a group, as they were."""
        return self.kept[group]


def _parsed(path: Path, text: bytes) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError as error:
        raise ValueError(f"{path.name} is not valid JSON ({error})") from error
    return checked(found, path)


def _content(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""
