"""The Reproduce page: every number is the stored one, and can be had again."""

from __future__ import annotations

import ast
import hashlib
import json
import re
import signal
from pathlib import Path

import pytest

from gdr_app.computing.working import CANCELLED
from gdr_app.reproduce import cell as reproduce_cell
from gdr_app.reproduce import live as reproduce_live
from gdr_app.reproduce import store as reproduce_store
from gdr_app.reproduce.texts import gain_text
from gdr_core.gdr import RULES
from gdr_core.laplacians import WALKS
from gdr_tools.beyond import guard
from gdr_tools.beyond import report as beyond_report
from gdr_tools.beyond import table as beyond_table
from gdr_tools.jobs import Task, TaskFailed
from gdr_tools.jobs.everybody import pool
from gdr_tools.jobs.kinds import CELL
from gdr_tools.jobs.process import Worker
from gdr_tools.paper import cells, notes, published, run
from gdr_tools.paper.board import tables
from gdr_tools.paper.document import checksums, html_document, markdown_document, shade, signed
from gdr_tools.paper.figures import gain_over_prior, seeds_of_cell
from gdr_tools.paper.gains import gains, standing
from gdr_tools.paper.remarks import attempt_of, note_of, settings_of
from gdr_tools.paper.run import run_cell
from gdr_tools.paper.store import FOLDER, Snapshot, Store
from gdr_tools.paper.worker import request_of
from tests.test_app_directed import component_data
from tests.visiting import assert_fine, open_app

pytestmark = pytest.mark.usefixtures("workers_end")
PAGE = "8_Reproduce"
CHEAP = ["uniform", "projection"]
PATIENCE = 200  # seconds; a live run steps back behind everything else on a busy machine


@pytest.fixture(scope="module")
def store():
    return Snapshot(Store())


@pytest.fixture
def own_folder(tmp_path, monkeypatch):
    """Results of one cell in a folder of their own, which the page then reads."""
    monkeypatch.setattr(reproduce_store, "FOLDER", tmp_path)
    own = Store(tmp_path)
    cell = cells.Cell("undirected", "cora", "public", "uniform")
    own.put(cell, Store().get(cell))
    return own


def find(store, name: str, rule: str = "overshoot"):
    return next(n for table in tables(store, rule) for n in table.numbers if n.name == name)


def digests() -> dict[str, str]:
    return {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in FOLDER.glob("*.json")}


def expected_texts(rule: str) -> dict[str, str]:
    """Every number as it should stand on the page, read from the files by hand."""
    groups = ("sizes", "undirected", "directed", "networks")
    raw = {name: json.loads((FOLDER / f"{name}.json").read_text()) for name in groups}

    def text(group: str, key: str, *path: str) -> str:
        found = raw[group].get(key)
        if found is None:
            return "not computed"
        for step in path:
            found = found[step]
        if group == "sizes":
            return f"{found:,}"
        several = len(raw[group][key]["seeds"]) > 1
        spread = f" ± {100 * found['test_spread']:.1f}" if several else ""
        return f"{100 * found['test']:.1f}{spread}"

    texts = {}
    for name in published.DATASETS:
        for size in ("nodes", "edges", "classes", "features"):
            key = f"{name}/public/size/undirected"
            texts[f"table 1: {name}, {size}"] = text("sizes", key, size)
        for method in (*published.PRIORS, "label-propagation", "diff-gcn"):
            key = f"{name}/public/{method}/undirected"
            texts[f"table 2 prior: {method}, {name}"] = text("undirected", key, "prior")
            texts[f"table 2 GDR: {method}, {name}"] = text("undirected", key, "gdr", rule)
        for method in published.NETWORKS:
            key = f"{name}/public/{method}/undirected"
            texts[f"table 3: {method}, {name}"] = text("undirected", key, "prior")
    for split in ("paper-directed", "public"):
        for direction in WALKS:
            where = f"{direction} {split} split"
            for method in published.DIRECTED_GDR if direction != "augmented" else ():
                key = f"cora-directed/{split}/{method}/{direction}"
                texts[f"table 4: {method}, {where}"] = text("directed", key, "gdr", rule)
            for method in published.DIRECTED_NETWORKS:
                key = f"cora-directed/{split}/{method}/{direction}"
                texts[f"table 5: {method}, {where}"] = text("networks", key, "network")
    return texts


