"""Recorded runs, how far a layer looks, and the drawing of a network."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
import torch
from scipy.linalg import expm

from gdr_core import datasets
from gdr_core.diffusion.reach import MOST_HOPS, typical_node, weight_by_distance
from gdr_core.figures.network import Layers, network_picture, reach
from gdr_core.laplacians import make_laplacian
from gdr_core.neural import Training, recommended, use_one_thread
from gdr_core.places import data_folder
from gdr_tools.jobs import Job
from gdr_tools.jobs.recording import LEVELS, Recording, record


@pytest.fixture(scope="module")
def small() -> tuple[Recording, Training]:
    use_one_thread()
    job = Job("karate", recommended("diff-gcn", dataset="karate", epochs=12), "teaching")
    training = Training(datasets.load_dataset("karate", split="teaching"), job.options, job.seed)
    return record(job, training), training


def test_a_recording_is_what_training_says(small, tmp_path):
    found, training = small
    again = Training(training.dataset, found.job.options, found.job.seed)
    for row in found.report().history.rows:
        seen = again.step()
        assert row[0] == seen.epoch
        assert row[4] == pytest.approx(seen.validation_accuracy)
        assert row[7] == pytest.approx(seen.relative_time)
    with again.judging(), torch.no_grad():
        sure, label = again.logits().softmax(dim=1).max(dim=1)
    last = found.report().picture_at(again.epoch)
    np.testing.assert_array_equal(last.labels, again.arrangement.restore(label.numpy()))
    gap = np.abs(last.confidence.astype(float) - again.arrangement.restore(sure.numpy()))
    assert gap.max() <= 0.51 / LEVELS


def test_a_recording_survives_its_file(small, tmp_path):
    found, _ = small
    found.write(tmp_path / "run.npz")
    read = Recording.read(tmp_path / "run.npz")
    assert read.job == found.job
    np.testing.assert_array_equal(read.labels, found.labels)
    np.testing.assert_array_equal(read.confidence, found.confidence)
    np.testing.assert_allclose(read.rows, found.rows, equal_nan=True)
    assert [scan.epoch for scan in read.scans] == [scan.epoch for scan in found.scans] == [1, 11]
    with pytest.raises(ValueError, match="as many rows as pictures"):
        Recording(found.job, found.rows[:3], found.labels, found.confidence, ())


def test_the_picture_of_an_epoch_is_the_latest_before_it(small):
    report = small[0].report()
    assert [report.picture_at(epoch).epoch for epoch in (1, 5, 12)] == [1, 5, 12]
    few = type(report)(**{**vars(report), "pictures": report.pictures[3:8:2]})
    assert [few.picture_at(epoch).epoch for epoch in (1, 4, 5, 9, 12)] == [4, 4, 4, 8, 8]


def test_the_stored_example_is_a_whole_run_on_cora():
    found = Recording.read(data_folder() / "example_run.npz")
    graph = datasets.load_dataset("cora", split=found.job.split)
    report = found.report()
    assert report.epoch == len(found.labels) == len(report.history)
    history = report.history
    for part in ("validation", "test", "train"):
        members = getattr(graph.split, part)
        right = (found.labels[:, members] == graph.labels[members]).mean(axis=1)
        np.testing.assert_allclose(right, history[f"{part}_accuracy"], atol=1e-6)
    assert history["validation_accuracy"][-1] > 0.7
    assert (data_folder() / "example_run.npz").stat().st_size < 700_000


@pytest.mark.parametrize("kind", ["combinatorial", "random-walk", "symmetric"])
def test_weights_by_distance_are_those_of_the_dense_kernel(kind):
    graph = nx.karate_club_graph()
    adjacency = sp.csr_array(nx.to_scipy_sparse_array(graph, weight=None, dtype=float))
    node = typical_node(adjacency)
    row = expm(-0.7 * make_laplacian(kind, adjacency).dense())[node]
    links = nx.single_source_shortest_path_length(graph, node)
    expected = np.zeros(MOST_HOPS + 1)
    for other, hops in links.items():
        expected[hops] += row[other]
    found = weight_by_distance(adjacency, node, kind, 0.7)
    np.testing.assert_allclose(found, expected / expected.sum(), atol=1e-7)


def test_the_neighbourhood_grows_with_t_and_a_gcn_sees_one_link():
    adjacency = sp.csr_array(nx.to_scipy_sparse_array(nx.path_graph(40), dtype=float))
    times = (0.0, 0.5, 2.0, 8.0)
    far = [reach(weight_by_distance(adjacency, 20, "combinatorial", t)) for t in times]
    assert far[0] == pytest.approx(0, abs=1e-9)
    assert far == sorted(far)
    seen = weight_by_distance(adjacency, 20, "gcn")
    assert seen[:2] == pytest.approx([1 / 3, 2 / 3])
    assert weight_by_distance(adjacency, 20, "mlp")[0] == 1
    with pytest.raises(ValueError, match="unknown kind 'gat'"):
        weight_by_distance(adjacency, 20, "gat")


def test_larger_shares_are_larger_discs():
    def radii(shares):
        picture = ET.fromstring(network_picture(Layers(9, 4, 2, "e^(−tL)", shares), "a & b"))
        discs = [float(d.get("r")) for d in picture.iter() if d.tag.endswith("circle")]
        return max(discs), len(discs)

    near, far = radii([0.9, 0.1]), radii([0.3, 0.7])
    assert near[0] > far[0]
    assert near[1] == far[1]
