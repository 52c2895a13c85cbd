"""What own data pass through: packing, hand-over, drawing, project files, runs of one session."""

from __future__ import annotations

import io
import json
import signal
import stat
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

from gdr_core import load_dataset
from gdr_core.datasets.hiding import hide_test
from gdr_core.datasets.own import Choices, File, ReadingError
from gdr_core.datasets.own.drawing import draw, repulsion
from gdr_core.datasets.own.files import unpacked
from gdr_core.datasets.own.formats.arrays import read_arrays
from gdr_core.datasets.own.packing import pack, unpack
from gdr_core.neural import recommended
from gdr_tools.jobs import Job, Result, handover
from gdr_tools.jobs.handover import hand_over, take
from gdr_tools.jobs.registry import Registry
from gdr_tools.jobs.report import COLUMNS
from gdr_tools.jobs.shelter import Shelter
from gdr_tools.own.choices import choices_from_json, choices_to_json
from gdr_tools.own.project import (
    Project,
    SavedRun,
    _npy,
    is_project,
    read_project,
    write_project,
)


def test_a_dataset_survives_packing_hidden_or_not():
    for dataset in (load_dataset("karate"), hide_test(load_dataset("directed-citations"))):
        again, nothing = unpack(pack(dataset))
        assert nothing is None
        assert (again.adjacency != dataset.adjacency).nnz == 0
        assert (again.features != dataset.features).nnz == 0
        assert np.array_equal(again.labels, dataset.labels)
        assert (again.directed, again.test_hidden) == (dataset.directed, dataset.test_hidden)


def test_what_is_handed_over_is_for_this_user_alone_and_gone_at_once():
    path = hand_over(b"secret")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert take(path) == b"secret"
    assert not path.exists()


def test_where_memory_has_no_room_the_disk_takes_what_is_handed_over(monkeypatch, tmp_path):
    monkeypatch.setattr(handover, "_MEMORY", Path("/dev/full"))  # may be written, and never is
    monkeypatch.setattr(handover.tempfile, "gettempdir", lambda: str(tmp_path))
    path = hand_over(b"secret")
    assert (path.parent, take(path)) == (tmp_path, b"secret")


LAYOUT = """
from gdr_core.datasets import load_dataset
from gdr_core.datasets.own import drawing
from gdr_core.datasets.own.packing import pack
from gdr_tools.jobs.handover import hand_over
from gdr_tools.own import requests

def endless(*_, **__):
    while True:
        sum(range(10**6))

requests.LONGEST, drawing.draw = 0, endless
requests.layout_request({"data": str(hand_over(pack(load_dataset("karate"))))}, print)
"""


def test_a_drawing_that_has_no_end_is_ended():
    pytest.importorskip("resource", reason="this system limits no processor time")
    done = subprocess.run([sys.executable, "-c", LAYOUT], check=False, timeout=300)
    assert done.returncode == -signal.SIGXCPU


def test_the_forces_over_a_grid_are_those_between_pairs():
    generator = np.random.default_rng(1)
    places, mass = generator.uniform(size=(2000, 2)), generator.uniform(1, 3, 2000)
    apart = places[:, None] - places
    square = (apart**2).sum(axis=2)
    np.fill_diagonal(square, np.inf)
    exact = mass[:, None] * (apart * (mass / square)[..., None]).sum(axis=1)
    found = repulsion(places, mass)
    away = np.linalg.norm(found - exact, axis=1) / np.linalg.norm(exact, axis=1)
    assert np.median(away) < 0.1  # close pairs are softened on purpose


