"""Results that are shared by all visitors, within a budget of bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

Value = TypeVar("Value")
PATIENCE = 0.2  # seconds between two reports to those who wait for somebody else's computation


class Store(Generic[Value]):
    """Values by key; the least recently used leave when all together exceed the budget.

    What one visitor computes, another who asks for the same waits for. Values are read only.
    """

    def __init__(self, budget: int, size_of: Callable[[Value], int]):
        self.budget = budget
        self.size_of = size_of
        self.values: OrderedDict[Hashable, Value] = OrderedDict()
        self.guard = Lock()
        self.locks: WeakValueDictionary[Hashable, Lock] = WeakValueDictionary()

    def get(self, key: Hashable) -> Value | None:
        """The value, if it is there."""
        with self.guard:
            if key in self.values:
                self.values.move_to_end(key)
            return self.values.get(key)

    def fetch(self, key: Hashable, compute: Callable[[], Value], wait: Callable[[], None]) -> Value:
        """The value, computed if it is not there; `wait` is called while somebody computes it."""
        with self.guard:
            lock = self.locks.setdefault(key, Lock())
        while not lock.acquire(timeout=PATIENCE):
            wait()
        try:
            known = self.get(key)
            return self.keep(key, compute()) if known is None else known
        finally:
            lock.release()

    def clear(self) -> None:
        """Forget everything."""
        with self.guard:
            self.values.clear()

    def keep(self, key: Hashable, value: Value) -> Value:
        """Put a value in; older ones make room, but the newest always stays."""
        with self.guard:
            self.values[key] = value
            used = sum(map(self.size_of, self.values.values()))
            while used > self.budget and len(self.values) > 1:
                _, oldest = self.values.popitem(last=False)
                used -= self.size_of(oldest)
        return value
