"""The tables: which cells there are, that results are stored and read back, and the report."""

import json

import pytest

from gdr_core.gdr import RULES
from gdr_core.neural import use_one_thread
from gdr_core.progress import ignore
from gdr_tools.cli import main
from gdr_tools.jobs import Pool, Task, TaskRefused
from gdr_tools.jobs.kinds import CELL
from gdr_tools.paper import cells, published
from gdr_tools.paper.board import tables
from gdr_tools.paper.cells import Cell
from gdr_tools.paper.report import sections, write_report
from gdr_tools.paper.run import run_cell
from gdr_tools.paper.store import FOLDER, Snapshot, Store
from gdr_tools.paper.worker import request_of

LONG = Cell("networks", "cora-directed", "public", "gcn", "forward")


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path)


def small(method="projection", group="directed", direction="forward"):
    return Cell(group, "directed-ring", "teaching", method, direction)


def test_every_cell_has_a_key_of_its_own():
    everything = cells.of_table("all")
    assert len({(cell.group, cell.key) for cell in everything}) == len(everything)
    for table in "12345":
        assert set(cells.of_table(table)) <= set(everything)


def test_every_number_of_the_paper_has_a_cell():
    found = {table.key: table.numbers for table in tables(Store(FOLDER / "nowhere"))}
    accuracies = [number for key, numbers in found.items() if key != "1" for number in numbers]
    shown = sorted(number.paper for number in accuracies if number.paper is not None)
    printed = [
        number
        for table in (
            published.PRIORS,
            published.GDR,
            published.NETWORKS,
            published.DIRECTED_GDR,
            published.DIRECTED_NETWORKS,
        )
        for row in table.values()
        for number in row
        if number is not None
    ]
    assert shown == sorted(printed)
    assert len([number for number in found["2 GDR"] if number.paper is not None]) == 24


def test_a_cell_holds_every_rule_its_settings_and_its_seeds():
    result = run_cell(small(), seeds=3)
    assert set(result["gdr"]) == set(RULES)
    assert result["seeds"] == [0], "nothing is random in a projection"
    assert result["laplacian"] == "directed"
    assert {"gdr_core", "numpy", "scipy", "torch"} <= set(result["versions"])
    for rule in RULES:
        assert 0 <= result["gdr"][rule]["test"] <= 1
        assert result["gdr"][rule]["t_min"] >= 0
    json.dumps(result)


def test_seeds_give_a_mean_and_a_spread():
    result = run_cell(small("random-forest"), seeds=3)
    assert result["seeds"] == [0, 1, 2]
    tests = [run["prior"]["test"] for run in result["runs"]]
    assert result["prior"]["test"] == pytest.approx(sum(tests) / 3)


def test_a_network_cell_reports_its_time_and_the_epoch_it_kept():
    use_one_thread()  # on a busy machine threads wait for each other, for minutes
    heard = []
    cell = Cell("networks", "karate", "teaching", "diff-gcn")
    result = run_cell(cell, seeds=2, progress=lambda f, m: heard.append(f))
    assert result["t"] > 0
    assert all(1 <= run["epoch"] <= run["epochs"] for run in result["runs"])
    assert heard[-1] == pytest.approx(1.0) or result["settings"]["patience"]


def test_results_come_back_as_they_were_stored(store):
    assert store.get(small()) is None
    store.put(small(), {"answer": 1})
    store.put(small("uniform"), {"answer": 2})
    assert store.get(small()) == {"answer": 1}
    assert Store(store.folder).get(small("uniform")) == {"answer": 2}
    assert not list(store.folder.glob("*.part"))


def test_a_damaged_file_is_named(store):
    store.put(small(), {})
    store.path("directed").write_text("{", encoding="utf-8")
    with pytest.raises(ValueError, match=r"directed\.json is not valid JSON"):
        store.get(small())


