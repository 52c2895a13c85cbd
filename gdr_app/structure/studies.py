"""Studies of the chosen graph, computed in a worker process and shared by all who ask."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from gdr_app.computing.asking import ask_worker
from gdr_app.computing.kept import kept, store_for
from gdr_app.computing.slow_priors import request_of
from gdr_app.computing.store import Store
from gdr_app.computing.working import obtain
from gdr_core.datasets import DatasetChoice
from gdr_core.datasets.own.packing import pack
from gdr_core.progress import Progress
from gdr_tools.jobs.kinds import STUDY

_BUDGET: Final = 64 << 20


@kept(most=1)
def _found() -> Store[dict[str, Any]]:
    return Store(_BUDGET, _size)


def _size(found: dict[str, Any]) -> int:
    return 1000 + sum(value.nbytes for value in found.values() if isinstance(value, np.ndarray))


def ask(name: str, title: str, choice: DatasetChoice, **options: Any) -> dict[str, Any]:
    """The numbers of a study; the page shows how far it is, and ends where it is not possible."""
    key = _key(name, choice, options)

    def compute(progress: Progress) -> dict[str, Any]:
        asked = {"hidden": choice.test_hidden, "study": name, "options": options}
        if choice.own is None:
            return ask_worker(STUDY, {**request_of("", choice.concealed), **asked}, progress)
        return ask_worker(STUDY, asked, progress, own=pack(choice.own))

    return obtain(_found(), key, title, compute, together=True)


def recalled(name: str, choice: DatasetChoice, **options: Any) -> dict[str, Any] | None:
    """The numbers of a study if a worker has found them; None if not."""
    key = _key(name, choice, options)
    return store_for(_found(), key).get(key)


def _key(name: str, choice: DatasetChoice, options: dict[str, Any]) -> tuple[Any, ...]:
    return (name, choice, tuple(sorted((k, repr(v)) for k, v in options.items())))
