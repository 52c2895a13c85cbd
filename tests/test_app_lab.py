"""The Lab page without a browser: what it hears becomes its link, and bad links are told."""

from __future__ import annotations

import json

from gdr_core.sketches import DAMAGED, GALLERY, encode, parse
from tests.visiting import assert_fine, open_app

PAGE = "0_Lab"


def data_of(app) -> dict:
    """What was sent to the lab in the browser."""
    [found] = [
        json.loads(element.proto.json)
        for element in app.get("bidi_component")
        if "gallery" in element.proto.json
    ]
    return found


def test_the_graph_of_a_link_is_on_the_desk():
    code = encode(parse("a - b\nb - c 2\na: 1\ntime 0.5"))
    app = open_app(PAGE, graph=code)
    assert_fine(app)
    assert data_of(app)["graph"] == code
    assert data_of(app)["fault"] == ""
    assert app.session_state["visit"].link() == {"graph": code}


def test_a_damaged_graph_is_told_and_leaves_the_link():
    app = open_app(PAGE, graph="1.nonsense")
    assert_fine(app)
    assert data_of(app)["fault"] == DAMAGED
    assert data_of(app)["graph"] == ""
    assert app.session_state["visit"].link() == {}


def test_the_gallery_holds_each_graph_once_and_connected():
    gallery = data_of(open_app(PAGE))["gallery"]
    assert [entry["name"] for entry in gallery].count("tail") == 1
    assert {entry["name"] for entry in gallery} == set(GALLERY)
    for exhibit in GALLERY.values():
        assert exhibit.sketch.operator().components.max() == 0, exhibit.title
        assert any(any(row) for row in exhibit.sketch.beliefs), exhibit.title
