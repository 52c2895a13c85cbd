"""The real graphs: their published sizes, their splits, and Cora against Planetoid's own files."""

import hashlib
import shutil

import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components

from gdr_core.datasets import (
    DamagedFileError,
    MissingFilesError,
    available,
    counts,
    describe,
    download,
    embedded,
    load_dataset,
    names,
    planetoid,
    splits_of,
    wikipedia,
)

#               nodes   edges   classes features train validation test
PUBLISHED = {
    "cora": (2708, 5278, 7, 1433, 140, 500, 1000),
    "citeseer": (3327, 4552, 6, 3703, 120, 500, 1000),
    "pubmed": (19717, 44324, 3, 500, 60, 500, 1000),
    "cora-directed": (2708, 5429, 7, 1433, 140, 500, 1000),
    "wikipedia": (20525, 215056, 12, 100, 720, 500, 4105),
}
COMPONENTS = {"cora": 78, "citeseer": 438, "pubmed": 1}


@pytest.mark.parametrize("name", ["cora", "citeseer", "pubmed", "cora-directed"])
def test_embedded_sets_have_the_published_sizes(name):
    assert tuple(counts(load_dataset(name)).values()) == PUBLISHED[name]


def test_wikipedia_has_the_published_sizes(planetoid_files):
    planetoid_files("wikipedia")
    dataset = load_dataset("wikipedia")
    assert tuple(counts(dataset).values()) == PUBLISHED["wikipedia"]
    assert np.bincount(dataset.labels[dataset.split.train]).tolist() == [60] * 12
    assert connected_components(dataset.adjacency)[0] == 1


@pytest.mark.parametrize("name", PUBLISHED)
def test_descriptions_promise_what_loading_gives(name):
    described = describe(name)
    assert tuple(getattr(described, key) for key in counts(load_dataset("path"))) == PUBLISHED[name]


@pytest.mark.parametrize("name", COMPONENTS)
def test_numbers_of_components_are_the_known_ones(name):
    assert connected_components(load_dataset(name).adjacency)[0] == COMPONENTS[name]


@pytest.mark.parametrize("name", ["cora", "citeseer", "pubmed"])
def test_public_training_sets_have_twenty_of_each_class(name):
    dataset = load_dataset(name, split="public")
    assert set(np.bincount(dataset.labels[dataset.split.train])) == {20}


def test_the_three_embedded_sets_are_small():
    sizes = [
        (embedded.DATA_FOLDER / f"{n}.npz").stat().st_size for n in ("cora", "citeseer", "pubmed")
    ]
    assert sum(sizes) < 6_000_000


def test_fifteen_citeseer_nodes_have_neither_label_nor_features():
    dataset = load_dataset("citeseer")
    bare = np.flatnonzero(dataset.labels == -1)
    assert bare.size == 15
    assert dataset.features[bare].nnz == 0
    assert dataset.provenance.source.count("15 nodes") == 1


def test_citeseer_class_names_have_the_sizes_that_linqs_publishes():
    dataset = load_dataset("citeseer")
    sizes = np.bincount(dataset.labels[dataset.labels >= 0])
    assert dict(zip(dataset.class_names, sizes.tolist(), strict=True)) == {
        "AI": 249, "ML": 590, "IR": 668, "DB": 701, "Agents": 596, "HCI": 508,
    }  # fmt: skip


def test_pubmed_class_names_agree_with_sizes_and_words():
    dataset = load_dataset("pubmed")
    sizes = dict(zip(dataset.class_names, np.bincount(dataset.labels).tolist(), strict=True))
    assert sizes == {
        "Experimental diabetes": 4103, "Type 2 diabetes": 7739, "Type 1 diabetes": 7875,
    }  # fmt: skip
    spread = np.diff(dataset.features.tocsc().indptr)
    words = {"1": 10588, "2": 10867}  # in how many papers the LINQS original has these words
    for word, papers in words.items():
        (column,) = np.flatnonzero(spread == papers)
        has = dataset.features[:, [column]].toarray().ravel() > 0
        shares = [has[dataset.labels == k].mean() for k in range(3)]
        assert dataset.class_names[int(np.argmax(shares))] == f"Type {word} diabetes"


def test_pubmed_weights_are_single_precision_numbers_kept_bit_by_bit():
    values = load_dataset("pubmed").features.data
    assert np.array_equal(values, values.astype(np.float32).astype(np.float64))
    assert (values > 0).all()


