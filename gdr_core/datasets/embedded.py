"""The graphs that are stored in `data/`: compact `.npz` files, checked against a manifest.

Each file holds plain arrays and no pickles:

    edges                  (edges, 2), i < j for undirected graphs, i -> j for directed ones
    feature_gaps           the nodes that have feature 0, then those that have feature 1, …, each
                           as its distance from the one before, modulo 65,536
    feature_counts         how many nodes have feature 0, feature 1, …
    feature_values         their values in the same order; absent where every value is one
    labels                 0 … classes-1, or -1
    class_names, node_ids  node_ids is absent where nodes have no name but their number
    train, validation, test
    layout                 uint16 coordinates, see `layouts.unquantised`
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from gdr_core import gate
from gdr_core.datasets.layouts import unquantised
from gdr_core.datasets.record import Dataset, Provenance, Split
from gdr_core.places import data_folder, repair

DATA_FOLDER = data_folder()
MANIFEST = "manifest.json"


class DamagedFileError(ValueError):
    """A stored file is missing or is not the one that the manifest describes.

    path   the file, where it is known
    """

    def __init__(self, said: str, path: Path | None = None):
        super().__init__(said)
        self.path = path


def load_embedded(name: str) -> Dataset:
    """The undirected graph stored as data/<name>.npz, with its public split."""
    return _dataset(name, f"{name}.npz", directed=False)


def load_cora_directed() -> Dataset:
    """Cora with the direction of its citations kept: 5,429 directed edges.

    The entry (i, j) of the adjacency is 1 where j cites i: edges run *from the cited paper to
    the citing one*, as knowledge flows. That is the "forward" of Peach, Arnaudon and Barahona
    (2020): each line `cited citing` of `cora.cites` is read from left to right. The other
    reading, from the citing paper to the cited one, as one would draw the citation itself (and
    as LINQS says: "the direction of the link is from right to left"), is the transpose, which
    the paper calls "backward".
    """
    return _dataset("cora-directed", "cora.npz", directed=True)


def read_arrays(file: str, folder: Path = DATA_FOLDER) -> dict[str, np.ndarray]:
    """The arrays of a stored file, after its checksum was compared with the manifest's."""
    return gate.read_archive(verified_bytes(file, folder), file)


def verified_bytes(file: str, folder: Path = DATA_FOLDER) -> bytes:
    """The content of a stored file, refused unless its SHA-256 is the manifest's."""
    expected = manifest_entry(file, folder)["sha256"]
    path = folder / file
    if not path.is_file():
        raise DamagedFileError(f"{path} is missing; {repair(file)}", path)
    content = path.read_bytes()
    if (found := hashlib.sha256(content).hexdigest()) != expected:
        raise DamagedFileError(
            f"{path} is damaged: expected SHA-256 {expected}, found {found}; {repair(file)}", path
        )
    return content


def is_whole(file: str, folder: Path = DATA_FOLDER) -> bool:
    """Whether a stored file is the one that the manifest describes."""
    try:
        verified_bytes(file, folder)
    except DamagedFileError:
        return False
    return True


def manifest(folder: Path = DATA_FOLDER) -> dict[str, dict[str, Any]]:
    """File name -> its checksum, size, counts, source and citation, as data/build.py wrote it."""
    path = folder / MANIFEST
    try:
        return _parsed(path, path.stat().st_mtime_ns)
    except (OSError, ValueError, KeyError, TypeError) as error:
        said = f"{path} cannot be read ({error}); {repair(MANIFEST)}"
        raise DamagedFileError(said, path) from error


def manifest_entry(file: str, folder: Path = DATA_FOLDER) -> dict[str, Any]:
    """What the manifest says about one file."""
    entries = manifest(folder)
    if file not in entries:
        path = folder / MANIFEST
        raise DamagedFileError(f"{path} has no entry for {file}; {repair(MANIFEST)}", path)
    return entries[file]


def provenance_of(entry: Mapping[str, Any]) -> Provenance:
    """Source (with what was done to it), citation and licence note of a manifest entry."""
    source = f"{entry['source']} {entry['changes']}"
    return Provenance(source=source, citation=entry["citation"], licence=entry["licence"])


def adjacency_from_edges(edges: np.ndarray, nodes: int, directed: bool) -> sp.csr_array:
    """The matrix with a one for each row (i, j) of `edges`, and for (j, i) unless directed.

    Links in both directions between the same two nodes become one undirected edge.
    """
    rows, columns = edges.astype(np.int64).T
    if edges.size and not 0 <= edges.min() <= edges.max() < nodes:
        raise DamagedFileError(f"an edge names a node outside 0 … {nodes - 1}")
    links = sp.csr_array((np.ones(rows.size), (rows, columns)), shape=(nodes, nodes))
    if not directed:
        links = sp.csr_array(links + links.T)
    links.data[:] = 1.0
    return links


def features_from_columns(arrays: Mapping[str, np.ndarray], nodes: int) -> sp.csr_array:
    """The feature matrix of the arrays feature_gaps, feature_counts and feature_values."""
    rows = np.cumsum(arrays["feature_gaps"], dtype=np.uint16).astype(np.int64)
    counts = arrays["feature_counts"]
    values = arrays.get("feature_values", np.ones(rows.size))
    columns = np.repeat(np.arange(counts.size), counts)
    if not rows.size == columns.size == values.size or rows.max(initial=-1) >= nodes:
        raise DamagedFileError("the features of a stored file do not fit its nodes")
    entries = sp.coo_array((values.astype(np.float64), (rows, columns)), shape=(nodes, counts.size))
    return sp.csr_array(entries)


def _dataset(name: str, file: str, directed: bool) -> Dataset:
    arrays = read_arrays(file)
    nodes = arrays["labels"].size
    ids = arrays.get("node_ids", np.arange(nodes))
    return Dataset(
        name=name,
        adjacency=adjacency_from_edges(arrays["edges"], nodes, directed),
        features=features_from_columns(arrays, nodes),
        labels=arrays["labels"],
        class_names=tuple(arrays["class_names"].tolist()),
        node_names=tuple(str(i) for i in ids.tolist()),
        split=Split(arrays["train"], arrays["validation"], arrays["test"], "public"),
        directed=directed,
        layout=unquantised(arrays["layout"]),
        provenance=provenance_of(manifest_entry(file)),
    )


@cache
def _parsed(path: Path, changed: int) -> dict[str, dict[str, Any]]:
    """Parsed once for each state of the file; `changed` is its time stamp."""
    return dict(json.loads(path.read_text(encoding="utf-8"))["files"])
