"""Names from data, made fit for reading and safe inside Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from math import isnan
from pathlib import Path

UNSEEN = "\u2060"  # the word joiner
ADDRESS = re.compile(r"(?:https?|ftp|xmpp|mailto):(?=\S)|www(?=\.)|@(?=\w)", re.IGNORECASE)
_FOLDERS = re.compile(r"(?<![\w.:/\\-])(?:[A-Za-z]:[\\/]|/)(?:[^\s'\"`:;,()\\/]+[\\/])+")
_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~$:&])")


@lru_cache(maxsize=4096)
def readable(name: str) -> str:
    """A class name as people write it."""
    return name.replace("_", " ")


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """Text that Markdown shows as it is: a node's name is data, never formatting.

    Streamlit makes links of bare addresses after Markdown was read, where an escape means nothing
    any more; a character that nobody sees, inside of the address, keeps it a text.
    """
    if ":" in text or "@" in text or "www." in text.lower():  # looking for one takes much longer
        text = ADDRESS.sub(f"\\g<0>{UNSEEN}", text)
    return _SPECIAL.sub(r"\\\1", text)


def told(error: BaseException, *places: Path) -> str:
    """What an error says, for a visitor: files by their names alone, and nothing formatted.

    Where a server keeps its files is nobody's business; the log has the whole.

    places   files that it may name, beside those that it says itself

    >>> told(ValueError("/srv/data/texas is damaged"))
    'texas is damaged'
    """
    text = str(error)
    for file in [*map(str, places), *_files_of(error)]:
        text = text.replace(file, Path(file).name)
    return plain(_FOLDERS.sub("", text))


def _files_of(error: BaseException | None) -> Iterator[str]:
    """The files that an error and its causes are about."""
    while error is not None:
        for name in ("path", "filename"):
            if isinstance(file := getattr(error, name, None), str | Path) and str(file):
                yield str(file)
        error = error.__cause__


def counted(number: int, noun: str) -> str:
    """`1 neighbour`, `1,204 neighbours`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def points(share: float) -> str:
    """A difference of two shares in points: `+1.2`, `−0.8`, `0.0`."""
    text = f"{100 * share:+.1f}"
    return "0.0" if text in ("+0.0", "-0.0") else text.replace("-", "−")


def percent(share: float) -> str:
    """`81.0%`, or a dash where there is nothing to take a share of."""
    return "–" if isnan(share) else f"{share:.1%}"
