"""The benchmark's parts are right; its figures are measured by the command, never asserted."""

import json

import numpy as np
import pytest
import scipy.sparse as sp

from gdr_core.datasets import load_dataset
from gdr_core.gdr import GDROptions, initial_condition, reclassify
from gdr_core.laplacians import make_laplacian
from gdr_tools.bench import engine, floor, recipe
from gdr_tools.bench.powerlaw import powerlaw_graph
from gdr_tools.cli import bench, main


@pytest.mark.parametrize("directed", [False, True])
def test_powerlaw_graphs_are_connected_with_the_exact_number_of_edges(directed):
    graph = powerlaw_graph(500, 3000, seed=1, directed=directed)
    assert graph.nnz == (3000 if directed else 6000)
    assert graph.diagonal().sum() == 0
    assert sp.csgraph.connected_components(graph, connection="strong")[0] == 1
    degrees = np.asarray(graph.sum(axis=1)).ravel()
    assert degrees.max() > 5 * np.median(degrees)


def test_the_recipe_and_the_engine_agree_on_its_own_grid():
    dataset = load_dataset("ring-of-cliques")
    laplacian = make_laplacian("combinatorial", dataset.adjacency)
    prior = np.full((dataset.nodes, dataset.classes), 1 / dataset.classes)
    start = initial_condition(prior, dataset.labels, dataset.split)
    theirs = recipe.run(dataset, start)
    assert 1 / theirs["stop"] == pytest.approx(laplacian.gap, rel=1e-6)
    options = GDROptions(count=recipe.TIMES, spacing="linear")
    ours = reclassify(laplacian, start, dataset.labels, dataset.split, options)
    values = ours.trajectories.values()
    np.testing.assert_allclose(values, theirs["trajectories"], atol=2e-7)


def test_the_floor_measures_a_small_graph():
    row = floor.measure(2000, 8000, "directed", "float32")
    assert row["ratio"] == pytest.approx(row["seconds"] / row["product_seconds"])
    assert row["speed"] == pytest.approx(row["one_core"] / row["seconds"])
    assert len(row["laps"]) == len(row["one_core_laps"]) == 3
    assert row["peak_bytes"] > 0
    assert row["difference"] <= row["error_bound"] + row["reference_bound"] <= 0.06
    assert (row["tolerance"], row["one_core_tolerance"]) == (5e-2, GDROptions().tolerance)
    alike = row["same_tolerance"]
    assert alike["products"] < row["one_core_products"]
    assert abs(alike["products"] - row["products"]) <= 2  # rounding takes its part of the tolerance
    assert alike["speed"] == pytest.approx(alike["one_core"] / row["seconds"])
    assert len(alike["laps"]) == 3


def test_a_run_keeps_each_row_as_it_comes(monkeypatch, tmp_path, capsys):
    out = tmp_path / "rows.json"
    kept = []

    def measured(dataset):
        kept.append(json.loads(out.read_text())["datasets"] if out.exists() else None)
        if dataset.name == "citeseer":
            raise KeyboardInterrupt  # cut off in its second row
        return row

    row = {
        "recipe": {"total": 10.0, "laps": [10.0], "test_accuracy": 0.7},
        "ours": {"total": 0.1, "laps": [0.1], "test_accuracy": 0.7},
        "ratio": 100.0,
        "ratios": [100.0],
        "processor_ratio": 100.0,
    }
    monkeypatch.setattr(engine, "compare", measured)
    words = ["bench", "engine", "--datasets", "cora", "citeseer", "--nodes", "0"]
    assert main([*words, "--out", str(out)]) == 130
    assert kept[0] is None
    assert list(kept[1]) == ["cora"]
    found = json.loads(out.read_text())
    assert found["datasets"] == {"cora": row}
    assert found["missing"] == found["floor"] == []
    assert [one.name for one in tmp_path.iterdir()] == ["rows.json"]
    assert engine.DATASETS == bench._RECIPES


def test_the_table_shows_every_row():
    same = {
        "exponentials": 5.0,
        "seconds": 1.0,
        "ratio": 20.0,
        "largest_difference": 1e-9,
        "error_bound": 1e-7,
    }
    row = {
        "recipe": {"total": 10.0, "laps": [9.0, 10.0, 12.0], "test_accuracy": 0.7},
        "ours": {"total": 0.1, "laps": [0.1, 0.1, 0.1], "test_accuracy": 0.71},
        "ratio": 100.0,
        "ratios": [90.0, 100.0, 120.0],
        "processor_ratio": 101.0,
        "same_grid": same,
    }
    measured = floor.measure(2000, 8000, "combinatorial")
    result = {"datasets": {"cora": row}, "floor": [measured], "missing": ["wikipedia"]}
    text = engine.table(result)
    assert measured["same_tolerance"] is None
    for word in (
        "1e-07",
        "same toler.",
        "cora",
        "100×",
        "-10 to +20 %",
        "101×",
        "20×",
        "2,000",
        "wikipedia: not measured",
    ):
        assert word in text
