"""Whether an exception is ours: raised on purpose, by our code, with one sentence."""

from __future__ import annotations

import dis
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

import gdr_core

_OURS = (Path(gdr_core.__file__).parent.parent / "gdr_").as_posix()
_RAISE = dis.opmap["RAISE_VARARGS"]
_LONGEST = 600
FINE = ("result", "refused")


def outcome_of(call: Callable[[], Any], also: tuple[str, ...] = ()) -> str:
    """`result`, `refused`, or `wrong: …` with what went wrong.

    also   packages whose own refusals count, as scikit-learn's do in an estimator
    """
    try:
        call()
    except (ValueError, TypeError, OSError) as error:  # OSError: there is no such file
        return "refused" if is_ours(error, also) else wrong(error)
    except Exception as error:
        return wrong(error)
    return "result"


def wrong(error: BaseException) -> str:
    """An exception on one line, with the place where it was raised."""
    last = _last(error.__traceback__)
    place = "" if last is None else f" at {last.tb_frame.f_code.co_filename}:{last.tb_lineno}"
    return f"wrong: {type(error).__name__}: {' '.join(str(error).split())[:300]}{place}"


def is_ours(error: Exception, also: tuple[str, ...] = ()) -> bool:
    """Whether a `raise` of our own code made the exception, and its text is one sentence.

    An operator that fails raises in our code, too, but not by a `raise`: the instruction tells.
    """
    last = _last(error.__traceback__)
    if last is None:
        return False
    code = last.tb_frame.f_code
    file = Path(code.co_filename).as_posix()
    if any(f"/{package}/" in file for package in also):
        return True
    meant = code.co_code[last.tb_lasti] == _RAISE
    return meant and file.startswith(_OURS) and _is_sentence(str(error))


def _is_sentence(text: str) -> bool:
    """Whether a text is one line that a person can be shown."""
    return 0 < len(text) < _LONGEST and text.isprintable() and "Traceback" not in text


def _last(place: TracebackType | None) -> TracebackType | None:
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    return place
