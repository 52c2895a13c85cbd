"""`study`: why diffusion helps here and not there, as numbers and files."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `study` with its own sub-commands."""
    text = "alignment, homophily, and what randomising a graph costs"
    study = subparsers.add_parser("study", help=text, description=text.capitalize() + ".")
    actions = study.add_subparsers(title="sub-commands", metavar="ACTION", required=True)
    align = actions.add_parser("alignment", help="how well features, graph and classes agree")
    align.add_argument("dataset", nargs="*", help="names of datasets; all, where they go to a file")
    align.add_argument("--seed", type=int, default=0)
    align.add_argument("--out", type=Path, help="a JSON file: with test classes and without")
    align.set_defaults(run=_align)
    mix = actions.add_parser("randomise", help="accuracy and alignment of randomised versions")
    mix.add_argument("dataset")
    mix.add_argument("--what", choices=("edges", "features"), default="edges")
    mix.add_argument("--prior", default="projection")
    mix.add_argument("--draws", type=int, default=3)
    mix.add_argument("--network", action="store_true", help="train a GCN as well")
    parts = "who is judged; by `validation` all is measured without the classes of test nodes"
    mix.add_argument("--part", choices=("validation", "test"), default="validation", help=parts)
    mix.add_argument("--out", type=Path, help="write the numbers to a JSON file")
    mix.set_defaults(run=_randomise)
    gains = actions.add_parser("gains", help="GDR's gain on every dataset and on block models")
    gains.add_argument("--out", type=Path, required=True, help="a JSON file")
    gains.set_defaults(run=_gains)


def _align(arguments: argparse.Namespace) -> int:
    from gdr_core.datasets import load_dataset
    from gdr_core.structure.alignment import alignment

    if arguments.out:
        return _store_alignments(arguments)
    if not arguments.dataset:
        raise ValueError("name a dataset, or with --out a file for all of them")
    print(f"{'dataset':<22}{'k_X':>6}{'k_A':>6}{'S':>9}{'randomised':>14}{'below chance':>14}")
    for name in arguments.dataset:
        found = alignment(load_dataset(name), seed=arguments.seed)
        chance = sum(found.randomised) / len(found.randomised)
        sizes = f"{found.dimensions[0]:>6}{found.dimensions[1]:>6}"
        print(f"{name:<22}{sizes}{found.measure:>9.3f}{chance:>14.3f}{found.gap:>14.1%}")
    return 0


def _store_alignments(arguments: argparse.Namespace) -> int:
    from gdr_tools.studies.alignments import store_alignments

    for line in store_alignments(arguments.out, arguments.dataset, arguments.seed):
        print(line, flush=True)
    return 0


def _randomise(arguments: argparse.Namespace) -> int:
    from gdr_core.datasets import load_dataset
    from gdr_core.datasets.hiding import hide_test
    from gdr_tools.studies.randomising import by_share, gain_spread, sweep

    data = load_dataset(arguments.dataset)
    points = sweep(
        hide_test(data) if arguments.part == "validation" else data,
        arguments.what,
        prior=arguments.prior,
        part=arguments.part,
        draws=arguments.draws,
        network=arguments.network,
    )
    heads = f"{'prior':>9}{'GDR':>9}{'gain':>9}{'± sd':>7}{'GCN':>9}{'alignment':>11}"
    print(f"{arguments.what + ' randomised':<22}{heads}")
    for each in by_share(points, arguments.what):
        gain, spread = (
            100 * (each["gdr"] - each["prior"]),
            gain_spread(points, each["share"], arguments.what),
        )
        deep = "–" if each["network"] is None else f"{each['network']:.1%}"
        numbers = f"{each['prior']:>9.1%}{each['gdr']:>9.1%}{gain:>+9.1f}{spread:>7.1f}{deep:>9}"
        print(f"{each['share']:<22.0%}{numbers}{each['gap']:>11.1%}")
    if arguments.out:
        asked = {name: getattr(arguments, name) for name in ("dataset", "what", "prior", "part")}
        record = {**asked, "draws": arguments.draws, "points": [asdict(p) for p in points]}
        arguments.out.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return 0


def _gains(arguments: argparse.Namespace) -> int:
    from gdr_tools.studies.gains import all_gains

    found = all_gains()
    arguments.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(f"{len(found['revealed']['graphs'])} graphs written to {arguments.out}")
    return 0
