"""The page Your data, and every other page on what it opens, without a browser."""

from __future__ import annotations

import gc
import io
import weakref
import zipfile
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from gdr_app.computing import asking, budget, results
from gdr_app.computing.kept import OWN_TOGETHER, bytes_of
from gdr_app.computing.store import Pot, Store
from gdr_app.state.own import ROOM, Own, Room, concerns, new_key
from gdr_app.your_data import draft, reopening
from gdr_app.your_data.examples import example_files
from gdr_core import load_dataset
from gdr_core.method import Method
from gdr_core.neural import recommended
from gdr_core.priors.by_region import RegionalMistakes
from gdr_tools.jobs import Job, Result
from gdr_tools.jobs.everybody import pool, registry
from gdr_tools.jobs.report import COLUMNS
from tests.visiting import assert_fine, open_app, with_own

PAGE = "9_Your_data"
PAGES = ("1_Dataset", "2_Prior", "3_Overshoot", "4_Relabel", "5_Compare", "6_Train", "9_Structure")


STRANGE = (
    "<b>bold</b><img src=x onerror=alert(1)>",
    "$x_1$ [link](https://example.org) `code`",
    "👩‍🔬 emoji",
    "עברית \u202e right to left",
    "long " * 2000 + "name",
    '=HYPERLINK("x")|quote"s',
)


def drop(app: AppTest, files: dict[str, str | bytes]) -> AppTest:
    for name, content in files.items():
        data = content if isinstance(content, bytes) else content.encode()
        app.file_uploader[0].upload(name, data, "text/plain")
    return app.run()


def press(app: AppTest, label: str) -> AppTest:
    [button] = [each for each in app.button if label in each.label]
    return button.click().run()


def texts(app: AppTest) -> str:
    shown = [*app.markdown, *app.error, *app.info, *app.warning, *app.caption]
    return "\n".join(each.value for each in shown)


def opened(files: dict[str, str | bytes]) -> AppTest:
    app = press(drop(open_app(PAGE), files), "Open this")
    assert_fine(app)
    return app


def own_of(app: AppTest):
    [own] = app.session_state["own data"].opened.values()
    return own


def visit(app: AppTest, *pages: str) -> None:
    for page in pages:
        app.switch_page(f"pages/{page}.py").run()
        assert_fine(app)
        assert app.session_state["visit"].dataset in app.session_state["own data"].opened


def test_the_examples_are_read_and_every_page_works_on_them():
    app = drop(open_app(PAGE), example_files())
    assert_fine(app)
    said = texts(app).replace("\\", "")
    assert "1 id of 35 not in the graph, such as “visitor” (line 36)" in said
    assert "1 row of probabilities that sums to something else than one (line 22)" in said
    app = press(app, "Open this")
    own = own_of(app)
    assert (own.dataset.nodes, own.dataset.edges, own.dataset.classes) == (34, 78, 2)
    assert np.array_equal(own.probabilities.sum(axis=1).round(12), np.ones(34))
    visit(app, *PAGES)


def strange_graph() -> dict[str, str]:
    """A directed, weighted graph of two groups whose ids are as odd as ids can be."""
    names = [*STRANGE, *(f"n{i}" for i in range(18))]
    quoted = ['"' + name.replace('"', '""') + '"' for name in names]
    pairs = [(i, j) for i in range(24) for j in range(24) if i != j and (i - j) % 2 == 0]
    edges = "".join(f"{quoted[i]},{quoted[j]},{1 + (i + j) % 4}\n" for i, j in pairs)
    labels = "".join(f"{quoted[i]},<i>side {i % 2}\n" for i in range(16))
    return {"edges.csv": f"source,target,weight\n{edges}", "labels.csv": f"id,class\n{labels}"}


def test_names_of_any_kind_work_on_every_page_and_stand_in_no_link():
    app = drop(open_app(PAGE), strange_graph())
    [box] = [each for each in app.selectbox if each.label == "Edges are"]
    app = press(box.set_value("directed").run(), "Open this")
    own = own_of(app)
    assert own.dataset.directed
    assert set(STRANGE) < set(own.dataset.node_names)
    for node, name in enumerate(own.dataset.node_names[:6]):
        app.session_state["visit"].put("node", str(node))
        visit(app, "1_Dataset", "4_Relabel", "7_Directed")
        assert app.session_state["visit"].link()["node"] == str(node), name
    visit(app, *PAGES)
    assert all(name not in repr(app.session_state["visit"].link()) for name in STRANGE)


