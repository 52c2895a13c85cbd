"""Reads a lesson's file: Markdown with a small header, one step for each `## heading`.

    ---
    title: Heat between two nodes
    language: en
    minutes: 7
    summary: One line for the list of lessons.
    ---
    ## The first step

    Text, with numbers that are computed: {{p(b, 0.5)}}.

    ```figure
    sketch: pair
    hidden: until answered
    ```

    ```question number
    ask: How much is there at b at t = 0.5?
    answer: 0.316
    tolerance: 0.03
    exact: p(b, 0.5)
    right: What is said to the right answer.
    wrong: What is said to any wrong one.
    wrong 0.5: What is said to this one.
    ```

    Text that is shown when the question has been answered.

    ```lecturer
    What the lecturer's sheet says about this step.
    ```

A line that begins with a blank goes on with the line before. `blocks` tells what stands in figures
and questions, `expressions` what can be computed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from gdr_core.lessons.blocks import Entry, read_figure, read_question
from gdr_core.lessons.record import Finding, Lesson, LessonError, Step

_HEADER: Final = ("title", "language", "minutes", "summary")
_BLOCKS: Final = ("figure", "question", "lecturer")
_LARGEST: Final = 200_000  # characters of a file
_FENCE: Final = re.compile(r"```\s*(?P<words>[\w -]*)\s*$")
_ENTRY: Final = re.compile(r"(?P<key>[A-Za-z][\w-]*(?: [^:]*)?):(?: (?P<value>.*))?$")
_OPTION: Final = re.compile(r"\((?P<mark>[ xX])\) (?P<value>.+)$")


@dataclass
class _Part:
    """A piece of a step: a paragraph run, or a block with its words and lines."""

    line: int
    words: tuple[str, ...] = ()
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(self.lines).strip("\n")

    @property
    def first(self) -> int:
        """The line of its first words."""
        blank = next((i for i, line in enumerate(self.lines) if line.strip()), 0)
        return self.line + blank


def read_lesson(text: str, file: str) -> tuple[Lesson | None, list[Finding]]:
    """The lesson that a file's text describes, and what is wrong with it; None if it has no steps.

    >>> lesson, found = read_lesson("## Only a step", "short.md")
    >>> lesson is None, str(found[0])
    (True, 'short.md:1: A lesson begins with a header between two lines “---”.')
    """
    if len(text) > _LARGEST:
        long = f"This file has {len(text):,} characters; {_LARGEST:,} are read."
        return None, [Finding(file, 1, long)]
    found: list[Finding] = []
    lines = text.splitlines()
    try:
        header, start = _header(lines)
    except LessonError as error:
        return None, [Finding(file, error.line, str(error))]
    steps = []
    for heading, title, parts in _sections(lines, start, file, found):
        steps.append(_step(heading, title, parts, file, found))
    if not steps:
        found.append(Finding(file, start + 1, "A lesson needs a step: a heading “## …”."))
    values = _checked_header(header, file, found)
    if found and (not steps or values is None):
        return None, found
    assert values is not None
    return Lesson(Path(file).stem, file, *values, tuple(steps)), found


def _header(lines: list[str]) -> tuple[dict[str, tuple[int, str]], int]:
    """Its entries by key with their lines, and the number of lines that it takes."""
    if not lines or lines[0].strip() != "---":
        raise LessonError(1, "A lesson begins with a header between two lines “---”.")
    header: dict[str, tuple[int, str]] = {}
    for number, line in enumerate(lines[1:], start=2):
        if line.strip() == "---":
            return header, number
        key, colon, value = line.partition(":")
        if not colon:
            raise LessonError(number, f"“{line.strip()[:40]}” in the header is not “key: value”.")
        header[key.strip()] = number, value.strip()
    raise LessonError(1, "The header has no end: a second line “---” is missing.")


def _checked_header(
    header: dict[str, tuple[int, str]], file: str, found: list[Finding]
) -> tuple[str, str, int, str] | None:
    for key, (line, _) in header.items():
        if key not in _HEADER:
            names = ", ".join(_HEADER)
            found.append(Finding(file, line, f"The header knows no “{key}”; it has {names}."))
    missing = [key for key in _HEADER if not header.get(key, (0, ""))[1]]
    found += [Finding(file, 1, f"The header lacks “{key}”.") for key in missing]
    line, minutes = header.get("minutes", (1, ""))
    if minutes and not (minutes.isdecimal() and 1 <= int(minutes) <= 240):
        found.append(Finding(file, line, f"minutes is a whole number, not “{minutes[:20]}”."))
        return None
    if missing:
        return None
    title, language, _, summary = (header[key][1] for key in _HEADER)
    return title, language, int(minutes), summary


def _sections(
    lines: list[str], start: int, file: str, found: list[Finding]
) -> Iterator[tuple[int, str, list[_Part]]]:
    """Each heading's line and title, and the parts below it."""
    heading, title, parts = 0, "", [_Part(start + 1)]
    block: _Part | None = None
    for number, line in enumerate(lines[start:], start=start + 1):
        if block is not None:
            if line.strip() == "```":
                parts += [block, _Part(number + 1)]
                block = None
            else:
                block.lines.append(line)
        elif fence := _FENCE.match(line):
            block = _Part(number, tuple(fence["words"].split()))
        elif line.startswith("## "):
            yield from _closed(heading, title, parts, file, found)
            heading, title, parts = number, line[3:].strip(), [_Part(number + 1)]
        else:
            parts[-1].lines.append(line)
    if block is not None:
        found.append(Finding(file, block.line, "This block has no end: a line “```” is missing."))
    yield from _closed(heading, title, parts, file, found)


