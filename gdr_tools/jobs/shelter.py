"""Where the files of runs are, and how a run outlives its server.

By default they lie in a folder of this process and go with it. Where $GDR_RUNS_DIR names a folder,
several servers share it: each run's folder tells whose it is and how far it is, and which server
has it. A server that was killed no longer says that it lives; then the first other server that is
asked for the run takes it over and goes on from the checkpoint, with the same numbers.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import tempfile
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gdr_tools.jobs.handover import is_alive
from gdr_tools.jobs.job import JOB, Job

FOLDER = "gdr-explorer-runs-"
_SHARED_VARIABLE = "GDR_RUNS_DIR"
_ABOUT, _HISTORY, _HOLDER = "run.json", "history.npy", "holder"  # files in the folder of a run
BEAT = 1.0  # seconds between two signs of life
SILENCE = 4.0  # seconds without one after which a server has died
HANDED_ON = ("owner", "address", "number", "name", "pace")  # of a run, as one server has it


@dataclass(frozen=True)
class Found:
    """A run that another server has left: what it is, and its epochs up to the checkpoint."""

    id: str
    owner: str
    address: str
    number: int
    name: str
    pace: float
    paused: bool
    job: Job
    rows: np.ndarray


class Shelter:
    """The folders of all runs that this server has.

    shared   the folder that it has in common with other servers, None if there is none
    """

    def __init__(self, shared: Path | None = None):
        chosen = os.environ.get(_SHARED_VARIABLE, "")
        self.shared = shared or (Path(chosen) if chosen else None)
        self.token = secrets.token_hex(8)
        self.private: Path | None = None
        self.next_beat = 0.0

    @property
    def folder(self) -> Path:
        """Where the folders are. It is made when the first run comes: until then a full disk is
        nobody's trouble."""
        if self.shared is not None:
            self.shared.mkdir(parents=True, exist_ok=True)
            return self.shared
        return self._own_folder

    @property
    def _own_folder(self) -> Path:
        """The folder of this process."""
        if self.private is None:
            sweep_folders()
            self.private = Path(tempfile.mkdtemp(prefix=f"{FOLDER}{os.getpid()}-"))
        return self.private

    def open(self, run: str, job: Job, *, private: bool = False) -> Path:
        """Make the folder of a run, whole or not at all.

        private   whether it goes with this process in any case: other servers never see it
        """
        folder = (self._own_folder if private else self.folder) / run
        folder.mkdir(mode=0o700)
        try:
            (folder / JOB).write_text(job.to_json(), encoding="utf-8")
            if self.shared is not None and not private:
                (folder / _HOLDER).write_text(self.token, encoding="ascii")
        except OSError:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return folder

    def tell(self, folder: Path, about: dict[str, object], rows: np.ndarray | None = None) -> None:
        """Write down what another server would have to know; a disk that takes nothing is only
        a pity."""
        if self.shared is None:
            return
        with suppress(OSError):
            _replace(folder / _ABOUT, json.dumps(about).encode())
            if rows is not None:
                with open(folder / f".{_HISTORY}", "wb") as file:
                    np.save(file, rows)
                os.replace(folder / f".{_HISTORY}", folder / _HISTORY)

    def beat(self, folders: Iterable[tuple[str, Path]]) -> list[str]:
        """Say that this server lives; which of its runs another server has taken meanwhile."""
        if self.shared is None or time.monotonic() < self.next_beat:
            return []
        self.next_beat = time.monotonic() + BEAT
        lost = []
        for run, folder in folders:
            with suppress(OSError):  # a disk that is gone for a while takes no run away
                if (folder / _HOLDER).read_text(encoding="ascii") != self.token:
                    lost.append(run)
                else:
                    os.utime(folder / _HOLDER)
        return lost

    def left_by_others(self, owner: str) -> list[str]:
        """The runs of an owner whose server has died."""
        found = []
        for path in self._folders():
            with suppress(OSError, ValueError):  # without words on whose it is, it is nobody's
                if _abandoned(path) and _read(path).get("owner") == owner:
                    found.append(path.name)
        return found

    def _folders(self) -> list[Path]:
        """The folders of all runs of all servers that share; those that a server was killed over
        while it took them have their names again."""
        try:
            found = [] if self.shared is None else list(self.shared.iterdir())
        except OSError:
            return []
        return [path for path in map(_named_again, found) if path.name.isalnum()]

    def is_elsewhere(self, run: str) -> bool:
        """Whether another server has a run, and lives."""
        if self.shared is None or not run.isalnum():
            return False
        folder = self.shared / run
        try:
            other = (folder / _HOLDER).read_text(encoding="ascii") != self.token
        except (OSError, ValueError):
            return False
        return other and (folder / JOB).exists() and not _abandoned(folder)

    def take_over(self, run: str) -> Found | None:
        """A run that another server has left, now ours; None if there is none to be had.

        One whose server may just have died is waited for until that is certain.
        """
        if self.shared is None or not run.isalnum():
            return None
        folder = self.shared / run
        if not folder.exists():
            self._folders()
        seen, end = _sign(folder), time.monotonic() + SILENCE + BEAT
        while seen is not None and not _abandoned(folder):
            if _sign(folder) != seen or time.monotonic() > end:
                return None  # its server lives: it has just said so
            time.sleep(0.1)
        try:
            return self._claim(run, folder)
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _claim(self, run: str, folder: Path) -> Found:
        """Whoever can move the folder away has it."""
        aside = folder.with_name(f".{run}-{self.token}")
        os.rename(folder, aside)
        (aside / _HOLDER).write_text(self.token, encoding="ascii")
        os.rename(aside, folder)
        job = Job.from_json((folder / JOB).read_text(encoding="utf-8"))
        rows = np.load(folder / _HISTORY) if (folder / _HISTORY).exists() else np.empty((0, 0))
        return Found(run, job=job, rows=rows, **_read(folder))

    def release(self, folders: Iterable[Path]) -> None:
        """The server stops: its runs go to other servers at once, or away where there are none."""
        if self.private is not None:
            shutil.rmtree(self.private, ignore_errors=True)
        for folder in folders if self.shared is not None else ():
            with suppress(OSError):
                (folder / _HOLDER).unlink()

    def sweep(self, age: float) -> None:
        """Delete what nobody has taken over for long."""
        if self.shared is None:
            return
        for path in self._folders():
            with suppress(OSError):
                if _abandoned(path) and time.time() - path.stat().st_mtime > age:
                    shutil.rmtree(path, ignore_errors=True)