def test_a_wrong_guess_is_corrected_and_a_treatment_changed():
    pairs = "a;b;1\nb;c;2\nc;a;3\nc;c;4\na;b;5\n"
    app = drop(open_app(PAGE), {"table.csv": pairs, "classes.csv": "who,team\na,x\nb,y\nc,x\n"})
    [role] = [each for each in app.selectbox if each.label == "It holds" and "table" in each.key]
    app = role.set_value("edges").run()
    assert_fine(app)
    said = texts(app)
    assert "1 edge from a node to itself \\(line 4\\)" in said
    [how] = [each for each in app.selectbox if "duplicate edges" in each.label]
    app = how.set_value("sum").run()
    app = press(app, "Open this")
    graph = own_of(app).dataset
    a, b = graph.node_names.index("a"), graph.node_names.index("b")
    assert (graph.edges, graph.adjacency[a, b]) == (3, 6.0)


def test_a_refusal_can_be_taken_back():
    app = drop(open_app(PAGE), {"edges.csv": "a,b\nb,b\nb,c\n"})
    [how] = [each for each in app.selectbox if "self loops" in each.label]
    app = how.set_value("refuse").run()
    assert "There is no dataset yet" in texts(app)
    assert not [each for each in app.button if "Open this" in each.label]
    [how] = [each for each in app.selectbox if "self loops" in each.label]
    app = how.set_value("drop").run()
    assert [each for each in app.button if "Open this" in each.label]


