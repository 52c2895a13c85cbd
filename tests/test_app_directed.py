"""The Directed page over every directed dataset, and the mathematics under it."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from gdr_app.components.walk_canvas import Panel, Scene, payload
from gdr_app.directed.choice import DIRECTION, DirectedView
from gdr_app.directed.export import python_for
from gdr_app.directed.rank import ranks_csv
from gdr_app.directed.walk import masses, walks
from gdr_core import datasets, laplacians, priors
from gdr_core.datasets import DatasetChoice
from gdr_core.explanation.directions import COUNTERPARTS, READINGS, common_times, study
from gdr_core.figures.directed import citation_picture, mass_over_steps, rank_scatter
from gdr_core.graphs.walks import DANGLING, SMALL_GRAPHS, Walk
from gdr_core.laplacians import pagerank
from gdr_core.method import Method
from gdr_tools.paper.board import tables
from gdr_tools.paper.store import Snapshot, Store
from tests.conftest import arrows
from tests.visiting import assert_fine, assert_warns, open_app

PAGE = "7_Directed"
ONE_NODE, THE_TABLES = "what changes for one node", "the tables"
DIRECTED = [name for name in datasets.names() if datasets.spec_of(name).directed]


@pytest.fixture(scope="module")
def ring():
    data = datasets.load_dataset("directed-ring")
    return data, priors.compute_prior("projection", data)


RING = Method.on("directed-ring")


@pytest.fixture(scope="module")
def ring_studies(ring):
    return {reading: study(RING, reading, *ring) for reading in READINGS}


def component_data(app, name: str) -> list[dict]:
    """What the mounted components of one kind were given, as long as it is JSON."""
    found = [c.proto for c in app.get("bidi_component") if c.proto.component_name.endswith(name)]
    return [json.loads(proto.json) for proto in found if proto.json]


def random_graph(seed: int, nodes: int = 9):
    draw = np.random.default_rng(seed)
    dense = draw.random((nodes, nodes)) * (draw.random((nodes, nodes)) < 0.2)
    np.fill_diagonal(dense, 0)
    return sp.csr_array(dense)


# ---------------------------------------------------------------- the page


@pytest.mark.parametrize("direction", ["both", "forward", "backward"])
@pytest.mark.parametrize("name", DIRECTED)
def test_the_page_shows_every_directed_graph(name, direction):
    app = open_app(PAGE, dataset=name, direction=direction)
    assert_fine(app)
    assert not app.warning
    assert app.selectbox(key="dataset").value == name
    shown = {"forward", "backward"} if direction == "both" else {direction}
    keys = {component.key for component in app.get("bidi_component")}
    assert {f"rank-{name}" for name in shown} == {
        k for k in keys if k in ("rank-forward", "rank-backward")
    }


@pytest.mark.parametrize("name", DIRECTED)
def test_the_parts_show_one_node_and_the_tables(name):
    app = open_app(PAGE, dataset=name, part=ONE_NODE)
    assert_fine(app)
    nodes = datasets.load_dataset(name).nodes
    assert any(len(frame.value) == nodes for frame in app.dataframe)
    assert len(app.get("plotly_chart")) == 2
    parts = next(group for group in app.button_group if group.label == "Part of the page")
    parts.set_value(THE_TABLES).run()
    assert_fine(app)
    assert app.query_params["part"] == THE_TABLES
    assert len(component_data(app, "results_table")) == 2


def test_a_part_that_there_is_not_is_said():
    assert_warns(open_app(PAGE, dataset="directed-ring", part="the end"), "the end")


@pytest.mark.parametrize("form", list(COUNTERPARTS))
@pytest.mark.parametrize("alpha", ["0.05", "0.99"])
def test_every_form_at_the_ends_of_the_slider(form, alpha):
    app = open_app(PAGE, dataset="directed-ring", form=form, alpha=alpha)
    assert_fine(app)
    assert app.slider(key="alpha").value == float(alpha)


def test_only_graphs_with_directions_are_offered():
    app = open_app(PAGE)
    assert list(app.selectbox(key="dataset").options) == DIRECTED


def test_an_undirected_graph_in_the_link_is_explained():
    app = open_app(PAGE, dataset="citeseer")
    assert_fine(app)
    assert "Citeseer" in app.info[0].value
    assert "no directions" in app.info[0].value
    assert app.selectbox(key="dataset").value == DIRECTED[0]


@pytest.mark.parametrize(
    ("key", "value", "word"),
    [("alpha", "1.5", "number"), ("direction", "sideways", "sideways"), ("node", "x9", "x9")],
)
def test_what_a_link_asks_in_vain_is_said(key, value, word):
    app = open_app(PAGE, dataset="directed-ring", **{key: value})
    assert_fine(app)
    assert word in app.warning[0].value


def test_a_deep_link_opens_the_view():
    asked = {
        "dataset": "directed-ring",
        "direction": "backward",
        "alpha": "0.5",
        "form": "directed-normalised",
        "node": "3",
        "unit": "own time",
        "small": "citations",
        "way": "backward",
        "dead-end": "vanish",
        "start": "first node",
        "rule": "reference",
    }
    shown = {
        "where a walk goes": ("small", "way", "dead-end", "start", "form"),
        ONE_NODE: ("unit",),
        THE_TABLES: ("rule",),
    }
    for part, keys in shown.items():
        app = open_app(PAGE, part=part, **asked)
        assert_fine(app)
        for key in keys:
            assert app.selectbox(key=key).value == asked[key]
    assert app.selectbox(key=DIRECTION).value == asked["direction"]
    assert app.slider(key="alpha").value == 0.5
    app = open_app(PAGE, part=ONE_NODE, **asked)
    assert any(block.value.startswith("Node **3**") for block in app.main.markdown)


def test_the_table_begins_with_the_most_visited_and_knows_its_nodes(ring, ring_studies):
    app = open_app(PAGE, dataset="directed-ring", part=ONE_NODE)
    table = next(frame.value for frame in app.dataframe if "N·φ forward" in frame.value)
    nodes = table.index.to_numpy()
    visits = ring[0].nodes * ring_studies["forward"].visits
    np.testing.assert_allclose(table["N·φ forward"], visits[nodes])
    most = table[["N·φ forward", "N·φ backward"]].max(axis=1).to_numpy()
    assert (np.diff(most) <= 0).all()
    assert list(table["Node"]) == [ring[0].node_names[node] for node in nodes]


def test_tables_four_and_five_are_the_stored_ones():
    app = open_app(PAGE, dataset="directed-ring", part=THE_TABLES, rule="reference")
    shown = component_data(app, "results_table")
    stored = tables(Snapshot(Store()), "reference")[-2:]
    assert [table["title"] for table in shown] == [table.title for table in stored]
    for given_, table in zip(shown, stored, strict=True):
        texts = {n["name"]: n["ours"] for row in given_["rows"] for n in row["numbers"]}
        for number in table.numbers:
            expected = "not computed" if number.ours is None else f"{number.ours:.1f}"
            assert texts[number.name].startswith(expected)


def test_the_python_lines_give_the_same_numbers(ring_studies, capsys):
    choice = DatasetChoice("directed-ring", "teaching")
    view = DirectedView(Method(choice, "projection", "directed"), "both")
    exec(python_for(view, 3), {})
    printed = [line.split(" ", 3) for line in capsys.readouterr().out.splitlines()]
    assert [line[0] for line in printed] == list(READINGS)
    for reading, gap, visits, rest in printed:
        found = ring_studies[reading]
        assert float(gap) == pytest.approx(found.gap)
        assert float(visits) == pytest.approx(found.visits[3])
        accuracy = found.result.accuracy["validation"][found.result.chosen]
        assert float(rest.rsplit(" ", 1)[1]) == pytest.approx(accuracy)


def test_pagerank_can_be_taken_away(ring, ring_studies):
    rows = list(csv.DictReader(io.StringIO(ranks_csv(ring[0], ring_studies))))
    for reading, found in ring_studies.items():
        column = [float(row[f"visits {reading}"]) for row in rows]
        np.testing.assert_allclose(column, found.visits, rtol=1e-9)


# ---------------------------------------------------------------- three readings


def test_backward_is_forward_on_the_transpose(ring, ring_studies):
    data, _ = ring
    expected = laplacians.make_laplacian("directed", data.adjacency, direction="backward")
    np.testing.assert_allclose(ring_studies["backward"].laplacian.dense(), expected.dense())


def test_visits_are_stationary(ring_studies):
    for reading in ("forward", "backward"):
        found = ring_studies[reading]
        step = Walk(found.arrows, 0.85).step(found.visits)
        np.testing.assert_allclose(step, found.visits, atol=1e-14)
    degrees = np.asarray(ring_studies["undirected"].arrows.sum(axis=1)).ravel()
    np.testing.assert_allclose(ring_studies["undirected"].visits, degrees / degrees.sum())


def test_chung_s_form_ends_at_the_same_place_in_every_reading(ring_studies):
    levels = [found.result.stationary for found in ring_studies.values()]
    for level in levels:
        np.testing.assert_allclose(level, levels[0], atol=1e-12)


def test_the_random_walk_form_ends_at_the_mean_weighted_by_pagerank(ring):
    data, prior = ring
    found = study(replace(RING, laplacian="directed-random-walk"), "forward", data, prior)
    expected = found.visits @ found.result.start
    np.testing.assert_allclose(found.result.stationary[4], expected, atol=1e-9)


def test_curves_agree_with_the_reclassification(ring_studies):
    for found in ring_studies.values():
        result = found.result
        inner = np.flatnonzero(result.relative_times > 0)[::20]
        curves = found.curves(7, result.relative_times[inner])
        whole = result.trajectories.values(np.array([7]))[inner, 0]
        np.testing.assert_allclose(curves, whole, atol=2e-6)


def test_places_rank_by_visits(ring_studies):
    for found in ring_studies.values():
        ahead = found.visits[None] > found.visits[:, None] * (1 + 1e-9)
        assert found.places.tolist() == (1 + ahead.sum(axis=1)).tolist()
        assert found.places[np.argmax(found.visits)] == 1


def test_nodes_visited_equally_share_a_place(ring_studies):
    both_ways = ring_studies["undirected"]
    degrees = np.asarray(both_ways.arrows.sum(axis=1)).ravel()
    shared = [set(both_ways.places[degrees == degree]) for degree in np.unique(degrees)]
    assert max((degrees == degree).sum() for degree in np.unique(degrees)) > 1
    assert all(len(places) == 1 for places in shared)


def test_readings_share_one_time_axis():
    for form in COUNTERPARTS:
        times = common_times(form)
        assert times[-1] == pytest.approx(laplacians.LAPLACIANS[form].horizon)
        assert (np.diff(times) > 0).all()


def test_unknown_readings_and_forms_are_refused(ring):
    with pytest.raises(ValueError, match="forward, backward, undirected"):
        study(RING, "sideways", *ring)
    with pytest.raises(ValueError, match="unknown directed form 'symmetric'"):
        study(replace(RING, laplacian="symmetric"), "forward", *ring)


def test_pagerank_settles_where_rounding_keeps_it_moving():
    """On this ring the iteration ends in a cycle of the last digits."""
    graph = sp.csr_array(datasets.load_dataset("directed-ring", size=4).adjacency.T)
    found = pagerank(graph, 0.99)
    np.testing.assert_allclose(Walk(graph, 0.99).step(found), found, atol=1e-14)


# ---------------------------------------------------------------- walks and dead ends


@given(st.integers(0, 10_000), st.floats(0, 1), st.sampled_from(["jump", "stay"]))
def test_mass_is_conserved_unless_it_vanishes(seed, alpha, answer):
    film = Walk(random_graph(seed), alpha, answer).film(np.full(9, 1 / 9), 30)
    np.testing.assert_allclose(film.sum(axis=1), 1, atol=1e-12)
    assert film.min() >= 0


@given(st.integers(0, 10_000), st.floats(0.05, 0.98))
def test_the_jumping_walk_ends_at_pagerank(seed, alpha):
    graph = random_graph(seed)
    start = np.eye(9)[seed % 9]
    steps = int(np.ceil(np.log(1e-10) / np.log(alpha)))
    last = Walk(graph, alpha).film(start, steps)[-1]
    np.testing.assert_allclose(last, pagerank(graph, alpha), atol=1e-9)


@given(st.integers(0, 10_000))
def test_mass_runs_out_where_it_vanishes(seed):
    total = Walk(random_graph(seed), 1.0, "vanish").film(np.full(9, 1 / 9), 30).sum(axis=1)
    assert (np.diff(total) <= 1e-15).all()


@given(st.integers(0, 10_000))
def test_traps_are_the_attracting_components(seed):
    graph = random_graph(seed)
    network = nx.from_scipy_sparse_array(graph, create_using=nx.DiGraph)
    expected = set().union(*nx.attracting_components(network))
    if nx.is_strongly_connected(network):
        expected = set()
    assert set(Walk(graph).traps.tolist()) == expected


@pytest.mark.parametrize("name", list(SMALL_GRAPHS))
@pytest.mark.parametrize("way", ["forward", "backward"])
def test_without_jumps_all_mass_is_caught_in_the_end(name, way):
    found = walks(name, way, "everywhere", "stay", 0.85)
    caught = found.films[0][:, found.without.traps].sum(axis=1)
    assert (np.diff(caught) >= -1e-12).all()
    assert found.without.film(found.films[0][-1], 400)[-1][found.without.traps].sum() > 0.999
    assert found.films[1][-1].min() > 0


def test_half_of_what_passes_the_gate_is_lost_a_round():
    found = walks("directed-ring", "forward", "first node", "vanish", 0.85)
    np.testing.assert_allclose(found.films[0][::10].sum(axis=1), 0.5 ** np.arange(5))


def test_one_step_by_hand():
    walk = Walk(arrows(3, [(0, 1), (0, 2), (1, 2)]), 0.5)
    np.testing.assert_allclose(
        walk.step(np.array([1.0, 0, 0])), [1 / 6, 1 / 6 + 1 / 4, 1 / 6 + 1 / 4]
    )
    np.testing.assert_allclose(walk.step(np.array([0, 0, 1.0])), np.full(3, 1 / 3))
    assert walk.dead_ends.tolist() == [2]


def test_impossible_walks_are_refused():
    with pytest.raises(ValueError, match="alpha"):
        Walk(arrows(2, [(0, 1)]), 1.2)
    with pytest.raises(ValueError, match=", ".join(DANGLING)):
        Walk(arrows(2, [(0, 1)]), 1.0, "explode")
    with pytest.raises(ValueError, match="negative"):
        Walk(arrows(2, [(0, 1)])).film(np.ones(2), -1)
    with pytest.raises(ValueError, match="2 nodes"):
        Walk(arrows(2, [(0, 1)])).film(np.ones(3), 1)


def test_the_film_carries_every_mass():
    found = walks("citations", "forward", "everywhere", "stay", 0.85)
    panels = [Panel(*pair) for pair in zip(found.titles, found.films, strict=True)]
    links = np.column_stack(found.without.adjacency.nonzero())
    graph, traps = found.graph, found.without.traps
    scene = Scene(graph, links, found.without.dead_ends, traps, panels, masses(found))
    sent = payload(scene)
    expected = [film[:, traps].sum(axis=1) for film in found.films]
    np.testing.assert_allclose([s["values"] for s in sent["series"][:2]], expected, atol=1e-6)
    np.testing.assert_allclose(sent["series"][2]["values"], 1.0, atol=1e-6)
    for panel, film in zip(sent["panels"], found.films, strict=True):
        np.testing.assert_allclose(panel["film"], film, atol=1e-6)
    assert sent["deadEnds"] == [3, 7]
    with pytest.raises(ValueError, match="films must have one shape"):
        Scene(graph, links, links[0], links[0], [Panel("", np.ones((2, 3)))], masses(found))
    with pytest.raises(ValueError, match="one to three series"):
        Scene(graph, links, links[0], links[0], panels, {"too short": np.ones(3)})


# ---------------------------------------------------------------- pictures


def test_the_line_of_the_picture_is_in_the_data():
    data = datasets.load_dataset("cora-directed")
    cited, citing = data.node_names.index("35"), data.node_names.index("1033")
    assert data.adjacency[cited, citing] == 1
    assert data.adjacency[citing, cited] == 0
    picture = citation_picture("35", "1033")
    assert "paper 1033 cites paper 35" in picture
    assert "from 35 to 1033" in picture


def test_points_lie_at_both_pageranks(ring, ring_studies):
    data, _ = ring
    one, other = ring_studies["forward"].visits, ring_studies["backward"].visits
    everyone = {"all": np.ones(data.nodes, dtype=bool)}
    figure = rank_scatter(one, other, data.node_names, everyone, 2)
    np.testing.assert_allclose(figure.data[0].x, data.nodes * one)
    np.testing.assert_allclose(figure.data[0].y, data.nodes * other)
    assert figure.data[1].text == ("2",)


def test_lines_of_mass_are_drawn_as_they_are():
    values = np.linspace(0, 1, 5)
    figure = mass_over_steps({"one": values, "other": 1 - values})
    np.testing.assert_array_equal(figure.data[1].y, 1 - values)
    assert figure.data[0].line.dash != figure.data[1].line.dash
