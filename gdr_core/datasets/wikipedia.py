"""The Wikipedia graph: downloaded when first wanted, verified by checksum, never unpacked blindly.

The eight files lie in the authors' repository at one fixed commit. They are looked for in the
folder that the environment variable GDR_DATA_DIR names, then in the user's cache folder.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from gdr_core.datasets import planetoid
from gdr_core.datasets.embedded import (
    DamagedFileError,
    adjacency_from_edges,
    manifest_entry,
    provenance_of,
    read_arrays,
)
from gdr_core.datasets.layouts import unquantised
from gdr_core.datasets.record import Dataset, Split
from gdr_core.progress import Progress, ignore

FOLDER_VARIABLE = "GDR_DATA_DIR"
COMMIT = "8c34c117d2a8e401e3a5624a6ab886811c6d0d18"
BASE_URL = f"https://raw.githubusercontent.com/barahona-research-group/GDR/{COMMIT}/scripts/data/"
FETCH_COMMAND = "python -m gdr_core data fetch wikipedia"
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


class MissingFilesError(OSError):
    """The files are neither here nor can they be fetched."""


def load_wikipedia() -> Dataset:
    """20,525 articles joined by hyperlinks; reads only files that are already on this machine."""
    graph = planetoid.assemble(read_files(), "wikipedia")
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


def read_files() -> dict[str, bytes]:
    """The eight files, each verified; the first folder that has a file decides."""
    found = {file: _find(file) for file in CHECKSUMS}
    if missing := [file for file, path in found.items() if path is None]:
        raise MissingFilesError(_missing_message(missing))
    return {file: _verified(path) for file, path in found.items() if path}


def available() -> bool:
    """Whether all eight files are on this machine and whole."""
    return all((path := _find(file)) and _is_whole(path) for file in CHECKSUMS)


def fetch(progress: Progress = ignore) -> list[Path]:
    """Download what is not here yet; returns where the eight files lie.

    Pooch writes under a temporary name, verifies the checksum and only then moves the file to
    its place, so that neither a broken download nor two at once can leave half a file behind.
    A damaged file in the cache is replaced; one in the user's own folder is only reported.
    """
    paths = []
    for done, file in enumerate(CHECKSUMS):
        progress(done / len(CHECKSUMS), f"Fetching {file}")
        given = given_folder()
        if given is not None and (given / file).is_file():
            _verified(given / file)
            paths.append(given / file)
        else:
            paths.append(_retrieved(file))
    progress(1.0, "All files are here")
    return paths


def cache_folder() -> Path:
    """Where downloads are kept."""
    import pooch

    return Path(pooch.os_cache("gdr-explorer"))


def _retrieved(file: str) -> Path:
    import pooch

    pooch.get_logger().setLevel("WARNING")
    try:
        return Path(
            pooch.retrieve(
                BASE_URL + file, f"sha256:{CHECKSUMS[file]}", fname=file, path=cache_folder()
            )
        )
    except Exception as error:
        raise MissingFilesError(
            f"could not fetch {file} from {BASE_URL + file}: {failure_reason(error)}; try again "
            f"with `{FETCH_COMMAND}`, or set {FOLDER_VARIABLE} to a folder that holds the file"
        ) from error


def failure_reason(error: Exception) -> str:
    """Connection errors print a page of addresses; their kind says enough."""
    import requests

    if isinstance(error, requests.exceptions.HTTPError):
        return str(error)
    if isinstance(error, requests.exceptions.RequestException):
        return f"the connection failed ({type(error).__name__})"
    return str(error)


def given_folder() -> Path | None:
    """The folder that the environment names, if it names one."""
    given = os.environ.get(FOLDER_VARIABLE)
    return Path(given) if given else None


def _folders() -> Iterator[Path]:
    if given := given_folder():
        yield given
    yield cache_folder()


def _find(file: str) -> Path | None:
    return next((folder / file for folder in _folders() if (folder / file).is_file()), None)


def _verified(path: Path) -> bytes:
    content = path.read_bytes()
    expected, found = CHECKSUMS[path.name], hashlib.sha256(content).hexdigest()
    if found != expected:
        raise DamagedFileError(
            f"{path} is damaged: expected SHA-256 {expected}, found {found}; "
            f"delete it and run `{FETCH_COMMAND}`"
        )
    return content


def _is_whole(path: Path) -> bool:
    return hashlib.sha256(path.read_bytes()).hexdigest() == CHECKSUMS[path.name]


def _missing_message(missing: list[str]) -> str:
    looked = [str(folder) for folder in _folders()]
    given = "" if given_folder() else f" ({FOLDER_VARIABLE} is not set)"
    return (
        f"wikipedia is not on this machine: {', '.join(missing)} not found in "
        f"{' or '.join(looked)}{given}; fetch it with `{FETCH_COMMAND}`"
    )
