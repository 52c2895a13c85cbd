"""The Overshoot page, run without a browser, over every dataset and in both modes."""

from __future__ import annotations

import json
import re
import struct

import numpy as np
import pytest

from gdr_app.components.neighbourhood import TABLE_OPEN, Scene, pack_scene
from gdr_app.components.trajectory_canvas import Curves, Group, pack_curves
from gdr_app.computing import diffusing
from gdr_app.overshoot import impulse as impulse_view
from gdr_app.overshoot.empty import why_empty
from gdr_app.overshoot.examples import LONGEST
from gdr_app.overshoot.overlay import named_nodes
from gdr_app.widgets.around import TABLE
from gdr_app.widgets.export import PYTHON_OPEN
from gdr_app.wording import plain
from gdr_core import datasets, laplacians, priors
from gdr_core.datasets.hiding import hide_test
from gdr_core.explanation.flow import NOBODY, Flow
from gdr_core.explanation.highlights import HIGHLIGHTS, ranking, summits
from gdr_core.explanation.responses import overshooting_sources, respond
from gdr_core.explanation.verdict import judge, sentence
from gdr_core.gdr import GDROptions, reclassify
from gdr_core.gdr.onward import until_settled
from gdr_core.graphs.neighbourhood import neighbourhood, sample_by_distance
from gdr_core.method import Method
from tests.visiting import assert_fine, assert_warns, open_app

WITHOUT_DOWNLOAD = [name for name in datasets.names() if not datasets.spec_of(name).download]
CHEAP = [
    spec.name
    for spec in priors.PRIORS.values()
    if spec.cost == "instant" and spec.name != "external"
]


def texts(app) -> str:
    return " ".join(block.value for block in app.main.markdown)


@pytest.fixture(scope="module")
def cora():
    data = datasets.load_dataset("cora")
    operator = laplacians.make_laplacian("combinatorial", data.undirected)
    labels = hide_test(data).labels
    return data, reclassify(operator, priors.compute_prior("projection", data), labels, data.split)


@pytest.mark.parametrize("name", WITHOUT_DOWNLOAD)
def test_the_page_shows_both_modes_and_every_instant_prior(name):
    app = open_app("3_Overshoot", dataset=name, prior=CHEAP[0])
    assert_shows(app)
    for prior in CHEAP[1:]:
        app.sidebar.selectbox(key="prior").set_value(prior).run()
        assert_shows(app)
    app.button_group(key="mode").set_value("delta impulse").run()
    assert_shows(app)


def assert_shows(app) -> None:
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
        table["Overshoot height Ω"],
        result.overshoot(result.index(0.01), np.array([node]))[0],
        atol=1e-6,
    )


def test_without_a_node_a_clear_overshoot_is_shown(cora):
    data, result = cora
    first = int(ranking(summits(result), "clear overshoots", 1).nodes[0])
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
    assert app.session_state["visit"].get("node") == data.node_names[nodes[0]]
    next(button for button in app.button if button.label == "Next").click().run()
    assert_fine(app)
    assert app.session_state["visit"].get("node") == data.node_names[nodes[1]]


@pytest.mark.parametrize("name", ["largest overshoot", "prettiest"])
def test_a_link_to_a_list_shows_its_first_node_and_stays_there(cora, name):
    data, result = cora
    expected = name if name in HIGHLIGHTS else "clear overshoots"
    first = data.node_names[ranking(summits(result), expected, 1).nodes[0]]
    app = open_app("3_Overshoot", list=name)
    assert f"**Node {first}**" in texts(app)
    app.selectbox(key="hops").set_value("1").run()
    assert_fine(app)
    assert f"**Node {first}**" in texts(app)


def test_a_long_list_says_where_it_is_cut(cora):
    found = ranking(summits(cora[1]), "largest overshoot", LONGEST)
    app = open_app("3_Overshoot", list="largest overshoot")
    assert f"1 of the first {LONGEST} of {found.total:,}" in texts(app)


