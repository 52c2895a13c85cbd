"""The guard: block models whose links fit the classes from not at all to always.

Twenty graphs at each homophily; on each a prior, plain GDR (combinatorial Laplacian, overshoot) and
the guarded choice, which may keep the prior. What is compared are test nodes, of all twenty graphs
together: fixed and broken by each, with the exact paired interval of `gdr_core.gdr.trust`. The same
on the splits of heterophilous graphs: there test sets share nodes, which makes the interval of all
splits together too narrow, and "worse" easier to say than it should be.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gdr_core.datasets import load_dataset, spec_of
from gdr_core.datasets.record import Dataset
from gdr_core.figures.trust import GainPoint
from gdr_core.gdr import reclassify
from gdr_core.gdr.automatic import automatic
from gdr_core.gdr.trust import Gain, gain
from gdr_core.graphs.homophily import homophily
from gdr_core.laplacians import make_laplacian
from gdr_core.places import data_folder
from gdr_core.priors import compute_prior
from gdr_tools.beyond.methods import UNDIRECTED

DRAWS = 20
LEVELS = tuple(round(0.1 * k, 1) for k in range(11))
_NODES = 400


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


def stored() -> dict[str, Any]:
    """What comes with the program: `levels` of block models and real `graphs`."""
    path = data_folder() / "results" / "beyond" / "guard.json"
    empty: dict[str, Any] = {"levels": [], "graphs": []}
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else empty


def table(found: Mapping[str, Any]) -> str:
    """Markdown: one row for each homophily, then one for each real graph."""
    lines = [
        "| graphs | homophily | plain GDR, points (95% interval) "
        "| guarded, points (95% interval) | prior kept |",
        "|---|---|---|---|---|",
    ]
    for one in (*found["levels"], *found["graphs"]):
        name = one.get("dataset") or f"{one['draws']} block models"
        cells = [_told(one[way]) for way in ("plain", "guarded")]
        kept = f"{one['kept']} of {one['draws']}"
        lines.append(f"| {name} | {one['homophily']:.2f} | {cells[0]} | {cells[1]} | {kept} |")
    return "\n".join(lines)


def _told(found: Mapping[str, Any]) -> str:
    low, high = (100 * end for end in found["interval"])
    mark = " **worse**" if found["worse"] else ""
    text = f"{100 * found['gain']:+.1f} ({low:+.1f} to {high:+.1f})"
    return text.replace("-0.0", "0.0").replace("+0.0", "0.0").replace("-", "−") + mark


def statement(found: Mapping[str, Any]) -> str:
    """Whether the guarded method was ever significantly worse than its prior, and plain GDR."""
    every = [*found["levels"], *found["graphs"]]
    if not every:
        return "The guard was not run."
    priors = ", ".join(dict.fromkeys(one["prior"] for one in every))
    levels, graphs = len(found["levels"]), len(found["graphs"])
    tried = f"{levels} {'homophily' if levels == 1 else 'homophilies'} of block models"
    tried += f" and {graphs} heterophilous graph{'' if graphs == 1 else 's'}"
    guarded, plain = (_worse(every, way) for way in ("guarded", "plain"))
    draws = sum(one["guarded"]["worse_draws"] for one in every)
    number = sum(one["draws"] for one in every)
    return (
        f"Over {tried} (prior: {priors}) the guarded method was {guarded} significantly worse than "
        f"its prior (interval wholly below 0), plain GDR {plain}. Of {number:,} single graphs and "
        f"splits, the guarded method was so on {draws}."
    )


def _worse(every: Sequence[Mapping[str, Any]], way: str) -> str:
    names = [
        one.get("dataset") or f"homophily {one['homophily']:g}"
        for one in every
        if one[way]["worse"]
    ]
    return f"at {', '.join(names)}" if names else "never"


def gain_points(found: Mapping[str, Any], way: str) -> list[GainPoint]:
    """What the figure draws, for `plain` or `guarded`."""
    return [
        GainPoint(
            one["homophily"], one[way]["gain"], tuple(one[way]["interval"]), one.get("dataset", "")
        )
        for one in (*found["levels"], *found["graphs"])
    ]
