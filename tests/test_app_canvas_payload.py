"""What is packed for the canvas can be unpacked again, and nonsense is refused."""

from __future__ import annotations

import base64
import json
import struct

import numpy as np
import pytest
import scipy.sparse as sp

from gdr_app.wording import plain
from gdr_core.canvases.graph_canvas.payload import (
    UNKNOWN_CODE,
    Detail,
    Looks,
    Mark,
    pack_geometry,
    pack_looks,
)

PLACES = np.array([[0.0, 1.0], [2.0, -1.0], [0.5, 0.25]], dtype=np.float32)
PATH = sp.csr_array(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]))
NAMES = ("one", "zwei – 2", "<b>three</b>")


def unpacked(payload: bytes):
    size = struct.unpack_from("<I", payload)[0]
    head = json.loads(payload[4 : 4 + size])
    at = 4 + size
    places = np.frombuffer(payload, "<f4", 2 * head["nodes"], at)
    at += places.nbytes
    ends = np.frombuffer(payload, "<u4" if head["wide"] else "<u2", 2 * head["edges"], at)
    at += -(-ends.nbytes // 4) * 4
    return head, places.reshape(-1, 2), ends.reshape(-1, 2), json.loads(payload[at:])


def looks(**changes) -> Looks:
    usual = {
        "colours": np.array([0, 1, -1]),
        "classes": ("a", "b"),
        "palette": ("#0072B2", "#E69F00"),
        "unknown_colour": "#8A8F98",
    }
    return Looks(**{**usual, **changes})


def test_geometry_comes_back_as_it_was():
    head, places, ends, names = unpacked(pack_geometry(PLACES, PATH, NAMES).payload)
    assert (head["nodes"], head["edges"], head["directed"]) == (3, 2, False)
    np.testing.assert_array_equal(places, PLACES)
    assert ends.tolist() == [[0, 1], [1, 2]]
    assert names == list(NAMES)


def test_directed_edges_keep_their_direction_and_large_graphs_get_wide_numbers():
    arrows = sp.csr_array(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]]))
    head, _, ends, _ = unpacked(pack_geometry(PLACES, arrows, NAMES, directed=True).payload)
    assert head["directed"]
    assert ends.tolist() == [[1, 0], [2, 1]]
    nodes = 70_000
    far = sp.csr_array(([1.0, 1.0], ([0, nodes - 1], [nodes - 1, 0])), shape=(nodes, nodes))
    names = [str(i) for i in range(nodes)]
    *_, ends, back = unpacked(pack_geometry(np.zeros((nodes, 2)), far, names).payload)
    assert ends.tolist() == [[0, nodes - 1]]
    assert back[-1] == names[-1]


def test_the_id_depends_on_the_content_alone():
    one, same = pack_geometry(PLACES, PATH, NAMES), pack_geometry(PLACES.copy(), PATH, NAMES)
    other = pack_geometry(PLACES + 1, PATH, NAMES)
    assert one.id == same.id != other.id


def test_looks_are_a_few_bytes_a_node():
    packed = pack_looks(
        looks(marks=np.array([0, 1, 0]), mark_styles=[Mark("kept"), Mark("fixed", "diamond", 2)])
    )
    codes = np.frombuffer(base64.b64decode(packed["colours"]), np.uint8)
    assert codes.tolist() == [0, 1, UNKNOWN_CODE]
    assert np.frombuffer(base64.b64decode(packed["marks"]), np.uint8).tolist() == [0, 1, 0]
    assert packed["markStyles"][1]["shape"] == "diamond"
    json.dumps(packed)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"colours": np.array([0, 2, 0])}, "colours must lie between -1 and 1"),
        ({"marks": np.array([0, 0, 1]), "mark_styles": [Mark("kept")]}, "marks must lie"),
        ({"details": [Detail("split", np.array([0]), ("",))]}, "1 entries for 3 nodes"),
        ({"palette": ("#0072B2",)}, "2 classes need as many colours"),
    ],
)
def test_looks_that_do_not_fit_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        looks(**changes)


def test_unknown_shapes_list_the_known_ones():
    with pytest.raises(ValueError, match="circle, square, diamond, triangle, ring"):
        Mark("odd", "hexagon")


def test_positions_must_fit_the_graph():
    with pytest.raises(ValueError, match="3 nodes need"):
        pack_geometry(PLACES[:2], PATH, NAMES)


def test_names_are_never_formatting():
    assert plain("[x](http://y) <b>") == "\\[x\\]\\(http\\:\u2060//y\\) \\<b\\>"
