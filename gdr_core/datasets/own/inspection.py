"""Own files looked at without giving up at the first trouble: what each one is, and what is odd.

`read` says why there is no dataset and ends. Who wants to correct a wrong guess needs more: how
every file was understood, the troublesome one included.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from gdr_core.datasets.own.files import File, as_files
from gdr_core.datasets.own.findings import Finding, Notebook, ReadingError, short
from gdr_core.datasets.own.opening import FileChoice, Opened, open_file, summary
from gdr_core.datasets.own.parts import Part
from gdr_core.datasets.own.reading import Choices, Given, Reading, from_parts
from gdr_core.progress import Progress, ignore

CELL = 60  # characters of a cell that are shown
_COLUMNS_SHOWN = 12


@dataclass(frozen=True)
class Seen:
    """How one file was understood, in plain values.

    names, columns   of a table: names of all columns, and for each part of the role its column
    rows             the first rows, long cells shortened
    trouble          why it could not be opened, else empty
    """

    name: str
    size: int
    format: str = ""
    role: str = ""
    summary: str = ""
    names: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    separator: str | None = None
    header: bool | None = None
    columns: Mapping[str, Any] = field(default_factory=dict)
    trouble: str = ""


@dataclass(frozen=True, eq=False)
class Inspection:
    """All files, everything odd, and the dataset or the one sentence that says why there is none.

    >>> found = inspect([File("edges.csv", b"a,b\\nb,c\\n")])
    >>> found.files[0].role, found.reading.dataset.nodes, found.trouble
    ('edges', 3, '')
    """

    files: tuple[Seen, ...]
    findings: tuple[Finding, ...] = ()
    reading: Reading | None = None
    trouble: str = ""


def inspect(
    files: Given, choices: Choices | None = None, *, progress: Progress = ignore
) -> Inspection:
    """Open every file, then make a dataset of all of them as far as that goes."""
    choices = choices or Choices()
    progress(0.0, "opening files")
    try:
        notebook = Notebook(choices.treatments)
        listed = as_files(files, choices.limits)
    except ReadingError as problem:
        return Inspection((), trouble=str(problem))
    seen: list[Seen] = []
    parts: list[Part] = []
    trouble = "" if listed else "no file was given"
    for i, file in enumerate(listed):
        progress(0.6 * i / len(listed), f"reading {short(file.name)}")
        one, found = _look(file, choices.files.get(file.name, FileChoice()), notebook)
        seen.append(one)
        parts += found
        trouble = trouble or one.trouble
    if trouble:
        return Inspection(tuple(seen), tuple(notebook.findings), None, trouble)
    return _assembled(tuple(seen), parts, choices, notebook, progress)


def _look(file: File, choice: FileChoice, notebook: Notebook) -> tuple[Seen, list[Part]]:
    try:
        opened = open_file(file, choice, notebook)
        seen = _seen(opened)
    except ReadingError as problem:
        return Seen(file.name, file.size, trouble=str(problem)), []
    try:
        return seen, opened.parts
    except ReadingError as problem:  # its columns can still be shown, and corrected
        return replace(seen, trouble=str(problem)), []


def _seen(opened: Opened) -> Seen:
    table = opened.table is not None
    return Seen(
        opened.file.name,
        opened.file.size,
        opened.format,
        opened.role,
        summary(opened),
        tuple(short(name, CELL) for name in opened.names),
        tuple(tuple(short(cell, CELL) for cell in row[:_COLUMNS_SHOWN]) for row in opened.rows),
        opened.separator,
        opened.header,
        dict(opened.columns) if table else {},
    )


def _assembled(
    seen: tuple[Seen, ...],
    parts: list[Part],
    choices: Choices,
    notebook: Notebook,
    progress: Progress,
) -> Inspection:
    try:
        reading = from_parts(parts, choices, notebook, progress=progress)
    except ReadingError as problem:
        return Inspection(seen, tuple(notebook.findings), None, str(problem))
    return Inspection(seen, reading.findings, reading)
