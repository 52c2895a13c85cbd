"""A project file: one zip with own data, what was decided, trained runs and predictions.

Everything in it is text or a plain array, and the data are the files as they came:

    project.json                   names, choices, settings of the view, the runs
    data/0 …                       the files that were opened
    layout.npy                     a place in the plane for each node
    predictions.csv                what GDR makes of the data with these settings
    runs/0/probabilities.npy …     of each trained network: its result, its weights, its history

A file of somebody else's making is not trusted: sizes are compared with caps before anything is
unpacked, nothing is executed, and the data go through the same readers as any upload.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from gdr_core.datasets.own import Choices, File, ReadingError
from gdr_core.datasets.own.files import UNREADABLE, ZIP, check_entries, open_zip
from gdr_core.datasets.own.formats.arrays import read_arrays
from gdr_core.datasets.own.limits import Limits
from gdr_core.neural.options import TrainingOptions
from gdr_tools.jobs.job import Job
from gdr_tools.jobs.report import COLUMNS, Report, Result
from gdr_tools.own.choices import WEB_LIMITS, choices_from_json, choices_to_json
from gdr_tools.own.requests import bytes_of

MANIFEST: Final = "project.json"
KIND: Final = "gdr-explorer-project"
VERSION: Final = 1
MOST_RUNS: Final = 8
_MANIFEST_BYTES: Final = 2**20
_LIMITS: Final = Limits(file_bytes=256 * 2**20, files=600, ratio=1000)
_HEADER: Final = 2**12  # bytes that an array may take beside its numbers
_WEIGHT: Final = re.compile(r"[A-Za-z0-9_.]{1,80}")
_ABOUT: Final = (
    "A project of GDR Explorer. Drop this zip on the page Your data to go on where it was saved.\n"
    "data/ holds the files as they were opened, in the order of project.json.\n"
)


@dataclass(frozen=True, eq=False)
class SavedRun:
    """A trained network: its job, the history of its epochs and its result."""

    name: str
    job: Job
    rows: np.ndarray
    result: Result


@dataclass(frozen=True, eq=False)
class Project:
    """What a project file holds.

    view   settings of the pages, by the names that they have in links
    """

    name: str
    files: tuple[File, ...]
    choices: Choices
    view: dict[str, Any] = field(default_factory=dict)
    layout: np.ndarray | None = None
    runs: tuple[SavedRun, ...] = ()


def saved_run(report: Report) -> SavedRun:
    """What a project keeps of a run that has a result."""
    assert report.result is not None
    return SavedRun(report.name, report.job, np.array(report.history.rows), report.result)


def write_project(project: Project, predictions: str = "") -> bytes:
    """The zip."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", _ABOUT)
        archive.writestr(MANIFEST, json.dumps(_manifest(project), indent=1))
        for i, file in enumerate(project.files):
            archive.writestr(f"data/{i}", bytes_of(file))
        if project.layout is not None:
            archive.writestr("layout.npy", _npy(np.asarray(project.layout, dtype=np.float32)))
        if predictions:
            archive.writestr("predictions.csv", predictions)
        for i, run in enumerate(project.runs):
            for name, array in _arrays_of(run).items():
                archive.writestr(f"runs/{i}/{name}.npy", _npy(array))
    return stream.getvalue()


def _manifest(project: Project) -> dict[str, Any]:
    runs = [
        {
            "name": run.name,
            "job": json.loads(run.job.to_json()),
            "best": {k: v for k, v in run.result.best.items() if isinstance(v, int | float)},
            "weights": list(run.result.weights),
        }
        for run in project.runs
    ]
    return {
        "kind": KIND,
        "version": VERSION,
        "name": project.name,
        "files": [file.name for file in project.files],
        "choices": choices_to_json(project.choices),
        "view": project.view,
        "runs": runs,
    }


def _arrays_of(run: SavedRun) -> dict[str, np.ndarray]:
    weights = {f"weight-{i}": array for i, array in enumerate(run.result.weights.values())}
    return {"probabilities": run.result.probabilities, "history": run.rows, **weights}


def _npy(array: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=False)
    return stream.getvalue()


def is_project(content: bytes) -> bool:
    """Whether this is a zip that calls itself a project."""
    if not content.startswith(ZIP):
        return False
    try:
        with open_zip(File("project", content, _LIMITS)) as archive:
            return MANIFEST in archive.namelist()
    except UNREADABLE:
        return False