BAD = {
    "empty": {"edges.csv": b""},
    "one line": {"edges.csv": b"alone"},
    "binary": {"edges.csv": bytes(range(256)) * 40},
    "nul": {"edges.csv": b"a,b\x00\n\x00\x00"},
    "cut-off archive": {"data.zip": b"PK\x03\x04" + b"\x00" * 40},
    "cut-off array": {"x.npz": b"\x93NUMPY\x01\x00v\x00{'descr': '<f8'"},
    "cut-off xml": {"g.graphml": b"<graphml><graph edgedefault='directed'><node id='a'/>"},
    "wide": {"edges.csv": b",".join([b"1"] * 30_000) + b"\n"},
    "two of a kind": {"edges.csv": b"a,b\nb,c\n", "links.csv": b"a,b\nb,c\n"},
    "no overlap": {
        "edges.csv": b"a,b\nb,c\n",
        "labels.csv": b"name,id,class\na,1,x\nb,2,y\nc,3,x\n",
    },
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_files_get_one_clear_sentence(kind):
    app = drop(open_app(PAGE), BAD[kind])
    assert not app.exception
    assert app.error or not [each for each in app.button if "Open this" in each.label]
    if kind == "two of a kind":
        assert "all hold edges" in texts(app)
    if kind == "no overlap":
        assert "columns that do match nodes: “name”" in texts(app).replace("\\", "")


def test_files_that_are_too_much_together_are_left_out_and_named(monkeypatch):
    monkeypatch.setattr(draft, "WEB_TOGETHER", 20)
    app = drop(open_app(PAGE), {"edges.csv": "a,b\nb,c\nc,a\n", "more.csv": "id,class\na,x\n"})
    assert "“more.csv”: left out, because files of at most" in texts(app).replace("\\", "")
    assert [file.name for file in app.session_state["own data, draft"].files] == ["edges.csv"]


def test_a_diffusion_that_is_too_large_is_refused_before_it_begins(monkeypatch):
    app = opened(example_files())
    monkeypatch.setattr(budget, "MOST", 40 * 34 * 2 * 8 - 1)
    app.switch_page("pages/4_Relabel.py").run()
    assert "34 nodes and 2 classes take about 0.0 GB" in texts(app).replace("\\", "")
    app.switch_page("pages/1_Dataset.py").run()
    assert_fine(app)


@pytest.mark.parametrize("name", ["karate", "cora", "two-moons"])
def test_a_diffusion_takes_no_more_than_was_estimated(name):
    view = results.concealed(Method.on(name))
    dataset = load_dataset(name)
    prior, laplacian = view.compute_prior(dataset), view.make_laplacian(dataset)
    fields = view.reclassify(dataset, prior, laplacian).trajectories.fields
    assert fields.nbytes <= budget.diffusion_bytes(view, dataset.nodes, dataset.classes)


def test_what_is_computed_from_the_data_of_all_visitors_has_one_budget():
    pot = Pot(10)
    first, second = (Store[int](8, lambda size: size, pot) for _ in range(2))
    for key in ("a", "b"):
        first.keep(key, 3)
    second.keep("c", 3)
    first.get("a")
    second.keep("d", 4)
    assert (list(first.values), list(second.values)) == (["a"], ["c", "d"])
    second.keep("e", 1)
    first.keep("f", 2)
    assert first.used + second.used <= 10
    assert "f" in first.values
    second.keep("g", 99)
    assert (first.used, list(second.values)) == (0, ["g"]), "the newest stays"


def test_answers_about_own_data_count_by_their_bytes_whatever_else_limits_their_number():
    pot = Pot(100)
    several = Store[np.ndarray](3, lambda _: 1, pot, bytes_of)
    for key in "abcd":
        several.keep(key, np.zeros(3))
    assert (list(several.values), several.used) == (["b", "c", "d"], 72)
    other = Store[int](90, lambda size: size, pot)
    other.keep("e", 70)
    assert (list(several.values), several.used) == (["d"], 24)


def test_what_a_page_makes_of_own_data_is_counted_by_bytes():
    key, state = with_own(replace(load_dataset("karate"), name="mine"))
    app = open_app("2_Prior", state=state, dataset=key, prior="uniform", colours="region")
    assert_fine(app)
    stores = app.session_state[ROOM].stores.values()
    [found] = [each for each in stores if RegionalMistakes in map(type, each.values.values())]
    assert found.used >= 34 * 8
    assert found.pot is OWN_TOGETHER


def test_data_of_one_session_are_in_no_other_and_in_no_shared_cache():
    app = opened(example_files())
    visit(app, "1_Dataset", "4_Relabel")
    key = own_of(app).key
    stranger = open_app("4_Relabel", dataset=key, node="3")
    assert_fine(stranger)
    assert "which are not in the link" in texts(stranger)
    assert stranger.session_state["visit"].dataset == "cora"
    shared = [results._priors(), results._laplacians(), results._diffusions()]
    assert not any(concerns(kept) for store in shared for kept in store.values)


def test_work_on_own_data_counts_for_the_address_that_it_comes_from(monkeypatch):
    monkeypatch.setattr(asking, "address", lambda: "192.0.2.9")
    monkeypatch.setattr(pool(), "most_near", 0)
    app = drop(open_app(PAGE), example_files())
    assert "0 computations from your network address are under way" in texts(app)


def test_a_session_that_ends_takes_its_data_along(monkeypatch):
    server = SimpleNamespace(abandoned=[])
    monkeypatch.setattr("gdr_app.state.own.registry", lambda: server)
    own = Own(new_key(), load_dataset("karate"))
    room, gone = Room(), weakref.ref(own.dataset)
    room.open(own)
    room.runs.add("some run")
    del own, room
    gc.collect()
    assert gone() is None
    assert server.abandoned == ["some run"]


def test_a_project_brings_back_data_settings_and_runs(monkeypatch):
    app = opened(example_files())
    app.session_state["visit"].put("rule", "peak")
    key = own_of(app).key
    job = Job(key, recommended("gcn"), "drawn")
    rows = np.full((3, len(COLUMNS)), 0.5)
    rows[:, 0] = [1, 2, 3]
    best = dict(zip(COLUMNS, rows[1].tolist(), strict=True))
    result = Result(np.full((34, 2), 0.5), {"first": np.ones((2, 3))}, best)
    run = registry().restore(app.session_state["owner"], job, "my run", rows, result)
    app.session_state["own data"].runs.add(run)
    app.session_state["visit"].put("prior", f"run-{run}")
    app = press(app, "as a project file")
    assert_fine(app)
    _, content = app.session_state["project saved"]
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.read("predictions.csv").decode().count("\n") == 35
    reads = []
    read = reopening.read_project
    monkeypatch.setattr(reopening, "read_project", lambda *given: reads.append(1) or read(*given))
    other = press(drop(open_app(PAGE), {"club.gdr.zip": content}), "Reopen it")
    assert reads == [1], "once, however often the page runs"
    assert_fine(other)
    again = own_of(other)
    assert again.key != key
    assert (again.dataset.adjacency != own_of(app).dataset.adjacency).nnz == 0
    assert np.array_equal(again.dataset.layout, own_of(app).dataset.layout)
    assert other.session_state["visit"].current("rule") == "peak"
    [copy] = other.session_state["own data"].runs
    assert other.session_state["visit"].current("prior") == f"run-{copy}"
    assert np.array_equal(registry().poll(copy).result.probabilities, result.probabilities)
    visit(other, "4_Relabel", "6_Train")
    assert "my run" in texts(other) + repr([each.value for each in other.text_input])


@pytest.mark.parametrize("page", ["4_Relabel", "5_Compare", "7_Directed"])
def test_the_python_lines_read_the_files_and_give_the_same_labels(page, tmp_path, monkeypatch):
    files = example_files()
    app = drop(open_app(PAGE), files)
    [box] = [each for each in app.selectbox if each.label == "Edges are"]
    app = press(box.set_value("directed").run(), "Open this")
    app.switch_page(f"pages/{page}.py").run()
    app.session_state["python-open"] = True
    app.run()
    assert_fine(app)
    for name, content in files.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    [code] = [each.value for each in app.code if "read(" in each.value]
    space: dict = {}
    exec(code, space)
    assert space["dataset"].node_names == own_of(app).dataset.node_names
    assert np.array_equal(space["opened"].probabilities, own_of(app).probabilities)
