"""The Structure page without a browser, and the studies behind it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as sp
from streamlit.testing.v1 import AppTest

from gdr_app.structure import alignment as alignment_part
from gdr_app.structure import aspects, randomising, spreading
from gdr_app.structure import communities as communities_part
from gdr_app.structure.comparing import scale_correlations
from gdr_app.structure.homophily import gain_sentence
from gdr_core import compute_prior, load_dataset, make_laplacian
from gdr_core.datasets import DatasetChoice, spec_of
from gdr_core.datasets.hiding import hide_test
from gdr_core.datasets.own.packing import pack
from gdr_core.figures import structure as figures
from gdr_core.graphs.homophily import homophily
from gdr_core.structure import communities
from gdr_core.structure.alignment import alignment, measure_at
from gdr_core.structure.influence import TooLongError, influence, sources_of
from gdr_core.structure.randomiser import randomised
from gdr_core.structure.smoothing import depth_smoothing, heat_smoothing
from gdr_tools.cli import main
from gdr_tools.jobs.handover import hand_over
from gdr_tools.studies.randomising import by_share, point_at, sweep
from gdr_tools.studies.worker import study
from tests.visiting import assert_fine, assert_warns, open_app, with_own

PAGE = "9_Structure"


def said(app) -> str:
    return " ".join([*(each.value for each in app.markdown), *(each.value for each in app.caption)])


@pytest.fixture
def here(monkeypatch):
    """Studies in this process instead of a worker."""

    def ask(name, title, choice, **options):
        load = {"split": choice.split, "seed": choice.seed, **dict(choice.options)}
        request = {"dataset": choice.name, "load": load, "hidden": choice.test_hidden}
        if choice.own is not None:
            request["own"] = hand_over(pack(choice.own))
        return study({**request, "study": name, "options": options}, lambda share, text: None)

    monkeypatch.setattr(aspects, "ask", ask)
    monkeypatch.setattr(alignment_part, "ask", ask)
    monkeypatch.setattr(randomising, "ask", ask)


def test_homophily_is_that_of_the_shown_classes():
    app = open_app(PAGE, dataset="karate")
    assert_fine(app)
    found = homophily(hide_test(load_dataset("karate")))
    assert {each.label: each.value for each in app.metric} == {
        "Edge": f"{found.edge:.1%}",
        "Adjusted": f"{found.adjusted:.1%}",
        "Class-insensitive": f"{found.class_insensitive:.1%}",
    }
    spec = json.loads(app.get("plotly_chart")[0].proto.spec)
    line = next(shape for shape in spec["layout"]["shapes"] if shape["line"].get("dash"))
    assert line["x0"] == pytest.approx(found.edge)


def test_the_gain_sentence_counts_graphs_of_the_same_kind():
    graphs = [
        {"edge": share, "adjusted": 0.0, "class_insensitive": 0.0, "prior": 0.5, "gdr": 0.5 + gain}
        for share, gain in ((0.3, 0.2), (0.5, -0.1), (0.55, 0.04), (0.45, 0.02), (0.9, 0.3))
    ]
    words = gain_sentence(graphs, "edge", 0.5)
    assert "Of the 3 graphs within 0.1" in words
    assert "gained on **2**" in words
    assert "from -10.0 to +4.0 points, with a median of **+2.0**" in words
    assert "No graph" in gain_sentence(graphs, "edge", 0.72)
    assert "not defined" in gain_sentence(graphs, "adjusted", float("nan"))


@pytest.mark.parametrize("aspect", ["influence", "smoothing", "communities"])
@pytest.mark.parametrize("name", ["karate", "star", "directed-rings", "path"])
def test_every_aspect_of_small_graphs(here, name, aspect):
    assert_fine(open_app(PAGE, dataset=name, aspect=aspect))


def test_alignment_and_what_randomising_costs(here):
    app = open_app(PAGE, dataset="sbm", aspect="alignment", **{"sbm-nodes": "60"})
    assert_fine(app)
    assert re.search(r"S = \*\*\d+\.\d\d\*\*, \*\*\d+\.\d% below\*\*", said(app))


def test_smoothing_draws_energy_accuracy_and_distinct_labels(here):
    app = open_app(PAGE, dataset="karate", aspect="smoothing")
    assert_fine(app)
    drawn = json.loads(app.get("plotly_chart")[0].proto.spec)["data"]
    kinds = ("energy", "accuracy", "labels")
    expected = {f"{what}, {how}" for what in kinds for how in ("diffusion", "depth")}
    assert {trace["name"] for trace in drawn} == expected


def test_early_smoothing_has_room_and_labels_do_not_lie_on_the_line_of_all():
    """Half of the energy is gone before t = 1 on Cora: that takes an eighth of the axis."""
    cora = load_dataset("cora")
    start = compute_prior("projection", cora)
    judged = cora.split.validation
    heat, depth = heat_smoothing(cora, start, judged), depth_smoothing(cora, start, judged)
    figure = figures.smoothing_curves(heat, depth, cora.classes)
    traces = {trace.name: trace for trace in figure.data}
    energy, labels = traces["energy, diffusion"], traces["labels, diffusion"]
    np.testing.assert_allclose(np.square(energy.x), heat.steps)
    np.testing.assert_allclose(energy.customdata, heat.steps)
    axis = figure.layout.xaxis
    np.testing.assert_allclose(np.square(axis.tickvals), [float(tick) for tick in axis.ticktext])
    assert energy.x[(heat.energy < 0.5).argmax()] > 0.05 * energy.x[-1]
    np.testing.assert_array_equal(labels.y, heat.labels)
    share = max(labels.y) / figure.layout.yaxis2.range[1]
    assert labels.yaxis == "y2"
    assert share < 0.95 * 100 / figure.layout.yaxis.range[1]


def test_alignment_and_randomised_copies_of_the_papers_graphs():
    """The paper's explanation of its Wikipedia row, in what is stored: with test and without."""
    stored, gaps = alignment_part.stored_alignments(), {}
    for state in ("hidden", "revealed"):
        for name in ("cora", "citeseer", "pubmed", "wikipedia"):
            numbers = stored[name][state]
            chance, spread = np.mean(numbers["randomised"]), np.std(numbers["randomised"], ddof=1)
            measure = np.sqrt(2 * np.square(numbers["distances"]).sum())
            assert measure < chance - 3 * spread, (name, state)
            gaps[name] = 1 - measure / chance
        assert min(gaps, key=gaps.get) == "wikipedia", state
    assert 0 < stored["pubmed"]["seconds"] < 60