def test_neighbours_and_lists_can_be_drawn_too():
    for overlay in ("its neighbours", "nodes of the list"):
        app = open_app("3_Overshoot", dataset="karate", overlay=overlay, hops="3", prior="uniform")
        assert_fine(app)
        assert "Pale: " in texts(app)


def test_a_cut_overlay_says_so():
    app = open_app(
        "3_Overshoot", dataset="sbm", overlay="nodes of the list", list="largest overshoot"
    )
    assert_fine(app)
    assert re.search(r"Pale: the first 24 of \d+ other nodes\.", texts(app))


def test_nodes_can_be_drawn_by_name_and_unknown_names_are_reported():
    app = open_app("3_Overshoot", dataset="karate", overlay="by name", **{"with": "3; 7, nobody"})
    assert_fine(app)
    assert "Pale: 2 other nodes." in texts(app)
    assert any("“nobody”" in warning.value for warning in app.main.warning)


def test_names_may_hold_commas():
    labels = {"a": 0, "b, c": 1, "d": 2}
    assert named_nodes(" a ; b, c;a", labels) == ([0, 1], [])
    assert named_nodes("d, a, e", labels) == ([2, 0], ["e"])
    assert named_nodes(" ; ", labels) == ([], [])


def test_an_impulse_has_nothing_drawn_with_it():
    app = open_app("3_Overshoot", dataset="karate", mode="delta impulse")
    assert "overlay" not in {box.key for box in app.selectbox}


def test_the_neighbourhood_is_a_table_too_once_it_is_opened(cora):
    data, _ = cora
    app = open_app("3_Overshoot", node="31336", hops="1")
    assert len(app.dataframe) == 1
    app.session_state[TABLE_OPEN] = True
    app.run()
    assert_fine(app)
    table = next(frame.value for frame in app.dataframe if "Hops" in frame.value)
    near = neighbourhood(data.undirected, data.node_names.index("31336"), 1)
    assert list(table["Node"]) == [data.node_names[node] for node in near.nodes]
    assert list(table["Hops"]) == list(near.distances)
    assert app.session_state[TABLE]["selection"]["rows"] == [0]


@pytest.mark.parametrize(
    ("name", "said"), [("star", "the whole graph"), ("cora", "one ring for each hop")]
)
def test_rings_are_named_only_where_there_are_any(name, said):
    assert said in texts(open_app("3_Overshoot", dataset=name))


def test_an_impulse_that_is_not_possible_explains_itself(monkeypatch):
    def refuse(*given, **named):
        named["progress"](0.5, "half way")
        raise ValueError("no mass today")

    monkeypatch.setattr(diffusing, "respond", refuse)
    app = open_app("3_Overshoot", dataset="karate", mode="delta impulse", node="17", hops="3")
    assert not app.exception
    assert "no mass today" in app.error[0].value


@pytest.mark.parametrize(
    ("key", "asked"), [("list", "prettiest"), ("mode", "both"), ("hops", "9"), ("overlay", "all")]
)
def test_unknown_choices_in_a_link_are_reported(key, asked):
    app = open_app("3_Overshoot", dataset="karate", **{key: asked})
    assert_fine(app)
    assert any(asked in warning.value for warning in app.main.warning)


def test_a_t_min_outside_the_window_is_reported():
    app = open_app("3_Overshoot", dataset="karate", t_min="77")
    assert_warns(app, "77")


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
        "ends": np.array([0.5, 0.125]),
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
    numbers = np.frombuffer(body[: 4 * 13], "<f4")
    np.testing.assert_allclose(numbers[:3], [0, 0.1, 1])
    np.testing.assert_allclose(numbers[3:5], [0.5, 0.25])
    np.testing.assert_allclose(numbers[5:7], [0.5, 0.125])
    np.testing.assert_allclose(numbers[7:], np.arange(6))
    assert list(body[52:]) == [1, 0, 0]
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
        ({"window": 4}, "window"),
        ({"peaks": np.zeros((1, 3), int)}, "peaks"),
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


