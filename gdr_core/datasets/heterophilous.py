"""Six graphs whose links mostly lead to another class, each with ten splits of its own.

The files are fetched on demand from one commit of a public repository, and verified. They are
looked for in the folder that GDR_DATA_DIR names, in its folder `heterophilous`, then in the user's
cache folder.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from gdr_core.datasets import wikipedia
from gdr_core.datasets.embedded import DamagedFileError, adjacency_from_edges
from gdr_core.datasets.own.arrays import MASKS, read_arrays
from gdr_core.datasets.own.files import File
from gdr_core.datasets.own.layout import quick_layout
from gdr_core.datasets.record import Dataset, Provenance, Split
from gdr_core.progress import Progress, ignore

FOLDER = "heterophilous"
COMMIT = "a431395582e929d88271309716bea4fe24ce6318"
REPOSITORY = "yandex-research/heterophilous-graphs"
BASE_URL = f"https://raw.githubusercontent.com/{REPOSITORY}/{COMMIT}/data/"
SPLITS = tuple(f"geom-{i}" for i in range(10))
CHECKSUMS = {
    "texas.npz": "b164b99e6c3d43e4ab07488ec59bd8c815f90cbc1bd4cf425ce587d2b534d844",
    "wisconsin.npz": "2543c89838cfc75f737f7c4664cc1d097f8268602c20b2d1bd4f21407df9c074",
    "cornell.npz": "684c54ba3daa13b0ba1f04a3d6dd1b1175c1ae9bdeb982851fd4ff96d3aac298",
    "actor.npz": "c350eef06b2c2a9bf8218be2b57cac6d4003d0922eb597a039e9123f75817816",
    "chameleon_filtered.npz": "bf46f07e1fb5249280447e5fe3100f3e82fc4b93ad1e13ffcfdec924b6ac0bb5",
    "squirrel_filtered.npz": "f06370ffb3116c5de8b7a600005400b2293c025e0ce2f6916d8201a825505ac7",
}
FILES = {file.removesuffix(".npz").replace("_", "-"): file for file in CHECKSUMS}
# Nodes, edges, classes, features; training, validation and test nodes of the split geom-0.
SIZES = {
    "texas": (183, 279, 4, 1703, 87, 58, 37),
    "wisconsin": (251, 450, 5, 1703, 120, 80, 51),
    "cornell": (183, 277, 5, 1703, 87, 59, 37),
    "actor": (7600, 26659, 5, 932, 3648, 2432, 1520),
    "chameleon-filtered": (890, 8854, 5, 2325, 409, 287, 194),
    "squirrel-filtered": (2223, 46998, 5, 2089, 1053, 718, 452),
}
ABOUT = {
    "texas": "Pages of one university, joined by links; linked pages rarely have the same kind.",
    "wisconsin": "Pages of one university, joined by links; linked pages rarely match.",
    "cornell": "Pages of one university, joined by links; linked pages rarely match.",
    "actor": "Actors named on the same page of Wikipedia; features are words of their pages.",
    "chameleon-filtered": "Wikipedia articles on chameleons, classes by traffic; duplicates out.",
    "squirrel-filtered": "Wikipedia articles on squirrels, classes by traffic; duplicates out.",
}
CITATION = (
    "Pei, H., Wei, B., Chang, K. C.-C., Lei, Y., Yang, B. (2020). Geom-GCN: geometric graph "
    "convolutional networks. ICLR. Platonov, O., Kuznedelev, D., Diskin, M., Babenko, A., "
    "Prokhorenkova, L. (2023). A critical look at the evaluation of GNNs under heterophily: are "
    "we really making progress? ICLR."
)


def load(name: str) -> Dataset:
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
            source=f"{REPOSITORY}, data/{FILES[name]}, commit {COMMIT}; read as undirected.",
            citation=CITATION,
            licence="MIT (the repository).",
        ),
    )


def split_of(name: str, number: int) -> Split:
    """One of the ten splits that come with the graph."""
    arrays = stored_arrays(name)
    train, validation, test = (np.flatnonzero(arrays[key][number]) for key in MASKS)
    return Split(train, validation, test, SPLITS[number])


def stored_arrays(name: str) -> dict[str, np.ndarray]:
    """The arrays of a graph's file, after its checksum was compared."""
    path = find(name)
    if path is None:
        looked = " or ".join(str(folder) for folder in _folders())
        raise wikipedia.MissingFilesError(
            f"{name} is not on this machine: {FILES[name]} not found in {looked}; fetch it with "
            f"`{fetch_command(name)}`"
        )
    content = path.read_bytes()
    found = hashlib.sha256(content).hexdigest()
    if found != CHECKSUMS[FILES[name]]:
        raise DamagedFileError(
            f"{path} is damaged: expected SHA-256 {CHECKSUMS[FILES[name]]}, found {found}; delete "
            f"it and run `{fetch_command(name)}`"
        )
    return read_arrays(File(path.name, content))


def available(name: str) -> bool:
    """Whether the file of this graph is on this machine and whole."""
    path = find(name)
    if path is None:
        return False
    return hashlib.sha256(path.read_bytes()).hexdigest() == CHECKSUMS[FILES[name]]


def fetch(name: str, progress: Progress = ignore) -> list[Path]:
    """Download the file of a graph unless it is here; Pooch verifies it before it is in place."""
    import pooch

    if (path := find(name)) is not None and available(name):
        return [path]
    file = FILES[name]
    progress(0.0, f"Fetching {file}")
    pooch.get_logger().setLevel("WARNING")
    try:
        checksum = f"sha256:{CHECKSUMS[file]}"
        place = pooch.retrieve(BASE_URL + file, checksum, fname=file, path=wikipedia.cache_folder())
    except Exception as error:
        raise wikipedia.MissingFilesError(
            f"could not fetch {file} from {BASE_URL + file}: {wikipedia.failure_reason(error)}; "
            f"try again with `{fetch_command(name)}`, or set {wikipedia.FOLDER_VARIABLE} to a "
            "folder that holds the file"
        ) from error
    progress(1.0, "The file is here")
    return [Path(place)]


def fetch_command(name: str) -> str:
    """What to type to fetch a graph."""
    return f"python -m gdr_core data fetch {name}"


def sizes(name: str) -> dict[str, int]:
    """What lists show of a graph that may not be here yet."""
    keys = ("nodes", "edges", "classes", "features", "train", "validation", "test")
    return dict(zip(keys, SIZES[name], strict=True))


def find(name: str) -> Path | None:
    """Where the file of a graph lies, or None."""
    return next((f / FILES[name] for f in _folders() if (f / FILES[name]).is_file()), None)


def _folders() -> Iterator[Path]:
    if given := wikipedia.given_folder():
        yield given
        yield given / FOLDER
    yield wikipedia.cache_folder()