def shown_numbers(app) -> dict[str, dict]:
    """The numbers of the table that is open."""
    (board,) = component_data(app, "results_table")
    return {n["name"]: n for row in board["rows"] for n in row["numbers"]}


def all_numbers(app) -> dict[str, dict]:
    """The numbers of all tables, whose tabs are opened one after the other."""
    found = {}
    for title in tabs_of(app).options:
        tabs_of(app).set_value(f"Table {title}").run()
        assert_fine(app)
        found |= shown_numbers(app)
    return found


def tabs_of(app):
    return next(group for group in app.button_group if group.label == "Table")


def run_again(app):
    app.button(key="run-again").click().run(timeout=PATIENCE)
    assert_fine(app)
    return app


# ---------------------------------------------------------------- numbers


@pytest.mark.parametrize("rule", list(RULES))
def test_every_number_is_the_stored_one(rule):
    app = open_app(PAGE, rule=rule)
    assert_fine(app)
    shown = all_numbers(app)
    assert {name: number["ours"] for name, number in shown.items()} == expected_texts(rule)


def test_the_paper_s_numbers_and_the_differences_stand_beside(store):
    shown = all_numbers(open_app(PAGE))
    printed = {
        name: float(n["paper"].replace(",", "")) for name, n in shown.items() if n["printed"]
    }
    assert printed["table 2 GDR: svm, cora"] == 81.2
    assert printed["table 3: gcn, wikipedia"] == 34.1
    assert printed["table 4: mlp, backward paper-directed split"] == 56.4
    assert printed["table 5: diff-gcn, augmented paper-directed split"] == 83.0
    assert "table 4: mlp, backward public split" not in printed
    assert printed["table 4: mlp, undirected public split"] == 78.5
    for name, value in printed.items():
        number = find(store, name)
        if number.ours is not None:
            text = shown[name]["difference"].replace("−", "-").replace(",", "")
            gap = 0.0 if text == "same" else float(text)
            assert gap == pytest.approx(number.ours - value, abs=0.0500001)


def test_colour_and_sign_say_the_same(store):
    for table in tables(store):
        for number in table.numbers:
            if number.difference is None:
                assert shade(number) == "transparent"
                continue
            scale = 100 / number.paper if number.counted else 1
            if abs(number.difference) * scale < 0.2:
                continue
            above = number.difference > 0
            assert ("0, 114, 178" in shade(number)) == above
            assert signed(number).startswith("+" if above else "−")
    assert "213, 94, 0" in shade(find(store, "table 1: cora, edges"))
    assert "138, 143, 152" in shade(find(store, "table 1: cora, nodes"))


def test_settings_are_told_on_hover(store):
    details = dict(map(tuple, shown_numbers(open_app(PAGE))["table 2 GDR: svm, cora"]["details"]))
    result = store.get(cells.Cell("undirected", "cora", "public", "svm"))
    assert details["rule"] == "overshoot"
    assert details["t_min"].startswith(f"{result['gdr']['overshoot']['t_min_relative']:.4g} ")
    assert details["seeds"] == "10: 0 to 9"
    assert f"numpy {result['versions']['numpy']}" in details["versions"]
    assert "for the prior" in details["time a seed"]


def test_the_tiles_count(store):
    found = standing([n for table in tables(store, "peak") for n in table.numbers])
    app = open_app(PAGE, rule="peak")
    shown = {tile.label: tile.value for tile in app.metric}
    assert shown["Computed"] == f"{found.stored} of {found.total}"
    assert shown["Reach the paper"] == f"{found.reached} of {found.compared}"


def test_cells_without_a_result_say_so(own_folder):
    app = open_app(PAGE, cell="table 2 prior: projection, cora")
    assert_fine(app)
    shown = shown_numbers(app)
    assert shown["table 2 prior: uniform, cora"]["ours"] == "13.0"
    missing = [n for name, n in shown.items() if not name.endswith("uniform, cora")]
    assert {n["ours"] for n in missing} == {"not computed"}
    assert all(n["missing"] for n in missing)
    assert any("Not computed yet" in block.value for block in app.main.markdown)


