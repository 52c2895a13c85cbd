"""Text in the standard fonts of PDF: which letter is in which font, and how wide it is.

Helvetica has the letters of Windows-1252; Greek letters and the signs of mathematics are in Symbol;
raised and lowered digits are small ones. A letter with an accent that neither has loses its accent;
any other is shown as a question mark, and `missing_letters` tells of which this is true. Widths are
in thousandths of the size, as the fonts' own metrics list them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Final, NamedTuple

_ASCII: Final = (
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 "
    "556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556 "
    "1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 "
    "667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 "
    "333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 "
    "556 556 333 500 278 556 500 722 500 500 500 334 260 334 584"
)
_HELVETICA: Final = dict(zip(map(chr, range(32, 127)), map(int, _ASCII.split()), strict=True)) | {
    "…": 1000,
    "—": 1000,
    "–": 556,
    "·": 278,
    "×": 584,
    "±": 584,
    "’": 222,
    "‘": 222,
    "“": 333,
    "”": 333,
    "•": 350,
}
# Each sign of Symbol: its code in that font and its width.
_SYMBOL: Final = {
    sign: (ord(code), width)
    for signs, codes, widths in (
        (
            "αβγδεζηθικλμνξοπρςστυφχψω",
            "abgdezhqiklmnxoprVstufcyw",
            "631 549 411 494 439 494 603 521 329 549 549 576 521 493 549 549 549 439 603 439 576 "
            "521 549 686 686",
        ),
        (
            "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ",
            "ABGDEZHQIKLMNXOPRSTUFCYW",
            "722 667 603 612 611 611 722 741 333 722 686 889 722 645 722 768 556 592 611 690 763 "
            "722 795 768",
        ),
        (
            "−≥≤≠≈≡∞→←",
            "\x2d\xb3\xa3\xb9\xbb\xba\xa5\xae\xac",
            "549 549 549 549 549 549 713 987 987",
        ),
    )
    for sign, code, width in zip(signs, codes, map(int, widths.split()), strict=True)
}
_LOWERED: Final = dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True))
_RAISED: Final = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-", strict=True))
_SMALL, _DOWN, _UP = 0.65, -0.15, 0.35
_USUAL_WIDTH: Final = 556
_UNKNOWN: Final = "?"


class Glyph(NamedTuple):
    """One letter: its font (F1 is Helvetica, F2 Symbol), code, width, size and rise of its size."""

    font: str
    code: int
    width: float
    scale: float = 1.0
    rise: float = 0.0


def glyphs(text: str) -> list[Glyph]:
    """The letters of a text, each in a font that has it.

    >>> [glyph.font for glyph in glyphs("t·λ₂ ≥ 1")]
    ['F1', 'F1', 'F2', 'F1', 'F1', 'F2', 'F1', 'F1']
    """
    return [_glyph(letter) or _helvetica(_UNKNOWN) for letter in _known(text)]


def width_of(text: str, size: float) -> float:
    """How wide a text is.

    >>> width_of("ii", 10.0)
    4.44
    """
    return round(sum(glyph.width * glyph.scale for glyph in glyphs(text)) * size / 1000, 9)


def missing_letters(text: str) -> str:
    """The letters of a text that are shown as question marks.

    >>> missing_letters("Zoë 图 ő")
    '图'
    """
    return "".join(dict.fromkeys(letter for letter in _known(text) if _glyph(letter) is None))


def _known(text: str) -> Iterator[str]:
    """The letters, without accents that no font has."""
    for letter in unicodedata.normalize("NFC", text):
        if _glyph(letter) is None:
            bare = unicodedata.normalize("NFKD", letter)
            kept = [one for one in bare if not unicodedata.combining(one)]
            if kept and all(_glyph(one) for one in kept):
                yield from kept
                continue
        yield letter


def _glyph(letter: str) -> Glyph | None:
    if letter in _SYMBOL:
        code, width = _SYMBOL[letter]
        return Glyph("F2", code, width)
    for table, rise in ((_LOWERED, _DOWN), (_RAISED, _UP)):
        if letter in table:
            plain = _helvetica(table[letter])
            return Glyph("F1", plain.code, plain.width, _SMALL, rise)
    try:
        return _helvetica(letter)
    except UnicodeEncodeError:
        return None


def _helvetica(letter: str) -> Glyph:
    """A letter of Windows-1252; one with an accent is as wide as without."""
    (code,) = letter.encode("cp1252")
    bare = unicodedata.normalize("NFD", letter)[0]
    return Glyph("F1", code, _HELVETICA.get(letter, _HELVETICA.get(bare, _USUAL_WIDTH)))
