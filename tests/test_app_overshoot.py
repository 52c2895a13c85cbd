"""The Overshoot page, run without a browser, over every dataset and in both modes."""

from __future__ import annotations

import json
import re
import struct

import numpy as np
import pytest

from gdr_core import datasets, laplacians, priors
from gdr_core.gdr import reclassify
from gdr_core.gdr.flow import NOBODY, Flow
from gdr_core.gdr.highlights import HIGHLIGHTS, ranking, summits
from gdr_core.neighbourhood import neighbourhood
from gdr_core.verdict import judge, sentence
from pages.shared.neighbourhood import Scene, pack_scene
from pages.shared.trajectory_canvas import Curves, Group, pack_curves
from pages.shared.wording import plain
from tests.test_app_dataset import assert_fine, open_app

WITHOUT_DOWNLOAD = [name for name in datasets.names() if name != "wikipedia"]
MODES = ("one node", "delta impulse")


def texts(app) -> str:
    return " ".join(block.value for block in app.main.markdown)


@pytest.fixture(scope="module")
def cora():
    data = datasets.load("cora")
    operator = laplacians.make("combinatorial", data.undirected)
    return data, reclassify(operator, priors.compute("projection", data), data.labels, data.split)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", WITHOUT_DOWNLOAD)
def test_the_page_shows(name, mode):
    app = open_app("3_Overshoot", dataset=name, mode=mode)
    assert_fine(app)
    # Library, film and picture of the neighbourhood; curves and chart; geometry and overview.
    assert len(app.get("bidi_component")) >= 7
    assert len(app.dataframe) == 1


def test_the_sentence_is_the_library_s(cora):
    data, result = cora
    app = open_app("3_Overshoot", dataset="cora", node="31336", t_min="0.01")
    assert_fine(app)
    node = data.node_names.index("31336")
    names = tuple(name.replace("_", " ") for name in data.class_names)
    assert plain(sentence(judge(result, node, result.index(0.01)), names)) in texts(app)
    table = app.dataframe[0].value
    np.testing.assert_allclose(table["Prior p(0)"], result.start[node])
    np.testing.assert_allclose(
        table["Overshoot Ω"], result.overshoot(result.index(0.01), np.array([node]))[0], atol=1e-6
    )


def test_without_a_node_a_textbook_case_is_shown(cora):
    data, result = cora
    first = int(ranking(summits(result), "textbook cases", 1).nodes[0])
    app = open_app("3_Overshoot")
    assert_fine(app)
    assert f"**Node {data.node_names[first]}**" in texts(app)


def test_moving_t_min_keeps_the_node():
    one, other = (texts(open_app("3_Overshoot", t_min=t_min)) for t_min in ("0.001", "0.2"))
    shown = [re.search(r"\*\*Node (\d+)\*\*", text).group(1) for text in (one, other)]
    assert shown[0] == shown[1]


@pytest.mark.parametrize("name", ["narrowest margin", "broken by GDR", "latest overshoot"])
def test_a_list_opens_its_first_node_and_next_goes_on(cora, name):
    data, result = cora
    nodes = ranking(summits(result), name, 3).nodes
    app = open_app("3_Overshoot")
    app.selectbox(key="list").set_value(name).run()
    assert_fine(app)
    assert app.session_state["node"] == data.node_names[nodes[0]]
    next(button for button in app.button if button.label == "Next").click().run()
    assert_fine(app)
    assert app.session_state["node"] == data.node_names[nodes[1]]


def test_neighbours_and_lists_can_be_drawn_too():
    for overlay in ("its neighbours", "nodes of the list"):
        app = open_app("3_Overshoot", dataset="karate", overlay=overlay, hops="3", prior="uniform")
        assert_fine(app)


@pytest.mark.parametrize(
    ("key", "asked"), [("list", "prettiest"), ("mode", "both"), ("hops", "9"), ("overlay", "all")]
)
def test_unknown_choices_in_a_link_are_reported(key, asked):
    app = open_app("3_Overshoot", dataset="karate", **{key: asked})
    assert_fine(app)
    assert any(asked in warning.value for warning in app.main.warning)


