"""The numbers of the report, as plain data."""

from __future__ import annotations

from typing import Any

import numpy as np

from gdr_core.datasets.record import Dataset
from gdr_core.gdr.relabelling import OUTCOMES, names_of
from gdr_core.gdr.result import GDRResult
from gdr_core.graphs.statistics import summarise

NODES_DRAWN = 5000
_LEDGER_ROWS = 500


def interval(right: int, total: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson's 95 % interval of a share: where the accuracy on all such nodes may well lie."""
    if not total:
        return float("nan"), float("nan")
    share, spread = right / total, z * z / total
    middle = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * np.sqrt(share * (1 - share) / total + spread / (4 * total))
    return float(middle - half), float(middle + half)


def accuracies(result: GDRResult) -> list[dict[str, Any]]:
    """Accuracy before and after on validation and test nodes, each with its interval."""
    rows = []
    for part in ("validation", "test"):
        members = getattr(result.split, part)
        total = int((result.truth[members] >= 0).sum())
        if not total:
            continue
        before = result.prior_accuracy[part]
        after = float(result.accuracy[part][result.chosen])
        rows.append(
            {
                "part": part,
                "nodes": total,
                "before": before,
                "before_interval": interval(round(before * total), total),
                "after": after,
                "after_interval": interval(round(after * total), total),
            }
        )
    return rows


def curve(result: GDRResult) -> dict[str, list[float]]:
    """Accuracy for every t_min above zero, in relaxation times."""
    times = result.relative_times
    shown = times > 0
    lines = {"t": times[shown].tolist()}
    for part in ("validation", "test"):
        values = result.accuracy[part][shown]
        if np.isfinite(values).all():
            lines[part] = values.tolist()
    return lines


def data_summary(dataset: Dataset) -> list[tuple[str, str]]:
    """What the data are, line by line."""
    found, split = summarise(dataset), dataset.split
    homophily = found.edge_homophily
    return [
        ("nodes", f"{found.nodes:,}"),
        ("edges", f"{found.edges:,}, {'directed' if dataset.directed else 'undirected'}"),
        ("classes", f"{found.classes:,}"),
        ("features", f"{found.features:,}"),
        ("neighbours of a node on average", f"{found.mean_degree:.2f}"),
        ("connected components", f"{found.components:,}"),
        (
            "edges within a class (both ends known)",
            "unknown" if homophily != homophily else f"{homophily:.1%}",
        ),
        (
            "training / validation / test nodes",
            f"{split.train.size:,} / {split.validation.size:,} / {split.test.size:,}",
        ),
    ]


def changes(dataset: Dataset, result: GDRResult) -> list[list[str]]:
    """The relabelled nodes, the clearest first: name, true, before, after, outcome, margin."""
    found = result.at().ledger
    order = np.argsort(-found.margins, kind="stable")[:_LEDGER_ROWS]
    columns = (
        [dataset.node_names[node] for node in found.nodes[order]],
        names_of(found.truth[order], dataset.class_names),
        names_of(found.prior[order], dataset.class_names),
        names_of(found.predicted[order], dataset.class_names),
        [OUTCOMES[code] for code in found.outcomes[order]],
        [f"{margin:.3g}" for margin in found.margins[order]],
    )
    return [list(row) for row in zip(*columns, strict=True)]