def test_directed_cora_is_cora_with_directions():
    directed, plain = load_dataset("cora-directed"), load_dataset("cora")
    assert directed.directed
    assert (directed.undirected != plain.adjacency).nnz == 0
    assert (directed.features != plain.features).nnz == 0
    assert directed.node_names == plain.node_names


def test_directed_cora_points_from_cited_to_citing():
    """Line 1 of cora.cites is `35 1033`: paper 1033 cites paper 35."""
    dataset = load_dataset("cora-directed")
    cited, citing = dataset.node_names.index("35"), dataset.node_names.index("1033")
    assert dataset.adjacency[cited, citing] == 1
    assert dataset.adjacency[citing, cited] == 0


def test_the_first_row_of_cora_is_the_first_line_of_the_file():
    dataset = load_dataset("cora")
    assert dataset.node_names[0] == "31336"
    assert dataset.class_names[dataset.labels[0]] == "Neural Networks"


def test_the_split_of_the_paper_for_directed_graphs_goes_by_rows():
    for name in ("cora", "cora-directed"):
        split = load_dataset(name, split="paper-directed").split
        assert split.name == "paper-directed"
        assert split.train.tolist() == list(range(140))
        assert split.validation.tolist() == list(range(200, 500))
        assert split.test.tolist() == list(range(500, 1500))


def test_embedded_cora_is_planetoids_with_its_nodes_in_another_order(planetoid_files):
    folder = planetoid_files("cora")
    files = {f: (folder / f).read_bytes() for f in planetoid.file_names("cora")}
    theirs, ours = planetoid.assemble(files, "cora"), load_dataset("cora")
    order = matching(ours, theirs)
    assert sorted(order.tolist()) == list(range(2708))
    assert (theirs.features[order] != ours.features).nnz == 0
    assert np.array_equal(theirs.labels[order], ours.labels)
    edges = embedded.adjacency_from_edges(theirs.edges, 2708, directed=False)
    assert (edges[order][:, order] != ours.adjacency).nnz == 0
    for part in ("train", "validation", "test"):
        assert set(order[getattr(ours.split, part)]) == set(getattr(theirs, part).tolist())


def matching(ours, theirs) -> np.ndarray:
    """For each of our nodes the one of theirs with the same surroundings, told apart by degrees.

    Nodes are compared by a fingerprint of features and label, then again and again by those of
    their neighbours; nodes that still look alike are alike, and are matched within their split.
    """
    edges = embedded.adjacency_from_edges(theirs.edges, theirs.labels.size, directed=False)
    left = fingerprints(ours.adjacency, ours.features, ours.labels, ours.split)
    right = fingerprints(edges, theirs.features, theirs.labels, theirs)
    assert sorted(left) == sorted(right)
    order = np.empty(left.size, dtype=int)
    order[np.argsort(left, kind="stable")] = np.argsort(right, kind="stable")
    return order


def fingerprints(adjacency, features, labels, split) -> np.ndarray:
    part = np.zeros(labels.size, dtype=int)
    for number, name in enumerate(("train", "validation", "test"), start=1):
        part[getattr(split, name)] = number
    rows = [
        f"{labels[i]} {part[i]} {sorted(features[[i]].indices.tolist())}"
        for i in range(labels.size)
    ]
    for _ in range(5):
        digests = np.array([hashlib.sha256(row.encode()).hexdigest()[:16] for row in rows])
        near = np.split(adjacency.indices, adjacency.indptr[1:-1])
        rows = [f"{d} {sorted(digests[n].tolist())}" for d, n in zip(digests, near, strict=True)]
    return digests


@pytest.mark.parametrize("name", ["cora", "citeseer", "pubmed", "digits"])
def test_neighbours_lie_near_each_other_in_the_stored_layout(name):
    dataset = load_dataset(name)
    i, j = dataset.adjacency.nonzero()
    shuffled = np.random.default_rng(0).permutation(j)
    near = np.median(np.hypot(*(dataset.layout[i] - dataset.layout[j]).T))
    far = np.median(np.hypot(*(dataset.layout[i] - dataset.layout[shuffled]).T))
    assert near < far / 2