def test_a_t_min_outside_the_window_is_reported():
    app = open_app("3_Overshoot", dataset="karate", t_min="77")
    assert_fine(app)
    assert any("77" in warning.value for warning in app.warning)


def test_every_list_has_a_place_in_the_menu():
    app = open_app("3_Overshoot", dataset="karate")
    assert app.selectbox(key="list").options == list(HIGHLIGHTS)


# ------------------------------------------------------------------ what travels


def header(payload: bytes) -> tuple[dict, bytes]:
    length = struct.unpack("<I", payload[:4])[0]
    return json.loads(payload[4 : 4 + length]), payload[4 + length :]


def some_curves(**changes) -> Curves:
    given = {
        "times": np.array([0.0, 0.1, 1.0]),
        "values": np.arange(6.0).reshape(2, 3),
        "levels": np.array([0.5, 0.25]),
        "groups": np.array([0, 1]),
        "owners": np.array([0, 0]),
        "legend": [Group("a", "#000000"), Group("b", "#ffffff")],
        "names": ["x"],
        "quantity": "p",
        "handle": "t_min",
        "labels": np.array([1, 0, 0]),
    }
    return Curves(**{**given, **changes})


def test_curves_arrive_as_they_are():
    packed = pack_curves(some_curves())
    head, body = header(packed.payload)
    numbers = np.frombuffer(body[: 4 * 11], "<f4")
    np.testing.assert_allclose(numbers[:3], [0, 0.1, 1])
    np.testing.assert_allclose(numbers[3:5], [0.5, 0.25])
    np.testing.assert_allclose(numbers[5:], np.arange(6))
    assert list(body[44:]) == [1, 0, 0]
    assert head["id"] == packed.id
    assert pack_curves(some_curves()).id == packed.id
    assert pack_curves(some_curves(handle="time")).id != packed.id


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"times": np.array([0.0, 1.0])}, "times"),
        ({"levels": np.array([1.0])}, "levels"),
        ({"labels": np.array([1])}, "labels"),
        ({"scale": "odd"}, "logarithmic"),
    ],
)
def test_curves_that_do_not_fit_are_refused(changes, said):
    with pytest.raises(ValueError, match=said):
        some_curves(**changes)


def some_scene(graph, codes: np.ndarray, **changes) -> Scene:
    around = neighbourhood(graph, 0, 1)
    given = {
        "around": around,
        "places": around.places(),
        "rings": True,
        "names": ["<b>hub</b>", *"abcd"],
        "squares": np.array([1, 0, 0, 0, 0], dtype=bool),
        "square": "training node",
        "times": np.array([0.0, 1.0]),
        "flow": Flow(codes, np.full(codes.shape, 0.5)),
        "legend": [("one", "#112233")],
        "quiet": ("nobody", "#888888"),
    }
    return Scene(**{**given, **changes})


def test_scenes_arrive_as_they_are(star_graph):
    codes = np.array([[0, NOBODY, 0, 0, 0], [NOBODY] * 5])
    packed = pack_scene(some_scene(star_graph, codes))
    head, body = header(packed.payload)
    assert packed.nodes == (0, 1, 2, 3, 4)
    assert head["names"][0] == "<b>hub</b>"
    assert (head["links"], head["rings"], head["times"]) == (4, 1, 2)
    film = body[2 * 4 + 10 * 4 + 8 * 2 :]
    assert list(film[:10]) == [0, 255, 0, 0, 0] + [255] * 5
    assert set(film[10:]) == {128}


def test_the_shape_stays_when_only_the_film_changes(star_graph):
    one = pack_scene(some_scene(star_graph, np.zeros((2, 5), dtype=int)))
    other = pack_scene(some_scene(star_graph, np.full((2, 5), NOBODY)))
    assert one.id != other.id
    assert header(one.payload)[0]["shape"] == header(other.payload)[0]["shape"]


def test_a_film_of_another_length_is_refused(star_graph):
    with pytest.raises(ValueError, match="flow must have shape"):
        some_scene(star_graph, np.zeros((3, 5), dtype=int))