def _closed(
    heading: int, title: str, parts: list[_Part], file: str, found: list[Finding]
) -> Iterator[tuple[int, str, list[_Part]]]:
    if heading:
        yield heading, title, parts
    elif stray := next((part for part in parts if part.text or part.words), None):
        found.append(
            Finding(file, stray.line, "Text before the first heading “## …” is not shown.")
        )


def _step(heading: int, title: str, parts: list[_Part], file: str, found: list[Finding]) -> Step:
    made: dict[str, object] = {}
    before: list[_Part] = []
    after: list[_Part] = []
    for part in parts:
        if not part.words:
            if part.text:
                (after if "question" in made else before).append(part)
            continue
        try:
            kind = _kind_of(part, made)
            made[kind] = _block(part, kind)
        except LessonError as error:
            made.setdefault(part.words[0], None)
            found.append(Finding(file, error.line, str(error)))
    return Step(
        heading,
        title,
        "\n\n".join(part.text for part in before),
        "\n\n".join(part.text for part in after),
        lecturer=str(made.pop("lecturer", None) or ""),
        texts=tuple((part.first, part.text) for part in (*before, *after)),
        **{kind: block for kind, block in made.items() if kind in _BLOCKS},  # type: ignore[arg-type]
    )


def _kind_of(part: _Part, made: dict[str, object]) -> str:
    kind = part.words[0]
    if kind not in _BLOCKS:
        raise LessonError(part.line, f"There is no block “{kind}”; there are {', '.join(_BLOCKS)}.")
    if kind in made:
        raise LessonError(part.line, f"A step has one {kind}, and this is its second.")
    return kind


def _block(part: _Part, kind: str) -> object:
    if kind == "lecturer":
        return part.text
    entries = list(_entries(part))
    if kind == "figure":
        return read_figure(part.line, entries)
    return read_question(part.line, part.words[1:], entries)


def _entries(part: _Part) -> Iterator[Entry]:
    """The `key: value` lines of a block, each with what goes on below it."""
    now: Entry | None = None
    for number, line in enumerate(part.lines, start=part.line + 1):
        if not line.strip():
            continue
        if line[0].isspace() and now is not None:
            now.more.append(line.strip())
            continue
        if now is not None:
            yield now
        now = _entry(number, line.strip())
    if now is not None:
        yield now


def _entry(number: int, line: str) -> Entry:
    if option := _OPTION.match(line):
        return Entry(number, "option", option["mark"].strip().lower(), [option["value"]])
    if found := _ENTRY.match(line):
        key, _, argument = found["key"].partition(" ")
        first = [] if found["value"] is None else [found["value"].strip()]
        return Entry(number, key, argument.strip(), first)
    raise LessonError(number, f"“{line[:40]}” is neither “key: value” nor an answer “( ) …”.")
