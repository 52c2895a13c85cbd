"""From the SVG of a figure to the bytes of a PDF of one page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final
from xml.etree import ElementTree

from gdr_core.figures.pdf.lettering import Glyph, glyphs, missing_letters, width_of

_POINTS: Final = 0.75  # of one pixel
_ROUND: Final = 0.5523  # of the radius: where the handles of a quarter of a circle lie
_ANCHORS: Final = {"start": 0.0, "middle": 0.5, "end": 1.0}
_FONTS: Final = "/F1 4 0 R /F2 5 0 R"


def pdf_of(figure: str) -> bytes:
    """A figure, as `gdr_core.figures.svg` draws it, as PDF; text of the page's colour is black.

    >>> from gdr_core.figures.svg import dot, picture
    >>> pdf_of(picture(200, 100, "A disc", [dot((50, 50), 4, "#0072B2")]))[:8]
    b'%PDF-1.4'
    """
    root = ElementTree.fromstring(figure)
    wide, high = (float(one) for one in root.attrib["viewBox"].split()[2:])
    clear: dict[str, str] = {}
    content = "\n".join(
        [
            f"{_number(_POINTS)} 0 0 {_number(-_POINTS)} 0 {_number(high * _POINTS)} cm",
            *(line for element in root for line in _drawn(element, clear)),
        ]
    )
    return _file(wide * _POINTS, high * _POINTS, content, clear, root.get("aria-label", ""))


def _drawn(element: ElementTree.Element, clear: dict[str, str]) -> Iterator[str]:
    """The operators of one element; `clear` gathers the states for what shines through."""
    kind = element.tag.rpartition("}")[2]
    if kind not in _SHAPES:
        raise ValueError(f"a figure as PDF has {', '.join(_SHAPES)}; it cannot have <{kind}>")
    yield "q"
    yield from _style(element, clear)
    yield from _SHAPES[kind](element)
    yield "Q"


def _style(element: ElementTree.Element, clear: dict[str, str]) -> Iterator[str]:
    fill, stroke = element.get("fill", "#000000"), element.get("stroke", "none")
    if fill != "none":
        yield f"{_colour(fill)} rg"
    if stroke != "none":
        yield f"{_colour(stroke)} RG {element.get('stroke-width', '1')} w"
    if element.get("stroke-linejoin") == "round":
        yield "1 j"
    if dash := element.get("stroke-dasharray"):
        yield f"[{' '.join(re.split(r'[ ,]+', dash.strip()))}] 0 d"
    opacities = (element.get("fill-opacity", "1"), element.get("stroke-opacity", "1"))
    if opacities != ("1", "1"):
        name = clear.setdefault(f"/ca {opacities[0]} /CA {opacities[1]}", f"G{len(clear) + 1}")
        yield f"/{name} gs"


def _painted(element: ElementTree.Element) -> str:
    """The operator that fills, strokes or does both."""
    filled = element.get("fill", "#000000") != "none"
    stroked = element.get("stroke", "none") != "none"
    return {(True, True): "B", (True, False): "f", (False, True): "S"}.get((filled, stroked), "n")


def _line(element: ElementTree.Element) -> Iterator[str]:
    yield f"{element.get('x1')} {element.get('y1')} m {element.get('x2')} {element.get('y2')} l S"


def _polyline(element: ElementTree.Element) -> Iterator[str]:
    first, *rest = (place.replace(",", " ") for place in element.get("points", "").split())
    yield " ".join([f"{first} m", *(f"{place} l" for place in rest), _painted(element)])


def _rect(element: ElementTree.Element) -> Iterator[str]:
    sides = [element.get(name, "0") for name in ("x", "y", "width", "height")]
    yield f"{' '.join(sides)} re {_painted(element)}"


def _circle(element: ElementTree.Element) -> Iterator[str]:
    """Four quarters, each a cubic curve that is off by less than 0.03 % of the radius."""
    x, y, r = (float(element.get(name, "0")) for name in ("cx", "cy", "r"))
    handle = _ROUND * r
    yield f"{_spot(x + r, y)} m"
    for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1)):
        u, v = -dy, dx  # the direction in which the curve leaves, and where it ends
        yield (
            f"{_spot(x + dx * r + u * handle, y + dy * r + v * handle)} "
            f"{_spot(x + u * r + dx * handle, y + v * r + dy * handle)} "
            f"{_spot(x + u * r, y + v * r)} c"
        )
    yield f"h {_painted(element)}"


def _path(element: ElementTree.Element) -> Iterator[str]:
    """Begin, line, curve and end, in places that are counted from the corner: M, L, C, Z."""
    words = {"M": "m", "L": "l", "C": "c", "Z": "h"}
    for letter, numbers in re.findall(r"([A-Za-z])([^A-Za-z]*)", element.get("d", "")):
        if letter not in words:
            raise ValueError(
                f"a path of a figure as PDF has M, L, C and Z; it cannot have {letter}"
            )
        yield f"{' '.join(re.split(r'[ ,]+', numbers.strip()))} {words[letter]}".strip()
    yield _painted(element)


def _text(element: ElementTree.Element) -> Iterator[str]:
    text, size = element.text or "", float(element.get("font-size", "12"))
    share = _ANCHORS[element.get("text-anchor", "start")]
    x = float(element.get("x", "0")) - share * width_of(text, size)
    yield f"BT 1 0 0 -1 {_spot(x, float(element.get('y', '0')))} Tm"  # the page stands on its head
    for looks, run in groupby(
        glyphs(text), key=lambda glyph: (glyph.font, glyph.scale, glyph.rise)
    ):
        font, scale, rise = looks
        yield f"/{font} {_number(size * scale)} Tf {_number(size * rise)} Ts {_string(run)} Tj"
    yield "ET"


_SHAPES: Final[Mapping[str, Callable[[ElementTree.Element], Iterator[str]]]] = {
    "line": _line,
    "polyline": _polyline,
    "rect": _rect,
    "circle": _circle,
    "path": _path,
    "text": _text,
}


def _string(run: Iterator[Glyph]) -> str:
    r"""Letters between brackets; brackets, backslashes and all beyond ASCII as octal numbers."""
    codes = (glyph.code for glyph in run)
    plain = (
        chr(code) if 32 <= code < 127 and code not in b"()\\" else f"\\{code:03o}" for code in codes
    )
    return f"({''.join(plain)})"


def _colour(name: str) -> str:
    """Red, green and blue between 0 and 1; the colour of the page's text is black."""
    if name == "currentColor":
        return "0 0 0"
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", name):
        raise ValueError(f"a figure as PDF has colours such as #0072B2; it cannot have {name!r}")
    return " ".join(_number(int(name[at : at + 2], 16) / 255) for at in (1, 3, 5))


