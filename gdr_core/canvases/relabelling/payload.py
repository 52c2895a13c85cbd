"""What travels to the view: the graph and the labels of all t_min in one block, compressed.

Labels change seldom as t_min moves, so that those of all t_min, node by node, shrink to a few bytes
a node. `unpacking.js` reads the block; the two files change together.
"""

from __future__ import annotations

import gzip
import json
import struct
from typing import Any, Final

import numpy as np

from gdr_core.canvases.graph_canvas.payload import UNKNOWN_CODE, pack_geometry
from gdr_core.canvases.relabelling.outcomes import (
    MARKS,
    NAMED_MARKS,
    OUTCOME_COLOURS,
    OUTCOME_NAMES,
)
from gdr_core.canvases.trajectory_canvas.payload import Curves, Group, pack_curves
from gdr_core.datasets.hiding import truth_codes, truth_names
from gdr_core.datasets.record import Dataset
from gdr_core.gdr.course import peak_indices
from gdr_core.gdr.onward import Drawn, drawn
from gdr_core.gdr.result import GDRResult
from gdr_core.palette import UNKNOWN_COLOUR, class_colours

MOST_CLASSES: Final = UNKNOWN_CODE - 1  # with `unknown` and `hidden` they fit into a byte


def pack_view(
    dataset: Dataset,
    result: GDRResult | None = None,
    *,
    t_min_index: int | None = None,
    node: int | None = None,
    height: int = 520,
    most: int | None = None,
) -> bytes:
    """The dataset, and the labels of a result for every t_min where there is one.

    t_min_index  where the control stands first; None: at the chosen t_min
    node         marked; with a result its curves are drawn
    height       of the graph in pixels, at most
    most         nodes that are drawn; of more, those that are relabelled come first

    >>> from gdr_core import load_dataset
    >>> len(pack_view(load_dataset("karate"))) < 3000
    True
    """
    _check(dataset, result)
    shown = _drawn_nodes(dataset, result, node, most)
    links = dataset.adjacency[shown][:, shown]
    names = [dataset.node_names[i] for i in shown.tolist()]
    geometry = pack_geometry(dataset.layout[shown], links, names, directed=dataset.directed)
    blocks = [geometry.payload, truth_codes(dataset)[shown].astype(np.uint8).tobytes()]
    marked = None if node is None else int(np.searchsorted(shown, node))
    head = {**_words(dataset), "node": marked, "height": height, "times": [], "all": dataset.nodes}
    if result is not None:
        head |= {
            "times": result.relative_times.tolist(),
            "index": result.resolve(t_min_index),
        }
        blocks += [
            result.prior_labels[shown].astype(np.uint8).tobytes(),
            np.ascontiguousarray(result.scan.predicted[:, shown].T, dtype=np.uint8).tobytes(),
            b"" if node is None else node_curves(dataset, result, node),
        ]
    return gzip.compress(_joined(head, blocks), mtime=0)


def _drawn_nodes(
    dataset: Dataset, result: GDRResult | None, node: int | None, most: int | None
) -> np.ndarray:
    """All nodes in order; of too many the chosen one, relabelled ones, then the first others."""
    if most is None or dataset.nodes <= most:
        return np.arange(dataset.nodes)
    first = np.zeros(dataset.nodes) if result is None else -1.0 * (result.at().outcomes > 0)
    if node is not None:
        first[node] = -2
    return np.sort(np.argsort(first, kind="stable")[:most])


def node_curves(dataset: Dataset, result: GDRResult, node: int) -> bytes:
    """The curves of all classes at one node, for the trajectory canvas.

    >>> from gdr_core import Method, load_dataset
    >>> result = Method.on("karate", prior="uniform").run()
    >>> len(node_curves(load_dataset("karate"), result, 8)) > 100
    True
    """
    nodes = np.array([node])
    return pack_curves(class_curves(dataset, result, nodes, drawn(result, None, nodes))).payload


def class_curves(graph: Dataset, result: GDRResult, nodes: np.ndarray, drawn: Drawn) -> Curves:
    """p(t) of every class at each node; the first node is the main one."""
    classes = graph.classes
    inside = drawn.values[: drawn.window, 0]
    return Curves(
        times=drawn.times,
        values=drawn.values.transpose(1, 2, 0).reshape(-1, drawn.times.size),
        levels=result.stationary[nodes].ravel(),
        ends=result.limit[nodes].ravel(),
        groups=np.tile(np.arange(classes), nodes.size),
        owners=np.repeat(np.arange(nodes.size), classes),
        legend=[
            Group(name, colour)
            for name, colour in zip(_classes(graph), class_colours(classes), strict=True)
        ],
        names=[graph.node_names[node] for node in nodes],
        quantity="belief p(t)",
        handle="t_min",
        labels=result.scan.predicted[:, nodes[0]],
        window=drawn.window,
        peaks=peak_indices(inside, result.error_bound).T,
    )


def _words(dataset: Dataset) -> dict[str, Any]:
    """Names and colours."""
    classes = _classes(dataset)
    return {
        "name": dataset.name,
        "classes": classes,
        "palette": list(class_colours(dataset.classes)),
        "truthNames": truth_names(classes),
        "unknownColour": UNKNOWN_COLOUR,
        "outcomes": list(OUTCOME_NAMES),
        "outcomeColours": list(OUTCOME_COLOURS),
        "marks": [vars(mark) for mark in MARKS],
        "namedMarks": [vars(mark) for mark in NAMED_MARKS],
    }


def _classes(dataset: Dataset) -> list[str]:
    return [name.replace("_", " ") for name in dataset.class_names]


def _joined(head: dict[str, Any], blocks: list[bytes]) -> bytes:
    """Header length, JSON header, the blocks; each begins at a multiple of four bytes."""
    text = json.dumps({**head, "sizes": [len(block) for block in blocks]}).encode()
    text += b" " * (-len(text) % 4)
    body = b"".join(block + b"\0" * (-len(block) % 4) for block in blocks)
    return struct.pack("<I", len(text)) + text + body


def _check(dataset: Dataset, result: GDRResult | None) -> None:
    if dataset.classes > MOST_CLASSES:
        raise ValueError(f"a view shows at most {MOST_CLASSES} classes, got {dataset.classes}")
    if result is None:
        return
    nodes, classes = result.start.shape
    if (nodes, classes) != (dataset.nodes, dataset.classes):
        raise ValueError(
            f"the result is about {nodes} nodes and {classes} classes, but the dataset has "
            f"{dataset.nodes} and {dataset.classes}"
        )
