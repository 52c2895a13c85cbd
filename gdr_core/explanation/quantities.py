"""Numbers as a reader sees them."""

from __future__ import annotations

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def shown(value: float) -> str:
    """Three significant digits; powers of ten as people write them.

    >>> shown(0.71828), shown(0.00001234), shown(0.0)
    ('0.718', '1.23 × 10⁻⁵', '0')
    """
    mantissa, _, exponent = f"{value:.3g}".partition("e")
    if not exponent:
        return mantissa
    return f"{mantissa} × 10{str(int(exponent)).translate(_RAISED)}"


def alike(one: float, other: float) -> bool:
    """Whether a reader sees the same number."""
    return shown(one) == shown(other)