def _spot(x: float, y: float) -> str:
    return f"{_number(x)} {_number(y)}"


def _number(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")


def _file(wide: float, high: float, content: str, clear: Mapping[str, str], title: str) -> bytes:
    """Six objects and a table of where each begins."""
    states = " ".join(f"/{name} << {says} >>" for says, name in clear.items())
    lacks = missing_letters(title)
    note = f"Shown as question marks: {' '.join(lacks)}" if lacks else ""
    fonts = ("/Helvetica /Encoding /WinAnsiEncoding", "/Symbol")
    stream = content.encode("ascii")
    return _numbered(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {_spot(wide, high)}] /Contents 6 0 R "
            f"/Resources << /Font << {_FONTS} >> /ExtGState << {states} >> >> >>".encode(),
            *(f"<< /Type /Font /Subtype /Type1 /BaseFont {font} >>".encode() for font in fonts),
            f"<< /Length {len(stream)} >>\nstream\n".encode() + stream + b"\nendstream",
            f"<< /Title {_unicode(title)} /Subject {_unicode(note)} >>".encode(),
        ]
    )


def _unicode(text: str) -> str:
    """A text that is about the file, in any script."""
    return f"<FEFF{text.encode('utf-16-be').hex().upper()}>"


def _numbered(objects: Sequence[bytes]) -> bytes:
    """The objects one after the other, and where each begins."""
    data, begins = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", []
    for number, body in enumerate(objects, start=1):
        begins.append(len(data))
        data += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    table = b"".join(b"%010d 00000 n \n" % begin for begin in begins)
    count = len(objects) + 1
    head = b"xref\n0 %d\n0000000000 65535 f \n" % count
    tail = b"trailer\n<< /Size %d /Root 1 0 R /Info %d 0 R >>\n" % (count, count - 1)
    return data + head + table + tail + b"startxref\n%d\n%%%%EOF\n" % len(data)
