"""The study over several datasets: state, numbers against stored files and single runs, files."""

from __future__ import annotations

import csv
import io
import json
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
import streamlit as st

from gdr_app.computing.kept import forget_everything
from gdr_app.structure.alignment import stored_alignments
from gdr_core import datasets
from gdr_core.figures.panels import panels_figure
from gdr_core.figures.study import Row
from gdr_core.gdr.trials import EVERY_CLASS, Trial, datasets_csv, mean_of
from gdr_core.method import Method
from gdr_tools.paper.store import FOLDER
from gdr_tools.studies.trials import RANDOM
from tests.visiting import assert_fine, open_app

pytestmark = pytest.mark.usefixtures("workers_end")


def table_of(app):
    return next(f.value for f in app.dataframe if list(f.value.columns)[:1] == ["Method"])


def open_study(*names: str, **query):
    forget_everything()
    return open_app("5_Compare", datasets=list(names), **query)


def test_stored_runs_of_all_datasets_are_there_at_once():
    app = open_study("cora", "citeseer", "pubmed", dataset="cora")
    results = json.loads((FOLDER / "undirected.json").read_text())
    for part in ("validation", "test"):
        assert_fine(app)
        table = table_of(app).set_index("Method")
        assert list(table.columns) == ["cora", "citeseer", "pubmed"]
        for name in table.columns:
            for method in ("projection", "gcn"):
                runs = results[f"{name}/public/{method}/undirected"]["runs"]
                before, after, *_ = re.findall(r"[\d.]+", table.loc[method, name])
                means = [np.mean([r[when][part] for r in runs]) for when in ("prior", "overshoot")]
                assert [float(before), float(after)] == pytest.approx(
                    [100 * mean for mean in means], abs=0.0501
                )
        pairs = [f for f in app.dataframe if {"Dataset", "Method"} <= set(f.value)]
        assert bool(pairs) == (part == "test"), "pairs are on test nodes, once these are revealed"
        app.toggle[0].set_value(True).run()


def test_missing_cells_are_run_by_workers_and_agree_with_single_runs(monkeypatch):
    files = {}
    monkeypatch.setattr(st, "download_button", lambda label, data, **_: files.update({label: data}))
    app = open_study(
        "karate", "star", dataset="karate", prior="uniform", compare="rules", runs=RANDOM, times="2"
    )
    assert_fine(app)
    assert set(table_of(app)["star"]) == {"not run yet"}
    app.button(key="run-across").click().run(timeout=240)
    assert_fine(app)
    assert not [button for button in app.button if button.key in ("run-across", "stop-across")]
    rows = list(csv.DictReader(io.StringIO(files["All runs as CSV"]())))
    assert {row["part"] for row in rows} == {"validation"}, "test is hidden"
    for name in ("karate", "star"):
        for seed in (0, 1):
            data = datasets.load_dataset(name, split="random", seed=seed)
            for rule in ("overshoot", "peak"):
                result = Method.on(data, prior="uniform", prior_seed=seed, rule=rule).run()
                right = (result.predictions() == data.labels)[data.split.validation].mean()
                mine = [
                    float(row["accuracy_after"])
                    for row in rows
                    if (row["dataset"], row["method"], row["seed"]) == (name, rule, str(seed))
                    and row["class"] == EVERY_CLASS
                ]
                assert mine == [pytest.approx(right, abs=1e-6)]


def test_what_cannot_run_says_why():
    app = open_study("cora", "karate", dataset="cora", prior="uniform", compare="priors")
    assert_fine(app)
    table = table_of(app).set_index("Method")
    assert (
        table.loc["projection", "karate"] == "no features"
        or datasets.load_dataset("karate").features.shape[1]
    )
    app = open_study("karate", "directed-ring", dataset="directed-ring", compare="Laplacians")
    assert_fine(app)
    table = table_of(app).set_index("Method")
    assert table.loc["directed", "karate"] == "no directions"


def test_the_choice_is_in_the_link_and_an_unknown_dataset_is_refused():
    app = open_study("cora", "karate", dataset="cora")
    assert app.session_state["visit"].link()["datasets"] == ("cora", "karate")
    app.multiselect(key="datasets").set_value(["cora"]).run()
    assert_fine(app)
    assert "datasets" not in app.session_state["visit"].link(), "the sidebar's alone is the default"
    app = open_study("karate", "atlantis", dataset="cora")
    assert_fine(app)
    assert any("“atlantis”" in warning.value for warning in app.main.warning)


def a_trial(method: str, seed: int, after: float) -> Trial:
    return Trial(method, "here", "random", seed, "test", EVERY_CLASS, 10, 0.5, after)


def test_the_table_is_tidy_and_safe():
    text = datasets_csv({"=cora": [a_trial("one", 0, 0.75)], "star": [a_trial("one", 1, 0.5)]})
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["method"], row["seed"], float(row["gain"])) for row in rows] == [
        ("one", "0", 0.25),
        ("one", "1", 0.0),
    ]
    assert rows[0]["dataset"] != "=cora", "no spreadsheet takes it for a formula"
    assert rows[1]["dataset"] == "star"


@pytest.mark.parametrize("count", [1, 3, 5])
def test_the_figure_has_a_panel_a_dataset_and_every_mean_inside_it(count):
    rows = [Row(f"m{k}", "", mean_of([0.5, 0.6]), mean_of([0.6 + k / 20])) for k in range(3)]
    panels = {f"graph <{k}>": rows[: 1 + k % 3] for k in range(count)} | {"empty": []}
    picture = ET.fromstring(panels_figure(panels, "test"))
    _, _, width, height = map(float, picture.get("viewBox").split())
    discs = [part for part in picture.iter() if part.tag.endswith("circle") and len(part)]
    assert len(discs) == 2 * sum(map(len, panels.values()))
    assert all(0 < float(d.get("cx")) < width and 0 < float(d.get("cy")) < height for d in discs)
    words = [part.text for part in picture.iter() if part.tag.endswith("text")]
    assert set(panels) <= set(words)
    assert "no runs yet" in words


@pytest.mark.slow
def test_alignment_stands_beside_the_gain_of_each_dataset():
    app = open_study("cora", "citeseer", "pubmed", dataset="cora")
    results = json.loads((FOLDER / "undirected.json").read_text())
    for part, state in (("validation", "hidden"), ("test", "revealed")):
        assert_fine(app)
        table = next(f.value for f in app.dataframe if "Gain, points" in f.value)
        cells = table_of(app).set_index("Method")
        methods = [m for m in cells.index if cells.loc[m].str.contains("→").all()]
        assert len(methods) > 1
        for _, row in table.iterrows():
            stored = stored_alignments()[row["Dataset"]][state]
            assert row["Below chance, %"] == pytest.approx(100 * stored["gap"])
            assert row["S"] == pytest.approx(stored["measure"])
            runs = [results[f"{row['Dataset']}/public/{m}/undirected"]["runs"] for m in methods]
            gains = [np.mean([r["overshoot"][part] - r["prior"][part] for r in m]) for m in runs]
            assert row["Gain, points"] == pytest.approx(100 * np.mean(gains), abs=1e-6)
        assert any(f"mean gain on {part} nodes" in text.value for text in app.markdown)
        app.toggle[0].set_value(True).run()