def test_communities_of_too_large_a_graph_are_refused_before_a_worker_is_asked(monkeypatch):
    asked = []
    monkeypatch.setattr(communities_part, "ask", lambda *words, **more: asked.append(words))
    monkeypatch.setattr(communities_part, "LARGEST", 19_000)
    app = open_app(PAGE, dataset="pubmed", aspect="communities")
    assert_fine(app)
    assert not asked
    assert any("up to 19,000 nodes" in info.value and "19,717" in info.value for info in app.info)


def test_communities_that_take_too_much_memory_are_refused_with_both_numbers():
    club = load_dataset("karate")
    needed = communities.memory_needed(34, 78)
    assert not communities_part.refused(club, needed)
    words = communities_part.refused(club, needed // 2)
    assert re.search(r"takes about \d+\.\d GB .* may take \d+\.\d GB", words)
    assert needed < communities.memory_needed(20_000, 44_000) < 2e9
    for name in ("cora", "citeseer", "pubmed"):
        assert not communities_part.refused(load_dataset(name), 2 << 30)


def test_communities_of_a_graph_in_very_many_pieces_are_refused_in_one_sentence(monkeypatch):
    monkeypatch.setattr(communities_part, "FULL", 30)
    monkeypatch.setattr(communities, "FULL", 30)
    monkeypatch.setattr(communities, "in_too_many_pieces", lambda laplacian: True)
    said = communities_part.refused(load_dataset("karate"), 2 << 30)
    assert said == (
        "Communities are sought in graphs of up to 3,000 components of two nodes and more, "
        "this one has 1."
    )


@pytest.mark.parametrize(
    ("bound", "words"),
    [
        (0.0, "r = 0.123;"),
        (2.04e-7, "r = 0.123, computed with an error of at most 3 × 10⁻⁷;"),
        (0.013, "r = 0.123, computed with an error of at most 0.02;"),
    ],
)
def test_a_stability_is_told_with_its_bound_and_as_that_of_a_heuristic(bound, words):
    said_of_it = communities_part.stability_sentence(0.1234, bound)
    assert words in said_of_it
    assert "other groups may have a larger one" in said_of_it


@pytest.mark.slow
def test_communities_of_a_large_graph_are_drawn_beside_its_classes(here, monkeypatch):
    """All that the page shows of Pubmed, at few times."""
    monkeypatch.setattr(communities_part, "FEWER_TIMES", (0.1, 30.0))
    app = open_app(PAGE, dataset="pubmed", aspect="communities", scale="2")
    assert_fine(app)
    told = said(app)
    read = re.search(r"At t = 30 there are \*\*(\d+) communities\*\*", told)
    assert 1 < int(read[1]) < 1000
    assert re.search(r"stability is r = 0\.\d+, .* error of at most \d × 10⁻[⁷⁸⁹];", told)
    drawn = json.loads(app.get("plotly_chart")[0].proto.spec)["data"]
    assert {trace["name"] for trace in drawn} == {"communities", "variation of information"}


@pytest.mark.parametrize(("name", "limited"), [("cora", False), ("pubmed", True)])
def test_large_graphs_say_that_few_directions_are_looked_at(name, limited):
    words = "at most the 160 leading directions"
    assert (words in said(open_app(PAGE, dataset=name, aspect="alignment"))) == limited


def test_influence_is_drawn_by_class_and_on_the_graph(here):
    club = load_dataset("karate")
    app = open_app(PAGE, dataset="karate", aspect="influence", node=club.node_names[4])
    assert_fine(app)
    layout = json.loads(app.get("plotly_chart")[0].proto.spec)["layout"]
    shown = hide_test(club).labels
    assert len(layout["xaxis"]["ticktext"]) == np.unique(shown).size
    assert len(layout["shapes"]) == 2 * (np.unique(shown).size - 1)
    found = influence(make_laplacian("combinatorial", club.undirected)).overshoots
    assert re.search(rf"Whom .* lifts\*\*: {found[4].sum()} nodes?", said(app))
    assert re.search(rf"Who lifts .*\*\*: {found[:, 4].sum()} nodes?", said(app))


@pytest.mark.parametrize("by", ["how far", "when"])
def test_the_map_tells_how_far_and_when(here, by):
    """Colours tell one of both, the text of a pair always both."""
    club = load_dataset("karate")
    app = open_app(PAGE, dataset="karate", aspect="influence", by=by)
    assert_fine(app)
    found = influence(make_laplacian("combinatorial", club.undirected))
    order = np.lexsort((np.arange(34), hide_test(club).labels))
    figure = figures.influence_map(found, order, club.node_names, by_time=by == "when")
    drawn = np.array(figure.data[0].z)
    wanted = np.log10(found.peak_times) if by == "when" else found.heights
    wanted = np.where(found.overshoots, wanted, np.nan)[np.ix_(order, order)]
    np.testing.assert_allclose(drawn, wanted)
    source, node = (order.tolist().index(k) for k in (0, np.flatnonzero(found.overshoots[0])[0]))
    told = figure.data[0].customdata[source, node].tolist()
    pair = (0, order[node])
    names = [club.node_names[k] for k in pair]
    assert told == [*names, found.heights[pair], found.peak_times[pair]]
    assert "customdata[3]" in figure.data[0].hovertemplate
    title = json.loads(app.get("plotly_chart")[0].proto.spec)["layout"]["title"]["text"]
    assert title.lower().startswith(by)


def test_large_graphs_say_when_and_colour_by_it(here):
    cora = load_dataset("cora")
    found = sources_of(make_laplacian("combinatorial", cora.undirected), 100)
    app = open_app(PAGE, dataset="cora", aspect="influence", node=cora.node_names[100], by="when")
    assert_fine(app)
    times = np.sort(found.peak_times[found.overshoots])
    half = times[(times.size - 1) // 2]
    words = (
        f"at t = {times[0]:.3g}, half of them by t = {half:.3g}, the last at t = {times[-1]:.3g}"
    )
    assert words in said(app)
    levels = aspects._levels(found.peak_times[:, 0])
    assert (levels[~found.overshoots[:, 0]] == 0).all()
    ends = [found.peak_times[levels == k, 0] for k in (1, 2, 3)]
    assert ends[0].max() <= ends[1].min()
    assert ends[1].max() <= ends[2].min()


USED = {
    "homophily": set(),
    "alignment": {"Prior"},
    "influence": {"Laplacian"},
    "smoothing": {"Prior"},
    "communities": set(),
}


@pytest.mark.parametrize("aspect", list(USED))
def test_the_sidebar_shows_what_the_aspect_computes_with_and_the_link_says_no_more(here, aspect):
    kept = {"prior": "uniform", "laplacian": "symmetric", "rule": "peak", "to": "3"}
    app = open_app(PAGE, dataset="karate", aspect=aspect, **kept)
    assert_fine(app)
    about_method = {"Prior", "Laplacian", "Direction", "Rule", "Stationary state", "Tolerance"}
    labels = {box.label for box in app.sidebar.selectbox}
    assert labels & about_method == USED[aspect]
    assert not {"Window from", "Window to"} & labels
    assert {"Dataset", "Split", "Picture format"} <= labels
    used = {label.lower(): kept[label.lower()] for label in USED[aspect]}
    said_in_link = app.session_state["visit"].link()
    expected = {"dataset": "karate", "aspect": aspect, **used}
    assert {"aspect": "homophily", **said_in_link} == expected
    shown = {box.label.lower(): box.value for box in app.sidebar.selectbox}
    assert used.items() <= shown.items()


def test_influence_is_computed_with_the_laplacian_that_its_control_shows(here):
    """On a directed graph as well, where only those fit that forget directions."""
    for name in ("karate", "directed-rings"):
        app = open_app(PAGE, dataset=name, aspect="influence")
        [box] = [box for box in app.sidebar.selectbox if box.label == "Laplacian"]
        assert list(box.options) == ["combinatorial", "symmetric", "random-walk", "max-entropy"]
        data = load_dataset(name)
        for laplacian in ("combinatorial", "symmetric"):
            if laplacian != box.value:
                box.set_value(laplacian).run()
                [box] = [each for each in app.sidebar.selectbox if each.label == "Laplacian"]
            assert_fine(app)
            assert f"Computed with the {laplacian} Laplacian" in said(app)
            found = influence(make_laplacian(laplacian, data.undirected))
            assert aspects.influence_sentence(found, data.node_names) in said(app)
        assert app.session_state["visit"].link()["laplacian"] == "symmetric"


def test_the_laplacian_of_other_pages_is_neither_shown_nor_forgotten(here):
    app = open_app("4_Relabel", dataset="karate", prior="uniform", laplacian="symmetric")
    app.switch_page(f"pages/{PAGE}.py").run()
    assert_fine(app)
    visit = app.session_state["visit"]
    assert visit.link() == {"dataset": "karate"}
    visit.arrive("Structure", {"dataset": ["karate"]}, whole=True)  # Back to this entry
    visit.page = "Relabel"
    assert visit.link() == {"dataset": "karate", "prior": "uniform", "laplacian": "symmetric"}


def test_charts_are_saved_as_the_control_says_after_back_and_forward(here):
    app = open_app(PAGE, dataset="karate")
    for link in ({"pictures": ["svg"]}, {}, {"pictures": ["svg"]}):
        app.session_state["visit"].arrive("Structure", {"dataset": ["karate"], **link}, whole=True)
        app.run()
        [box] = [box for box in app.sidebar.selectbox if box.label == "Picture format"]
        assert box.value == ("svg" if link else "png")
        config = json.loads(app.get("plotly_chart")[0].proto.config)
        assert config["toImageButtonOptions"]["format"] == box.value


def test_an_aspect_that_there_is_not_is_said(here):
    assert_warns(open_app(PAGE, dataset="karate", aspect="astrology"), "astrology")


def test_the_influence_sentence_counts_pairs(here):
    app = open_app(PAGE, dataset="karate", aspect="influence")
    laplacian = make_laplacian("combinatorial", load_dataset("karate").undirected).dense()
    limit = np.full((34, 34), 1 / 34)
    times = np.geomspace(1e-3, 60, 900)
    above = np.zeros((34, 34), dtype=bool)
    for time in times:
        above |= scipy.linalg.expm(-time * laplacian) - limit > 1e-7
    np.fill_diagonal(above, False)
    number = int(re.search(r"\*\*(\d+)\*\* of 1,122 pairs", said(app))[1])
    assert abs(number - above.sum()) <= 2 * (34 // 10)  # a grid may miss a grazing pair


def test_a_graph_on_which_mass_spreads_too_slowly_is_told_in_one_sentence(here, monkeypatch):
    def refuse(*given):
        raise TooLongError("Mass spreads so slowly on this graph.")

    monkeypatch.setattr(spreading, "sources_found", refuse)
    app = open_app(PAGE, dataset="cora", aspect="influence", node="36")
    assert not app.exception
    assert "Mass spreads so slowly on this graph" in app.error[0].value


def test_large_graphs_show_the_sources_of_one_node(here):
    app = open_app(PAGE, dataset="cora", aspect="influence", node="35")
    assert_fine(app)
    assert "sources" in said(app)


def test_correlations_are_those_of_ranks():
    club = load_dataset("karate")
    found = influence(make_laplacian("combinatorial", club.undirected))
    table = scale_correlations(club, found)
    last = np.isfinite(found.peak_times).sum(axis=1)
    degrees = np.array([k for _, k in nx.from_scipy_sparse_array(club.undirected).degree()])

    def ranks(values):
        order = np.unique(values, return_inverse=True, return_counts=True)
        ends = order[2].cumsum()
        return ((ends - order[2] + ends - 1) / 2)[order[1]]

    expected = np.corrcoef(ranks(degrees), ranks(last))[0, 1]
    assert table.set_index("Centrality").loc["degree", "Last"] == pytest.approx(expected)


def test_sweep_starts_with_the_graph_itself():
    data = load_dataset("sbm", nodes=120, homophily=0.9)
    points = sweep(data, draws=2, shares=(0.0, 1.0))
    start = compute_prior("projection", data)
    known = data.split.validation
    right = (start.argmax(axis=1) == data.labels)[known].mean()
    assert points[0].prior == pytest.approx(right)
    first, last = by_share(points)
    assert first["gdr"] - first["prior"] > last["gdr"] - last["prior"]
    assert first["gap"] > last["gap"]
    with pytest.raises(ValueError, match="edges or features"):
        sweep(data, "labels")
    gaps = [point.gap for point in points[1:]]
    assert last["gap"] == pytest.approx(np.mean(gaps))
    assert last["gap_spread"] == pytest.approx(np.std(gaps, ddof=1))


def test_triangle_and_sweep_tell_the_same_share_below_chance():
    """The sweep begins where the triangle is, and so does what is stored."""
    data = load_dataset("sbm", nodes=60, homophily=0.8)
    for what in ("edges", "features"):
        assert sweep(data, what, shares=(0.0,))[0].gap == pytest.approx(alignment(data).gap)
    for choice in (DatasetChoice("cora"), DatasetChoice("cora", test_hidden=True)):
        stored = randomising.stored_sweep(choice)
        known = alignment_part.known_alignment(choice)
        assert stored["points"][0]["gap"] == pytest.approx(known.gap, abs=1e-6)


def test_no_other_choice_has_the_stored_sweep():
    first = DatasetChoice("cora", test_hidden=True)
    assert randomising.stored_sweep(replace(first, split="public")) is not None
    assert randomising.stored_sweep(first, "uniform") is None
    assert randomising.stored_sweep(replace(first, split="paper-directed")) is None
    assert randomising.stored_sweep(replace(first, split="random", seed=2)) is None
    assert randomising.stored_sweep(DatasetChoice("citeseer", test_hidden=True)) is None
    assert randomising.stored_sweep(DatasetChoice.of(load_dataset("cora")).concealed) is None


def test_the_gain_on_cora_falls_as_its_edges_are_randomised():
    for hidden in (True, False):
        stored = randomising.stored_sweep(DatasetChoice("cora", test_hidden=hidden))
        assert stored["part"] == ("validation" if hidden else "test")
        points = stored["points"]
        for one, other in pairwise(points):
            noise = np.hypot(one["gdr_spread"], other["gdr_spread"])
            assert other["gdr"] - other["prior"] < one["gdr"] - one["prior"] + 2 * noise
            assert other["network"] < one["network"]
            assert other["gap"] < one["gap"]
        assert [point["share"] for point in points] == [0.0, 0.25, 0.5, 0.75, 1.0]


@pytest.mark.parametrize(("edges", "features"), [(0.6, 0.0), (0.0, 0.5), (0.4, 0.7)])
def test_one_version_is_what_a_new_dataset_would_give(edges, features):
    """Passing directions on, and both shares together, change nothing."""
    data = load_dataset("sbm", nodes=90, homophily=0.9)
    itself = alignment(data)
    read = {"dimensions": itself.dimensions, "chance": float(np.mean(itself.randomised))}
    found = point_at(data, edges=edges, features=features, **read)
    mixed = randomised(data, edges=edges, features=features, seed=0)
    measure = alignment(mixed, draws=1, dimensions=itself.dimensions).measure
    assert found.gap == pytest.approx(1 - measure / read["chance"])
    start = compute_prior("projection", mixed, cache=False)
    judged = data.split.validation
    right = (start.argmax(axis=1) == data.labels)[judged].mean()
    assert found.prior == pytest.approx(right)
    if edges == 0 or features == 0:
        what, share = ("edges", edges) if edges else ("features", features)
        assert sweep(data, what, shares=(share,), draws=1)[0].gap == pytest.approx(found.gap)


def drawn_sweep(app) -> dict:
    charts = (json.loads(chart.proto.spec) for chart in app.get("plotly_chart"))
    return next(chart for chart in charts if "randomised" in str(chart["layout"]["title"]))


@pytest.mark.parametrize("revealed", [False, True])
def test_the_stored_sweep_of_cora_is_shown_at_once(revealed):
    app = open_app(
        PAGE, dataset="cora", aspect="alignment", **({"test": "shown"} if revealed else {})
    )
    assert_fine(app)
    chart, part = drawn_sweep(app), "test" if revealed else "validation"
    points = randomising.stored_sweep(DatasetChoice("cora", test_hidden=not revealed))["points"]
    traces = {trace["name"]: trace for trace in chart["data"]}
    assert traces["GCN"]["y"] == pytest.approx([100 * point["network"] for point in points])
    spreads = [100 * point["gap_spread"] for point in points]
    assert traces["alignment below chance"]["error_y"]["array"] == pytest.approx(spreads)
    assert f"On {part} nodes GDR (prior projection" in said(app)
    for axis in ("yaxis", "yaxis2"):
        assert chart["layout"][axis]["ticksuffix"] == "%"
        assert chart["layout"][axis]["rangemode"] == "tozero"
    assert chart["layout"]["yaxis"]["title"]["text"] == f"accuracy on {part} nodes"


def test_both_sliders_together_make_one_version(here):
    query = {"sbm-nodes": "60", "randomised-edges": "50", "randomised-features": "25"}
    app = open_app(PAGE, dataset="sbm", aspect="alignment", **query)
    assert_fine(app)
    assert [each.value for each in app.slider if "randomised, %" in each.label] == [50, 25]
    assert "with 50% of the edges and 25% of the features randomised" in said(app)
    traces = {trace["name"]: trace for trace in drawn_sweep(app)["data"]}
    data = hide_test(load_dataset("sbm", nodes=60))
    itself = alignment(data)
    read = {"dimensions": itself.dimensions, "chance": float(np.mean(itself.randomised))}
    point = point_at(data, edges=0.5, features=0.25, **read)
    assert traces["after GDR"]["x"] == [0, 50]
    assert traces["after GDR"]["y"][1] == pytest.approx(100 * point.gdr)
    assert traces["alignment below chance"]["y"][0] == pytest.approx(100 * itself.gap)
    assert "GCN" in traces


def test_large_graphs_are_not_randomised(here):
    """They would keep a worker for minutes: a sentence says so, and there is no slider."""
    app = open_app(PAGE, dataset="pubmed", aspect="alignment", **{"randomised-edges": "50"})
    assert_fine(app)
    assert any("up to 5,000 nodes are randomised" in info.value for info in app.info)
    assert not [each for each in app.slider if "randomised" in each.label]


def test_the_command_prints_a_table_and_writes_a_file(tmp_path, capsys):
    file = tmp_path / "numbers.json"
    words = ["study", "randomise", "sbm", "--draws", "1", "--out", str(file)]
    assert main(words) == 0
    assert len(json.loads(file.read_text())["points"]) == 5
    assert capsys.readouterr().out.count("%") >= 20
    assert main(["study", "alignment", "no-such-graph"]) == 1
    assert "no-such-graph" in capsys.readouterr().err


def triangle(app) -> dict:
    charts = (json.loads(chart.proto.spec) for chart in app.get("plotly_chart"))
    return next(chart for chart in charts if "features" in str(chart["data"][-1].get("text")))


@pytest.mark.parametrize("revealed", [False, True])
@pytest.mark.parametrize("page", ["1_Dataset", PAGE])
def test_stored_alignment_is_that_of_the_shown_classes(page, revealed):
    """No worker is asked: the numbers are stored, with test classes and without."""
    app = open_app(page, dataset="karate", aspect="alignment")
    if revealed:
        app.toggle[0].set_value(True).run()
    assert_fine(app)
    club = load_dataset("karate")
    found = alignment(club if revealed else hide_test(club))
    other = alignment(hide_test(club) if revealed else club)
    assert found.distances[1:] != other.distances[1:], "test classes matter"
    assert alignment_part.alignment_sentence(found) in said(app)
    for distance in found.distances:
        assert f"<b>{distance:.2f}</b>" in str(triangle(app)["layout"]["annotations"])


def test_stored_alignment_is_of_the_graph_as_it_is_read_today():
    """S of every stored dataset that is quickly measured again; dimensions and all."""
    stored = alignment_part.stored_alignments()
    assert {"cora", "citeseer", "pubmed", "wikipedia", "cells"} <= set(stored)
    for name, numbers in stored.items():
        if numbers["nodes"] > 1000 or spec_of(name).download:
            continue
        for state, change in (("hidden", hide_test), ("revealed", lambda data: data)):
            data = change(load_dataset(name, split=numbers["split"]))
            kept = numbers[state]
            assert measure_at(data, tuple(kept["dimensions"])) == pytest.approx(kept["measure"])
            chance = np.mean(kept["randomised"])
            assert kept["gap"] == pytest.approx((chance - kept["measure"]) / chance, abs=1e-8)


def test_nothing_stored_is_shown_for_another_choice():
    known = alignment_part.known_alignment
    first = DatasetChoice("cora", test_hidden=True)
    assert known(first) is not None
    assert known(replace(first, split="paper-directed")) is None
    assert known(replace(first, split="random", seed=3)) is None
    assert known(DatasetChoice("cora", "random", seed=3)) == known(DatasetChoice("cora"))
    assert known(DatasetChoice("two-moons", seed=1)) is None
    assert known(DatasetChoice.of(load_dataset("cora")).concealed) is None


def test_another_graph_is_aligned_when_asked(here):
    query = {"dataset": "sbm", "sbm-nodes": "60"}
    app = open_app("1_Dataset", **query)
    assert_fine(app)
    assert "S = **" not in said(app)
    app.button(key="run-alignment").click().run()
    assert_fine(app)
    blocks = hide_test(load_dataset("sbm", nodes=60))
    assert alignment_part.alignment_sentence(alignment(blocks)) in said(app)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda g: {"features": sp.csr_array((g.nodes, 0))}, "has no features"),
        (lambda g: {"features": sp.csr_array((g.nodes, 3))}, "has no features"),
        (lambda g: {"labels": np.zeros(g.nodes, dtype=int)}, "two known classes"),
        (lambda g: {"adjacency": sp.csr_array((g.nodes, g.nodes))}, "has no edges"),
    ],
    ids=["no columns", "all zero", "one class", "no edges"],
)
def test_own_data_that_cannot_be_aligned_say_so(change, words):
    data = small_dataset(np.eye(8, k=1) + np.eye(8, k=-1), np.eye(8))
    data = replace(data, **change(data))
    app = AppTest.from_function(_section, kwargs={"data": data}).run()
    assert_fine(app)
    assert [words in info.value for info in app.info] == [True]
    assert not app.button