def test_drawing_keeps_neighbours_near_and_components_apart():
    blocks = nx.random_partition_graph([300, 300, 300], 0.05, 0.0, seed=3)
    blocks.add_edge(0, 300)
    adjacency = sp.csr_array(nx.to_scipy_sparse_array(blocks, dtype=float))
    places = draw(adjacency)
    assert places.shape == (900, 2)
    assert np.abs(places).max() <= 1 + 1e-6
    rows, columns = adjacency.nonzero()
    near = np.linalg.norm(places[rows] - places[columns], axis=1).mean()
    anyone = np.random.default_rng(0).integers(900, size=(2, 20_000))
    far = np.linalg.norm(places[anyone[0]] - places[anyone[1]], axis=1).mean()
    assert near < far / 2
    centres = [places[part].mean(axis=0) for part in (slice(0, 300), slice(300, 600))]
    third = places[600:]
    assert min(np.linalg.norm(third - centre, axis=1).min() for centre in centres) > 0.1
    assert np.array_equal(places, draw(adjacency)), "the same graph has the same picture"


@pytest.mark.parametrize("edges", [[], [(0, 1)], [(0, 1), (1, 2), (3, 4)]])
def test_the_smallest_graphs_are_drawn(edges):
    graph = nx.Graph(edges)
    graph.add_nodes_from(range(6))
    places = draw(sp.csr_array(nx.to_scipy_sparse_array(graph, nodelist=range(6), dtype=float)))
    assert np.isfinite(places).all()
    assert len(np.unique(places.round(6), axis=0)) == 6


def project() -> Project:
    files = (File("../edges.csv", b"a,b\nb,c\n"), File("labels.csv", b"id,class\na,x\n"))
    return Project("name", files, Choices(seed=4), {"rule": "peak"}, np.zeros((3, 2), np.float32))


def test_a_project_is_what_was_written():
    found = read_project(write_project(project()))
    assert [(f.name, f.content) for f in found.files] == [
        (f.name, f.content) for f in project().files
    ]
    assert (found.name, found.choices.seed, found.view) == ("name", 4, {"rule": "peak"})
    assert found.layout is not None
    assert found.layout.shape == (3, 2)


def _rewritten(**changes: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(write_project(project()))) as old:
        members = {name: old.read(name) for name in old.namelist()} | {
            name.replace("__", "/").replace("_dot_", "."): content
            for name, content in changes.items()
        }
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new:
        for name, content in members.items():
            new.writestr(name, content)
    return stream.getvalue()


def _with(**changes: object) -> bytes:
    with zipfile.ZipFile(io.BytesIO(write_project(project()))) as archive:
        said = json.loads(archive.read("project.json"))
    return _rewritten(project_dot_json=json.dumps({**said, **changes}).encode())


HOSTILE = {
    "outside": lambda: _rewritten(**{"..__evil": b"x"}),
    "bomb": lambda: _rewritten(data__0=b"\0" * 80_000_000),
    "pickle": lambda: _rewritten(layout_dot_npy=_pickled()),
    "promise": lambda: _rewritten(layout_dot_npy=_promising()),
    "no json": lambda: _rewritten(project_dot_json=b"{"),
    "deep json": lambda: _rewritten(project_dot_json=b"[" * 100_000),
    "another kind": lambda: _with(kind="else"),
    "many files": lambda: _with(files=["x"] * 1000),
    "missing file": lambda: _with(files=["a", "b", "c"]),
    "odd choices": lambda: _with(choices={"seed": -1}),
    "odd run": lambda: _with(runs=[{"job": {}, "weights": ["../x"]}]),
    "many entries": lambda: _rewritten(**{f"extra__{i}": b"" for i in range(700)}),
    "a long history": lambda: _with_run(history_dot_npy=np.zeros((401, len(COLUMNS)))),
    "small numbers": lambda: _with_run(history_dot_npy=np.zeros((2, len(COLUMNS)), dtype=np.int8)),
    "whole probabilities": lambda: _with_run(probabilities_dot_npy=np.zeros((9, 2), dtype=np.int8)),
    "large weights": lambda: _with_run(**{"weight-0_dot_npy": np.zeros((4000, 4000), np.float32)}),
    "cut off": lambda: write_project(project())[:-40],
}


