"""`--cluster` of the sub-commands that have many tasks, and what they say while they wait."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gdr_tools.cluster import Parts


def add_cluster(parser: argparse.ArgumentParser) -> None:
    """Add the two options."""
    add = parser.add_argument
    add(
        "--cluster",
        metavar="ADDRESS",
        help="compute on a Dask cluster: the address of its scheduler, or `local`",
    )
    add("--workers", type=int, metavar="N", help="of the cluster `local`; default: 2")


def said(
    arguments: argparse.Namespace, kind: str, requests: dict[str, dict[str, Any]], parts: Parts
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Results of a cluster as they come, with a line on stderr for each."""
    from gdr_tools.cli import UsageError
    from gdr_tools.cluster import joined

    if arguments.workers is not None and arguments.workers < 1:
        raise UsageError(f"--workers must be at least 1, got {arguments.workers}")
    kept = {key: found for key in requests if (found := parts.read(key)) is not None}
    yield from kept.items()
    left = {key: asked for key, asked in requests.items() if key not in kept}
    if not left:
        return
    with joined(arguments.cluster, arguments.workers) as cluster:
        seen = f"; dashboard: {cluster.dashboard}" if cluster.dashboard else ""
        print(f"cluster: {cluster.workers} workers at {cluster.address}{seen}", file=sys.stderr)
        shares = dict.fromkeys(requests, 0.0) | dict.fromkeys(kept, 1.0)

        def tell(key: str, share: float, text: str) -> None:
            shares[key] = max(shares.get(key, 0.0), share)
            whole = sum(shares.values()) / len(shares)
            if sys.stderr.isatty() or share >= 1:
                end = "\r" if sys.stderr.isatty() else "\n"
                print(f"{whole:6.1%} {key} {text:<50.50}", end=end, file=sys.stderr, flush=True)

        for key, result in cluster.each(kind, left, parts, tell):
            yield key, result
            tell(key, 1.0, "done")


def all_of(
    arguments: argparse.Namespace, kind: str, requests: dict[str, dict[str, Any]]
) -> dict[str, dict[str, Any]]:
    """All results of a command that writes no file: kept in the cache until the last one is there.

    The folder is named after what is asked for and the versions that compute it, so the same
    command goes on where it was stopped, and another one does not meet its results.
    """
    from gdr_core.places import cache_folder
    from gdr_tools.cluster import Parts
    from gdr_tools.cluster.worker import versions

    name = hashlib.sha256(json.dumps([kind, requests, versions()]).encode()).hexdigest()[:24]
    parts = Parts(cache_folder() / "cluster" / name)
    found = dict(said(arguments, kind, _placed(kind, requests, parts), parts))
    for key in requests:
        parts.drop(key)
    return found


def _placed(
    kind: str, requests: dict[str, dict[str, Any]], parts: Parts
) -> dict[str, dict[str, Any]]:
    """Requests of training, each with the place of its checkpoint; others as they are."""
    from gdr_tools.jobs.kinds import SEED

    if kind != SEED:
        return requests
    return {
        key: {**asked, "checkpoint": str(parts.path(key, "checkpoint"))}
        for key, asked in requests.items()
    }
