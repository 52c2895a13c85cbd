"""Results that are shared by all visitors, within a budget of bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from itertools import count
from threading import Lock
from typing import Any, Generic, TypeVar
from weakref import WeakSet, WeakValueDictionary

Value = TypeVar("Value")
_TURNS = count(1)  # orders stores by when they were asked
PATIENCE = 0.2  # seconds between two reports to those who wait for somebody else's computation


class Pot:
    """What many stores may hold together. The store that was asked longest ago gives first."""

    def __init__(self, budget: int):
        self.budget = budget
        self.stores: WeakSet[Store[Any]] = WeakSet()
        self.guard = Lock()

    def make_room(self, newest: Store[Any]) -> None:
        """Have stores give values away until all are within the budget; the newest value stays."""
        with self.guard:
            stores = sorted(self.stores, key=lambda store: store.asked)
            over = sum(store.used for store in stores) - self.budget
            for store in stores:
                while over > 0 and (given := store.give(keep=int(store is newest))):
                    over -= given


class Store(Generic[Value]):
    """Values by key; the least recently used leave when all together exceed the budget.

    What one visitor computes, another who asks for the same waits for. Values are read only.

    pot     other stores with which it shares a further budget
    weigh   a value's bytes for the pot, where `size_of` counts something else; asked for once
    """

    def __init__(
        self,
        budget: int,
        size_of: Callable[[Value], int],
        pot: Pot | None = None,
        weigh: Callable[[Value], int] | None = None,
    ):
        self.budget, self.pot, self.asked = budget, pot, 0
        self.size_of, self.weigh = size_of, weigh
        self.weights: dict[Hashable, int] = {}
        self.values: OrderedDict[Hashable, Value] = OrderedDict()
        self.guard = Lock()
        self.locks: WeakValueDictionary[Hashable, Lock] = WeakValueDictionary()
        if pot is not None:
            pot.stores.add(self)

    def get(self, key: Hashable) -> Value | None:
        """The value, if it is there."""
        with self.guard:
            if key in self.values:
                self.values.move_to_end(key)
                self.asked = next(_TURNS)
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
            self.weights.clear()

    def keep(self, key: Hashable, value: Value) -> Value:
        """Put a value in; older ones make room, but the newest always stays."""
        weights = {} if self.pot is None or self.weigh is None else {key: self.weigh(value)}
        with self.guard:
            self.values[key] = value
            self.weights |= weights
            self.asked = next(_TURNS)
            used = sum(map(self.size_of, self.values.values()))
            while used > self.budget and len(self.values) > 1:
                left, oldest = self.values.popitem(last=False)
                self.weights.pop(left, None)
                used -= self.size_of(oldest)
        if self.pot is not None:
            self.pot.make_room(self)
        return value

    @property
    def used(self) -> int:
        """Bytes that all values take together."""
        with self.guard:
            others = (value for key, value in self.values.items() if key not in self.weights)
            return sum(self.weights.values()) + sum(map(self.size_of, others))

    def give(self, keep: int) -> int:
        """Forget the value that was asked for longest ago, unless so few are left; its bytes."""
        with self.guard:
            if len(self.values) <= keep:
                return 0
            key, value = self.values.popitem(last=False)
            return max(self.weights.pop(key, 0) or self.size_of(value), 1)