def _with_run(**arrays: np.ndarray) -> bytes:
    """A project with a run, some of whose arrays are replaced."""
    job = Job("your-data-1", recommended("gcn", epochs=400, hidden=8))
    result = Result(np.full((9, 2), 0.5), {"first": np.ones((2, 3), np.float32)}, {"epoch": 1})
    run = SavedRun("a run", job, np.zeros((2, len(COLUMNS))), result)
    whole = write_project(replace(project(), runs=(run,)))
    assert len(read_project(whole).runs) == 1
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(whole)) as old, zipfile.ZipFile(stream, "w", 8) as new:
        changed = {f"runs/0/{k.replace('_dot_', '.')}": _npy(v) for k, v in arrays.items()}
        for name in old.namelist():
            new.writestr(name, changed.pop(name, None) or old.read(name))
    assert not changed
    return stream.getvalue()


def test_a_directory_is_counted_before_it_is_parsed(monkeypatch):
    """A count that lies is found by the length of the directory."""
    content = bytearray(_rewritten(**{f"extra__{'x' * 900}{i}": b"" for i in range(590)}))
    assert len(content) > 590 * 900
    monkeypatch.setattr(zipfile, "ZipFile", lambda *_: pytest.fail("it was opened"))
    end = content.rfind(b"PK\x05\x06")
    content[end + 8 : end + 12] = b"\x01\x00\x01\x00"
    for name, read in (("a.npz", read_arrays), ("a.zip", lambda file: unpacked(file, file.limits))):
        with pytest.raises(ReadingError, match="more than 600 files, or endless names"):
            read(File(name, bytes(content)))
    with pytest.raises(ReadingError, match="more than 600 files"):
        read_project(bytes(content))
    assert not is_project(bytes(content))


def _pickled() -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    return stream.getvalue()


def _promising() -> bytes:
    stream = io.BytesIO()
    head = {"descr": "<f8", "fortran_order": False, "shape": (10**12, 2)}
    np.lib.format.write_array_header_1_0(stream, head)
    return stream.getvalue()


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_projects_are_refused_in_one_sentence(kind):
    with pytest.raises(ReadingError):
        read_project(HOSTILE[kind]())


def test_other_archives_are_no_projects():
    assert not is_project(b"PK\x03\x04 and nothing more")
    assert not is_project(b"a,b\n")


def test_choices_survive_json_and_strange_ones_are_refused():
    said = Choices(treatments={"self-loops": "drop"}, directed=True, neighbours=3)
    again = choices_from_json(json.loads(json.dumps(choices_to_json(said))))
    assert (again.treatments, again.directed, again.neighbours) == (said.treatments, True, 3)
    for wrong in (
        {"seed": True},
        {"neighbours": 10**9},
        {"metric": "__import__"},
        {"shares": [1]},
        {"shares": ["a", 0, 1]},
        {"shares": [1, float("nan"), 0]},
        {"files": [[]]},
    ):
        with pytest.raises(ValueError):  # noqa: PT011
            choices_from_json({**choices_to_json(said), **wrong})


def test_a_run_on_own_data_is_in_no_folder_that_servers_share(tmp_path):
    registry = Registry(slots=0, shelter=Shelter(tmp_path))
    try:
        job = Job("your-data-1", recommended("gcn"), "drawn")
        private = registry.submit("owner", job, data=b"packed")
        public = registry.submit("owner", Job("karate", recommended("gcn")))
        assert [path.name for path in tmp_path.iterdir()] == [public]
        folder = registry.runs[private].folder
        assert folder.exists()
        registry.abandoned.append(private)
        registry.pool.tend()
        assert private not in registry.runs
        assert not folder.exists()
    finally:
        registry.close()


def test_a_saved_run_comes_back_finished():
    registry = Registry(slots=0)
    try:
        rows = np.full((2, len(COLUMNS)), 0.25)
        result = Result(np.full((34, 2), 0.5), {}, {"epoch": 1, "validation_accuracy": 0.5})
        run = registry.restore(
            "me", Job("your-data-1", recommended("mlp")), "kept", rows, result, "here"
        )
        assert registry.runs[run].address == "here", "it counts for the address"
        report = registry.poll(run)
        assert (report.name, report.state, len(report.history)) == ("kept", "finished", 2)
        assert report.result is result
    finally:
        registry.close()
