"""The Lab page without a browser: what it hears becomes its link, and bad links are told."""

from __future__ import annotations

import json

from gdr_app.state import link
from gdr_core.sketches import DAMAGED, GALLERY, encode, parse
from tests.visiting import assert_fine, open_app

PAGE = "0_Lab"


def lab_of(app):
    """What was sent to the lab in the browser, which keeps its graph under the lab's name."""
    [found] = [each.proto for each in app.get("bidi_component") if "gallery" in each.proto.json]
    return found


def data_of(app) -> dict:
    return json.loads(lab_of(app).json)


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


def test_back_takes_the_graph_off_the_desk_that_its_address_does_not_name(monkeypatch):
    app = open_app(PAGE, graph=encode(parse("a - b")))
    before = lab_of(app).id
    app.run()
    assert lab_of(app).id == before
    app.query_params.clear()
    monkeypatch.setattr(link, "_by_history", lambda: True)
    app.run()
    assert data_of(app)["graph"] == ""
    assert lab_of(app).id != before, "the browser would go on with the graph that it has"


def test_the_gallery_holds_each_graph_once_and_connected():
    gallery = data_of(open_app(PAGE))["gallery"]
    assert [entry["name"] for entry in gallery].count("tail") == 1
    assert {entry["name"] for entry in gallery} == set(GALLERY)
    for exhibit in GALLERY.values():
        assert exhibit.sketch.operator().components.max() == 0, exhibit.title
        assert any(any(row) for row in exhibit.sketch.beliefs), exhibit.title
