"""`diffuse`: e^{−tL} H on a graph in row blocks, by one process or under `torchrun`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from gdr_core.progress import ignore
from gdr_tools.cli import CommandError

DESCRIPTION = """Diffuse scores over a graph that lies in row blocks on disk (see `blocks build`),
with a proved bound on the error. Under torchrun the ranks share the blocks: `torchrun
--nproc-per-node 2 --max-restarts 3 -m gdr_core diffuse …`. The state is written every few terms,
and a call that was ended goes on from there."""


def register(subparsers: argparse._SubParsersAction) -> None:
    """Add the sub-command."""
    from gdr_core.laplacians import DIRECTIONS

    parser = subparsers.add_parser(
        "diffuse", help="diffuse scores over a graph in blocks", description=DESCRIPTION
    )
    parser.add_argument("--blocks", type=Path, required=True, metavar="FOLDER")
    parser.add_argument(
        "--scores", type=Path, required=True, metavar="FILE", help=".npy, one row for each node"
    )
    parser.add_argument(
        "--times",
        type=float,
        nargs="+",
        required=True,
        metavar="T",
        help="increasing, in the time of the Laplacian",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="for the values")
    parser.add_argument(
        "--laplacian",
        metavar="NAME",
        help="combinatorial (default), symmetric or random-walk; of a directed graph directed "
        "(default), directed-normalised or directed-random-walk",
    )
    parser.add_argument(
        "--alpha",
        type=float,
        default=0.85,
        help="of a directed graph: probability of following an edge rather than jumping; "
        "default: 0.85",
    )
    parser.add_argument(
        "--direction",
        default=DIRECTIONS[0],
        choices=DIRECTIONS,
        help="of a directed graph: along the edges or against them; default: forward",
    )
    parser.add_argument(
        "--tolerance", type=float, default=1e-6, help="largest error, proved; default: 1e-6"
    )
    parser.add_argument(
        "--checkpoint-every",
        type=int,
        default=20,
        metavar="TERMS",
        help="terms between checkpoints, of which two are kept; default: 20",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Diffuse, and say what was proved; under torchrun the first rank speaks."""
    import numpy as np

    from gdr_core.blocks import diffuse_blocks, ranks_here

    ranks = ranks_here()
    try:
        result = diffuse_blocks(
            arguments.blocks,
            arguments.scores,
            np.array(arguments.times),
            arguments.out,
            laplacian=arguments.laplacian,
            alpha=arguments.alpha,
            direction=arguments.direction,
            tolerance=arguments.tolerance,
            every=arguments.checkpoint_every,
            ranks=ranks,
            progress=_show if ranks.rank == 0 else ignore,
        )
    except RuntimeError as problem:  # what torch raises when a connection breaks
        raise CommandError(
            f"rank {ranks.rank} lost another one; what was written last is kept, and the same call "
            "goes on from there (torchrun --max-restarts repeats it)"
        ) from problem
    ranks.close()
    if ranks.rank == 0:
        print(
            f"{result.path}: {len(result.times)} times, {result.nodes:,} nodes, "
            f"{result.columns} columns; every value within {result.error_bound:.1e} (proved), "
            f"{result.products} products"
        )
    return 0


def _show(fraction: float, message: str) -> None:
    """One line that is written over, where somebody watches."""
    if sys.stderr.isatty():
        print(f"\r[{fraction:4.0%}] {message}", end="", file=sys.stderr, flush=True)
