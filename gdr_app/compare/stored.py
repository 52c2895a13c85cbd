"""Stored runs of a method: the numbers of the paper's tables, computed again, seed by seed."""

from __future__ import annotations

from dataclasses import replace

from gdr_app.reproduce.store import snapshot
from gdr_core.datasets import Dataset
from gdr_core.gdr.trials import EVERY_CLASS, PARTS, Trial
from gdr_core.method import Method
from gdr_tools.paper.cells import Cell

STORED = "stored"


def stored_trials(name: str, view: Method, graph: Dataset) -> list[Trial]:
    """One trial for each stored seed and part; none where the view differs from what is stored."""
    found = snapshot().get(_cell_of(view)) if _is_stored_method(view) else None
    if found is None:
        return []
    return [
        Trial(
            method=name,
            source=STORED,
            split=view.dataset.split,
            seed=run["seed"],
            part=part,
            group=EVERY_CLASS,
            nodes=int(getattr(graph.split, part).size),
            before=run["prior"][part],
            after=run[view.rule][part],
        )
        for run in found["runs"]
        for part in PARTS
    ]


def _cell_of(view: Method) -> Cell:
    """The cell of the paper's tables with this dataset, split and prior."""
    return Cell("undirected", view.dataset.name, view.dataset.split, view.prior)


def _is_stored_method(view: Method) -> bool:
    """Whether a view differs from what stored runs did in nothing but prior, rule and seed."""
    if view.dataset.own is not None or view.dataset.options:
        return False
    usual = _cell_of(view).reclassified(seed=0)
    asked = replace(view, dataset=usual.dataset, rule=usual.rule, prior_seed=0)
    return asked == usual


def priors_with_results(view: Method) -> list[str]:
    """The priors of which runs on this dataset and split are stored."""
    if not _is_stored_method(view):
        return []
    stored = snapshot().group("undirected")
    start = f"{view.dataset.name}/{view.dataset.split}/"
    return [key.split("/")[2] for key in stored if key.startswith(start)]
