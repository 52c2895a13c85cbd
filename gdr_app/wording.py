"""Names from data, made fit for reading and safe inside Markdown."""

from __future__ import annotations

import re
from functools import lru_cache

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
