"""`tune`: the settings of a prior, searched for on the validation nodes of a dataset."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gdr_tools.cli.as_json import as_json
from gdr_tools.cli.cluster import add_cluster, all_of

if TYPE_CHECKING:
    from gdr_core.datasets import Dataset
    from gdr_tools.beyond.run import Store
    from gdr_tools.tuning.search import JudgeAll

DESCRIPTION = """Try every setting on a prior's grid and take the best one on the validation nodes:
the lowest calibrated log-loss, averaged over neighbouring settings. Test nodes are not read."""


def register(subparsers: argparse._SubParsersAction) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "tune", help="search settings on validation nodes", description=DESCRIPTION
    )
    add = parser.add_argument
    add("prior", help="linear, heat-linear, sgc, heat-net, …; a wrong name lists all")
    add("--dataset", default="cora", help="name of a dataset; `data` lists them; default: cora")
    add("--split", help="default: the dataset's own")
    add("--seeds", type=int, default=1, metavar="N", help="of random priors; default: 1")
    add("--grid", metavar="JSON", help='a grid of your own, as {"time": [1, 2, 4]}')
    add(
        "--keep",
        metavar="FILE",
        help="write down what has been judged; a search that was stopped goes on from there",
    )
    add("--json", action="store_true", help="print the whole grid as JSON")
    add_cluster(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Search and print."""
    from gdr_core.datasets import load_dataset
    from gdr_tools.cli import UsageError
    from gdr_tools.tuning import search
    from gdr_tools.tuning.search import grid_of

    if not 1 <= arguments.seeds <= 1000:
        raise UsageError(f"--seeds must lie between 1 and 1000, got {arguments.seeds}")
    try:
        grid = grid_of(arguments.prior) if arguments.grid is None else _own_grid(arguments)
    except ValueError as error:
        raise UsageError(str(error)) from error
    if arguments.keep and arguments.cluster:
        raise UsageError("a cluster keeps its results itself; leave out --keep")
    store = _store(arguments.keep) if arguments.keep else None
    dataset = load_dataset(arguments.dataset, split=arguments.split)
    judge_all: JudgeAll | None = partial(_on_cluster, arguments) if arguments.cluster else None
    if store is not None:
        judge_all = partial(_keeping, arguments, dataset, store)
    found = search(
        *(arguments.prior, dataset, grid),
        seeds=arguments.seeds,
        judge_all=judge_all,
        progress=_progress,
    )
    print(as_json(found.as_dict()) if arguments.json else as_text(found))
    return 0


def _own_grid(arguments: argparse.Namespace) -> dict[str, tuple[object, ...]]:
    """The grid that was given, its options and values checked as the prior checks them."""
    from gdr_core.priors.computing import spec_of

    try:
        given = json.loads(arguments.grid)
    except ValueError as error:
        raise ValueError(f"--grid is not JSON ({error})") from error
    fits = isinstance(given, dict) and all(isinstance(v, list) and v for v in given.values())
    if not fits or not given:
        raise ValueError('--grid must name options with lists of values, as {"time": [1, 2, 4]}')
    spec = spec_of(arguments.prior)
    for name, values in given.items():
        for value in values:
            spec.checked({name: value})
    return {name: tuple(values) for name, values in given.items()}


def _on_cluster(
    arguments: argparse.Namespace, settings: list[dict[str, Any]]
) -> Iterator[tuple[int, float, float]]:
    """The settings judged by a cluster; what its workers have is kept until all is there."""
    from gdr_tools.jobs.kinds import SETTING

    asked = {name: getattr(arguments, name) for name in ("prior", "dataset", "split", "seeds")}
    requests = {
        f"setting {k + 1} of {len(settings)}": {**asked, "settings": each}
        for k, each in enumerate(settings)
    }
    found = all_of(arguments, SETTING, requests)
    for k, key in enumerate(requests):
        yield k, found[key]["loss"], found[key]["accuracy"]


def _store(file: str) -> Store:
    """What has been judged already; whether more can be put there shows now, not after hours."""
    from gdr_tools.beyond.run import Store

    folder = Path(file).parent
    folder.mkdir(parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK):
        raise PermissionError(f"nothing can be written into {folder}; name another file to keep")
    return Store(Path(file))


def _keeping(
    arguments: argparse.Namespace, dataset: Dataset, store: Store, settings: list[dict[str, Any]]
) -> Iterator[tuple[int, float, float]]:
    """The settings judged here, each kept as it is done; those that are kept already are read.

    They are kept under all options that a setting leads to, so that another recommendation for
    one that is not searched asks for them anew; so does another revision of the prior, and another
    version.
    """
    from gdr_core import __version__
    from gdr_core.priors.computing import spec_of
    from gdr_tools.tuning.search import judged, words

    spec = spec_of(arguments.prior)
    code = {"revision": spec.revision, "version": __version__}
    about = [arguments.prior, code, dataset.name, dataset.split.name, arguments.seeds]
    for k, each in enumerate(settings):
        used = spec.resolved(spec.checked(each), dataset.name)
        key = json.dumps([*about, used], sort_keys=True)
        if not {"loss", "accuracy"} <= store.results.get(key, {}).keys():
            _progress(k / len(settings), f"{k + 1} of {len(settings)}: {words(each)}")
            loss, accuracy = judged(arguments.prior, dataset, each, arguments.seeds)
            store.put(key, {"loss": loss, "accuracy": accuracy})
        yield k, store.results[key]["loss"], store.results[key]["accuracy"]


def as_text(found: object) -> str:
    """The report for people: the choice, what it reached, and the best few settings."""
    import numpy as np

    from gdr_tools.tuning.search import Search, best_place, setting_at, words

    assert isinstance(found, Search)
    lines = [f"{found.prior} on {found.dataset} ({found.split} split), {found.loss.size} settings"]
    lines += [f"note: {note}" for note in found.notes]
    if not found.chosen:
        return "\n".join([*lines, f"usual        {words(found.usual)}"])
    place = best_place(found.loss, found.axes)
    lines += [
        f"chosen       {words(found.chosen)}",
        f"validation   {found.accuracy[place]:.1%}, calibrated log-loss {found.loss[place]:.4f}",
        f"seconds      {found.seconds:.1f}",
        "",
        "lowest losses, each setting by itself:",
    ]
    for flat in np.argsort(found.loss, axis=None)[:5]:
        where = tuple(int(i) for i in np.unravel_index(flat, found.loss.shape))
        setting = words(setting_at(found.axes, where))
        lines.append(f"  {found.loss[where]:.4f}  {found.accuracy[where]:.1%}  {setting}")
    return "\n".join(lines)


def _progress(fraction: float, message: str) -> None:
    if sys.stderr.isatty():
        print(f"\r{fraction:4.0%}  {message:<70}", end="", file=sys.stderr, flush=True)
