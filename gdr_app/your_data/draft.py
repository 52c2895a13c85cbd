"""What the visitor has dropped and decided so far, until it is opened. It lives in the session."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Any, Final

import streamlit as st

from gdr_app.computing.asking import ask_worker
from gdr_app.computing.kept import OWN_TOGETHER
from gdr_app.computing.store import Store
from gdr_app.computing.working import obtain
from gdr_app.state.own import room
from gdr_core.datasets.own import Choices, File, FileChoice
from gdr_core.datasets.own.files import _numbered as with_unique_names
from gdr_core.progress import Progress
from gdr_tools.jobs.kinds import LAYOUT, READING
from gdr_tools.own.choices import WEB_LIMITS, WEB_TOGETHER, choices_to_json
from gdr_tools.own.requests import bytes_of, pack_files

_DRAFT: Final = "own data, draft"
BUDGET: Final = 256 * 2**20


@dataclass
class Draft:
    """Files and choices; `turn` counts how often the uploader was emptied."""

    files: tuple[File, ...] = ()
    choices: Choices = field(
        default_factory=lambda: Choices(draw_layout=False, limits=WEB_LIMITS, name="")
    )
    turn: int = 0
    pasted: str = ""

    @property
    def name(self) -> str:
        """What the dataset is called: as typed, or like its first file."""
        first = PurePath(self.files[0].name).stem if self.files else ""
        return self.choices.name or first or "own"

    @property
    def key(self) -> tuple[str, ...]:
        """What a reading depends on: contents and choices."""
        digest = hashlib.blake2b(digest_size=16)
        for file in self.files:
            digest.update(f"{len(file.name)} {file.name} {file.size} ".encode(errors="replace"))
            digest.update(bytes_of(file))
        said = choices_to_json(replace(self.choices, name=""))
        return digest.hexdigest(), json.dumps(said, sort_keys=True)

    def take(self, files: Iterable[File]) -> list[str]:
        """Other files: what was said about those that are gone is forgotten. The names of files
        that are left out, because with them it would be too much."""
        found, left_out, size = list[File](), list[str](), 0
        for file in with_unique_names(list(files)):
            if size + file.size > WEB_TOGETHER:
                left_out.append(file.name)
            else:
                found.append(file)
                size += file.size
        self.files = tuple(found)
        names = {file.name for file in self.files}
        kept = {name: said for name, said in self.choices.files.items() if name in names}
        self.choices = replace(self.choices, files=kept)
        return left_out

    def decide(self, **changes: Any) -> None:
        """Change some of the choices."""
        self.choices = replace(self.choices, **changes)

    def decide_on(self, file: str, **changes: Any) -> None:
        """Change what is said about one file; another format or role has other columns."""
        said = self.choices.files.get(file, FileChoice())
        if {"format", "role", "separator", "header"} & set(changes):
            said = replace(said, columns={})
        self.decide(files={**self.choices.files, file: replace(said, **changes)})

    def decide_column(self, file: str, key: str, column: Any) -> None:
        """Say which column of a file is what."""
        said = self.choices.files.get(file, FileChoice())
        self.decide_on(file, columns={**said.columns, key: column})

    def treat(self, code: str, how: str) -> None:
        """Say what is done about a kind of finding."""
        self.decide(treatments={**self.choices.treatments, code: how})


def draft() -> Draft:
    """The draft of this session."""
    if _DRAFT not in st.session_state:
        st.session_state[_DRAFT] = Draft()
    return st.session_state[_DRAFT]


def start_over() -> None:
    """Forget files and choices. For callbacks."""
    st.session_state[_DRAFT] = Draft(turn=draft().turn + 1)


def answers() -> Store[dict[str, Any]]:
    """What workers have answered, for this session only."""
    stores = room().stores
    if _DRAFT not in stores:
        stores[_DRAFT] = Store(BUDGET, _size, OWN_TOGETHER)
    return stores[_DRAFT]


def understand(now: Draft) -> dict[str, Any]:
    """How a worker understands the draft; see `gdr_tools.own.requests.read_request`."""

    def compute(progress: Progress) -> dict[str, Any]:
        choices = choices_to_json(replace(now.choices, name=now.name[:80]))
        return ask_worker(READING, {"choices": choices}, progress, files=pack_files(now.files))

    return obtain(answers(), ("reading", *now.key), "Reading your files", compute)


def lay_out(now: Draft, data: bytes) -> Any:
    """Places in the plane for the dataset of the draft, computed by a worker."""

    def compute(progress: Progress) -> dict[str, Any]:
        return ask_worker(LAYOUT, {}, progress, data=data)

    return obtain(answers(), ("layout", *now.key), "Drawing the graph", compute)["layout"]


def _size(answer: dict[str, Any]) -> int:
    return sum(getattr(value, "nbytes", 1000) for value in answer.values())
