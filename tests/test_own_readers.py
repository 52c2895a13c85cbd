"""Own data: what is written comes back, in every format; what is odd is found and counted."""

import csv
import io
import json
import zipfile

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from gdr_core.datasets.own import Choices, File, FileChoice, Limits, ReadingError, read, recognise

NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zs", "Zl", "Zp", "Cf")),
    min_size=1,
    max_size=12,
)
# Names that a table may hold within quotes: separators, quotes, markup, right-to-left, emoji.
QUOTED = st.one_of(
    NAMES,
    st.sampled_from(
        [
            "a,b",
            'say "hi"',
            "<b>x</b>",
            "=1+1",
            "שלום",
            "👩‍🔬",
            "two words",
            "x\ny",
            "tab\tbed",
            "#1",
        ]
    ),
)


@st.composite
def graphs(draw, names=NAMES, weighted=True):
    """A graph without loops: names, a direction, and a weight for each edge."""
    nodes = draw(st.lists(names, min_size=2, max_size=8, unique_by=str.strip))
    nodes = [node.strip() for node in nodes]
    directed = draw(st.booleans())
    pairs = st.tuples(*[st.integers(0, len(nodes) - 1)] * 2).filter(lambda p: p[0] != p[1])
    key = (lambda p: p) if directed else (lambda p: tuple(sorted(p)))
    edges = draw(st.lists(pairs, min_size=1, max_size=15, unique_by=key))
    sizes = st.floats(1e-3, 1e3, allow_nan=False) if weighted else st.just(1.0)
    graph = (nx.DiGraph if directed else nx.Graph)()
    graph.add_nodes_from(nodes)
    for i, j in edges:
        graph.add_edge(nodes[i], nodes[j], weight=draw(sizes))
    return graph


def links(graph):
    """Edges as a set of triples, each undirected one in the order of its names."""
    ends = (lambda u, v: (u, v)) if graph.is_directed() else (lambda u, v: tuple(sorted((u, v))))
    return {(*ends(u, v), w) for u, v, w in graph.edges(data="weight", default=1.0)}


def found_links(dataset):
    entries = sp.coo_array(dataset.adjacency)
    names = dataset.node_names
    found = {
        (names[i], names[j], w)
        for i, j, w in zip(entries.row, entries.col, entries.data.tolist(), strict=True)
    }
    return found if dataset.directed else {(*sorted((u, v)), w) for u, v, w in found}


def table(rows, separator=","):
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def graph_of(name, content, **choices):
    return read([File(name, content)], Choices(draw_layout=False, **choices)).dataset


@given(graphs(QUOTED), st.sampled_from(",;\t|"), st.booleans())
def test_an_edge_list_comes_back(graph, separator, header):
    rows = [["source", "target", "weight"]] if header else []
    rows += [[u, v, repr(w)] for u, v, w in graph.edges(data="weight")]
    choice = FileChoice(role="edges", separator=separator, header=header)
    dataset = graph_of(
        "edges.csv",
        table(rows, separator),
        directed=graph.is_directed(),
        files={"edges.csv": choice},
    )
    assert found_links(dataset) == links(graph)


def gml_bytes(graph):
    return "\n".join(nx.generate_gml(graph)).encode()


def pajek_bytes(graph):
    number = {node: i for i, node in enumerate(graph, 1)}
    kind = "*Arcs" if graph.is_directed() else "*Edges"
    lines = [f"*Vertices {len(number)}", *(f'{i} "{node}"' for node, i in number.items()), kind]
    lines += [f"{number[u]} {number[v]} {w!r}" for u, v, w in graph.edges(data="weight")]
    return "\n".join(lines).encode()


def node_link_bytes(graph):
    return json.dumps(nx.node_link_data(graph)).encode()


def written(write):
    def to_bytes(graph):
        stream = io.BytesIO()
        write(graph, stream)
        return stream.getvalue()

    return to_bytes


