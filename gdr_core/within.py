"""Settings that hold inside a `with`, for the thread that asked for them and nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

Value = TypeVar("Value")


@contextmanager
def holding(setting: ContextVar[Value], value: Value) -> Iterator[None]:
    """The setting has this value inside the `with`, and its former one again after it.

    >>> from contextvars import ContextVar
    >>> loud = ContextVar("loud", default=False)
    >>> with holding(loud, True):
    ...     loud.get()
    True
    >>> loud.get()
    False
    """
    token = setting.set(value)
    try:
        yield
    finally:
        setting.reset(token)
