"""The network of a run as a picture: how far each layer looks at the epoch that is shown."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
import streamlit as st

from gdr_app.components.picture import show_picture
from gdr_app.computing.kept import kept
from gdr_app.wording import plain
from gdr_core.datasets import Dataset, DatasetChoice
from gdr_core.diffusion.reach import typical_node, weight_by_distance
from gdr_core.figures.network import Layers, beyond, network_picture
from gdr_tools.jobs import Report

SPREAD: Final = {
    "mlp": "each node alone",
    "gcn": "node and neighbours",
    "diff-gcn": "e^(−tL)",
    "heat-net": "e^(−tL)",
}
ONCE: Final = ("heat-net",)  # only its first layer spreads
LEAST: Final = 0.01  # share of the weight beyond the rings that is worth a sentence


def draw_network(choice: DatasetChoice, graph: Dataset, report: Report, epoch: int) -> None:
    """The drawing, for networks whose layers can be drawn: those that walk without directions."""
    options = report.job.options
    if options.model not in SPREAD or options.direction != "undirected" or graph.nodes < 2:
        return
    time = float(report.history["time"][epoch - 1]) if epoch else math.nan
    time = 0.0 if math.isnan(time) else float(f"{time:.4g}")
    loops = bool(options.self_loops)
    node, shares = _seen(choice, options.model, str(options.laplacian), loops, time, graph)
    said = SPREAD[options.model] + (f", t = {time:.3g}" if time else "")
    both = options.model not in ONCE
    layers = Layers(graph.features.shape[1], options.hidden, graph.classes, said, shares, both)
    name = graph.node_names[node]
    show_picture(network_picture(layers, name), key="network")
    st.caption(
        f"Where a layer's numbers at node {plain(name)} come from: the node itself and rings of "
        f"nodes one, two, … links away; larger discs weigh more.{beyond_sentence(shares)}"
    )


def beyond_sentence(shares: Sequence[float]) -> str:
    """What the rings leave out, where that is a percent or more."""
    rest, from_ = beyond(shares)
    if rest < LEAST:
        return ""
    return f" {rest:.0%} of the weight lies {from_} or more links away and is not drawn."


@kept(most=400)
def _seen(
    choice: DatasetChoice, model: str, laplacian: str, loops: bool, time: float, _graph: Dataset
) -> tuple[int, tuple[float, ...]]:
    """A typical node, and the shares of weight by distance from it."""
    node = typical_node(_graph.undirected)
    name = laplacian if model in ("diff-gcn", "heat-net") else model
    shares = weight_by_distance(_graph.undirected, node, name, time, self_loops=loops)
    return node, tuple(np.round(shares, 4).tolist())