ODD = {
    "as it is": lambda g: {},
    "no edges": lambda g: {"adjacency": sp.csr_array((g.nodes, g.nodes))},
    "one class": lambda g: {"labels": np.zeros(g.nodes, dtype=int), "class_names": ("one",)},
    "no features": lambda g: {"features": sp.csr_array((g.nodes, 0))},
    "features all the same": lambda g: {"features": sp.csr_array(np.ones((g.nodes, 2)))},
    "no known class of test or validation": lambda g: {
        "labels": np.where(np.arange(g.nodes) < 2, g.labels, -1),
        "split": replace(g.split, validation=[], test=[]),
    },
    "no classes": lambda g: {
        "labels": np.full(g.nodes, -1),
        "class_names": (),
        "split": replace(g.split, train=[], validation=[], test=[]),
    },
}
ALIGNABLE = ("as it is", "no known class of test or validation")
REFUSED = {
    "no edges": "has no edges",
    "no features": "has no features",
    "features all the same": "same features",
}


@pytest.mark.parametrize("aspect", list(aspects.ASPECTS))
@pytest.mark.parametrize("odd", list(ODD))
def test_every_aspect_of_odd_own_data(here, odd, aspect):
    """Neither an error nor a page that ends where an aspect needs no classes."""
    data = small_dataset(np.eye(8, k=1) + np.eye(8, k=-1), np.eye(8))
    key, state = with_own(replace(data, **ODD[odd](data)))
    app = open_app(PAGE, state=state, dataset=key, aspect=aspect)
    assert_fine(app)
    stopped = [info for info in app.info if "fewer than two classes" in info.value]
    needs_classes = aspect not in ("influence", "communities")
    too_few = odd in ("no classes", "one class")
    assert bool(stopped) == (too_few and needs_classes)
    if not needs_classes:
        assert app.get("plotly_chart")
    if aspect == "alignment" and not too_few:
        told = [info.value for info in app.info if "no alignment to tell" in info.value]
        assert bool(told) == (odd not in ALIGNABLE)
        assert all(REFUSED[odd] in words for words in told)