def test_a_stopped_run_continues_where_it_was(tmp_path, capsys):
    arguments = ["reproduce", "--table", "1", "--folder", str(tmp_path)]
    assert main([*arguments, "--dataset", "cora"]) == 0
    path = tmp_path / "sizes.json"
    stored = json.loads(path.read_text(encoding="utf-8"))
    assert stored["cora/public/size/undirected"]["edges"] == 5278
    stored["cora/public/size/undirected"]["edges"] = -1
    path.write_text(json.dumps(stored), encoding="utf-8")
    assert main([*arguments, "--dataset", "citeseer"]) == 0
    again = json.loads(path.read_text(encoding="utf-8"))
    assert again["cora/public/size/undirected"]["edges"] == -1, "a finished cell is left alone"
    assert "citeseer/public/size/undirected" in again
    assert main([*arguments, "--dataset", "cora", "--again"]) == 0
    assert json.loads(path.read_text(encoding="utf-8"))["cora/public/size/undirected"]["edges"] > 0


def test_the_report_shows_what_is_there_and_dashes_elsewhere(store):
    cell = Cell("undirected", "cora", "public", "projection")
    numbers = {"test": 0.59, "test_spread": 0.0}
    gdr = {rule: {"test": 0.9, "test_spread": 0.01} for rule in RULES}
    store.put(cell, {"prior": numbers, "gdr": gdr})
    text = write_report(store).read_text(encoding="utf-8")
    assert "59.0 \\| **59.0**" in text
    assert "79.7 \\| **90.0 ± 1.0** \\| **90.0 ± 1.0**" in text
    assert "**Table 2 GDR, projection, cora**: the paper 79.7, ours 90.0 (+10.3)" in text
    assert "Test labels" in text


def test_a_file_that_is_no_report_is_left_alone(tmp_path, capsys):
    mine = tmp_path / "README.md"
    mine.write_text("# My thesis\n", encoding="utf-8")
    for more in (["--report-only"], ["--table", "1", "--dataset", "cora"]):
        assert main(["reproduce", "--folder", str(tmp_path), *more]) == 1
        said = capsys.readouterr().err
        assert "README.md was not written by `reproduce`" in said
        assert "--folder" in said
    assert mine.read_text(encoding="utf-8") == "# My thesis\n"
    assert list(tmp_path.iterdir()) == [mine], "nothing was computed before it was refused"
    mine.unlink()
    for _ in range(2):  # its own report it writes again
        assert main(["reproduce", "--folder", str(tmp_path), "--report-only"]) == 0


def test_the_stored_report_is_the_one_that_the_results_give():
    kept = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert "\n".join(sections(Store())) + "\n" == kept


@pytest.mark.parametrize("content", ["[]", '{"nodes": {}}', '{"a/b/c/d": 3}', "7"])
def test_a_file_of_somebody_else_is_left_alone(store, content):
    store.folder.mkdir(exist_ok=True)
    store.path("directed").write_text(content, encoding="utf-8")
    for use in (lambda: store.put(small(), {}), lambda: Snapshot(store)):
        with pytest.raises(ValueError, match=r"directed\.json does not hold results"):
            use()
    assert store.path("directed").read_text(encoding="utf-8") == content


def test_unknown_cells_are_refused(capsys, tmp_path):
    assert main(["reproduce", "--dataset", "atlantis", "--folder", str(tmp_path)]) == 2
    assert "cora" in capsys.readouterr().err


# ---------------------------------------------------------------- in a worker


def test_a_worker_gives_what_run_cell_gives_and_says_what_it_cannot():
    pool, heard = Pool(slots=1), []
    try:
        ticket = pool.submit("me", Task(CELL, request_of(small(), 1)))
        live = ticket.wait(lambda share, text: heard.append(text))
        here = run_cell(small(), 1)
        assert live["gdr"] == here["gdr"]
        assert live["cell"] == here["cell"]
        assert heard
        lost = Cell("directed", "atlantis", "public", "svm")
        with pytest.raises(TaskRefused, match="atlantis"):
            pool.submit("me", Task(CELL, request_of(lost, 1))).wait(ignore)
    finally:
        pool.close()