def test_a_new_result_appears_at_the_next_look(own_folder):
    name = "table 2 prior: projection, cora"
    app = open_app(PAGE, cell=name)
    assert shown_numbers(app)[name]["missing"]
    cell = cells.Cell("undirected", "cora", "public", "projection")
    own_folder.put(cell, Store().get(cell))
    app.run()
    assert shown_numbers(app)[name]["ours"] == "59.0"


@pytest.mark.parametrize(
    ("content", "words"), [("{ not JSON", "is not valid JSON"), ("[]", "does not hold results")]
)
def test_a_broken_file_is_reported_by_its_name_alone(own_folder, content, words):
    own_folder.path("directed").write_text(content)
    app = open_app(PAGE)
    assert not app.exception
    said = app.error[0].value.replace("\\", "")
    assert f": directed.json {words}" in said
    assert str(own_folder.folder) not in said


def test_an_unknown_cell_in_the_link_is_said():
    app = open_app(PAGE, cell="table 9: nothing")
    assert_fine(app)
    assert "table 9" in app.warning[0].value
    assert app.selectbox(key="cell").value == reproduce_cell.FIRST


@pytest.mark.parametrize(
    "cell",
    [
        "table 1: cora, edges",
        "table 2 prior: gcn, pubmed",
        "table 2 GDR: planetoid, cora",
        "table 3: diff-gcn, wikipedia",
        "table 4: svm, backward paper-directed split",
        "table 5: diff-gcn, augmented public split",
    ],
)
def test_a_cell_of_every_table_opens(cell):
    app = open_app(PAGE, cell=cell)
    assert_fine(app)
    assert app.selectbox(key="cell").value == cell
    (board,) = component_data(app, "results_table")
    assert board["chosen"] == cell
    assert cell in {n["name"] for row in board["rows"] for n in row["numbers"]}


def test_another_table_shows_the_number_in_the_same_place():
    app = open_app(PAGE, cell="table 2 GDR: svm, pubmed")
    tabs_of(app).set_value("Table 2: before GDR").run()
    assert_fine(app)
    assert app.query_params["cell"] == "table 2 prior: svm, pubmed"
    cell = next(box for box in app.selectbox if box.label == "Cell")
    assert cell.value == "table 2 prior: svm, pubmed"
    tabs_of(app).set_value("Table 1: sizes").run()
    assert app.query_params["cell"] == "table 1: citeseer, nodes"


# ---------------------------------------------------------------- running again


@pytest.mark.parametrize("method", CHEAP)
@pytest.mark.parametrize("dataset", ["cora", "citeseer"])
def test_running_a_cheap_cell_gives_the_stored_number(method, dataset, monkeypatch):
    def refuse(*_: object) -> None:
        raise AssertionError("the page must not write results")

    monkeypatch.setattr(Store, "put", refuse)
    name = f"table 2 GDR: {method}, {dataset}"
    app = run_again(open_app(PAGE, cell=name))
    assert "The same number" in app.success[0].value
    table = next(frame.value for frame in app.dataframe if "Run again" in frame.value)
    assert list(table["Difference"]) == [0.0]
    expected = expected_texts("overshoot")[name]
    assert f"{table['Run again'].iloc[0]:.1f}" == expected


def test_a_directed_and_a_counted_cell_can_be_run():
    app = run_again(open_app(PAGE, cell="table 4: projection, forward public split"))
    assert "The same number" in app.success[0].value
    app = run_again(open_app(PAGE, cell="table 1: cora, edges"))
    assert "The same number" in app.success[0].value


def test_another_number_is_called_so(own_folder):
    cell = cells.Cell("undirected", "cora", "public", "uniform")
    result = own_folder.get(cell)
    result["runs"][0]["overshoot"]["test"] -= 0.01
    own_folder.put(cell, result)
    app = run_again(open_app(PAGE, cell="table 2 GDR: uniform, cora"))
    assert not app.success
    assert "1.00 points away" in app.warning[0].value


