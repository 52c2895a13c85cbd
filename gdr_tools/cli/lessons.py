"""`lessons`: list the lessons, and check files of lessons against exact arithmetic."""

from __future__ import annotations

import argparse
import json
from pathlib import Path


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `lessons` with its own sub-commands."""
    text = "list and check the lessons"
    lessons = subparsers.add_parser("lessons", help=text, description=text.capitalize() + ".")
    actions = lessons.add_subparsers(title="sub-commands", metavar="ACTION", required=True)
    listing = actions.add_parser("list", help="all lessons, one a line")
    _add_folder(listing)
    listing.add_argument("--json", action="store_true", help="print the list as JSON")
    listing.set_defaults(run=list_lessons)
    check = actions.add_parser("check", help="report every error by file and line")
    _add_folder(check)
    check.set_defaults(run=_check_lessons)


def _add_folder(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder",
        nargs="?",
        type=Path,
        metavar="FOLDER",
        help="a folder of lessons of your own; without it, the lessons that come with the package",
    )


def list_lessons(arguments: argparse.Namespace) -> int:
    """Print name, language, minutes, questions and title of every lesson."""
    from gdr_core.lessons import read_library

    folders = None if arguments.folder is None else [arguments.folder]
    columns = ("name", "language", "minutes", "questions", "title")
    records = [
        {column: getattr(lesson, column) for column in columns}
        for lesson in read_library(folders).lessons.values()
    ]
    if arguments.json:
        print(json.dumps(records, indent=2, ensure_ascii=False))
        return 0
    width = max(len(str(record["name"])) for record in records)
    for record in records:
        name, language, minutes, questions, title = (record[column] for column in columns)
        counted = f"{minutes} min, {questions} question{'' if questions == 1 else 's'}"
        print(f"{name:<{width}}  {language:<3} {counted:<20} {title}")
    return 0


def _check_lessons(arguments: argparse.Namespace) -> int:
    """Print every finding as FILE:LINE: sentence; fails if there is one."""
    from gdr_core.lessons import check_lesson, read_library
    from gdr_tools.cli import CommandError

    packaged = arguments.folder is None
    library = read_library(None if packaged else [arguments.folder], packaged=packaged)
    findings = list(library.findings)
    for lesson in library.lessons.values():
        findings += check_lesson(lesson)
    for finding in findings:
        print(finding)
    if findings:
        raise CommandError(f"{len(findings)} thing{'s' * (len(findings) > 1)} to put right")
    print(f"{len(library.lessons)} lessons, nothing to put right.")
    return 0
