"""`bench`: how fast, against what, measured in one run on this machine."""

from __future__ import annotations

import argparse
import json
import sys
from importlib import import_module
from importlib.util import find_spec

BENCHMARKS = {
    "engine": "diffusion and reclassification against the authors' recipe and SciPy",
    "networks": "GCN and diff-GCN against PyTorch Geometric and a dense kernel",
    "data": "reading a long edge list against pandas",
    "app": "the app in a real browser: page switches, sliders, clicks",
}


def register(subparsers: argparse._SubParsersAction) -> None:
    """Add the sub-command with one choice for each benchmark that is installed."""
    parser = subparsers.add_parser("bench", help="measure speed as ratios to named baselines")
    choices = parser.add_subparsers(title="benchmarks", metavar="BENCHMARK", required=True)
    for name, text in BENCHMARKS.items():
        if find_spec(f"gdr_tools.bench.{name}") is not None:
            one = choices.add_parser(name, help=text, description=text)
            one.add_argument("--quick", action="store_true", help="Cora only, under a minute")
            one.add_argument("--json", action="store_true", help="print JSON")
            if name == "app":
                one.add_argument("--training", action="store_true", help="live training instead")
            one.set_defaults(run=run, benchmark=name)


def run(arguments: argparse.Namespace) -> int:
    """Run one benchmark; progress goes to stderr, the result to stdout."""
    training = getattr(arguments, "training", False)
    module = import_module(f"gdr_tools.bench.{'training' if training else arguments.benchmark}")
    result = module.run(quick=arguments.quick, progress=show)
    print(json.dumps(result, indent=2) if arguments.json else module.table(result), flush=True)
    return 0


def show(fraction: float, message: str) -> None:
    """One line per step, so that a long run shows where it is."""
    print(f"[{fraction:4.0%}] {message}", file=sys.stderr, flush=True)
