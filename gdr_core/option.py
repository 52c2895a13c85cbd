"""One record for a named setting: of a dataset, of a split, of a prior."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral, Real
from types import NoneType
from typing import Any

import numpy as np

from gdr_core.gate import WrongTypeError, shown

KINDS = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
_ACCEPTED: dict[type, Any] = {bool: (bool, np.bool_), int: Integral, float: Real, str: str}
AUTOMATIC = "automatic"  # the word for None, where None leaves the choice to a recommendation
FLAGS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


@dataclass(frozen=True)
class Option:
    """A named setting: its default, its meaning and the values it may take.

    low, high   the range of a number
    choices     the texts to choose from
    kind        bool, int, float, str or object (anything: who uses it checks it); it is that of the
                default unless the default is None, which then means "as recommended" and stays
                allowed

    >>> Option("trees", 500, "number of trees", low=1, high=1000).checked(20)
    20
    """

    name: str
    default: Any
    meaning: str
    low: float = -math.inf
    high: float = math.inf
    choices: tuple[str, ...] = ()
    kind: type = NoneType

    def __post_init__(self) -> None:
        if self.kind is NoneType:
            object.__setattr__(self, "kind", type(self.default))
        self.checked(self.default)

    @property
    def portable(self) -> bool:
        """Whether a value can be written as one word, in a link or on the command line."""
        return self.kind in KINDS

    def checked(self, value: Any) -> Any:
        """The value as the option's kind, or a ValueError that says what is allowed."""
        if self.kind is object or (value is None and self.default is None):
            return value
        if self.choices:
            if not isinstance(value, str) or value not in self.choices:
                kind = ValueError if isinstance(value, str) else WrongTypeError
                raise kind(f"{self.name} must be one of {self.choices}, got {shown(value)}")
            return value
        return self._checked_value(value)

    def read(self, word: str) -> Any:
        """The value that a word of a link or of a command line stands for, checked."""
        return self.checked(self._read(word))

    def word(self, value: Any) -> str:
        """The word that `read` takes for the value."""
        if value is None:
            return AUTOMATIC
        if self.kind is bool:
            return "true" if value else "false"
        return np.format_float_positional(value, trim="-") if self.kind is float else str(value)

    def _read(self, word: str) -> Any:
        if self.default is None and word == AUTOMATIC:
            return None
        if self.kind is bool:
            return FLAGS.get(word.lower(), word)
        try:
            return self.kind(word) if self.kind in (int, float) else word
        except (ValueError, OverflowError):
            return word  # which the check refuses, and says what is allowed

    def _checked_value(self, value: Any) -> Any:
        accepted = _ACCEPTED[self.kind]
        is_flag = isinstance(value, bool | np.bool_)
        fits = isinstance(value, accepted) and is_flag == (self.kind is bool)
        is_number = self.kind in (int, float)
        if not fits and not isinstance(value, str | Real):
            raise WrongTypeError(f"{self.name} must be {self._allowed()}, got {shown(value)}")
        if not fits or (is_number and not (self._holds(value) and self.low <= value <= self.high)):
            raise ValueError(f"{self.name} must be {self._allowed()}, got {shown(value)}")
        # Zero has one form: "-0" would be another link, and some code minds its sign.
        return self.kind(value) + 0 if is_number else self.kind(value)

    def _holds(self, value: Any) -> bool:
        """Whether a number is finite and fits into its kind."""
        try:
            return math.isfinite(value)
        except OverflowError:
            return self.kind is int

    def _allowed(self) -> str:
        kind, bounded = KINDS[self.kind], math.isfinite(self.high)
        if self.kind is bool or not (bounded or math.isfinite(self.low)):
            return kind
        return f"{kind} from {self.low:g} {f'to {self.high:g}' if bounded else 'up'}"