def test_seeds_are_compared_one_by_one(store):
    number = find(store, "table 2 GDR: random-forest, cora")
    live = json.loads(json.dumps(number.result))
    live["runs"] = live["runs"][:3]
    live["runs"][1]["overshoot"]["test"] += 0.002
    table = reproduce_cell.comparison_table(number, live)
    assert list(table["Seed"]) == ["0", "1", "2"]
    assert table["Difference"].tolist() == pytest.approx([0, 0.2, 0])


def ask(app, cell: cells.Cell) -> reproduce_live.Request:
    """A wish as the button makes it."""
    ticket = pool().submit("a visitor", Task(CELL, request_of(cell, 1)))
    request = reproduce_live.Request(cell, 1, ticket)
    app.session_state[reproduce_live.REQUEST] = request
    return request


def worker_of(request: reproduce_live.Request) -> Worker:
    return request.ticket._errand.worker


UNIFORM = cells.Cell("undirected", "cora", "public", "uniform")
LONG = cells.Cell("networks", "cora-directed", "public", "gcn", "forward")


def test_a_cancelled_run_leaves_the_page_whole():
    app = open_app(PAGE, cell="table 5: gcn, forward public split")
    request = ask(app, LONG)
    process = worker_of(request).process
    app.session_state[CANCELLED] = request
    app.run()
    assert_fine(app)
    assert "Cancelled" in app.info[0].value
    assert app.button(key="run-again")
    assert reproduce_live.REQUEST not in app.session_state
    # It leaves when its input closes, or is killed before that; an idle one would live on.
    assert process.wait(10) in (0, -signal.SIGKILL)
    assert request.ticket._errand.state.result is None
    with pytest.raises(TaskFailed, match="no longer knows"):
        _ = request.ticket.state


def test_a_page_that_runs_again_takes_up_its_run():
    app = open_app(PAGE, cell="table 2 GDR: uniform, cora")
    ask(app, UNIFORM)
    app.run(timeout=PATIENCE)
    assert_fine(app)
    assert "The same number" in app.success[0].value
    app.sidebar.selectbox(key="rule").select("peak").run()
    assert "The same number" in app.success[0].value, "the result is kept"


def test_a_run_that_fails_or_is_unknown_is_reported():
    app = open_app(PAGE, cell="table 5: gcn, forward public split")
    worker_of(ask(app, LONG)).process.kill()
    app.run(timeout=PATIENCE)
    assert not app.exception
    assert "killed by SIGKILL" in app.error[0].value
    ask(app, LONG).ticket.cancel()
    app.run(timeout=PATIENCE)
    assert "no longer knows this run" in app.error[0].value
    assert app.button(key="run-again")


def test_too_many_runs_are_refused_in_words(monkeypatch):
    monkeypatch.setattr(pool(), "most_of_one", 0)
    app = open_app(PAGE, cell="table 2 GDR: uniform, cora")
    app.button(key="run-again").click().run()
    assert "This cell was not started" in app.error[0].value
    assert reproduce_live.REQUEST not in app.session_state


def test_progress_is_reported_and_can_stop_a_run():
    class StopError(Exception):
        pass

    seen = []

    def stop(share: float, text: str) -> None:
        seen.append(share)
        if share > 0.1:
            raise StopError

    cell = cells.Cell("networks", "cora-directed", "public", "gcn", "forward")
    with pytest.raises(StopError):
        run_cell(cell, 1, stop)
    assert len(seen) > 1


def test_only_random_methods_ask_for_seeds():
    app = open_app(PAGE, cell="table 2 GDR: projection, cora")
    assert not app.number_input
    app = open_app(PAGE, cell="table 2 GDR: svm, cora")
    assert app.number_input[0].value == 1


# ---------------------------------------------------------------- chart, report, lines


