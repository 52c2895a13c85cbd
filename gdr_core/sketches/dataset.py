"""A sketch as a dataset: the same graph for everything that works on datasets."""

from __future__ import annotations

import json

import numpy as np
import scipy.sparse as sp

from gdr_core.datasets.own import File
from gdr_core.datasets.record import UNKNOWN, Dataset, Provenance, Split
from gdr_core.sketches.record import PLACES, Sketch, SketchError

_ORIGIN = Provenance("drawn by hand", "", "")


def to_dataset(sketch: Sketch, name: str = "sketch") -> Dataset:
    """The graph of a sketch with its places; the class of a node is the one it believes in most.

    Nodes that are marked train; of the others with a class every second one is for validation and
    the rest for testing. A node that believes nothing, or two classes equally, has no known class.

    >>> from gdr_core.sketches import GALLERY, to_dataset
    >>> bridge = to_dataset(GALLERY["bridge"].sketch)
    >>> bridge.nodes, bridge.edges, bridge.labels.tolist()
    (6, 7, [0, -1, -1, -1, -1, 1])
    """
    if len(sketch.names) < 2 or not sketch.edges:
        raise SketchError("A dataset needs two nodes and an edge between them.")
    labels = classes_of(sketch)
    train = np.array(sketch.train, dtype=bool) & (labels != UNKNOWN)
    others = np.flatnonzero(~train & (labels != UNKNOWN))
    split = Split(np.flatnonzero(train), others[1::2], others[::2], name="drawn")
    return Dataset(
        name=name,
        adjacency=sp.csr_array(sketch.adjacency),
        features=sp.csr_array((len(sketch.names), 0)),
        labels=labels,
        class_names=tuple(f"class {k + 1}" for k in range(sketch.classes)),
        node_names=sketch.names,
        split=split,
        directed=sketch.directed,
        layout=np.array([(x, PLACES - y) for x, y in sketch.places], dtype=np.float32),
        provenance=_ORIGIN,
    )


def classes_of(sketch: Sketch) -> np.ndarray:
    """For each node the class it believes in most; -1 where there is none, or more than one.

    >>> from gdr_core.sketches import classes_of, parse
    >>> classes_of(parse("a - b; b - c; a: 0.2 0.8; b: 0.5 0.5")).tolist()
    [1, -1, -1]
    """
    beliefs = np.array(sketch.beliefs, dtype=np.float64)
    most = beliefs.max(axis=1, keepdims=True)
    alone = (beliefs == most).sum(axis=1) == 1
    return np.where((most[:, 0] > 0) & alone, beliefs.argmax(axis=1), UNKNOWN)


def probabilities_of(sketch: Sketch) -> np.ndarray:
    """Beliefs as class probabilities: rows divided by their sum, uniform where nothing is believed.

    >>> from gdr_core.sketches import parse, probabilities_of
    >>> probabilities_of(parse("a - b; a: 1 3"))
    array([[0.25, 0.75],
           [0.5 , 0.5 ]])
    """
    beliefs = np.array(sketch.beliefs, dtype=np.float64)
    total = beliefs.sum(axis=1, keepdims=True)
    return np.divide(beliefs, total, out=np.full_like(beliefs, 1 / sketch.classes), where=total > 0)


def to_files(sketch: Sketch) -> tuple[File, ...]:
    """The same as files that are read like anybody's own: the graph and the class probabilities.

    >>> from gdr_core.sketches import GALLERY, to_files
    >>> [file.name for file in to_files(GALLERY["bridge"].sketch)]
    ['graph.json', 'probabilities.csv']
    """
    dataset = to_dataset(sketch)
    parts = dataset.split.part_of_nodes(dataset.nodes)
    nodes = [
        {"id": name}
        | ({} if label == UNKNOWN else {"label": dataset.class_names[label]})
        | ({"split": str(part)} if part else {})
        for name, label, part in zip(sketch.names, dataset.labels, parts, strict=True)
    ]
    graph = {"directed": sketch.directed, "multigraph": False, "nodes": nodes}
    rows = [
        [name, *map(str, row)]
        for name, row in zip(sketch.names, probabilities_of(sketch).tolist(), strict=True)
    ]
    table = "\n".join(",".join(row) for row in [["node", *dataset.class_names], *rows])
    return (
        File("graph.json", json.dumps(graph | {"links": _links(sketch)}).encode()),
        File("probabilities.csv", table.encode()),
    )


def _links(sketch: Sketch) -> list[dict[str, object]]:
    """Every way of the graph; where it has arrows, an edge is two."""
    ways = [(edge.source, edge.target, edge.weight) for edge in sketch.edges]
    if sketch.directed:
        ways += [(edge.target, edge.source, edge.weight) for edge in sketch.edges if not edge.arrow]
    names = sketch.names
    return [{"source": names[i], "target": names[j], "weight": weight} for i, j, weight in ways]
