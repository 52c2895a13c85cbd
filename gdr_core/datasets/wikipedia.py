"""The Wikipedia graph: downloaded when first wanted, verified by checksum, never unpacked blindly.

The eight files lie in the authors' repository at one fixed commit.
"""

from __future__ import annotations

from gdr_core.datasets import planetoid
from gdr_core.datasets.download import Download
from gdr_core.datasets.embedded import (
    adjacency_from_edges,
    manifest_entry,
    provenance_of,
    read_arrays,
)
from gdr_core.datasets.layouts import unquantised
from gdr_core.datasets.record import Dataset, Split

_COMMIT = "8c34c117d2a8e401e3a5624a6ab886811c6d0d18"
LAYOUT_FILE = "wikipedia_layout.npz"
CHECKSUMS = {
    "ind.wikipedia.allx": "6a486b2072816a0974c3b12ffd7ae393328994db6378625028843894bac4b8fe",
    "ind.wikipedia.ally": "7b6d1c6f4c73d751bc4351c6888891c6ab70ff483abf61b0024a1f4788aba433",
    "ind.wikipedia.graph": "77327ee345e45617cc4aea24cfe339258696f96693f4059baff86e4edcc20ba6",
    "ind.wikipedia.test.index": "a7da93c7962da0da944777e2506840a94d8226590a3925e478ee607c4e9ce084",
    "ind.wikipedia.tx": "ad65b53f2df912401c366497b73bf85675f8ffcb4a65bdf4674e97d78812e710",
    "ind.wikipedia.ty": "6bcdb671c7cf62d2babc6cf22d42369a8559be55403760c4ad4ad50c0dab1b9c",
    "ind.wikipedia.x": "59e2e483b4120fa2845ab1e2a9ea63deeaa6bd7cadbfd0c830b0d208f262eded",
    "ind.wikipedia.y": "e4caf90f0ef5da317b8b8aa62097c5cc33bb82a14344c1bfbd6a8caa648779a1",
}
FILES = Download(
    dataset="wikipedia",
    address=f"https://raw.githubusercontent.com/barahona-research-group/GDR/{_COMMIT}/scripts/data/",
    size="8 MB",
    origin="the authors' repository",
    checksums=CHECKSUMS,
)


def load_wikipedia() -> Dataset:
    """20,525 articles joined by hyperlinks; reads only files that are already on this machine."""
    graph = planetoid.assemble(FILES.read(), "wikipedia")
    nodes = graph.labels.size
    return Dataset(
        name="wikipedia",
        adjacency=adjacency_from_edges(graph.edges, nodes, directed=False),
        features=graph.features,
        labels=graph.labels,
        class_names=tuple(f"Category {k}" for k in range(1, graph.classes + 1)),
        node_names=tuple(str(i) for i in range(nodes)),
        split=Split(graph.train, graph.validation, graph.test, "public"),
        directed=False,
        layout=unquantised(read_arrays(LAYOUT_FILE)["layout"]),
        provenance=provenance_of(manifest_entry(LAYOUT_FILE)),
    )
