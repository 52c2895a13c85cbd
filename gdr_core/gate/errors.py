"""The error for a wrong type, and values as a sentence can show them."""

from __future__ import annotations

from typing import Any

_LONGEST = 60


class WrongTypeError(TypeError, ValueError):
    """The wrong kind of thing was given.

    A TypeError by Python's conventions, and a ValueError too: who catches one to show its sentence
    (the command line, a page) wants both.

    >>> isinstance(WrongTypeError("a number is needed"), TypeError)
    True
    """


def shown(value: Any) -> str:
    """A value as one short line, whatever it is: objects may be large, and fail to describe
    themselves.

    >>> shown("two words"), shown(list(range(100)))[-8:]
    ("'two words'", '15, 16 …')
    """
    try:
        text = repr(value) if _is_small(value) else f"a {type(value).__name__}"
    except Exception:
        text = f"a {type(value).__name__}"
    line = "".join(c if c.isprintable() else " " for c in " ".join(text.split()))
    return line if len(line) <= _LONGEST else line[: _LONGEST - 2].rstrip(", ") + " …"


def _is_small(value: Any) -> bool:
    """Whether describing the value costs nothing; texts and containers count their parts."""
    try:
        return len(value) <= 1000
    except TypeError:
        return not isinstance(value, int) or value.bit_length() < 2000
