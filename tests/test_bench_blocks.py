"""The benchmark of blocks counts what ranks exchange rightly, and shows what it measured."""

from pathlib import Path

import numpy as np
import pytest

from gdr_core.blocks import build_blocks
from gdr_core.blocks.laplacian import shares
from gdr_tools.bench import blocks

pytest.importorskip("pyarrow", reason="pyarrow is not installed")


def test_rows_that_ranks_need_of_others_are_counted(tmp_path):
    blocks.write_edges(tmp_path / "edges.parquet", 80, 300)
    folder = build_blocks(tmp_path / "edges.parquet", tmp_path / "blocks", entries=60)
    dense = np.concatenate([folder.rows(i).toarray() for i in range(len(folder.blocks))])
    for count in (2, 4):
        needs = []
        for share in shares(folder, count):
            first, last = folder.blocks[share[0]].first, folder.blocks[share[-1]].last
            columns = set(np.nonzero(dense[first:last])[1].tolist())
            needs.append(len(columns - set(range(first, last))))
        found = blocks.exchanged(folder, count)
        assert found["total"] * folder.nodes == pytest.approx(sum(needs))
        assert found["most"] * folder.nodes == pytest.approx(max(needs))


def test_every_step_is_measured_and_shown(tmp_path):
    blocks.write_edges(tmp_path / "edges.parquet", 400, 4000)
    result = {"edges": 4000, "nodes": 400, "entries": 8000, "bytes": 40_000}
    result |= {step: blocks.measured(step, tmp_path) for step in ("build", "diffuse")}
    result["exchange"] = {"2": {"total": 0.9, "most": 0.5}}
    assert result["build"]["blocks"] >= 64
    text = blocks.table(result)
    for word in ("4,000 edges", "5.00 bytes an entry", "proved", "2 ranks: 0.90 in all"):
        assert word in text


def test_the_times_are_those_that_what_large_graphs_cost_tells_of():
    """K depends on the last time, the memory on how many there are."""
    text = (Path(__file__).parents[1] / "docs" / "SCALE.md").read_text(encoding="utf-8")
    assert f"last time t = {blocks.TIMES[-1]:g}" in text
    assert f"C = {blocks.COLUMNS}, T = {len(blocks.TIMES)}" in text