def test_gains_are_differences_of_stored_accuracies(store):
    for rule in RULES:
        for gain in gains(store, rule):
            result = store.get(gain.cell)
            assert gain.before == 100 * result["prior"]["test"]
            expected = 100 * (result["gdr"][rule]["test"] - result["prior"]["test"])
            assert gain.gain == pytest.approx(expected)
    stored = len(store.group("undirected")) + len(store.group("directed"))
    assert len(gains(store, "peak")) == stored


def test_the_chart_has_every_cell_once(store):
    found = gains(store, "reference")
    figure = gain_over_prior(found, "reference")
    ours = [trace for trace in figure.data if trace.name != "the paper"]
    assert sum(len(trace.x) for trace in ours) == len(found)
    printed = next(trace for trace in figure.data if trace.name == "the paper")
    place = printed.text.index("svm on cora, undirected")
    assert printed.y[place] == pytest.approx(81.2 - 58.0)


def test_seeds_are_drawn_with_the_paper_s_line():
    figure = seeds_of_cell({0: 70.0, 1: 71.0}, {0: 70.0}, 72.5)
    assert [trace.name for trace in figure.data] == ["stored", "run again", "paper"]
    assert set(figure.data[2].y) == {72.5}


@pytest.mark.parametrize("write", [markdown_document, html_document])
def test_the_report_holds_everything(store, write):
    text = write(store, "reference")
    for name, expected in expected_texts("reference").items():
        assert name in text
        assert expected in text
    for file, digest in checksums(store):
        assert file in text
        assert digest in text
    assert "numpy" in text
    assert "Validation labels" in text


def test_checksums_are_those_of_the_files(store):
    found = dict(checksums(store))
    for file, digest in found.items():
        path = Path(FOLDER).parents[1] / file
        if path.exists() and file.startswith("data/") and "results" not in file:
            assert hashlib.sha256(path.read_bytes()).hexdigest() == digest
    fresh = dict(checksums(Snapshot(Store())))
    for name, digest in digests().items():
        assert fresh[f"data/results/{name}"] == digest


def test_settings_name_every_stored_run(store):
    for table in tables(store):
        for number in table.numbers:
            lines = dict(settings_of(number))
            if number.result is None:
                assert lines == {"result": "none stored yet"}
            else:
                assert "versions" in lines


def test_a_note_explains_a_difference(monkeypatch):
    place = ("2 GDR", "svm", "cora")
    monkeypatch.setitem(notes.NOTES, place, (notes.Note("Because of the kernel."),))
    app = open_app(PAGE, cell="table 2 GDR: svm, cora")
    assert any(block.value == "Because of the kernel." for block in app.main.markdown)


def test_the_card_of_a_number_that_falls_short_tells_of_the_attempt(store):
    name = "table 5: gcn, backward paper-directed split"
    app = open_app(PAGE, cell=name)
    told = attempt_of(find(store, name))
    assert told.startswith("One more attempt: of 64 settings")
    assert any(block.value == told for block in app.main.markdown)


def test_notes_speak_of_the_number_that_is_shown(store):
    window = "The gain comes from the time window"
    name = "table 4: svm, forward paper-directed split"
    assert window in note_of(find(store, name))
    assert window not in note_of(find(store, name, "reference"))
    for rule in RULES:
        for table in tables(store, rule):
            for number in table.numbers:
                gap = 0.0 if number.counted else number.difference or 0.0
                assert bool(note_of(number)) == (abs(gap) >= 1), number.name


def test_a_note_fits_a_rule_and_a_side():
    note = notes.Note("Better.", ("peak",), 1)
    assert note.fits("peak", 2.0)
    assert not note.fits("peak", -2.0)
    assert not note.fits("overshoot", 2.0)
    assert not note.fits(None, 2.0)
    assert notes.Note("Always.").fits(None, -2.0)


def test_a_difference_without_a_note_names_the_other_rules(store):
    number = find(store, "table 2 GDR: projection, wikipedia")
    for rule in ("peak", "reference"):
        other = find(store, number.name, rule)
        assert f"by `{rule}` {other.ours:.1f} ({signed(other)})" in note_of(number)
    assert "prior" in note_of(find(store, "table 2 GDR: svm, citeseer"))


