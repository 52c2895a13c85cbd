"""Own data on the command line: the arguments of `classify` that name files, and `data check`."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    from gdr_core.datasets.own import Choices, Opened, Reading
    from gdr_core.datasets.record import Dataset
    from gdr_core.gdr.result import GDRResult
    from gdr_core.method import Method
    from gdr_core.progress import Progress

FILES = ("edges", "features", "labels", "content", "cites")
_SHORTEST_LINE = 12


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What is written, and the files of own data and how they are read."""
    add = parser.add_argument
    add("--t-min", type=float, metavar="T", help="in relaxation times, instead of choosing it")
    add("--out", metavar="FILE", help="write predictions of all nodes as CSV")
    add("--report", metavar="FILE", help="write the result as one self-contained HTML page")
    meaning = (
        "files instead of the name of a dataset; --split (node id and part) and --probabilities "
        "(node id and a column for each class) then name files, too"
    )
    group = parser.add_argument_group("own data", meaning)
    add = group.add_argument
    add("--edges", metavar="E", help="edge list, or a graph file of any common format")
    add("--features", metavar="F", help="node id and numbers; without edges, neighbours are joined")
    add("--labels", metavar="L", help="node id and class; some may be missing")
    add("--content", metavar="C", help="LINQS .content: id, words, class")
    add("--cites", metavar="D", help="LINQS .cites: cited and citing id")
    add("--directed", action="store_true", default=None, help="edges have a direction")
    add("--column", action="append", default=[], metavar="ROLE.KEY=NAME",
        help="which column is what, e.g. labels.class=subject or edges.weight=3")  # fmt: skip
    add("--treat", action="append", default=[], metavar="FINDING=HOW",
        help="what to do about a finding, e.g. duplicate-edges=sum")  # fmt: skip
    add("--neighbours", type=int, default=10, metavar="K", help="of the graph made from features")
    add("--metric", choices=("cosine", "euclidean"), default="cosine", help="of that graph")


def add_check(actions: Any) -> None:
    """`data check FILE…`."""
    parser = actions.add_parser("check", help="tell how own files are read, and what is odd")
    parser.add_argument("files", nargs="+", metavar="FILE", help="graph files, tables or a zip")
    parser.add_argument("--directed", action="store_true", default=None)
    parser.add_argument("--treat", action="append", default=[], metavar="FINDING=HOW")
    parser.set_defaults(run=check)


def read_files(arguments: argparse.Namespace) -> Reading | None:
    """What the files hold, findings told on stderr; None where a dataset is named instead."""
    from gdr_tools.cli import UsageError

    given = {role: path for role in FILES if (path := getattr(arguments, role))}
    if arguments.dataset and given:
        raise UsageError(f"give the name of a dataset or --{next(iter(given))}, not both")
    if arguments.dataset:
        return None
    if not given:
        raise UsageError("name a dataset, or give --edges, --features or --content with --cites")
    reading = _reading(arguments, given)
    for finding in reading.findings:
        print(finding.sentence, file=sys.stderr)
    return reading


def method_of(arguments: argparse.Namespace, reading: Reading | None) -> Method:
    """The method that is asked for, on the named dataset or on what the files hold."""
    from gdr_core.method import Method
    from gdr_tools.cli import UsageError

    try:
        if reading is None:
            return Method.from_arguments(arguments)
        words = argparse.Namespace(**vars(arguments))
        words.split = words.probabilities = None  # files, which have been read
        if arguments.mean_of and reading.probabilities is not None:
            raise UsageError("--mean-of is a prior itself; leave out --probabilities")
        if not arguments.mean_of:
            words.prior = _prior(arguments.prior, reading)
        return Method.from_arguments(words, reading.dataset)
    except ValueError as error:
        raise UsageError(str(error)) from error


def _prior(wanted: str | None, reading: Reading) -> str | None:
    """Class probabilities are the prior where they are given; without features labels must do."""
    if reading.probabilities is not None:
        return "external"
    if wanted is None and not reading.dataset.features.shape[1]:
        print("There are no features: the prior is uniform.", file=sys.stderr)
        return "uniform"
    return wanted


def prior_of(
    method: Method, dataset: Dataset, reading: Reading | None, progress: Progress
) -> np.ndarray:
    """The prior: computed, or the probabilities of a file, matched to the nodes by id."""
    from gdr_core.priors import compute_prior

    if reading is None or reading.probabilities is None:
        return method.compute_prior(dataset, progress)
    return compute_prior("external", dataset, probabilities=reading.probabilities)


def _reading(arguments: argparse.Namespace, given: dict[str, str]) -> Reading:
    from gdr_core.datasets.own import read

    named = dict(given)
    if arguments.split:
        named["split"] = arguments.split
    if arguments.probabilities:
        named["probabilities"] = arguments.probabilities
    files, choices = _choices(arguments, named)
    return read(files, choices, progress=bar("reading"))


