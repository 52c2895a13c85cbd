"""Data of the visitor's own: what this session has opened, and everything that was made of it.

They belong to the session. They are in no link, in no cache that visitors share and in no file;
what is computed from them is kept here, and goes when the session ends. Training runs on them are
taken from the server's list then, too.
"""

from __future__ import annotations

import weakref
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from secrets import token_bytes, token_hex
from typing import Any, Final

import numpy as np
import scipy.sparse as sp
import streamlit as st

from gdr_app.state import link
from gdr_core.datasets import Dataset, DatasetChoice, Spec, own_spec
from gdr_core.datasets.own import Choices, File, Finding
from gdr_core.datasets.own.findings import short
from gdr_tools.jobs.everybody import registry

ROOM: Final = "own data"
PREFIX: Final = "your-data-"
MOST: Final = 3  # datasets open at once in one session
PROBABILITIES: Final = "external"


@dataclass(frozen=True, eq=False)
class Own:
    """A dataset that was opened, and what it was made from.

    key             its name in links and pickers, which tells nothing of the data
    probabilities   class probabilities that came with it
    files, choices  from which it was read, for the project file
    """

    key: str
    dataset: Dataset
    probabilities: np.ndarray | None = None
    findings: tuple[Finding, ...] = ()
    files: tuple[File, ...] = ()
    choices: Choices = field(default_factory=Choices)

    @property
    def spec(self) -> Spec:
        """What pickers and links ask about it."""
        return own_spec(self.dataset)

    @property
    def first_prior(self) -> str:
        """The prior to begin with: given probabilities, else features and labels, else uniform."""
        if self.probabilities is not None:
            return PROBABILITIES
        learnable = self.dataset.features.shape[1] and self.dataset.split.train.size
        return "projection" if learnable else "uniform"

    @cached_property
    def trainable(self) -> Dataset:
        """The dataset as networks read it: without features they read the given probabilities, or
        else a mark of its own for each node."""
        if self.dataset.features.shape[1]:
            return self.dataset
        given = self.probabilities
        marks = sp.eye_array(self.dataset.nodes) if given is None else given
        return replace(self.dataset, features=sp.csr_array(marks))

    @property
    def inputs(self) -> str:
        """What networks read where there are no features, as Python; else empty."""
        if self.dataset.features.shape[1]:
            return ""
        return "np.eye(dataset.nodes)" if self.probabilities is None else "opened.probabilities"


class Room:
    """All that one session holds of its own data."""

    def __init__(self) -> None:
        self.opened: dict[str, Own] = {}
        self.stores: dict[Hashable, Any] = {}
        self.runs: set[str] = set()
        self.secret = token_bytes(32)  # work on the same data is not shared with another session
        weakref.finalize(self, _abandon, self.runs).atexit = False

    def open(self, own: Own) -> None:
        """Take a dataset in; the oldest leaves where there are many."""
        while len(self.opened) >= MOST:
            self.close(next(iter(self.opened)))
        self.opened[own.key] = own

    def close(self, key: str) -> None:
        """Forget a dataset and all that was made of it, and what was made of others with it."""
        self.opened.pop(key, None)
        self.stores.clear()


def room() -> Room:
    """What this session holds."""
    if ROOM not in st.session_state:
        st.session_state[ROOM] = Room()
        link.visit().own = st.session_state[ROOM].opened
    return st.session_state[ROOM]


def opened() -> dict[str, Own]:
    """The datasets that this session has opened, by their name in pickers."""
    return room().opened if ROOM in st.session_state else {}


def own_of(choice: DatasetChoice) -> Own | None:
    """The opened data that a choice means, None for datasets that everybody has."""
    return opened().get(choice.name) if choice.own is not None else None


def new_key() -> str:
    """A name for links and pickers that nobody can guess."""
    return PREFIX + token_hex(6)


def is_key(name: str | None) -> bool:
    """Whether a name stands for somebody's own data."""
    return name is not None and name.startswith(PREFIX)


def titles() -> dict[str, str]:
    """What pickers show for the data that are open, by their names."""
    return {key: f"Your data: {short(own.dataset.name)}" for key, own in opened().items()}


def concerns(key: object) -> bool:
    """Whether a key speaks of own data: a choice, a record that has one, or a tuple of these."""
    if isinstance(key, tuple):
        return any(map(concerns, key))
    choice = key if isinstance(key, DatasetChoice) else getattr(key, "dataset", None)
    return isinstance(choice, DatasetChoice) and choice.own is not None


def _abandon(runs: Iterable[str]) -> None:
    """The session is over: training runs on its data end.

    The collector may call this at any moment in any thread, so it only leaves a note.
    """
    registry().abandoned.extend(runs)
