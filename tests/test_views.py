"""Views for notebooks and pages: what is packed for them, and what is refused."""

from __future__ import annotations

import gzip
import json
import struct
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from gdr_core import Method, load_dataset
from gdr_core.canvases.relabelling.payload import MOST_CLASSES, pack_view
from gdr_core.datasets.hiding import hide_test
from tests.packed import ROOT, without


@pytest.fixture(scope="module")
def club():
    return load_dataset("karate")


@pytest.fixture(scope="module")
def result(club):
    return Method.on(club, prior="uniform").run()


def unpacked(block: bytes) -> tuple[dict, list[bytes]]:
    """The header and the blocks, read once more from their description."""
    plain = gzip.decompress(block)
    size = struct.unpack_from("<I", plain)[0]
    head, at, blocks = json.loads(plain[4 : 4 + size]), 4 + size, []
    for length in head["sizes"]:
        blocks.append(plain[at : at + length])
        at += -(-length // 4) * 4
    return head, blocks


def test_the_labels_of_every_t_min_travel_node_by_node(club, result):
    head, (_, truth, prior, labels, curves) = unpacked(pack_view(club, result, node=8))
    found = np.frombuffer(labels, np.uint8).reshape(club.nodes, len(head["times"]))
    for index in (0, 57, len(head["times"]) - 1):
        assert found[:, index].tolist() == result.predictions(index).tolist()
    assert np.frombuffer(prior, np.uint8).tolist() == result.prior_labels.tolist()
    assert np.frombuffer(truth, np.uint8).tolist() == club.labels.tolist()
    assert (head["index"], head["node"]) == (result.chosen, 8)
    assert curves


def test_hidden_classes_do_not_travel(club):
    hidden = hide_test(club)
    _, (_, truth) = unpacked(pack_view(hidden))
    codes = np.frombuffer(truth, np.uint8)
    assert set(codes[club.split.test]) == {club.classes + 1}


def test_what_does_not_fit_is_refused(club, result):
    with pytest.raises(ValueError, match="about 34 nodes and 2 classes, but the dataset has 2708"):
        pack_view(load_dataset("cora"), result)
    names = [str(k) for k in range(MOST_CLASSES + 1)]
    many = replace(club, class_names=names)
    with pytest.raises(ValueError, match=f"at most {MOST_CLASSES} classes, got 255"):
        pack_view(many)


def test_the_widget_answers_a_chosen_node_with_its_curves(club, result):
    pytest.importorskip("anywidget", reason="anywidget is in requirements-dev.txt")
    shown = result.view(club, t_min=float(result.relative_times[5]))
    assert (shown.t_min_index, shown.node, shown.curves) == (5, -1, b"")
    shown.node = 8
    size = struct.unpack_from("<I", shown.curves)[0]
    assert json.loads(shown.curves[4 : 4 + size])["names"] == [club.node_names[8]]
    shown.node = 99  # which this graph does not have
    assert shown.curves == b""
    with pytest.raises(ValueError, match="node"):
        club.view(node=34)


def test_without_anywidget_a_sentence_says_what_to_install():
    code = without("anywidget") + (
        "import gdr_core\n"
        "try:\n"
        "    gdr_core.load_dataset('star').view()\n"
        "except gdr_core.extras.MissingExtraError as error:\n"
        "    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.startswith("the package anywidget is missing; install it with"), done.stderr