WRITERS = {
    "g.graphml": written(nx.write_graphml_xml),
    "g.gexf": written(nx.write_gexf),
    "g.gml": gml_bytes,
    "g.net": pajek_bytes,
    "g.json": node_link_bytes,
}


@pytest.mark.parametrize("name", WRITERS)
@settings(max_examples=40)
@given(graph=graphs(NAMES.filter(lambda n: '"' not in n and "&" not in n)))
def test_a_graph_written_by_networkx_comes_back(name, graph):
    dataset = graph_of(name, WRITERS[name](graph))
    assert dataset.directed == graph.is_directed()
    assert sorted(dataset.node_names) == sorted(graph)
    assert found_links(dataset) == links(graph)


@settings(max_examples=40)
@given(graphs(), st.sampled_from(["csr", "csc", "coo"]))
def test_an_adjacency_of_scipy_comes_back(graph, kind):
    matrix = nx.to_scipy_sparse_array(graph, format=kind)
    stream = io.BytesIO()
    sp.save_npz(stream, matrix)
    dataset = graph_of("adjacency.npz", stream.getvalue(), directed=graph.is_directed())
    assert np.array_equal(dataset.adjacency.toarray(), matrix.toarray())


@settings(max_examples=30)
@given(graphs(weighted=False), st.randoms(use_true_random=False))
def test_benchmark_arrays_come_back(graph, random):
    nodes = len(graph)
    matrix = nx.to_numpy_array(graph)
    features = np.array([[random.random() for _ in range(3)] for _ in range(nodes)])
    labels = np.array([i % 2 for i in range(nodes)])
    masks = np.zeros((2, nodes), dtype=bool)
    masks[1, :2] = True
    stream = io.BytesIO()
    np.savez(
        stream, edges=np.argwhere(matrix), node_features=features, node_labels=labels,
        train_masks=masks, val_masks=~masks, test_masks=np.zeros_like(masks),
    )  # fmt: skip
    choices = {"directed": graph.is_directed(), "files": {"g.npz": FileChoice(split=1)}}
    dataset = graph_of("g.npz", stream.getvalue(), **choices)
    assert np.array_equal(dataset.adjacency.toarray(), matrix)
    assert np.array_equal(dataset.features.toarray(), features)
    assert np.array_equal(dataset.labels, labels)
    assert dataset.split.train.tolist() == [0, 1]


@settings(max_examples=20)
@given(graphs(QUOTED))
def test_parquet_and_an_archive_come_back(graph):
    import pyarrow as pa
    from pyarrow import parquet

    u, v, w = zip(*graph.edges(data="weight"), strict=True)
    stream = io.BytesIO()
    parquet.write_table(pa.table({"source": u, "target": v, "weight": w}), stream)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("folder/edges.parquet", stream.getvalue())
    for name, content in (("edges.parquet", stream), ("all.zip", packed)):
        dataset = graph_of(name, content.getvalue(), directed=graph.is_directed())
        assert found_links(dataset) == links(graph)


def test_anndata_comes_back(tmp_path):
    h5py = pytest.importorskip("h5py")
    path = tmp_path / "cells.h5ad"
    graph = sp.csr_array(np.array([[0, 0.5, 0], [0.5, 0, 2], [0, 2, 0]]))
    with h5py.File(path, "w") as file:
        file["X"] = np.arange(6.0).reshape(3, 2)
        file["obs/index"] = ["a", "b", "c"]
        file["obs"].attrs["_index"] = "index"
        file["obs/n_genes"] = [5, 6, 7]
        file["obs/kind/categories"] = ["T", "B"]
        file["obs/kind/codes"] = np.array([1, 0, -1], dtype=np.int8)
        entry = file.create_group("obsp/connectivities")
        entry["data"], entry["indices"], entry["indptr"] = graph.data, graph.indices, graph.indptr
        entry.attrs["shape"], entry.attrs["encoding-type"] = (3, 3), "csr_matrix"
        file["obsp/elsewhere"] = h5py.ExternalLink("other.h5", "/X")
    dataset = read([path]).dataset
    assert np.array_equal(dataset.adjacency.toarray(), graph.toarray())
    assert np.array_equal(dataset.features.toarray(), np.arange(6.0).reshape(3, 2))
    assert [dataset.class_names[k] if k >= 0 else None for k in dataset.labels] == ["B", "T", None]
    with h5py.File(path, "a") as file:
        del file["X"]
        file["X"] = h5py.ExternalLink("other.h5", "/X")
    with pytest.raises(ReadingError, match="links to another place"):
        read([path])


