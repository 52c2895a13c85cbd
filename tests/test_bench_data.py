"""The benchmark of reading measures the same edges on all sides."""

import numpy as np

from gdr_tools.bench import data


def test_a_small_run_measures_every_side(monkeypatch):
    monkeypatch.setattr(data, "QUICK_EDGES", 2000)
    monkeypatch.setattr(data, "TURNS", 1)
    monkeypatch.setattr(data, "ROUNDS", 1)
    result = data.run(quick=True)
    assert result["edges"] == 2000
    assert set(result["sides"]) == set(data.SIDES)
    assert result["sides"]["pandas"]["ratio"] == 1
    assert all(one["seconds"] > 0 and one["peak_bytes"] > 2**20 for one in result["sides"].values())
    assert "ratio" in data.table(result)


def test_the_sides_read_the_same_edges(tmp_path):
    path = tmp_path / "edges.csv"
    data.write_edges(path, 500, 50)
    codes, names = {}, {}
    scope = {"path": str(path)}
    exec(data.SIDES["pandas"], scope)
    codes["pandas"], names["pandas"] = scope["call"]()
    exec(data.SIDES["edges"], scope)
    (edges,) = scope["call"]()
    ends = np.concatenate([edges.sources, edges.targets])
    ours = [edges.names[i] for i in ends]
    assert ours == [str(names["pandas"][i]) for i in codes["pandas"]]
