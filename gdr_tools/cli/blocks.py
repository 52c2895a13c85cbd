"""`blocks`: graphs that do not fit into memory, as row blocks on disk."""

from __future__ import annotations

import argparse
from pathlib import Path

from gdr_tools.cli.bench import show

_ENTRIES = 4_000_000


def register(subparsers: argparse._SubParsersAction) -> None:
    """Add the sub-command with `build` and `check`."""
    text = "turn an edge list into row blocks on disk, for `diffuse --blocks`"
    parser = subparsers.add_parser("blocks", help=text, description=text)
    choices = parser.add_subparsers(title="what to do", metavar="ACTION", required=True)
    build = choices.add_parser("build", help="make a folder of blocks from an edge list")
    build.add_argument("edges", type=Path, help="Parquet, or CSV with or without a line of names")
    build.add_argument("folder", type=Path, help="to be made; it must not exist")
    build.add_argument("--nodes", type=int, help="how many; default: the largest number, and one")
    build.add_argument("--weight", metavar="COLUMN", help="column of weights; default: all are one")
    build.add_argument(
        "--directed", action="store_true", help="edges lead from the first node to the second"
    )
    build.add_argument(
        "--entries",
        type=int,
        default=_ENTRIES,
        metavar="N",
        help=f"in a block, two for each edge; default: {_ENTRIES}",
    )
    build.set_defaults(run=_build)
    check = choices.add_parser("check", help="read every block and compare its checksum")
    check.add_argument("folder", type=Path)
    check.set_defaults(run=_check)


def _build(arguments: argparse.Namespace) -> int:
    from gdr_core.blocks import build_blocks

    folder = build_blocks(
        arguments.edges,
        arguments.folder,
        nodes=arguments.nodes,
        weight=arguments.weight,
        directed=arguments.directed,
        entries=arguments.entries,
        progress=show,
    )
    pairs = "linked pairs of nodes" if folder.directed else "edges"
    print(
        f"{folder.path}: {folder.nodes:,} nodes, {folder.entries // 2:,} {pairs}, "
        f"{len(folder.blocks)} blocks"
    )
    return 0


def _check(arguments: argparse.Namespace) -> int:
    from gdr_core.blocks import open_blocks

    folder = open_blocks(arguments.folder)
    for number in range(len(folder.blocks)):
        folder.verify(number)
    print(f"{folder.path}: all {len(folder.blocks)} blocks are as they were built")
    return 0
