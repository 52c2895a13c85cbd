"""`diffuse`: e^{−tL} H on a graph in files, by one process or, in row blocks, under `torchrun`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gdr_core.progress import ignore
from gdr_tools.cli import CommandError, UsageError

if TYPE_CHECKING:
    from gdr_core.blocks import BlockResult

DESCRIPTION = """Diffuse scores over a graph that lies in row blocks on disk (see `blocks build`),
with a proved bound on the error, or over an undirected graph in compressed rows (.npz), which is
mapped and not copied. Under torchrun the ranks share the blocks: `torchrun
--nproc-per-node 2 --max-restarts 3 -m gdr_core diffuse …`. The state is written every few terms,
and a call that was ended goes on from there."""


def register(subparsers: argparse._SubParsersAction) -> None:
    """Add the sub-command."""
    from gdr_core.laplacians import DIRECTIONS

    parser = subparsers.add_parser(
        "diffuse", help="diffuse scores over a graph in blocks", description=DESCRIPTION
    )
    graph = parser.add_mutually_exclusive_group(required=True)
    graph.add_argument("--blocks", type=Path, metavar="FOLDER", help="made by `blocks build`")
    graph.add_argument(
        "--graph",
        type=Path,
        metavar="FILE",
        help="a square matrix of scipy.sparse.save_npz(…, compressed=False), or a folder with "
        "indptr.npy, indices.npy and data.npy; mapped, not copied",
    )
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
        "--labels",
        type=Path,
        metavar="FILE",
        help=".npy for labels: the column with the largest value of each node, a row for each time",
    )
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
    from gdr_core.blocks import ranks_here

    ranks = ranks_here()
    try:
        result = _diffused(arguments, ranks)
    except RuntimeError as problem:  # what torch raises when a connection breaks
        raise CommandError(
            f"rank {ranks.rank} lost another one; what was written last is kept, and the same call "
            "goes on from there (torchrun --max-restarts repeats it)"
        ) from problem
    ranks.close()
    if ranks.rank == 0:
        if arguments.labels is not None:
            _write_labels(result, arguments.labels)
        print(
            f"{result.path}: {len(result.times)} times, {result.nodes:,} nodes, "
            f"{result.columns} columns; every value within {result.error_bound:.1e} (proved), "
            f"{result.products} products"
        )
    return 0


def _diffused(arguments: argparse.Namespace, ranks: Any) -> BlockResult:
    """What was asked for, on blocks or on a mapped graph."""
    import numpy as np

    from gdr_core.blocks import diffuse_blocks, diffuse_mapped

    options: dict[str, Any] = {
        "scores": arguments.scores,
        "times": np.array(arguments.times),
        "out": arguments.out,
        "laplacian": arguments.laplacian,
        "tolerance": arguments.tolerance,
        "every": arguments.checkpoint_every,
        "progress": _show if ranks.rank == 0 else ignore,
    }
    if arguments.blocks is not None:
        options |= {"alpha": arguments.alpha, "direction": arguments.direction, "ranks": ranks}
        return diffuse_blocks(arguments.blocks, **options)
    if ranks.count > 1:
        raise UsageError("ranks share blocks; make them with `blocks build`, and ask for --blocks")
    return diffuse_mapped(arguments.graph, **options)


def _write_labels(result: BlockResult, file: Path) -> None:
    """Labels of all times in one array."""
    import numpy as np

    from gdr_core.blocks.writing import whole

    with whole(file) as partial, partial.open("wb") as stream:
        np.save(stream, result.labels().astype(np.int32))


def _show(fraction: float, message: str) -> None:
    """One line that is written over, where somebody watches."""
    if sys.stderr.isatty():
        print(f"\r[{fraction:4.0%}] {message}", end="", file=sys.stderr, flush=True)