def _named_again(folder: Path) -> Path:
    """The folder of a run under the run's name; a server that was killed while it took the run may
    have left it under another."""
    if not folder.name.startswith("."):
        return folder
    named = folder.with_name(folder.name[1:].partition("-")[0])
    with suppress(OSError):
        if abs(time.time() - folder.stat().st_ctime) > SILENCE:  # when it was renamed
            return folder.rename(named)
    return folder


def _sign(folder: Path) -> float | None:
    """When the server of a run last said that it lives; None if it has said that it stops."""
    try:
        return (folder / _HOLDER).stat().st_mtime
    except OSError:
        return None


def _abandoned(folder: Path) -> bool:
    """Whether the server of a run has died. A clock that is set back makes a sign of life look
    strange until the next one, a second later."""
    sign = _sign(folder)
    return (folder / JOB).exists() and (sign is None or abs(time.time() - sign) > SILENCE)


def _read(folder: Path) -> dict:
    found = json.loads((folder / _ABOUT).read_text(encoding="utf-8"))
    if not isinstance(found, dict):
        raise ValueError(f"{_ABOUT} tells nothing")
    return found


def _replace(path: Path, content: bytes) -> None:
    aside = path.with_name(f".{path.name}")
    aside.write_bytes(content)
    os.replace(aside, path)


def sweep_folders() -> None:
    """Delete what servers that were killed have left behind."""
    for folder in Path(tempfile.gettempdir()).glob(f"{FOLDER}*"):
        with suppress(ValueError, OSError):
            if not is_alive(int(folder.name[len(FOLDER) :].split("-")[0])):
                shutil.rmtree(folder, ignore_errors=True)
