"""Six graphs whose links mostly lead to another class, each with ten splits of its own.

The files lie in a public repository at one fixed commit; they are fetched on demand.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from gdr_core.datasets.download import Download
from gdr_core.datasets.embedded import adjacency_from_edges
from gdr_core.datasets.own.files import File
from gdr_core.datasets.own.formats.arrays import MASKS, read_arrays
from gdr_core.datasets.own.layout import quick_layout
from gdr_core.datasets.record import Dataset, Provenance, Split

_COMMIT = "a431395582e929d88271309716bea4fe24ce6318"
_REPOSITORY = "yandex-research/heterophilous-graphs"
_ADDRESS = f"https://raw.githubusercontent.com/{_REPOSITORY}/{_COMMIT}/data/"
SPLITS = tuple(f"geom-{i}" for i in range(10))


@dataclass(frozen=True)
class _Graph:
    """What is known of a graph before its file is here.

    counts   nodes, edges, classes, features; training, validation and test nodes of geom-0
    size     of its file
    """

    counts: tuple[int, ...]
    size: str
    about: str

    @property
    def sizes(self) -> dict[str, int]:
        """What lists show of it."""
        keys = ("nodes", "edges", "classes", "features", "train", "validation", "test")
        return dict(zip(keys, self.counts, strict=True))


_PAGES = "Pages of one university, joined by links; linked pages rarely have the same kind."
_ACTORS = "Actors named on the same page of Wikipedia; features are words of their pages."
_ARTICLES = "Wikipedia articles on {}, classes by traffic; duplicates out."
GRAPHS = {
    "texas": _Graph((183, 279, 4, 1703, 87, 58, 37), "30 kB", _PAGES),
    "wisconsin": _Graph((251, 450, 5, 1703, 120, 80, 51), "40 kB", _PAGES),
    "cornell": _Graph((183, 277, 5, 1703, 87, 59, 37), "30 kB", _PAGES),
    "actor": _Graph((7600, 26659, 5, 932, 3648, 2432, 1520), "250 kB", _ACTORS),
    "chameleon-filtered": _Graph(
        (890, 8854, 5, 2325, 409, 287, 194), "60 kB", _ARTICLES.format("chameleons")
    ),
    "squirrel-filtered": _Graph(
        (2223, 46998, 5, 2089, 1053, 718, 452), "210 kB", _ARTICLES.format("squirrels")
    ),
}
_CHECKSUMS = {
    "texas": "b164b99e6c3d43e4ab07488ec59bd8c815f90cbc1bd4cf425ce587d2b534d844",
    "wisconsin": "2543c89838cfc75f737f7c4664cc1d097f8268602c20b2d1bd4f21407df9c074",
    "cornell": "684c54ba3daa13b0ba1f04a3d6dd1b1175c1ae9bdeb982851fd4ff96d3aac298",
    "actor": "c350eef06b2c2a9bf8218be2b57cac6d4003d0922eb597a039e9123f75817816",
    "chameleon-filtered": "bf46f07e1fb5249280447e5fe3100f3e82fc4b93ad1e13ffcfdec924b6ac0bb5",
    "squirrel-filtered": "f06370ffb3116c5de8b7a600005400b2293c025e0ce2f6916d8201a825505ac7",
}


def _file_of(name: str) -> str:
    return f"{name.replace('-', '_')}.npz"


DOWNLOADS = {
    name: Download(
        dataset=name,
        address=_ADDRESS,
        checksums={_file_of(name): _CHECKSUMS[name]},
        size=graph.size,
        origin="a public repository",
        folder="heterophilous",
    )
    for name, graph in GRAPHS.items()
}
_CITATION = (
    "Pei, H., Wei, B., Chang, K. C.-C., Lei, Y., Yang, B. (2020). Geom-GCN: geometric graph "
    "convolutional networks. ICLR. Platonov, O., Kuznedelev, D., Diskin, M., Babenko, A., "
    "Prokhorenkova, L. (2023). A critical look at the evaluation of GNNs under heterophily: are "
    "we really making progress? ICLR."
)


def load_heterophilous(name: str) -> Dataset:
    """One of the graphs with its first split; reads only files that are on this machine."""
    arrays = stored_arrays(name)
    labels = arrays["node_labels"].astype(np.int64)
    adjacency = adjacency_from_edges(arrays["edges"], labels.size, directed=False)
    return Dataset(
        name=name,
        adjacency=adjacency,
        features=sp.csr_array(arrays["node_features"].astype(np.float64)),
        labels=labels,
        class_names=tuple(f"Class {k}" for k in range(int(labels.max()) + 1)),
        node_names=tuple(str(i) for i in range(labels.size)),
        split=split_of(name, 0),
        directed=False,
        layout=quick_layout(adjacency),
        provenance=Provenance(
            source=f"{_REPOSITORY}, data/{_file_of(name)}, commit {_COMMIT}; read as undirected.",
            citation=_CITATION,
            licence="MIT (the repository).",
        ),
    )


def split_of(name: str, number: int) -> Split:
    """One of the ten splits that come with the graph."""
    arrays = stored_arrays(name)
    train, validation, test = (np.flatnonzero(arrays[key][number]) for key in MASKS)
    return Split(train, validation, test, SPLITS[number])


def stored_arrays(name: str) -> dict[str, np.ndarray]:
    """The arrays of a graph's file, which is verified."""
    ((file, content),) = DOWNLOADS[name].read().items()
    return read_arrays(File(file, content))