@pytest.mark.parametrize("write", [markdown_document, html_document])
def test_the_report_has_standing_gains_and_notes(store, write):
    text = write(store, "overshoot")
    found = standing([n for table in tables(store) for n in table.numbers])
    assert f"Computed: {found.stored} of {found.total}" in text
    assert f"Reach the paper: {found.reached} of {found.compared}" in text
    section = text.split("Gain by GDR", 1)[1].split("Differences of a point", 1)[0]
    assert section.count("label-propagation") == len(published.DATASETS)
    assert f"{next(iter(gains(store, 'overshoot'))).before:.1f}" in section
    assert "The gain comes from the time window" in text


def test_the_python_lines_run_and_agree(store, capsys):
    number = find(store, "table 2 GDR: projection, cora")
    exec(reproduce_cell.python_for(number), {})
    stored, fresh = re.fullmatch(r"(\S+) -> (\S+)\n", capsys.readouterr().out).groups()
    assert float(stored) == float(fresh) == pytest.approx(number.ours / 100)
    exec(reproduce_cell.python_for(find(store, "table 1: cora, edges")), {})
    assert capsys.readouterr().out == "5278 -> 5278\n"


@pytest.mark.parametrize(
    "name",
    [
        "table 2 prior: svm, cora",
        "table 2 GDR: svm, cora",
        "table 5: gcn, forward public split",
    ],
)
def test_the_python_lines_compare_the_same_seed(store, name, monkeypatch, capsys):
    number = find(store, name)
    monkeypatch.setattr(run, "run_cell", lambda cell, seeds: number.result)
    exec(reproduce_cell.python_for(number), {})
    stored, fresh = capsys.readouterr().out.split(" -> ")
    assert float(stored) == float(fresh) == pytest.approx(number.by_seed(number.result)[0] / 100)


def test_an_unknown_rule_is_refused(store):
    with pytest.raises(ValueError, match="overshoot, peak, reference"):
        tables(store, "best")


def test_table_6_and_the_guard_stand_on_the_page():
    page = open_app(PAGE)
    assert_fine(page)
    texts = "\n".join(one.value for one in page.markdown)
    found = beyond_table.columns(beyond_table.stored())
    assert all(line in texts for line in beyond_table.standing(found))
    assert all(beyond_report.accuracies(found, kind) in texts for kind in beyond_table.KINDS)
    assert guard.statement(guard.stored()) in texts


def test_what_is_missing_in_a_table_is_a_dash():
    """A number without a spread or a t_min used to read None."""
    app = open_app(PAGE, cell="table 2 GDR: projection, cora")
    tables_shown = [frame for frame in app.dataframe if frame.value.isna().any(axis=None)]
    assert tables_shown
    assert all(frame.proto.placeholder == "–" for frame in tables_shown)


def test_every_table_of_the_app_shows_a_dash_for_what_is_missing():
    calls = [
        (ast.unparse(node.func), path.name, {each.arg: each.value for each in node.keywords})
        for path in sorted((Path(__file__).parents[1] / "gdr_app").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
    ]
    tables_drawn = [call for call in calls if call[0] in ("st.dataframe", "show_table")]
    assert len(tables_drawn) >= 15
    for function, name, given in tables_drawn:
        if function == "st.dataframe":  # show_table draws all others by it
            assert "placeholder" in given, name
            assert ast.literal_eval(given["placeholder"]) == "–", name


def test_the_sentence_above_the_gains_counts_them(store):
    for rule in RULES:
        found = gains(store, rule)
        said = re.search(
            r"At (\d+) of (\d+) marks it helps\. The half .* weaker priors gains ([+−\d.]+) points "
            r"on average, the other half ([+−\d.]+)\.",
            " ".join(gain_text(found).split()),
        )
        assert (int(said[1]), int(said[2])) == (sum(g.gain > 0 for g in found), len(found))
        ranked = sorted((g.before, g.gain) for g in found)
        half = len(ranked) // 2
        for text, part in ((said[3], ranked[:half]), (said[4], ranked[half:])):
            mean = sum(gain for _, gain in part) / len(part)
            assert abs(float(text.replace("−", "-")) - mean) < 0.0501
    assert "average" not in gain_text([])
