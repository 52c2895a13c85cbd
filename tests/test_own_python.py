"""Datasets from NetworkX, arrays, pairs, data frames and PyTorch Geometric."""

from types import SimpleNamespace

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from gdr_core.datasets import Dataset, Split, load_dataset
from gdr_core.datasets.own import ReadingError


def test_a_networkx_graph_keeps_weights_and_classes():
    graph = nx.karate_club_graph()
    dataset = Dataset.from_networkx(graph, "club")
    assert np.array_equal(dataset.adjacency.toarray(), nx.to_numpy_array(graph))
    clubs = [dataset.class_names[k] for k in dataset.labels]
    assert clubs == [graph.nodes[i]["club"] for i in graph]
    arrows = Dataset.from_networkx(nx.DiGraph([("a", "b"), ("b", "c")]))
    assert arrows.directed
    assert arrows.adjacency.toarray().tolist() == [[0, 1, 0], [0, 0, 1], [0, 0, 0]]


@settings(max_examples=40)
@given(st.integers(2, 8), st.booleans(), st.integers(0, 2**32 - 1))
def test_arrays_come_back(nodes, directed, seed):
    generator = np.random.default_rng(seed)
    matrix = np.triu(generator.integers(0, 3, size=(nodes, nodes)), k=1).astype(float)
    matrix = matrix if directed else matrix + matrix.T
    features = generator.normal(size=(nodes, 2))
    labels = generator.integers(0, 2, size=nodes)
    labels[:2] = [0, 1]
    split = Split(np.arange(2), np.arange(2, nodes), np.empty(0, dtype=int))
    dataset = Dataset.from_arrays(matrix, features, labels, split=split, directed=directed)
    assert np.array_equal(dataset.adjacency.toarray(), matrix)
    assert np.array_equal(dataset.features.toarray(), features)
    assert np.array_equal(dataset.labels, labels)
    assert dataset.split.validation.tolist() == list(range(2, nodes))


def test_a_dataset_taken_apart_is_the_same_again():
    cora = load_dataset("cora-directed")
    names = np.array(cora.class_names)
    again = Dataset.from_arrays(
        cora.adjacency,
        cora.features,
        names[cora.labels],
        split=cora.split,
        node_names=cora.node_names,
    )
    assert (again.adjacency != cora.adjacency).nnz == 0
    assert (again.features != cora.features).nnz == 0
    assert (np.array(again.class_names)[again.labels] == names[cora.labels]).all()
    assert again.node_names == cora.node_names
    assert again.directed


def test_pairs_with_dictionaries_and_warnings():
    with pytest.warns(UserWarning, match="1 edge from a node to itself"):
        dataset = Dataset.from_edges(
            [("a", "b"), ("b", "c", 2.5), ("c", "c")],
            {"a": "X", "b": "Y", "c": None},
            {"a": [1, 0], "b": [0, 1], "c": [1, 1]},
            split={"a": "train", "b": "train"},
        )
    assert dataset.adjacency.toarray().tolist() == [[0, 1, 0], [1, 0, 2.5], [0, 2.5, 0]]
    assert dataset.labels.tolist() == [0, 1, -1]
    assert dataset.split.train.tolist() == [0, 1]


def test_data_frames():
    edges = pd.DataFrame({"source": [1, 2], "target": [2, 3], "w": [1.0, 3.0]})
    nodes = pd.DataFrame({"n": [3, 2, 1], "y": ["a", None, "b"], "f": [0.3, 0.2, 0.1]})
    dataset = Dataset.from_pandas(edges, nodes, weight="w", id="n", label="y")
    assert dataset.node_names == ("1", "2", "3")
    assert dataset.features.toarray().ravel().tolist() == [0.1, 0.2, 0.3]
    assert [dataset.class_names[k] if k >= 0 else None for k in dataset.labels] == ["b", None, "a"]
    assert dataset.adjacency[1, 2] == 3


def test_pytorch_geometric():
    torch = pytest.importorskip("torch")
    from torch_geometric.data import Data

    data = Data(
        x=torch.eye(3),
        edge_index=torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]]),
        y=torch.tensor([0, 1, -1]),
        train_mask=torch.tensor([True, True, False]),
    )
    dataset = Dataset.from_pyg(data)
    assert not dataset.directed
    assert dataset.edges == 2
    assert dataset.labels.tolist() == [0, 1, -1]
    assert dataset.split.train.tolist() == [0, 1]


def test_anndata_by_its_shape():
    graph = sp.csr_array(np.array([[0, 0.5], [0.5, 0]]))
    cells = SimpleNamespace(
        X=np.eye(2), obsp={"connectivities": graph}, obs_names=["c1", "c2"],
        obs=pd.DataFrame({"type": ["T", "B"]}),
    )  # fmt: skip
    dataset = Dataset.from_anndata(cells, "type")
    assert dataset.node_names == ("c1", "c2")
    assert dataset.adjacency[0, 1] == 0.5
    assert dataset.class_names == ("B", "T")


def test_what_does_not_fit_is_refused():
    with pytest.raises(ReadingError, match="adjacency or features are needed"):
        Dataset.from_arrays()
    with pytest.raises(ReadingError, match="different numbers of rows"):
        Dataset.from_arrays(np.zeros((2, 2)), np.zeros((3, 1)))
    with pytest.raises(ReadingError, match="labels has 1 entries for 2 nodes"):
        Dataset.from_arrays(np.zeros((2, 2)), labels=[1])
    with pytest.raises(ReadingError, match="not finite"):
        Dataset.from_arrays(np.array([[0, np.nan], [1, 0]]))
    with pytest.raises(ReadingError, match="pair of nodes"):
        Dataset.from_edges([("a",)])
