"""Blood cells, and the graphs whose links mislead: sizes, splits, homophily, single nodes."""

from dataclasses import replace

import numpy as np
import pytest

from gdr_core.datasets import (
    MissingFilesError,
    describe,
    download,
    heterophilous,
    load_dataset,
    spec_of,
)
from gdr_core.datasets.splits import trained_classes
from gdr_core.graphs.statistics import edge_homophily
from gdr_tools.cli import main

HOMOPHILY = {
    "texas": 0.06,
    "cornell": 0.12,
    "wisconsin": 0.18,
    "squirrel-filtered": 0.21,
    "actor": 0.22,
    "chameleon-filtered": 0.24,
}
needs_files = pytest.mark.skipif(
    not all(spec_of(name).available for name in HOMOPHILY), reason="GDR_DATA_DIR has no such files"
)


@needs_files
@pytest.mark.parametrize("name", HOMOPHILY)
def test_sizes_and_homophily_are_those_of_the_literature(name):
    dataset, said = load_dataset(name), describe(name)
    assert edge_homophily(dataset) == pytest.approx(HOMOPHILY[name], abs=0.01)
    for key in ("nodes", "edges", "classes"):
        assert getattr(dataset, key) == getattr(said, key)
    for part in ("train", "validation", "test"):
        assert getattr(dataset.split, part).size == getattr(said, part)
    assert said.features == dataset.features.shape[1]


@needs_files
def test_the_ten_splits_of_texas_differ_and_every_class_trains():
    stored = heterophilous.stored_arrays("texas")
    trains = set()
    for i, split in enumerate(heterophilous.SPLITS):
        dataset = load_dataset("texas", split=split)
        assert dataset.split.name == split
        trained = set(dataset.labels[dataset.split.train].tolist())
        assert trained == set(range(dataset.classes))
        assert dataset.split.train.tolist() == np.flatnonzero(stored["train_masks"][i]).tolist()
        trains.add(tuple(dataset.split.train))
    assert len(trains) == 10
    assert load_dataset("texas", split="random").classes == 5


@needs_files
def test_classify_texas_and_cells(capsys):
    for arguments in (["texas", "--split", "geom-7"], ["cells"]):
        assert main(["classify", *arguments, "--prior", "uniform"]) == 0
    assert "geom-7" in capsys.readouterr().out


def test_cells_have_the_graph_and_the_types_of_scanpy():
    cells = load_dataset("cells")
    assert (cells.nodes, cells.edges, cells.classes, cells.features.shape[1]) == (
        700,
        4996,
        10,
        765,
    )
    assert edge_homophily(cells) == pytest.approx(0.72, abs=0.01)
    assert sorted(np.bincount(cells.labels)) == [8, 13, 19, 31, 43, 54, 68, 95, 129, 240]
    assert cells.split.name == "drawn"
    every, training = np.bincount(cells.labels), np.bincount(cells.labels[cells.split.train])
    assert (training == np.minimum(20, every // 2)).all()
    judged = [np.bincount(cells.labels[p]) for p in (cells.split.validation, cells.split.test)]
    assert np.abs(judged[0] - judged[1]).max() <= 1


def test_classes_without_a_training_node_are_left_out():
    cora = load_dataset("cora")
    fewer = cora.split.train[cora.labels[cora.split.train] != 2]
    split = type(cora.split)(fewer, cora.split.validation, cora.split.test)
    left = trained_classes(cora.with_split(split))
    assert left.class_names == tuple(np.delete(cora.class_names, 2))
    kept = cora.labels != 2
    names = np.array(left.class_names)[left.labels[kept]]
    assert (names == np.array(cora.class_names)[cora.labels[kept]]).all()
    assert (left.labels[~kept] == -1).all()
    assert trained_classes(cora) is cora


def test_what_is_not_here_says_how_to_fetch_it(monkeypatch, tmp_path):
    monkeypatch.delenv("GDR_DATA_DIR", raising=False)
    monkeypatch.setattr(download, "cache_folder", lambda: tmp_path)
    assert not describe("texas").available
    with pytest.raises(MissingFilesError, match="gdr_core data fetch texas"):
        load_dataset("texas")
    nowhere = replace(heterophilous.DOWNLOADS["texas"], address="http://127.0.0.1:9/")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with pytest.raises(MissingFilesError, match=r"could not fetch texas\.npz"):
        nowhere.fetch()
