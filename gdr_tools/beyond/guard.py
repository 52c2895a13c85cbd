"""The guard: block models whose links fit the classes from not at all to always.

Twenty graphs at each homophily; on each a prior, plain GDR (combinatorial Laplacian, overshoot) and
the guarded choice, which may keep the prior. What is compared are test nodes, of all twenty graphs
together: fixed and broken by each, with the exact paired interval of `gdr_core.gdr.trust`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gdr_core.datasets import load_dataset, spec_of
from gdr_core.datasets.record import Dataset
from gdr_core.figures import svg
from gdr_core.figures.palette import CLASS_COLOURS
from gdr_core.gdr import reclassify
from gdr_core.gdr.automatic import automatic
from gdr_core.gdr.trust import Gain, gain
from gdr_core.graphs.homophily import homophily
from gdr_core.laplacians import make_laplacian
from gdr_core.priors import compute_prior
from gdr_tools.beyond.methods import UNDIRECTED

DRAWS = 20
LEVELS = tuple(round(0.1 * k, 1) for k in range(11))
_NODES = 400
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 720.0, 320.0, 60.0, 150.0, 20.0, 50.0


@dataclass(frozen=True)
class Draw:
    """One graph: what each way did to its test nodes, and whether the prior was kept."""

    plain: Gain
    guarded: Gain
    kept: bool


def run_level(level: float, prior: str = "linear", draws: int = DRAWS) -> dict[str, Any]:
    """All draws at one homophily, as plain numbers."""
    graphs = (_graph(level, seed) for seed in range(draws))
    return {"homophily": level, **_summed(graphs, prior)}


def run_graph(name: str, prior: str = "linear") -> dict[str, Any]:
    """All splits that a heterophilous graph brings, as plain numbers."""
    splits = [split for split in spec_of(name).splits if split != "random"]
    found = _summed((load_dataset(name, split=split) for split in splits), prior)
    return {"dataset": name, "homophily": homophily(load_dataset(name)).edge, **found}


def _summed(graphs: Iterable[Dataset], prior: str) -> dict[str, Any]:
    found = [_drawn(graph, prior) for graph in graphs]
    return {
        "prior": prior,
        "draws": len(found),
        "kept": sum(draw.kept for draw in found),
        "plain": _pooled([draw.plain for draw in found]),
        "guarded": _pooled([draw.guarded for draw in found]),
    }


def _graph(level: float, seed: int) -> Dataset:
    return load_dataset("sbm", nodes=_NODES, homophily=level, seed=seed)


def _drawn(dataset: Dataset, prior: str) -> Draw:
    h = compute_prior(prior, dataset, cache=False)
    ways = {name: make_laplacian(name, dataset.undirected) for name in UNDIRECTED}
    plain = reclassify(ways["combinatorial"], h, dataset.labels, dataset.split)
    found = automatic(ways, h, dataset.labels, dataset.split)
    before, test = plain.prior_labels, dataset.split.test
    return Draw(
        gain(before, plain.predictions(), dataset.labels, test),
        gain(before, found.labels, dataset.labels, test),
        found.keeps_prior,
    )


def _pooled(gains: Sequence[Gain]) -> dict[str, Any]:
    """All nodes of all draws together."""
    one = Gain(*(sum(getattr(g, name) for g in gains) for name in ("nodes", "fixed", "broken")))
    return {
        **vars(one),
        "gain": one.value,
        "interval": list(one.interval),
        "worse": one.worse,
        "worse_draws": sum(g.worse for g in gains),
    }


def table(levels: Sequence[dict[str, Any]]) -> str:
    """Markdown: one row for each homophily."""
    lines = [
        "| homophily | plain GDR, points (95% interval) | guarded, points (95% interval) "
        "| prior kept |",
        "|---|---|---|---|",
    ]
    for level in levels:
        cells = [_told(level[way]) for way in ("plain", "guarded")]
        kept = f"{level['kept']} of {level['draws']}"
        lines.append(f"| {level['homophily']:.1f} | {cells[0]} | {cells[1]} | {kept} |")
    return "\n".join(lines)


def _told(found: dict[str, Any]) -> str:
    low, high = (100 * end for end in found["interval"])
    mark = " **worse**" if found["worse"] else ""
    return f"{100 * found['gain']:+.1f} ({low:+.1f} to {high:+.1f}){mark}".replace("-", "−")


def figure(levels: Sequence[dict[str, Any]]) -> str:
    """Gain over homophily of both ways, with their intervals, as SVG."""
    ends = [
        end for level in levels for way in ("plain", "guarded") for end in level[way]["interval"]
    ]
    low, high = min(0.0, *ends), max(0.0, *ends)
    label = "Gain over the prior on test nodes, by homophily, plain and guarded"
    return svg.picture(_WIDTH, _HEIGHT, label, _parts(levels, low, high or 1.0))


def _parts(levels: Sequence[dict[str, Any]], low: float, high: float) -> Iterator[str]:
    def place(homophily: float, value: float) -> tuple[float, float]:
        x = _LEFT + homophily * (_WIDTH - _LEFT - _RIGHT)
        y = _TOP + (high - value) / (high - low) * (_HEIGHT - _TOP - _BOTTOM)
        return x, y

    yield svg.segment(place(0, 0), place(1, 0), "currentColor", 1, dash="4 4")
    for mark in (low, 0.0, high):
        yield _text(_LEFT - 8, place(0, mark)[1] + 4, f"{100 * mark:+.0f}", "end")
    for level in (0.0, 0.5, 1.0):
        yield _text(place(level, low)[0], _HEIGHT - 28, f"{level:g}", "middle")
    yield _text((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 8, "homophily", "middle")
    for number, (way, name) in enumerate((("plain", "plain GDR"), ("guarded", "guarded"))):
        colour = CLASS_COLOURS[number]
        points = np.array([place(one["homophily"], one[way]["gain"]) for one in levels])
        yield svg.line(points, colour, 2.5, title=name)
        for one in levels:
            ends = [place(one["homophily"], end) for end in one[way]["interval"]]
            yield svg.segment(ends[0], ends[1], colour, 1.5)
        yield _text(_WIDTH - _RIGHT + 14, points[-1, 1] + 4 + 16 * number, name, "start", colour)


def _text(x: float, y: float, words: str, anchor: str, colour: str = "currentColor") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="13" '
        f'fill="{colour}">{words.replace("-", "−")}</text>'
    )