@pytest.mark.parametrize("aspect", list(aspects.ASPECTS))
def test_every_aspect_of_fewer_nodes_than_directions(here, aspect):
    data = small_dataset(np.ones((4, 4)) - np.eye(4), np.random.default_rng(0).random((4, 60)))
    key, state = with_own(data)
    assert_fine(open_app(PAGE, state=state, dataset=key, aspect=aspect))


def test_fewer_nodes_than_directions_are_aligned_as_far_as_they_go():
    """Four nodes with sixty words each: three directions of the features, four of the graph."""
    data = small_dataset(np.ones((4, 4)) - np.eye(4), np.random.default_rng(0).random((4, 60)))
    found = alignment(data)
    assert found.dimensions[0] <= 3
    assert found.dimensions[1] <= 4
    assert np.isfinite([found.measure, *found.randomised, *found.distances]).all()


def small_dataset(adjacency, features):
    """A dataset of two classes, its first two nodes for training."""
    nodes = len(adjacency)
    whole, rest = load_dataset("path"), np.arange(2, nodes)
    split = replace(whole.split, train=np.arange(2), validation=rest[:1], test=rest[1:])
    return replace(
        whole,
        name="mine",
        adjacency=sp.csr_array(adjacency),
        features=sp.csr_array(features),
        labels=np.arange(nodes) % 2,
        class_names=("one", "other"),
        node_names=tuple(f"node {k}" for k in range(nodes)),
        layout=whole.layout[:nodes],
        split=split,
    )


def _section(data):
    from gdr_app.structure.alignment import alignment_section
    from gdr_core.datasets import DatasetChoice

    choice = DatasetChoice.of(data).concealed
    alignment_section(choice, choice.load())
