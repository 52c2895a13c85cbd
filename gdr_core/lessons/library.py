"""Where lessons lie: those of the package, and folders of one's own."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gdr_core.lessons.reading import read_lesson
from gdr_core.lessons.record import Finding, Lesson

_OWN: Final = Path(__file__).resolve().parent / "texts"
VARIABLE: Final = "GDR_LESSONS"
_ENDING: Final = ".md"
_MOST_FILES: Final = 200


@dataclass(frozen=True)
class Library:
    """Lessons by name, in their order, and what is wrong with the files that they came from."""

    lessons: dict[str, Lesson]
    findings: tuple[Finding, ...]


def _own_folders() -> list[Path]:
    """The folders that $GDR_LESSONS names, one or several."""
    said = os.environ.get(VARIABLE, "")
    return [Path(part).expanduser() for part in said.split(os.pathsep) if part.strip()]


def read_library(folders: Iterable[Path] | None = None, *, packaged: bool = True) -> Library:
    """The package's lessons and those of other folders.

    folders   those of $GDR_LESSONS if not given. A file of the same name as another lesson's takes
              its place: that is how a lecturer changes one.

    >>> list(read_library([]).lessons)[0]
    '1-heat'
    """
    places = _own_folders() if folders is None else list(folders)
    lessons: dict[str, Lesson] = {}
    findings: list[Finding] = []
    for folder in [_OWN, *places] if packaged else places:
        for path in _files(folder, findings):
            lesson, found = read_file(path)
            findings += found
            if lesson is not None and not found:
                lessons[lesson.name] = lesson
    return Library(dict(sorted(lessons.items(), key=_order)), tuple(findings))


def read_file(path: Path) -> tuple[Lesson | None, Sequence[Finding]]:
    """One lesson; a file that is no text is a finding, too."""
    name = str(path) if path.parent != _OWN else path.name
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return None, [Finding(name, 1, "This file cannot be read as text in UTF-8.")]
    return read_lesson(text, name)


def _files(folder: Path, findings: list[Finding]) -> list[Path]:
    if not folder.is_dir():
        findings.append(Finding(str(folder), 1, "There is no such folder of lessons."))
        return []
    files = sorted(folder.glob(f"*{_ENDING}"))
    if not files:
        findings.append(Finding(str(folder), 1, f"This folder holds no lessons (*{_ENDING})."))
    return files[:_MOST_FILES]


def _order(item: tuple[str, Lesson]) -> tuple[str, bool, str]:
    """A translation stands beside what it translates, the English one first."""
    name, lesson = item
    return name.split(".")[0], lesson.language != "en", name