def read_project(content: bytes, name: str = "project") -> Project:
    """What a project file holds; a `ReadingError` where it is damaged or not to be trusted."""
    file = File(name, content, _LIMITS)
    try:
        with open_zip(file) as archive:
            check_entries(file, archive.infolist(), _LIMITS)
            return _project(file, _Members(file, archive))
    except ReadingError:
        raise
    except (*UNREADABLE, KeyError, TypeError, AttributeError, RecursionError) as problem:
        raise file.error("this project file is damaged, or not of this app's making") from problem


class _Members:
    """The members of an archive whose sizes were checked."""

    def __init__(self, file: File, archive: zipfile.ZipFile):
        self.file, self.archive = file, archive
        self.names = set(archive.namelist())

    def content(self, name: str, most: int = _LIMITS.file_bytes) -> bytes:
        """The bytes of a member, no more than it says that it has."""
        said = self.archive.getinfo(name).file_size
        if said > most:
            raise self.file.error(f"{name} has {said:,} bytes; at most {most:,} are read")
        with self.archive.open(name) as stream:
            found = stream.read(said + 1)
        if len(found) != said:
            raise self.file.error(f"{name} is not as long as the archive says")
        return found

    def array(self, name: str, most: int) -> np.ndarray:
        """An array of at most so many numbers with a point, as this app writes them."""
        found = read_arrays(File(name, self.content(name, 8 * most + _HEADER), _LIMITS))["array"]
        if found.dtype not in (np.float32, np.float64):
            raise self.file.error(f"{name} holds no numbers as this app writes them")
        if found.size > most:
            raise self.file.error(f"{name} holds {found.size:,} numbers, not at most {most:,}")
        return found


def _project(file: File, members: _Members) -> Project:
    said = json.loads(members.content(MANIFEST, _MANIFEST_BYTES))
    if said["kind"] != KIND or said["version"] != VERSION:
        raise file.error("this is no project of this version of GDR Explorer")
    files = tuple(
        File(str(name), members.content(f"data/{i}"), WEB_LIMITS)
        for i, name in enumerate(_listed(said["files"], WEB_LIMITS.files))
    )
    places = 2 * WEB_LIMITS.nodes
    layout = members.array("layout.npy", places) if "layout.npy" in members.names else None
    return Project(
        str(said["name"])[:80],
        files,
        choices_from_json(said["choices"]),
        _view(said["view"]),
        layout,
        tuple(_run(members, i, run) for i, run in enumerate(_listed(said["runs"], MOST_RUNS))),
    )


def _listed(given: Any, most: int) -> Sequence[Any]:
    if not isinstance(given, list) or len(given) > most:
        raise ValueError(f"a list of at most {most} is expected")
    return given


def _view(given: Any) -> dict[str, Any]:
    """Texts, or lists of texts, by name; the pages check what they are worth."""
    pairs = dict(given).items()
    return {
        str(key)[:100]: tuple(map(str, value))[:50] if isinstance(value, list) else str(value)[:200]
        for key, value in pairs
        if isinstance(value, str | list)
    }


def _run(members: _Members, number: int, said: Any) -> SavedRun:
    job = Job.from_json(json.dumps(said["job"]))
    names = [str(name) for name in _listed(said["weights"], 50)]
    if not all(_WEIGHT.fullmatch(name) for name in names):
        raise ValueError("a weight has a strange name")
    weights, left = {}, _most_weights(job.options)
    for i, name in enumerate(names):
        weights[name] = members.array(f"runs/{number}/weight-{i}.npy", left)
        left -= weights[name].size
    rows = members.array(f"runs/{number}/history.npy", job.options.epochs * len(COLUMNS))
    if rows.ndim != 2 or rows.shape[1] != len(COLUMNS):
        raise ValueError("a history has other columns")
    best = {str(key): float(value) for key, value in dict(said["best"]).items()}
    best["epoch"] = int(best["epoch"])
    shares = members.array(
        f"runs/{number}/probabilities.npy", WEB_LIMITS.nodes * WEB_LIMITS.classes
    )
    probabilities = shares.astype(np.float64)
    result = Result(probabilities=probabilities, weights=weights, best=best)
    return SavedRun(str(said["name"])[:60], job, rows.astype(np.float64), result)


def _most_weights(options: TrainingOptions) -> int:
    """Numbers in the weights of a network at most; without features, each node has one."""
    inputs = max(WEB_LIMITS.columns, WEB_LIMITS.nodes)
    return 4 * options.hidden * (inputs + options.hidden + WEB_LIMITS.classes) + 10_000


def fits(run: SavedRun, nodes: int, classes: int) -> bool:
    """Whether a saved run can be about a dataset of this size."""
    found = run.result.probabilities
    return found.shape == (nodes, classes) and bool(np.isfinite(found).all()) and found.min() >= 0
