"""A sketch as a short text for links: a version, a dot, and bytes in base64 for addresses.

The bytes of version 1, where `number` is a whole number in groups of seven bits, the lowest first,
and `decimal` is m · 10^e as the number m and, if m is not 0, the number of e (2e, or −2e − 1):

    flags       1 names follow, 2 backward
    Laplacian   its place in `KINDS`
    number      nodes;  number  classes;  decimals  α, t, t_min
    nodes       number 1001 x + y;  number: 1 if its class is known, 2 · 2^c for each class c that
                it believes in, then a decimal for each of these
    names       if they are not 1, 2, 3, …: number of bytes and the bytes of each in UTF-8
    number      edges;  each two bytes: from, with 128 for an arrow; to, with 128 if a decimal for
                its weight follows, which is 1 otherwise
    check       CRC-32 of all bytes before, four bytes, the lowest first

`coding.js` among the app's components does the same. A later version gets another number in front,
and this one stays readable.
"""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from decimal import Decimal
from typing import Final

from gdr_core.sketches.record import PLACES, Edge, Sketch, SketchError, tidy

VERSION: Final = "1"
DAMAGED: Final = (
    "The graph in this link cannot be read: a part of it is missing or was changed. Ask for the "
    "link again."
)
# Numbers in links: new kinds go to the end.
KINDS: Final = (
    "combinatorial",
    "symmetric",
    "random-walk",
    "max-entropy",
    "directed",
    "directed-normalised",
    "directed-random-walk",
)
_LONGEST: Final = 40_000  # characters; sixty nodes with every edge and belief stay below


def encode(sketch: Sketch) -> str:
    """The text that stands for a sketch in a link.

    >>> from gdr_core.sketches import Edge, Sketch, decode, encode
    >>> two = Sketch(names=("a", "b"), edges=(Edge(0, 1, 2.5),), time=1.5)
    >>> encode(two)
    '1.AQACAVUDDwEAjMceAITNHgABYQFiAQCBGQHivKxw'
    >>> decode(encode(two)) == two
    True
    """
    out = _Writer()
    numbered = sketch.names == _numbered(len(sketch.names))
    out.bytes.append((0 if numbered else 1) | (2 if sketch.direction == "backward" else 0))
    out.bytes.append(KINDS.index(sketch.laplacian))
    out.number(len(sketch.names))
    out.number(sketch.classes)
    for value in (sketch.alpha, sketch.time, sketch.t_min):
        out.decimal(value)
    for (x, y), row, known in zip(sketch.places, sketch.beliefs, sketch.train, strict=True):
        out.number((PLACES + 1) * x + y)
        out.number(known + sum(2 << c for c, belief in enumerate(row) if belief))
        for belief in filter(None, row):
            out.decimal(belief)
    if not numbered:
        for name in sketch.names:
            out.name(name)
    out.number(len(sketch.edges))
    for edge in sketch.edges:
        plain = edge.weight == 1
        out.bytes += bytes([edge.source | edge.arrow << 7, edge.target | (not plain) << 7])
        if not plain:
            out.decimal(edge.weight)
    whole = bytes(out.bytes)
    checked = whole + zlib.crc32(whole).to_bytes(4, "little")
    return f"{VERSION}.{urlsafe_b64encode(checked).decode().rstrip('=')}"


def decode(text: str) -> Sketch:
    """The sketch that a link's text stands for; whatever is damaged gives the same sentence."""
    version, dot, body = text[:_LONGEST].partition(".")
    if version != VERSION or not dot or len(text) > _LONGEST:
        raise SketchError(DAMAGED)
    try:
        return _read(_Reader(_checked_bytes(body)))
    except (ValueError, IndexError, OverflowError):  # SketchError is a ValueError
        raise SketchError(DAMAGED) from None


def _checked_bytes(body: str) -> bytes:
    found = urlsafe_b64decode(body + "=" * (-len(body) % 4))
    again = urlsafe_b64encode(found).decode().rstrip("=")
    whole, check = found[:-4], found[-4:]
    if again != body or zlib.crc32(whole).to_bytes(4, "little") != check:
        raise ValueError("the check does not fit")
    return whole


def _read(given: _Reader) -> Sketch:
    flags, kind = given.byte(), KINDS[given.byte()]
    nodes, classes = given.number(), given.number()
    alpha, time, t_min = given.decimal(), given.decimal(), given.decimal()
    places, beliefs, train = [], [], []
    for _ in range(nodes):
        places.append(divmod(given.number(), PLACES + 1))
        marks = given.number()
        train.append(bool(marks & 1))
        beliefs.append(tuple(given.decimal() if marks & 2 << c else 0.0 for c in range(classes)))
    names = tuple(given.name() for _ in range(nodes)) if flags & 1 else _numbered(nodes)
    edges = tuple(given.edge() for _ in range(given.number()))
    if given.rest():
        raise ValueError("more bytes than a sketch has")
    direction = "backward" if flags & 2 else "forward"
    return Sketch(
        names,
        edges,
        tuple(beliefs),
        tuple(places),
        tuple(train),
        kind,
        direction,
        alpha,
        time,
        t_min,
    )


def _numbered(nodes: int) -> tuple[str, ...]:
    return tuple(str(i + 1) for i in range(nodes))


class _Writer:
    """Bytes, from numbers and names."""

    def __init__(self) -> None:
        self.bytes = bytearray()

    def number(self, value: int) -> None:
        while value > 127:
            self.bytes.append(value & 127 | 128)
            value >>= 7
        self.bytes.append(value)

    def decimal(self, value: float) -> None:
        _, digits, exponent = Decimal(repr(tidy(value))).normalize().as_tuple()
        assert isinstance(exponent, int)
        mantissa = int("".join(map(str, digits)))
        self.number(mantissa)
        if mantissa:
            self.number(2 * exponent if exponent >= 0 else -2 * exponent - 1)

    def name(self, text: str) -> None:
        encoded = text.encode()
        self.number(len(encoded))
        self.bytes += encoded


class _Reader:
    """Numbers and names, from bytes; IndexError or ValueError where there are none."""

    def __init__(self, given: bytes) -> None:
        self.bytes, self.place = given, 0

    def byte(self) -> int:
        self.place += 1
        return self.bytes[self.place - 1]

    def number(self) -> int:
        value, shift = 0, 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
            if shift > 28:
                raise ValueError("a number with too many bytes")

    def decimal(self) -> float:
        mantissa = self.number()
        if not mantissa:
            return 0.0
        twice = self.number()
        return float(f"{mantissa}e{-(twice + 1) // 2 if twice % 2 else twice // 2}")

    def name(self) -> str:
        length = self.number()
        start, self.place = self.place, self.place + length
        if self.place > len(self.bytes):
            raise IndexError("a name ends too early")
        return self.bytes[start : self.place].decode()

    def edge(self) -> Edge:
        source, target = self.byte(), self.byte()
        weight = self.decimal() if target & 128 else 1.0
        return Edge(source & 127, target & 127, weight, bool(source & 128))

    def rest(self) -> bool:
        return self.place < len(self.bytes)
