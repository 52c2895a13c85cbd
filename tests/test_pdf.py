"""Figures as PDF: the file is put together right, and what it draws is what the SVG says."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from gdr_core.figures import svg
from gdr_core.figures.panels import panels_figure
from gdr_core.figures.pdf import missing_letters, pdf_of
from gdr_core.figures.pdf.lettering import glyphs, width_of
from gdr_core.figures.study import Row, study_figure
from gdr_core.gdr.trials import mean_of


def row(name: str) -> Row:
    return Row(name, "10 runs", mean_of([0.7, 0.72, 0.71]), mean_of([0.8, 0.81, 0.79]))


FIGURES = {
    "study": study_figure([row("MLP"), row("diff-GCN (α = 0.5), t ≥ 1")], "test"),
    "panels": panels_figure({"cora": [row("MLP")], "pubmed": []}, "validation"),
    "flow": svg.class_flow(np.array([[5, 1], [2, 7]]), ["a (b)", "c\\d"]),
}


def objects(data: bytes) -> dict[int, bytes]:
    """The objects of a file, found through its table, as a reader does."""
    begin = int(re.search(rb"startxref\n(\d+)\n%%EOF\n$", data)[1])
    head = re.match(rb"xref\n0 (\d+)\n", data[begin:])
    rows = data[begin + head.end() :].split(b"\n")[: int(head[1])]
    assert all(len(entry) == 19 for entry in rows), "20 bytes with the end of the line"
    found = {}
    for number, entry in enumerate(rows[1:], start=1):
        body = data[int(entry[:10]) :]
        assert body.startswith(b"%d 0 obj\n" % number)
        found[number] = body[: body.index(b"endobj")]
    return found


def drawn(data: bytes) -> str:
    """What the page draws; its length is what the file says."""
    body = objects(data)[6]
    length = int(re.search(rb"/Length (\d+)", body)[1])
    stream = body[body.index(b"stream\n") + 7 :]
    assert stream[length:] == b"\nendstream\n"
    return stream[:length].decode("ascii")


@pytest.mark.parametrize("name", FIGURES)
def test_the_file_is_put_together_as_a_reader_wants_it(name):
    data = pdf_of(FIGURES[name])
    assert data.startswith(b"%PDF-1.4\n")
    parts = objects(data)
    assert b"/Type /Catalog" in parts[1]
    wide, high = (
        float(one) for one in ElementTree.fromstring(FIGURES[name]).get("viewBox").split()[2:]
    )
    box = [float(one) for one in re.search(rb"/MediaBox \[(.*?)\]", parts[3])[1].split()]
    assert box == pytest.approx([0, 0, 0.75 * wide, 0.75 * high], abs=1e-3)
    for reference in re.findall(rb"(\d+) 0 R\b", data):
        assert int(reference) in parts
    content = drawn(data)
    assert content.count("q\n") == content.count("\nQ")
    for state in re.findall(r"/(G\d+) gs", content):
        assert f"/{state} <<".encode() in parts[3]


@pytest.mark.parametrize("name", FIGURES)
def test_it_has_every_shape_and_every_text_of_the_drawing(name):
    root = ElementTree.fromstring(FIGURES[name])
    count = {
        kind: sum(one.tag.endswith(kind) for one in root) for kind in ("line", "circle", "rect")
    }
    content = drawn(pdf_of(FIGURES[name]))
    assert content.count(" l S") >= count["line"]
    assert content.count(" c\n") >= 4 * count["circle"]
    assert content.count(" re ") == count["rect"]
    texts = [one.text for one in root if one.tag.endswith("text")]
    assert content.count("BT ") == content.count("ET") == len(texts)
    for text in texts:
        plain = re.escape(text) if text.isascii() and not set(text) & set("()\\") else None
        assert plain is None or re.search(rf"\({plain}\) Tj", content), text


def test_signs_that_helvetica_lacks_come_from_symbol_and_brackets_are_safe():
    content = drawn(pdf_of(svg.picture(100, 50, "x", [svg.words(5, 20, "π ≥ (λ₂) − é")])))
    assert "/F2 12 Tf 0 Ts (p) Tj" in content
    assert "(\\263) Tj" in content  # ≥
    assert "/F1 7.8 Tf -1.8 Ts (2) Tj" in content  # a lowered two
    assert "\\050" in content
    assert "(-) Tj" in content  # the minus of Symbol
    assert "\\351" in content  # é in Windows-1252


def test_a_letter_that_no_font_has_is_told():
    assert missing_letters("Łódź 图 αβγ naïve – ₂") == "Ł图"
    assert [glyph.code for glyph in glyphs("ź图")] == [ord("z"), ord("?")]
    data = pdf_of(svg.picture(100, 50, "图", [svg.words(5, 20, "图")]))
    assert "(?) Tj" in drawn(data)
    assert "图".encode("utf-16-be").hex().upper().encode() in objects(data)[7]


@pytest.mark.parametrize(("anchor", "share"), [("start", 0.0), ("middle", 0.5), ("end", 1.0)])
def test_texts_begin_where_their_width_says(anchor, share):
    text = "Accuracy 81.5%"
    content = drawn(pdf_of(svg.picture(300, 50, "x", [svg.words(150, 20, text, anchor=anchor)])))
    x = float(re.search(r"BT 1 0 0 -1 (\S+) 20 Tm", content)[1])
    word, number = 667 + 500 + 500 + 556 + 333 + 556 + 500 + 500, 556 + 556 + 278 + 556 + 889
    assert width_of(text, 12) == pytest.approx((word + 278 + number) * 12 / 1000)
    assert x == pytest.approx(150 - share * width_of(text, 12), abs=1e-3)


def test_a_circle_is_round():
    content = drawn(pdf_of(svg.picture(100, 100, "x", [svg.dot((50, 40), 20, "#0072B2")])))
    curves = re.findall(r"(.*) c\n", content)
    start = np.array([70.0, 40.0])
    for curve in curves:
        ends = np.array([float(one) for one in curve.split()]).reshape(3, 2)
        t = np.linspace(0, 1, 50)[:, None]
        points = (1 - t) ** 3 * start + 3 * (1 - t) ** 2 * t * ends[0]
        points = points + 3 * (1 - t) * t**2 * ends[1] + t**3 * ends[2]
        away = np.hypot(*(points - [50, 40]).T)
        assert np.abs(away - 20).max() < 20 * 5e-4
        start = ends[2]
    assert len(curves) == 4
    assert start == pytest.approx([70, 40])


@pytest.mark.parametrize(
    ("part", "why"),
    [
        ("<image/>", "cannot have <image>"),
        ('<path d="M0,0A1,1 0 0 1 2,2" fill="none"/>', "cannot have A"),
        ('<rect width="1" height="1" fill="red"/>', "cannot have 'red'"),
    ],
)
def test_what_it_cannot_draw_is_refused(part, why):
    with pytest.raises(ValueError, match=why):
        pdf_of(svg.picture(10, 10, "x", [part]))
