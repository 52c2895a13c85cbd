"""Names from data, made fit for reading and safe inside Markdown."""

from __future__ import annotations

import re
from functools import lru_cache
from math import isnan

SPECIAL = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~$:&])")


@lru_cache(maxsize=4096)
def readable(name: str) -> str:
    """A class name as people write it."""
    return name.replace("_", " ")


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """Text that Markdown shows as it is: a node's name is data, never formatting."""
    return SPECIAL.sub(r"\\\1", text)


def counted(number: int, noun: str) -> str:
    """`1 neighbour`, `1,204 neighbours`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def percent(share: float) -> str:
    """`81.0%`, or a dash where there is nothing to take a share of."""
    return "–" if isnan(share) else f"{share:.1%}"