def _choices(arguments: argparse.Namespace, named: dict[str, str]) -> tuple[list[Any], Choices]:
    """Each file once, with the role that its option gives it."""
    from gdr_core.datasets.own import Choices, File, FileChoice
    from gdr_core.datasets.own.files import from_path

    columns = _columns(arguments.column, named)
    files, said = [], {}
    for role, path in named.items():
        opened = from_path(Path(path))
        name = opened.name if opened.name not in said else f"{role}: {opened.name}"
        files.append(File(name, opened.source))
        form = role if role in ("content", "cites") else None
        kind = None if form else role
        said[name] = FileChoice(format=form, role=kind, columns=columns.get(role, {}))
    choices = Choices(
        files=said,
        treatments=_treatments(arguments.treat),
        directed=arguments.directed,
        neighbours=arguments.neighbours,
        metric=arguments.metric,
        seed=arguments.seed or 0,
        name=Path(next(iter(named.values()))).stem,
        draw_layout=bool(arguments.report),
    )
    return files, choices


def _columns(given: list[str], named: dict[str, str]) -> dict[str, dict[str, Any]]:
    """ROLE.KEY=NAME as columns by role; a number counts columns from one, `none` means none."""
    from gdr_tools.cli import UsageError

    columns: dict[str, dict[str, Any]] = {}
    for text in given:
        left, equals, name = text.partition("=")
        role, dot, key = left.partition(".")
        if not (equals and dot and role in named):
            raise UsageError(
                f"--column needs ROLE.KEY=NAME with a role that has a file, got {text}"
            )
        value: Any = int(name) - 1 if name.isdigit() else name
        columns.setdefault(role, {})[key] = None if name == "none" else value
    return columns


def _treatments(given: list[str]) -> dict[str, str]:
    from gdr_tools.cli import UsageError

    pairs = [text.partition("=") for text in given]
    if bad := [text for text, pair in zip(given, pairs, strict=True) if not pair[1]]:
        raise UsageError(f"--treat needs FINDING=HOW, got {bad[0]}")
    return {code: how for code, _, how in pairs}


def at_t_min(wanted: float | None, result: GDRResult, reading: Reading | None) -> GDRResult:
    """The result at the t_min asked for; where nothing can choose one, at a usual one."""
    from gdr_core.gdr.options import UNCHOSEN_T_MIN
    from gdr_tools.cli import UsageError

    if wanted is None and reading is not None and not result.split.validation.size:
        wanted = UNCHOSEN_T_MIN
        print(
            f"There is no validation node to choose t_min: it is {wanted} relaxation times; "
            "set it with --t-min.",
            file=sys.stderr,
        )
    if wanted is None:
        return result
    try:
        return replace(result, chosen=result.index(wanted))
    except ValueError as error:
        raise UsageError(str(error)) from error


def t_min_source(wanted: float | None, result: GDRResult) -> str:
    """Where t_min comes from, for the printed result."""
    if wanted is not None:
        return "as asked for"
    return "chosen on validation" if result.split.validation.size else "not chosen by data"


def write(
    arguments: argparse.Namespace, method: Method, dataset: Dataset, result: GDRResult
) -> None:
    """Predictions and report, where they are asked for."""
    if arguments.out:
        from gdr_core.gdr.predictions import predictions_csv

        text = predictions_csv(dataset, result.at())
        Path(arguments.out).write_text(text, encoding="utf-8", newline="")
        print(f"predictions: {arguments.out}", file=sys.stderr)
    if arguments.report:
        from gdr_core.report import report_page

        page = report_page(method, dataset, result)
        Path(arguments.report).write_text(page, encoding="utf-8")
        print(f"report: {arguments.report}", file=sys.stderr)


def bar(title: str) -> Progress:
    """A progress bar on stderr."""
    from gdr_tools.cli.reproduce import Bar

    return Bar(0, 1, title)


def check(arguments: argparse.Namespace) -> int:
    """Print how the files are understood, what is odd about them, and what comes out."""
    from gdr_core.datasets.own import Choices, read, recognise

    choices = Choices(
        treatments=_treatments(arguments.treat), directed=arguments.directed, draw_layout=False
    )
    for opened in recognise(arguments.files, choices):
        print(_seen(opened))
    reading = read(arguments.files, choices)
    print(*(finding.sentence for finding in reading.findings), sep="\n")
    print(_outcome(reading))
    return 0


def _seen(opened: Opened) -> str:
    from gdr_core.datasets.own import summary
    from gdr_core.datasets.own.findings import short

    lines = [f"{opened.file.name}: {summary(opened)}"]
    head = [opened.names, *opened.rows[:3]] if opened.names else []
    for row in head:
        cells = "  ".join(short(cell, _SHORTEST_LINE) for cell in list(row)[:6])
        lines.append(f"    {cells}{'  …' if len(row) > 6 else ''}")
    return "\n".join(lines)


def _outcome(reading: Reading) -> str:
    dataset, split = reading.dataset, reading.dataset.split
    kind = "directed" if dataset.directed else "undirected"
    return (
        f"{dataset.nodes:,} nodes, {dataset.edges:,} {kind} edges, {dataset.features.shape[1]:,} "
        f"features, {dataset.classes:,} classes; {split.train.size:,} training, "
        f"{split.validation.size:,} validation and {split.test.size:,} test nodes"
    )
