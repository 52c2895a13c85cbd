"""Single values: numbers, names, seeds, records, functions."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from numbers import Integral, Real
from typing import Any

import numpy as np

from gdr_core.gate.errors import WrongTypeError, shown

LARGEST_SEED = 2**32 - 1


def finite(value: Any, name: str, low: float = -math.inf, high: float = math.inf) -> float:
    """The value as a float, if it is a finite number within [low, high].

    >>> finite(3, "t_min", 0)
    3.0
    >>> finite(float("nan"), "t_min", 0)
    Traceback (most recent call last):
    ...
    ValueError: t_min must be a finite number from 0 up, got nan
    """
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        raise WrongTypeError(
            f"{name} must be {_allowed('a number', low, high)}, got {shown(value)}"
        )
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not (math.isfinite(number) and low <= number <= high):
        raise ValueError(
            f"{name} must be {_allowed('a finite number', low, high)}, got {shown(value)}"
        )
    return number


def positive(value: Any, name: str) -> float:
    """The value as a float, if it is a finite number above zero."""
    number = finite(value, name)
    if number <= 0:
        raise ValueError(f"{name} must be positive, got {shown(value)}")
    return number


def whole(value: Any, name: str, low: float = -math.inf, high: float = math.inf) -> int:
    """The value as an int, if it is a whole number within [low, high].

    >>> whole(np.int32(7), "count", 2, 100)
    7
    >>> whole(2.5, "count", 2)
    Traceback (most recent call last):
    ...
    ValueError: count must be a whole number from 2 up, got 2.5
    """
    number = not isinstance(value, bool | np.bool_) and isinstance(value, Real)
    given: Any = value
    fits = number and (
        isinstance(given, Integral) or (math.isfinite(given) and given == int(given))
    )
    if not (fits and low <= given <= high):
        kind = ValueError if number else WrongTypeError
        wanted = _allowed("a whole number", low, high)
        raise kind(f"{name} must be {wanted}, got {shown(value)}")
    return int(given)


def check_seed(value: Any, name: str = "seed") -> int:
    """The value as an int, if random numbers can begin with it."""
    return whole(value, name, 0, LARGEST_SEED)


def check_name(value: Any, what: str, allowed: Collection[str]) -> str:
    """The value, if it is one of the allowed names.

    >>> check_name("loudest", "rule", ("overshoot", "peak"))
    Traceback (most recent call last):
    ...
    ValueError: unknown rule 'loudest'; there are overshoot, peak
    """
    if isinstance(value, str) and value in allowed:
        return value
    kind = ValueError if isinstance(value, str) else WrongTypeError
    raise kind(f"unknown {what} {shown(value)}; there are {', '.join(allowed)}")


def check_record(value: Any, name: str, kind: type) -> Any:
    """The value, if it is a record of the kind that is needed."""
    if not isinstance(value, kind):
        raise WrongTypeError(f"{name} must be a {kind.__name__}, got {shown(value)}")
    return value


def is_blank(value: Any) -> bool:
    """Whether a name was left out: None, or a text without characters."""
    return value is None or (isinstance(value, str) and not value)


def check_flag(value: Any, name: str) -> bool:
    """The value as a bool, if it is true or false and nothing else."""
    if not isinstance(value, bool | np.bool_):
        raise WrongTypeError(f"{name} must be True or False, got {shown(value)}")
    return bool(value)


def check_function(value: Any, name: str) -> Any:
    """The value, if it can be called."""
    if not callable(value):
        raise WrongTypeError(f"{name} must be a function, got {shown(value)}")
    return value


def items_of(value: Any, name: str) -> tuple[tuple[str, Any], ...]:
    """Pairs of a name and a value: from a mapping, from pairs, or none from None."""
    try:
        pairs = value.items() if isinstance(value, Mapping) else () if value is None else value
        found = tuple((key, given) for key, given in pairs)
    except Exception as problem:  # anything may happen while running through a stranger's object
        raise WrongTypeError(
            f"{name} must be a mapping from names to values, got {shown(value)}"
        ) from problem
    if odd := [key for key, _ in found if not isinstance(key, str)]:
        raise WrongTypeError(f"{name} are named by texts, not by {shown(odd[0])}")
    return found


def _allowed(kind: str, low: float, high: float) -> str:
    if math.isinf(low) and math.isinf(high):
        return kind
    if math.isinf(high):
        return f"{kind} from {low:.10g} up"
    return (
        f"{kind} up to {high:.10g}" if math.isinf(low) else f"{kind} from {low:.10g} to {high:.10g}"
    )