@pytest.mark.parametrize("name", ["cora", "citeseer", "pubmed", "digits"])
def test_classes_are_regions_of_the_stored_layout(name):
    """The five nearest in the plane share the class far more often than chance would have it."""
    from scipy.spatial import cKDTree

    dataset = load_dataset(name)
    known = np.flatnonzero(dataset.labels >= 0)
    places, labels = dataset.layout[known], dataset.labels[known]
    _, nearest = cKDTree(places).query(places, k=6)
    share = (labels[nearest[:, 1:]] == labels[:, None]).mean()
    chance = ((np.bincount(labels) / labels.size) ** 2).sum()
    assert share > 2 * chance * (0.85 if name == "pubmed" else 1)


@pytest.mark.parametrize("name", ["cora", "citeseer", "pubmed"])
def test_the_giant_component_fills_most_of_the_picture(name):
    dataset = load_dataset(name)
    _, component = connected_components(dataset.adjacency)
    giant = dataset.layout[component == np.bincount(component).argmax()]
    assert (np.ptp(giant, axis=0) > 1.2).all()
    assert np.abs(dataset.layout).max() <= 1


@pytest.fixture
def copied_data(tmp_path, monkeypatch):
    """A copy of the data folder that a test may damage."""
    for file in embedded.DATA_FOLDER.iterdir():
        if file.suffix in (".npz", ".json"):
            shutil.copy(file, tmp_path / file.name)
    defaults = (tmp_path,)
    for function in (
        embedded.read_arrays, embedded.verified_bytes, embedded.is_whole,
        embedded.manifest, embedded.manifest_entry,
    ):  # fmt: skip
        monkeypatch.setattr(function, "__defaults__", defaults)
    return tmp_path


def damage(path, how: str) -> None:
    content = bytearray(path.read_bytes())
    if how == "changed":
        content[len(content) // 2] ^= 1
    path.write_bytes(bytes(content[: len(content) // 2] if how == "truncated" else content))


@pytest.mark.parametrize("how", ["changed", "truncated"])
def test_a_damaged_file_is_named_with_both_checksums_and_the_repair(copied_data, how):
    path = copied_data / "cora.npz"
    expected = hashlib.sha256(path.read_bytes()).hexdigest()
    damage(path, how)
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    with pytest.raises(DamagedFileError) as caught:
        load_dataset("cora")
    for part in (str(path), expected, found, "python data/build.py", "git checkout"):
        assert part in str(caught.value)
    assert not available("cora")
    assert not available("cora-directed")
    assert available("citeseer")


def test_a_missing_file_and_a_broken_manifest_are_named(copied_data):
    (copied_data / "pubmed.npz").unlink()
    with pytest.raises(DamagedFileError, match=r"pubmed\.npz is missing"):
        load_dataset("pubmed")
    (copied_data / "manifest.json").write_text("{")
    with pytest.raises(DamagedFileError, match=r"manifest\.json cannot be read"):
        load_dataset("cora")


def test_stored_files_hold_no_pickles():
    for file in embedded.manifest():
        for array in embedded.read_arrays(file).values():
            assert not array.dtype.hasobject


def test_unknown_names_list_the_valid_ones():
    with pytest.raises(ValueError, match="unknown dataset 'coral'") as caught:
        load_dataset("coral")
    assert all(name in str(caught.value) for name in names())
    with pytest.raises(ValueError, match="citeseer has no split 'paper-directed'") as caught:
        load_dataset("citeseer", split="paper-directed")
    assert all(split in str(caught.value) for split in splits_of("citeseer"))
    with pytest.raises(ValueError, match="has no option 'size'; it takes none"):
        load_dataset("cora", size=3)
    with pytest.raises(ValueError, match="choose from per_class, validation, test"):
        load_dataset("cora", split="random", size=3)
    with pytest.raises(ValueError, match="no option 'per_class'"):
        load_dataset("cora", split="public", per_class=3)


def test_every_dataset_says_where_it_comes_from():
    for name in names():
        if available(name):
            provenance = load_dataset(name).provenance
            assert (
                min(len(t) for t in (provenance.source, provenance.citation, provenance.licence))
                > 5
            )


def test_offline_wikipedia_says_what_is_missing_where_and_how_to_fetch_it(tmp_path, monkeypatch):
    given, cache = tmp_path / "given", tmp_path / "cache"
    monkeypatch.setenv("GDR_DATA_DIR", str(given))
    monkeypatch.setattr(download, "cache_folder", lambda: cache)
    assert not available("wikipedia")
    with pytest.raises(MissingFilesError) as caught:
        load_dataset("wikipedia")
    for part in (
        *planetoid.file_names("wikipedia"),
        str(given),
        str(cache),
        wikipedia.FILES.command,
    ):
        assert part in str(caught.value)
