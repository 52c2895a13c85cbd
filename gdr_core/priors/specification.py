"""What a prior is, said once: the same record fills the menu, the command line and the errors."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from types import MappingProxyType, NoneType
from typing import Any

import numpy as np

COSTS = ("instant", "seconds", "minutes")
KINDS = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}


@dataclass(frozen=True)
class Option:
    """A named setting of a prior, with its default, its meaning and the values it may take.

    kind is bool, int, float, str or object (anything: the prior checks it by itself); it is that of
    the default unless the default is None, which then means "as recommended" and stays allowed.
    """

    name: str
    default: Any
    explanation: str
    choices: tuple[str, ...] = ()
    minimum: float = -math.inf
    maximum: float = math.inf
    kind: type = NoneType

    def __post_init__(self) -> None:
        if self.kind is NoneType:
            object.__setattr__(self, "kind", type(self.default))
        self.checked(self.default)

    def checked(self, value: Any) -> Any:
        """The value as the option's kind, or a ValueError that says what is allowed."""
        if self.kind is object or (value is None and self.default is None):
            return value
        if self.choices:
            if value not in self.choices:
                raise ValueError(f"{self.name} must be one of {self.choices}, got {value!r}")
            return value
        return self._checked_number(value)

    def _checked_number(self, value: Any) -> Any:
        accepted: Any = {bool: (bool, np.bool_), int: Integral, float: Real}[self.kind]
        is_flag = isinstance(value, bool | np.bool_)
        if not isinstance(value, accepted) or is_flag != (self.kind is bool) or value != value:
            raise ValueError(f"{self.name} must be {KINDS[self.kind]}, got {value!r}")
        if not is_flag and not self.minimum <= value <= self.maximum:
            raise ValueError(
                f"{self.name} must lie between {self.minimum:g} and {self.maximum:g}, got {value!r}"
            )
        return self.kind(value)


@dataclass(frozen=True)
class PriorSpec:
    """A prior: the function that computes it and what people and programs must know of it.

    function          (dataset, *, seed, progress, **options) -> non-negative scores, one row per
                      node and one column per class; `compute` turns them into probabilities
    random            whether the result depends on the seed
    needs_training    whether every class must have a training node
    reads_validation  whether the labels of validation nodes are used, to stop training early
    cost              "instant", "seconds" or "minutes" on a graph of 20,000 nodes
    resolved          options with every recommendation filled in, so that a stored result is not
                      taken for that of another recommendation
    revision          raised when the numbers change, so that older stored results are left aside
    """

    name: str
    label: str
    explanation: str
    function: Callable[..., np.ndarray]
    cost: str
    options: tuple[Option, ...] = ()
    random: bool = False
    needs_features: bool = False
    needs_graph: bool = False
    needs_training: bool = True
    reads_validation: bool = False
    resolved: Callable[[dict[str, Any]], dict[str, Any]] = dict
    revision: int = 1

    def __post_init__(self) -> None:
        if self.cost not in COSTS:
            raise ValueError(f"cost must be one of {COSTS}, got {self.cost!r}")

    @property
    def defaults(self) -> Mapping[str, Any]:
        """The default of every option, by name."""
        return MappingProxyType({option.name: option.default for option in self.options})

    def checked(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All options, the given ones checked and the others at their default."""
        if unknown := sorted(set(given) - set(self.defaults)):
            allowed = ", ".join(self.defaults) or "none"
            raise ValueError(
                f"{self.name} has no option {', '.join(unknown)}; its options are: {allowed}"
            )
        return {
            option.name: option.checked(given.get(option.name, option.default))
            for option in self.options
        }
