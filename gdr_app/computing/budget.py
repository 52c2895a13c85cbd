"""What a diffusion takes of the server's memory, and how much it may: pages compute it."""

from __future__ import annotations

from typing import Final

from gdr_core.datasets import Dataset
from gdr_core.method import Method

_CURVES: Final = 40  # numbers kept for each node and class: modes of time, about as many at most
MOST: Final = 512 * 2**20  # bytes of one diffusion


def diffusion_bytes(view: Method, nodes: int, classes: int) -> int:
    """About as many bytes as the diffusion of a view takes."""
    return _CURVES * nodes * classes * (4 if view.options.precision == "float32" else 8)


def check_diffusion(view: Method, dataset: Dataset) -> None:
    """Refuse a diffusion that takes more than a page may, before it begins."""
    needed = diffusion_bytes(view, dataset.nodes, dataset.classes)
    if needed > MOST:
        raise ValueError(
            f"{dataset.nodes:,} nodes and {dataset.classes:,} classes take about "
            f"{needed / 1e9:.1f} GB, and a page of this server may take {MOST / 1e9:.1f} GB; on "
            "the command line there is no such limit (gdr classify)"
        )
