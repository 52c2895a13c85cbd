"""`bench`: how fast, against what, measured in one run on this machine."""

from __future__ import annotations

import argparse
import json
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

_BENCHMARKS = {
    "engine": "diffusion and reclassification against the authors' recipe and SciPy",
    "networks": "GCN and diff-GCN against PyTorch Geometric and a dense kernel",
    "blocks": "graphs in blocks: building, diffusing, memory, what ranks exchange",
    "data": "reading a long edge list against pandas",
    "app": "the app in a real browser: page switches, sliders, clicks",
    "load": "many visitors at once: waiting times, errors, processor time and memory",
}
_RECIPES = ("cora", "citeseer", "pubmed", "wikipedia")


def register(subparsers: argparse._SubParsersAction) -> None:
    """Add the sub-command with one choice for each benchmark that is installed."""
    parser = subparsers.add_parser("bench", help="measure speed as ratios to named baselines")
    choices = parser.add_subparsers(title="benchmarks", metavar="BENCHMARK", required=True)
    for name, text in _BENCHMARKS.items():
        if find_spec(f"gdr_tools.bench.{name}") is not None:
            one = choices.add_parser(name, help=text, description=text)
            one.add_argument("--quick", action="store_true", help="Cora only, under a minute")
            one.add_argument("--json", action="store_true", help="print JSON")
            if name == "app":
                one.add_argument("--training", action="store_true", help="live training instead")
                one.add_argument(
                    "--against", type=Path, metavar="FILE", help="an earlier --json, for ratios"
                )
            if name == "engine":
                one.add_argument(
                    "--nodes",
                    type=int,
                    help="of the largest graph of the floor, 0 for no floor; default: all sizes",
                )
                one.add_argument(
                    "--datasets",
                    nargs="+",
                    metavar="NAME",
                    choices=_RECIPES,
                    help=f"of {', '.join(_RECIPES)}; default: all",
                )
                one.add_argument(
                    "--out", type=Path, metavar="FILE", help="written anew after each row, as JSON"
                )
            if name == "load":
                _add_load(one)
            one.set_defaults(run=run, benchmark=name)


def _add_load(one: argparse.ArgumentParser) -> None:
    one.add_argument("--users", type=int, default=40, help="visitors at once; default: 40")
    one.add_argument("--seconds", type=float, default=60.0, help="of each phase; default: 60")
    one.add_argument(
        "--phases",
        default="calm",
        help="one or more of calm, heavy (others compute), after (a torch prior), hostile, kill "
        "(one of several servers); separated by commas; default: calm",
    )
    one.add_argument(
        "--replicas", action="store_true", help="three servers behind haproxy instead of one"
    )
    one.add_argument("--browsers", type=int, default=0, help="real browser tabs beside; default: 0")
    one.add_argument("--url", help="of a running server; one is started if not given")
    one.add_argument("--pid", type=int, help="process of that server, to measure it")


def run(arguments: argparse.Namespace) -> int:
    """Run one benchmark; progress goes to stderr, the result to stdout."""
    training = getattr(arguments, "training", False)
    module = import_module(f"gdr_tools.bench.{'training' if training else arguments.benchmark}")
    names = ["nodes", "datasets", "out", "users", "seconds", "phases", "browsers", "url", "pid"]
    names += ["replicas"]
    more = {name: getattr(arguments, name) for name in names if hasattr(arguments, name)}
    against = getattr(arguments, "against", None)
    earlier = [json.loads(against.read_text(encoding="utf-8"))] if against and not training else []
    result = module.run(quick=arguments.quick, progress=show, **more)
    said = json.dumps(result, indent=2) if arguments.json else module.table(result, *earlier)
    print(said, flush=True)
    return 0


def show(fraction: float, message: str) -> None:
    """One line per step, so that a long run shows where it is."""
    print(f"[{fraction:4.0%}] {message}", file=sys.stderr, flush=True)
