"""Own data as they really come: several files, decisions about them, and whole project files."""

from __future__ import annotations

import base64
import io
import json
import random
import zipfile
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from gdr_core.datasets.own import FORMATS, ROLES, Choices, File, read
from gdr_core.datasets.own.findings import TREATMENTS
from gdr_core.datasets.own.fuzz import LIMITS, damaged, seeds
from gdr_core.datasets.own.inspection import inspect
from gdr_core.neural import recommended
from gdr_tools.fuzz.files import _odd_array, _saved_array
from gdr_tools.fuzz.judging import outcome_of
from gdr_tools.jobs import Job, Result
from gdr_tools.jobs.report import COLUMNS as EPOCH
from gdr_tools.own.choices import choices_from_json, choices_to_json
from gdr_tools.own.project import MANIFEST, Project, SavedRun, read_project, write_project

Draw = random.Random
_GRAPHS = ("edges.csv", "plain.txt", "g.graphml", "g.net", "g.json", "adjacency.npz", "g.cites")
_ABOUT = ("labels.tsv", "split.csv", "features.csv", "probabilities.csv", "g.content",
          "features.npy", "triplets.csv", "bench.npz")  # fmt: skip
_CASE = b'{"files": {'
_ODD: tuple[Any, ...] = (None, True, -1, 0, 3, 10**30, 1.5, "", "a", [], [1, 2], {}, {"a": 1},
                         float("nan"), "x" * 500, [[]], "../x")  # fmt: skip


def prepare() -> None:
    """Read everything once, so that no input waits for imports."""
    attempt(_case(seeds(), choices_to_json(Choices())))
    attempt(_project())


def make(draw: Draw) -> bytes:
    """A project file, or one to three files and what was decided about them."""
    if draw.random() < 0.3:
        project = _odd_project(draw)
        return damaged(project, [_project()], draw) if draw.random() < 0.4 else project
    whole = seeds()
    names = [draw.choice(_GRAPHS), *draw.sample(_ABOUT, draw.randrange(3))]
    files = {
        name: damaged(whole[name], list(whole.values()), draw)
        if draw.random() < 0.4
        else whole[name]
        for name in draw.sample(names, len(names))
    }
    return _case(files, _choices(draw, list(files)))


def attempt(case: bytes) -> str:
    """Read a project file; or read files as decided, on their own and as the page looks at them."""
    if not case.startswith(_CASE):  # a damaged project may begin with a brace, too
        return outcome_of(lambda: read_project(case))
    said = json.loads(case)
    files = [File(n, base64.b64decode(c), LIMITS) for n, c in said["files"].items()]

    def both() -> None:
        choices = replace(choices_from_json(said["choices"]), limits=LIMITS)
        inspect(files, choices)
        found = read(files, choices).dataset
        sizes = (found.nodes, found.edges, found.classes)
        if sizes > (LIMITS.nodes, LIMITS.edges, LIMITS.classes) or found.edges > LIMITS.edges:
            raise AssertionError(f"over a cap: {sizes}")

    return outcome_of(both)


def _case(files: dict[str, bytes], choices: dict[str, Any]) -> bytes:
    packed = {name: base64.b64encode(content).decode() for name, content in files.items()}
    return json.dumps({"files": packed, "choices": choices}).encode()


def _choices(draw: Draw, files: list[str]) -> dict[str, Any]:
    """Decisions that a page can make, and now and then one that none makes."""
    said = choices_to_json(Choices())
    codes = draw.sample(list(TREATMENTS), 4)
    said["treatments"] = {code: draw.choice(list(TREATMENTS[code])) for code in codes}
    said["directed"] = draw.choice((None, True, False))
    said["neighbours"], said["seed"] = draw.randint(1, 5), draw.randrange(9)
    for file in files:
        if draw.random() < 0.4:
            said["files"][file] = {
                "format": draw.choice((None, None, None, *FORMATS)),
                "role": draw.choice((None, None, *ROLES)),
                "header": draw.choice((None, True, False)),
                "separator": draw.choice((None, None, ",", "\t", "comma", "tab", ";")),
                "columns": {draw.choice(_COLUMNS): draw.choice(_PLACES)},
                "split": draw.choice((0, 0, 1)),
            }
    return _with_odd(draw, said) if draw.random() < 0.2 else said


_COLUMNS = ("id", "class", "source", "target", "weight", "part", "features", "probabilities")
_PLACES: tuple[Any, ...] = (0, 1, 2, 7, None, "class", [0, 1], [], [1, 1], "no such")


def _with_odd(draw: Draw, said: Any) -> Any:
    """The same with something else in one place."""
    if isinstance(said, dict) and said and draw.random() < 0.8:
        key = draw.choice(list(said))
        return {**said, key: _with_odd(draw, said[key])}
    if isinstance(said, list) and said and draw.random() < 0.7:
        place = draw.randrange(len(said))
        return [*said[:place], _with_odd(draw, said[place]), *said[place + 1 :]]
    return draw.choice(_ODD)


@cache
def _project() -> bytes:
    """A whole project with a trained run."""
    job = Job("your-data-1", recommended("gcn", epochs=4, hidden=8))
    best = {"epoch": 1, "validation_accuracy": 0.5}
    result = Result(np.full((3, 2), 0.5), {"first": np.ones((2, 3), np.float32)}, best)
    run = SavedRun("a run", job, np.zeros((2, len(EPOCH))), result)
    files = tuple(File(name, seeds()[name]) for name in ("edges.csv", "labels.tsv"))
    places = np.zeros((3, 2), np.float32)
    return write_project(Project("p", files, Choices(), {"rule": "peak"}, places, (run,)))


def _odd_project(draw: Draw) -> bytes:
    """A project with something else in its manifest or in one of its arrays."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(_project())) as old, zipfile.ZipFile(stream, "w", 8) as new:
        names = old.namelist()
        chosen = draw.choice([MANIFEST, MANIFEST, *names])
        for name in names:
            content = old.read(name)
            if name == chosen == MANIFEST:
                content = json.dumps(_with_odd(draw, json.loads(content))).encode()
            elif name == chosen and name.endswith(".npy"):
                content = _saved_array(_odd_array(draw))
            elif name == chosen:
                content = damaged(content, [content], draw)
            new.writestr(name, content)
    return stream.getvalue()
