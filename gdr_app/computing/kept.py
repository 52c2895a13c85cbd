"""What all visitors see alike, made once: functions that remember their last answers.

    @kept(most=12)
    def table(choice: DatasetChoice, _graph: Dataset) -> Table: ...

Streamlit has caches, too, but looking something up in them costs more than most of what a step of
t_min computes, and any client can have them cleared with one message. Parameters whose names begin
with an underscore follow from the others and are no part of the question. Answers are shared by
all visitors: they are read only. Answers about a visitor's own data stay in the visitor's session.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import is_dataclass
from functools import wraps
from inspect import signature
from typing import Any, Final, ParamSpec, TypeVar

from gdr_app.computing.store import Pot, Store
from gdr_app.state import own
from gdr_core.datasets import Dataset
from gdr_core.gdr import GDRResult

Given = ParamSpec("Given")
Answer = TypeVar("Answer")
OWN_TOGETHER: Final = Pot(1024 * 2**20)  # bytes of what is computed from own data, of all visitors
_STORES: Final[list[Store[Any]]] = []


def kept(most: int) -> Callable[[Callable[Given, Answer]], Callable[Given, Answer]]:
    """Remember the latest answers of a function, so many of them. They must not be None.

    Who asks for what another is just computing waits for it. What raises is not remembered.
    """

    def remembering(make: Callable[Given, Answer]) -> Callable[Given, Answer]:
        store: Store[Answer] = Store(most, lambda _: 1, weigh=bytes_of)
        _STORES.append(store)
        asked = [
            place
            for place, name in enumerate(signature(make).parameters)
            if not name.startswith("_")
        ]

        @wraps(make)
        def recalled(*given: Given.args, **named: Given.kwargs) -> Answer:
            assert not named, "only arguments by position are told apart"
            key: Hashable = tuple(given[place] for place in asked)
            held = store_for(store, key)
            found = held.get(key)
            if found is not None:
                return found
            return held.fetch(key, lambda: make(*given, **named), lambda: None)

        return recalled

    return remembering


def store_for(store: Store[Answer], key: Hashable) -> Store[Answer]:
    """The store that visitors share, or a twin of it in this session where the key is about the
    visitor's own data: these reach nothing that others share, and go with the session."""
    if not own.concerns(key):
        return store
    stores = own.room().stores
    if store not in stores:
        stores[store] = Store(store.budget, store.size_of, OWN_TOGETHER, store.weigh)
    return stores[store]


def bytes_of(answer: object) -> int:
    """About as many bytes as an answer holds: those of its arrays, tables and texts, at least 1.

    Datasets and results count where they lie, and not again in every answer that has them.

    >>> bytes_of((b"123", {"name": ["ab"]}))
    9
    """
    return max(_bytes_of(answer), 1)


def _bytes_of(part: Any) -> int:
    if isinstance(part, Dataset | GDRResult):
        return 0
    if isinstance(part, bytes | str):
        return len(part)
    if hasattr(part, "memory_usage"):  # a data frame
        return int(part.memory_usage(deep=True).sum())
    if hasattr(part, "nbytes"):
        return int(part.nbytes)
    if isinstance(part, Mapping):
        return _bytes_of(tuple(part)) + _bytes_of(tuple(part.values()))
    if is_dataclass(part):
        return _bytes_of(tuple(vars(part).values()))
    return sum(map(_bytes_of, part)) if isinstance(part, tuple | list) else 0


def forget_everything() -> None:
    """Make all answers anew when they are asked for; for tests."""
    for store in _STORES:
        store.clear()
