"""What was checked and what was false; numbers as sentences print them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

NUMBER = r"(-?\d+(?:\.\d+)?(?: × 10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?)"
# "1 nodes", "2 node", a number that is none, "-0.0"
ODD = re.compile(
    r"(?<![\d.,])1 (?:nodes|others|neighbours|sources|dead ends|points|distinct labels)\b"
    r"|(?<![\d.,])(?:[2-9]|\d{2,}) (?:node|other|neighbour|source|dead end|distinct label)\b"
    r"|\bnan\b|[-−+]0\.0(?!\d)",
)
_LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


@dataclass
class Report:
    """How many sentences and claims were checked, and what was false."""

    sentences: int = 0
    claims: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    false: list[str] = field(default_factory=list)

    def claim(self, where: str, kind: str, holds: bool, detail: object = "") -> None:
        """Count a claim, and note it where it is false."""
        self.claims += 1
        self.kinds[kind] += 1
        if not holds:
            self.false.append(f"{where}: {kind} {detail}")

    def read(self, where: str, text: str, pattern: str) -> re.Match[str] | None:
        """The groups of a sentence that has the form it should have, and good grammar."""
        self.sentences += 1
        self.claim(where, "one and many", not ODD.search(text.replace("**", "")), text)
        found = re.fullmatch(pattern, text)
        self.claim(where, "readable", found is not None, text)
        return found

    def __add__(self, other: Report) -> Report:
        return Report(
            self.sentences + other.sentences,
            self.claims + other.claims,
            self.kinds + other.kinds,
            self.false + other.false,
        )


def count(text: str) -> int:
    """A printed count, such as `1,204`."""
    return int(text.replace(",", "").strip("*"))


def number(text: str) -> float:
    """A printed number."""
    mantissa, _, exponent = text.partition(" × 10")
    return float(mantissa) * 10.0 ** int(exponent.translate(_LOWERED) or 0)


def unit(value: float) -> float:
    """Half of the last of three printed digits."""
    return 0.5 * 10.0 ** (np.floor(np.log10(abs(value))) - 2) if value else 1e-12