@pytest.mark.parametrize(
    ("name", "node", "last"), [("karate", "0", "never overshoots"), ("cora", "31336", "not before")]
)
def test_the_python_lines_of_the_impulse_count_the_same_responses(name, node, last, capsys):
    app = open_app("3_Overshoot", dataset=name, mode="delta impulse", node=node)
    app.session_state[PYTHON_OPEN] = True
    app.run()
    assert_fine(app)
    exec(app.code[0].value, {})
    said = capsys.readouterr().out
    shown = {tile.label.lower(): tile.value for tile in app.metric}
    assert any(label.startswith(last) for label in shown)
    for name, count in shown.items():
        assert f"{name} {count}\n" in said


def test_what_was_looked_at_only_so_long_says_how_long():
    """Cora is too large for a proof: table, tiles and legend name the last time looked at."""
    app = open_app("3_Overshoot", dataset="cora", mode="delta impulse", node="31336")
    tile = next(tile for tile in app.metric if tile.label.startswith("Not before t = "))
    end = float(tile.label.removeprefix("Not before t = "))
    view = Method.on("cora")
    laplacian = view.make_laplacian(view.load_dataset())
    times = until_settled(laplacian, view.options.times(laplacian))
    assert end == pytest.approx(times[-1] * laplacian.gap, rel=5e-3)
    assert end > 1  # beyond the time window, whose end this is not
    table = app.dataframe[0].value
    assert (table["Response"] == tile.label[:1].lower() + tile.label[1:]).sum() == int(tile.value)
    assert f"which end at t = {end:g} relaxation times" in tile.help


SMALL = [
    name
    for name in datasets.names()
    if datasets.available(name) and datasets.load_dataset(name).nodes <= impulse_view.FEW
]


@pytest.mark.parametrize(
    "name",
    [name if name != "grid" else pytest.param(name, marks=pytest.mark.slow) for name in SMALL],
)
def test_what_is_said_where_nothing_overshoots_is_true_for_every_source(name):
    """Against the number of overshooting nodes for every source, for one or two nodes shown."""
    view = Method.on(name)
    data = view.load_dataset()
    laplacian = view.make_laplacian(data)
    counts = overshooting_sources(laplacian)
    times = np.array([0.0, 0.1, 1.0]) * laplacian.relaxation_time
    for source in range(data.nodes):
        all_of_them = sample_by_distance(data.undirected, source, data.nodes)
        near = neighbourhood(data.undirected, source, 1)
        everyone = respond(laplacian, near, times, beyond=all_of_them)
        assert everyone.overshoots.sum() == counts[source] + 1
        quiet = everyone.nodes[~everyone.overshoots]
        text = impulse_view.why_none(view, everyone.of(np.append(source, quiet)))
        best = int(counts.max())
        if counts[source]:
            verb = "does" if counts[source] == 1 else "do"
            assert text == (
                "None of the nodes shown overshoots from this source; "
                f"{counts[source]} not shown {verb}."
            )
        elif best:
            found = re.fullmatch(
                r"No node overshoots from this source\. From \*\*(.+)\*\*, (\d+) nodes? would: .*",
                text,
            )
            assert int(found[2]) == best == counts[data.node_names.index(found[1])]
        else:
            assert text.startswith("No node of this graph overshoots, **whichever node")


@pytest.mark.parametrize("name", impulse_view.ELSEWHERE)
@pytest.mark.parametrize("kind", laplacians.fitting(False))
def test_where_people_are_sent_something_overshoots(name, kind):
    data = datasets.load_dataset(name)
    assert overshooting_sources(laplacians.make_laplacian(kind, data.undirected)).any()


def test_nobody_is_sent_where_they_are(monkeypatch):
    view = Method.on("karate")
    data = view.load_dataset()
    laplacian = view.make_laplacian(data)
    monkeypatch.setattr(impulse_view, "_counts_by_source", lambda *_: np.zeros(data.nodes, int))
    found = respond(laplacian, neighbourhood(data.undirected, 0, 1), np.array([0.0, 1.0, 2.0]))
    text = impulse_view.why_none(view, found)
    assert text.endswith("Try **ring-of-cliques**.")


# ------------------------------------------------------------------ a list without any node