EDGES = File("edges.csv", b"a,b\nb,c\nc,d\nd,a\n")
TWO = File("labels.csv", b"a,X\nb,Y\n")


def test_features_labels_split_and_probabilities_meet_by_id():
    files = [
        EDGES,
        File("features.csv", b"id,f,g\nd,0,4\nc,3,0\nb,2,0\na,1,0\n"),
        File("labels.csv", b"id,class\nb,Y\na,X\nd,Y\n"),
        File("split.csv", b"id,part\na,train\nb,train\nd,val\n"),
        File("probabilities.csv", b"id,Y,X\nc,0.25,0.75\na,1,0\nb,0.5,0.5\nd,0,1\n"),
    ]
    reading = read(files)
    dataset = reading.dataset
    assert dataset.node_names == ("a", "b", "c", "d")
    assert dataset.class_names == ("Y", "X")
    assert dataset.labels.tolist() == [1, 0, -1, 0]
    assert dataset.features.toarray().tolist() == [[1, 0], [2, 0], [3, 0], [0, 4]]
    assert (dataset.split.train.tolist(), dataset.split.validation.tolist()) == ([0, 1], [3])
    assert reading.probabilities.tolist() == [[1, 0], [0.5, 0.5], [0.25, 0.75], [0, 1]]


def test_linqs_files_and_triplets():
    content = b"p1\t1\t0\tTheory\np2\t0\t1\tPractice\np3\t1\t1\tTheory\n"
    cites = b"p1\tp2\np2\tp3\np9\tp1\n"
    reading = read([File("x.content", content), File("x.cites", cites)], Choices(directed=True))
    dataset = reading.dataset
    assert dataset.node_names == ("p1", "p2", "p3")
    assert dataset.adjacency.toarray().tolist() == [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    assert [dataset.class_names[k] for k in dataset.labels] == ["Theory", "Practice", "Theory"]
    (lost,) = [f for f in reading.findings if f.code == "undeclared-end"]
    assert (lost.count, lost.lines, lost.treatment) == (1, (3,), "drop")
    triplets = File("triplets.csv", b"a,0,1.5\na,2,2\nc,1,7\n")
    features = read([EDGES, triplets]).dataset.features.toarray()
    assert features.tolist() == [[1.5, 0, 2], [0, 0, 0], [0, 7, 0], [0, 0, 0]]


def test_without_a_graph_nodes_are_joined_to_their_nearest():
    points = File("features.csv", b"a,0,0\nb,0,1\nc,9,9\nd,9,8\n")
    reading = read([points], Choices(neighbours=1, metric="euclidean"))
    assert found_links(reading.dataset) == {("a", "b", 1.0), ("c", "d", 1.0)}
    assert "k = 1 nearest neighbours by euclidean distance" in reading.findings[-2].sentence


ODD = {
    "self-loops": ([File("e.csv", b"a,b\nb,b\nb,c\n")], 1, (2,)),
    "duplicate-edges": ([File("e.csv", b"a,b\nb,c\nb,a\na,b\n")], 2, (3, 4)),
    "ragged": ([File("e.csv", b"a,b\nb,c\nc\nc,d\nd,e,f\n")], 2, (3, 5)),
    "empty-id": ([File("e.csv", b"a,b\n,c\nb,c\n")], 1, (2,)),
    "bad-weight": ([File("e.csv", b"a,b,1\nb,c,-2\nc,d,0\nd,a,x\na,c,2\n")], 3, (2, 3, 4)),
    "header": ([File("e.csv", b"source,target\na,b\nb,c\n")], 1, (1,)),
    "first-line": ([File("e.csv", b"one,two\na,b\nb,c\nc,a\n")], 1, (1,)),
    "comments": ([File("e.csv", b"# a graph\n# from far\na b\nb c\n")], 2, (1, 2)),
    "unknown-id": ([EDGES, File("labels.csv", b"id,class\na,X\nq,Y\nb,Y\n")], 1, (3,)),
    "duplicate-id": ([EDGES, File("labels.csv", b"id,class\na,X\nb,Y\na,Y\n")], 1, (4,)),
    "missing-labels": ([EDGES, File("labels.csv", b"id,class\na,X\nb,Y\nc,\n")], 2, ()),
    "missing-features": ([EDGES, File("features.csv", b"id,f\na,1\nb,2\n")], 2, ()),
    "bad-number": ([EDGES, File("features.csv", b"id,f\na,1\nb,2\nc,3\nd,inf\n")], 1, (5,)),
    "bad-part": (
        [EDGES, TWO, File("split.csv", b"id,part\na,train\nb,trian\n")],
        1,
        (3,),
    ),
    "unlabelled-part": (
        [EDGES, TWO, File("split.csv", b"a,train\nb,train\nc,test\n")],
        1,
        (),
    ),
    "class-without-training": (
        [EDGES, File("labels.csv", b"a,X\nb,Y\nc,Z\n"), File("split.csv", b"a,train\nb,train\n")],
        1,
        (),
    ),
    "one-class": ([EDGES, File("labels.csv", b"id,class\na,X\nb,X\n")], 1, ()),
    "row-sums": ([EDGES, File("probs.csv", b"i,X,Y\na,1,1\nb,0,1\nc,1,0\nd,1,2\n")], 2, (2, 5)),
    "isolated": ([File("g.net", b"*Vertices 3\n*Edges\n1 2\n")], 1, ()),
    "encoding": ([File("e.csv", "a,b\nb,é\n".encode("latin-1"))], 1, (2,)),
}  # fmt: skip


@pytest.mark.parametrize("code", ODD)
def test_what_is_odd_is_found_counted_and_placed(code):
    files, count, lines = ODD[code]
    (finding,) = [f for f in read(files).findings if f.code == code]
    assert (finding.count, finding.lines) == (count, lines)
    assert finding.sentence.endswith(".")
    if "refuse" in finding.choices:
        with pytest.raises(ReadingError) as refused:
            read(files, Choices(treatments={code: "refuse"}))
        assert not lines or refused.value.line == lines[0]


def test_treatments_change_what_is_read():
    double = [File("e.csv", b"a,b,1\nb,a,3\nb,c,2\n")]
    weight = {
        how: read(double, Choices(treatments={"duplicate-edges": how})).dataset.adjacency[0, 1]
        for how in ("largest", "sum", "first")
    }
    assert weight == {"largest": 3, "sum": 4, "first": 1}
    alone = [File("g.net", b"*Vertices 3\n*Edges\n1 2\n")]
    assert read(alone, Choices(treatments={"isolated": "remove"})).dataset.nodes == 2
    lines = [File("e.csv", b"source,target\na,b\n")]
    assert read(lines, Choices(treatments={"header": "data"})).dataset.nodes == 4
    arrows = read([EDGES], Choices(treatments={"direction": "directed"})).dataset
    assert arrows.directed
    assert arrows.adjacency.toarray().sum() == 4
    with pytest.raises(ReadingError, match="treated by drop or refuse"):
        read([EDGES], Choices(treatments={"self-loops": "keep"}))


def test_a_class_without_a_training_node_becomes_unlabelled():
    dataset = read(ODD["class-without-training"][0]).dataset
    assert dataset.class_names == ("X", "Y")
    assert dataset.labels.tolist() == [0, 1, -1, -1]


def test_a_wrong_guess_is_shown_and_corrected():
    people = File("people.csv", b"x;club;y\nann;red;bob\nbob;blue;cid\ncid;red;ann\n")
    (seen,) = recognise([people])
    assert (seen.separator, seen.header, seen.names) == (";", True, ("x", "club", "y"))
    assert seen.rows[0] == ["ann", "red", "bob"]
    choice = FileChoice(role="edges", columns={"source": "x", "target": 2, "weight": None})
    dataset = read([people], Choices(files={"people.csv": choice})).dataset
    assert found_links(dataset) == {("ann", "bob", 1.0), ("bob", "cid", 1.0), ("ann", "cid", 1.0)}


@pytest.mark.parametrize(
    "text",
    ["a\tb\nb\tc\n", "a b\nb   c\n", "a;b\nb;c\n", "a|b\nb|c\n", "a,b\r\nb,c\r\n", "a,b\rb,c\r"],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_common_separators_line_ends_and_encodings(text, encoding):
    dataset = graph_of("list.txt", text.encode(encoding))
    assert found_links(dataset) == {("a", "b", 1.0), ("b", "c", 1.0)}


@pytest.mark.parametrize("ids", [["1", "02"], ["+1", "2"], ["1", " 2"], ["-1", "10"], ["1", "2.0"]])
def test_ids_that_look_like_numbers_stay_as_they_are_written(ids):
    dataset = graph_of("e.csv", f"{ids[0]},{ids[1]}\n{ids[1]},7\n".encode())
    assert set(dataset.node_names) == {ids[0], ids[1].strip(), "7"}


BOMB = io.BytesIO()
with zipfile.ZipFile(BOMB, "w", zipfile.ZIP_DEFLATED) as bomb:
    bomb.writestr("edges.csv", b"a" * 10_000_000)


def archive(*entries):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as packed:
        for name, content in entries:
            packed.writestr(name, content)
    return stream.getvalue()


def pickled():
    stream = io.BytesIO()
    np.savez(stream, edges=np.array([{"a": 1}], dtype=object))
    return stream.getvalue()


def promising():
    """An array whose header promises far more than the file holds."""
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        stream, {"descr": "<f8", "fortran_order": False, "shape": (10**12,)}
    )
    return stream.getvalue()


LAUGHS = b'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha">]><graphml>&a;</graphml>'
BAD = {
    "empty": ("e.csv", b"", "empty"),
    "blank": ("e.csv", b"\n \n", "empty"),
    "zero bytes": ("e.csv", b"a,b\nc\0,d\n", "line 2.*zero byte"),
    "binary": ("e.csv", bytes(range(256)) * 10, "zero byte"),
    "a million columns": ("e.csv", b"a" + b",b" * 1_000_000 + b"\n", "columns"),
    "a bomb": ("x.zip", BOMB.getvalue(), "unpacks to more than"),
    "nested": ("x.zip", archive(("y.zip", archive(("e.csv", b"a,b")))), "inside of an archive"),
    "outside": ("x.zip", archive(("../e.csv", b"a,b")), "outside of itself"),
    "absolute": ("x.zip", archive(("/etc/e.csv", b"a,b")), "outside of itself"),
    "cut off": ("x.zip", archive(("e.csv", b"a,b"))[:40], "cannot be unpacked"),
    "pickle": ("g.npz", pickled(), "Python objects"),
    "a promise": ("g.npy", promising(), "promises more"),
    "entities": ("g.graphml", LAUGHS, "document type"),
    "broken XML": ("g.graphml", b"<graphml>\n<graph>\n</graphml>", "line 3.*broken"),
    "broken JSON": ("g.json", b'{"nodes": [\n1,,', "line 2.*broken"),
    "open list": ("g.gml", b"graph [\nnode [\nid 1\n", "ends in the middle"),
    "no vertex": ("g.net", b"*Vertices 2\n*Edges\n1 3\n", "line 3.*no vertex 3"),
    "gzip": ("e.csv.gz", b"\x1f\x8b0000", "packed"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_read_is_refused_in_one_sentence(case):
    name, content, words = BAD[case]
    with pytest.raises(ReadingError, match=words) as refused:
        read([File(name, content)])
    assert refused.value.file == name
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 400


def test_ids_that_match_nothing_are_told_with_the_columns_that_do():
    labels = File("labels.csv", b"id,name,class\n1,a,X\n2,b,Y\n3,z,Y\n")
    with pytest.raises(ReadingError, match=r"none of its 3 ids.*“name” 2 of 3"):
        read([EDGES, labels])


def test_two_files_of_one_kind_are_refused_by_name():
    with pytest.raises(ReadingError, match=r"“edges.csv”, “more.csv” all hold edges"):
        read([EDGES, File("more.csv", b"source,target\na,b\n")])


RING = np.array([[0, 1], [1, 2], [2, 0]])
ONE_WAY = sp.csr_array((np.ones(3), RING.T), shape=(3, 3))


def saved(name: str, array: np.ndarray) -> File:
    stream = io.BytesIO()
    np.save(stream, array)
    return File(name, stream.getvalue())


def stored(name: str, **arrays: np.ndarray) -> File:
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return File(name, stream.getvalue())


def adjacency(name: str, matrix: sp.csr_array) -> File:
    stream = io.BytesIO()
    sp.save_npz(stream, sp.csr_array(matrix))
    return File(name, stream.getvalue())


@pytest.mark.parametrize(
    ("limits", "files", "words"),
    [
        (Limits(file_bytes=10), [EDGES], "at most 10"),
        (Limits(nodes=3), [EDGES], "4 nodes; at most 3"),
        (Limits(edges=2), [EDGES], "at most 2"),
        (Limits(classes=1), [EDGES, File("labels.csv", b"id,class\na,X\nb,Y\n")], "at most 1"),
        (Limits(columns=2), [File("f.csv", b"1,2,3\n4,5,6\n")], "3 columns"),
        (Limits(cells=4, edges=1), [File("f.csv", b"1,2,3\n4,5,6")], "too many cells"),
        (Limits(name=3), [File("e.csv", b"abcd,b\n")], "4 characters"),
        (Limits(files=1), [EDGES, EDGES], "more than 1 files"),
        (Limits(edges=2), [stored("b.npz", edges=RING)], "3 edges; at most 2"),
        (Limits(edges=2), [stored("b.npz", edges=RING.T)], "3 edges; at most 2"),
        (Limits(edges=2), [adjacency("a.npz", ONE_WAY)], "3 edges; at most 2"),
        (Limits(edges=2), [adjacency("a.npz", ONE_WAY + ONE_WAY.T)], "3 edges; at most 2"),
        (Limits(edges=2), [saved("features.npy", np.eye(4)[:, :2])], "choose fewer neighbours"),
        (Limits(nodes=3), [saved("features.npy", np.ones((4, 2)))], "shape .4, 2. is not read"),
        (Limits(nodes=3), [stored("b.npz", edges=RING, node_labels=np.zeros(4))], "at most 3"),
    ],
)
def test_limits_are_kept(limits, files, words):
    limited = [File(file.name, file.source, limits) for file in files]
    with pytest.raises(ReadingError, match=words):
        read(limited, Choices(limits=limits))


def test_strange_and_long_names_are_only_names():
    names = [
        "<script>alert(1)</script>",
        "=cmd|' /C calc'!A0",
        "שלום עולם",
        "👩‍🔬🏳️‍🌈",
        "x" * 10_000,
    ]
    rows = [[u, v] for u, v in zip(names, names[1:] + names[:1], strict=True)]
    dataset = graph_of("e.csv", table(rows))
    assert set(dataset.node_names) == set(names)
    assert dataset.edges == len(names)
