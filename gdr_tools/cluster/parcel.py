"""What a job needs beside its words, so that machines need share no folder.

On the server a job names files: the folder of a training run with its checkpoint, and what a
visitor's own data were handed over in. They travel with the job, and a checkpoint travels back with
each message that it was saved.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from gdr_tools.jobs.handover import hand_over, is_handed, take
from gdr_tools.jobs.job import CHECKPOINT, JOB

_FILES, _DATA = "files", "bytes"


class Parcel:
    """A job as it leaves the server. What was handed over is read once and kept in memory, for a
    worker that dies is followed by another."""

    def __init__(self, request: dict[str, Any]):
        self.request = _with_content(request)
        if "arguments" in request:
            self.request["arguments"] = _with_content(request["arguments"])

    @property
    def folder(self) -> Path | None:
        """The folder of the run on the server, None where the job is no training."""
        return Path(self.request["folder"]) if "folder" in self.request else None

    def packed(self) -> dict[str, Any]:
        """The job with its files as they are now, for `wire.encode`."""
        if self.folder is None:
            return self.request
        found = {name: _content(self.folder / name) for name in (JOB, CHECKPOINT)}
        return {**self.request, _FILES: {k: v for k, v in found.items() if v is not None}}


def unpack(packed: dict[str, Any], folder: Path, memory: int) -> dict[str, Any]:
    """The job as a process of this machine takes it.

    folder   where the files of a run go; it belongs to this job alone
    memory   bytes that the process may take here
    """
    request = {**_with_files(packed), "memory": memory}
    if "arguments" in request:
        request["arguments"] = _with_files(request["arguments"])
    for name, content in request.pop(_FILES, {}).items():
        (folder / Path(name).name).write_bytes(content.tobytes())
    return {**request, "folder": str(folder)} if "folder" in request else request


def with_checkpoint(message: dict[str, Any], folder: Path) -> dict[str, Any]:
    """A message that a checkpoint was saved, with the checkpoint; all others as they are."""
    if message.get("kind") != "saved":
        return message
    return {**message, _DATA: _content(folder / CHECKPOINT)}


def keep_checkpoint(message: dict[str, Any], folder: Path | None) -> dict[str, Any]:
    """Put the checkpoint that came with a message into the folder of the run; the message without
    it, or a notice where the disk takes none."""
    content = message.pop(_DATA, None)
    if content is None or folder is None:
        return message
    aside = folder / f".{CHECKPOINT}"
    try:
        aside.write_bytes(content.tobytes())
        os.replace(aside, folder / CHECKPOINT)
    except OSError as error:
        with suppress(OSError):
            aside.unlink(missing_ok=True)
        return {
            "kind": "notice",
            "text": f"The server could not keep the checkpoint: {error.strerror or error}. "
            "Training goes on; a crash now would take this run back to the one before.",
        }
    return message


def _with_content(fields: dict[str, Any]) -> dict[str, Any]:
    return {k: {_DATA: _array(take(v))} if is_handed(v) else v for k, v in fields.items()}


def _with_files(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        k: str(hand_over(v[_DATA].tobytes())) if _is_content(v) else v for k, v in fields.items()
    }


def _is_content(value: object) -> bool:
    return isinstance(value, dict) and set(value) == {_DATA}


def _content(path: Path) -> np.ndarray | None:
    try:
        return _array(path.read_bytes())
    except OSError:
        return None


def _array(content: bytes) -> np.ndarray:
    return np.frombuffer(content, dtype=np.uint8)