def check_empty(result, name: str, index: int) -> str:
    """The sentence of an empty list against the curves; returns its kind."""
    text, said = why_empty(result, name, index), result.relative_times
    assert text.startswith("This list is empty: ")
    free = np.setdiff1d(np.arange(result.prior_labels.size), result.split.train)
    curves = result.trajectories.values(free)
    above = (curves - result.stationary[free] > result.error_bound).any(axis=(1, 2))
    some = np.logical_or.accumulate(above[::-1])[::-1]  # from each t_min on
    moved = (result.scan.predicted[:, free] != result.prior_labels[free]).any(axis=1)

    def place(number: str) -> int:
        return int(np.abs(said - float(number)).argmin())

    if found := re.search(r"gets above its π at any node from t_min = (\S+) on\.", text):
        since = place(found[1])
        assert since <= index
        assert not some[since:].any()
        assert some[since - 1]
        return "overshoots no more"
    if "gets above its π at any node, at any t_min." in text:
        assert not some.any()
        return "never overshoots"
    if found := re.search(r"changes its label from t_min = (\S+) (?:on|to (\S+))\.$", text):
        first, last = place(found[1]), place(found[2]) if found[2] else said.size - 1
        assert first <= index <= last
        assert not moved[first : last + 1].any()
        assert first == 0 or moved[first - 1]
        assert last == said.size - 1 or moved[last + 1]
        return "moves no more"
    if text.endswith("no node changes its label, at any t_min."):
        assert not moved.any()
        return "never moves"
    if found := re.search(
        r"(\d+) nodes? changes? (?:its|their) label .* is (fixed|broken)\.", text
    ):
        assert int(found[1]) == (result.predictions(index) != result.prior_labels)[free].sum()
        changes = result.changes(index)
        assert not getattr(changes, found[2])[free].any()
        return "none fixed"
    if "at every node some class" in text:
        everyone = (curves[index:] - result.stationary[free] > result.error_bound).any(axis=(0, 2))
        assert everyone.all()
        return "all overshoot"
    summit = summits(result, index)
    if "at no node does a class rise" in text:
        assert not (summit.clarity[free] > 2 * result.error_bound).any()
        return "none clear"
    assert "does not peak between t_min and the end" in text
    assert name == "latest overshoot"
    later, every = curves[index:], np.arange(free.size)
    best = (later.max(axis=0) - result.stationary[free]).argmax(axis=1)
    moment, highest = later.argmax(axis=0)[every, best], later.max(axis=0)[every, best]
    inside = (moment > 0) & (moment < later.shape[0] - 1)
    over = highest - result.stationary[free][every, best] > result.error_bound
    falls = highest - result.limit[free][every, best] > 2 * result.error_bound
    assert not (inside & over & falls).any()
    return "none late"


def test_why_a_list_is_empty_is_true_at_every_t_min():
    kinds = set()
    for name in ("karate", "star", "path", "barbell", "two-moons"):
        data = datasets.load_dataset(name)
        laplacian = laplacians.make_laplacian("combinatorial", data.undirected)
        for prior, last in (("uniform", None), ("projection", None), ("projection", 30.0)):
            start = priors.compute_prior(prior, data)
            options = GDROptions(last=last)
            result = reclassify(laplacian, start, hide_test(data).labels, data.split, options)
            for index in (*range(0, 200, 17), 199):
                found = summits(result, index)
                kinds |= {
                    check_empty(result, entry, index)
                    for entry in HIGHLIGHTS
                    if not ranking(found, entry, 1).total
                }
    assert kinds == {
        "overshoots no more",
        "never overshoots",
        "moves no more",
        "never moves",
        "none fixed",
        "all overshoot",
        "none clear",
        "none late",
    }


def test_an_empty_list_says_why_and_has_no_buttons():
    app = open_app(
        "3_Overshoot", dataset="karate", list="broken by GDR", t_min="0", prior="uniform"
    )
    assert_fine(app)
    assert "This list is empty: 17 nodes change their label at this t_min" in texts(app)
    assert not {"Next", "Previous"} & {button.label for button in app.button}
