"""Predictions as a table: one row a node, for spreadsheets and other programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from gdr_core.datasets.record import Dataset
from gdr_core.gdr.confidence import confidence
from gdr_core.gdr.relabelling import OUTCOMES, Relabelling, names_of
from gdr_core.spreadsheets import safe_cell

COLUMNS = ("node", "name", "part", "truth", "prior", "predicted", "outcome", "margin")
SURE_COLUMNS = ("share", "confidence")
METHOD_COLUMNS = ("method", "t_min")


def predictions_csv(dataset: Dataset, now: Relabelling) -> str:
    """All nodes as CSV: class before and after reclassification, and how clear the decision is.

    node is the node's number; part is its part of the split; classes are given by name and are
    empty where they are not known; margin is empty where the prior's label is kept. share is the
    predicted class's share of the overshoots (of the prior, where that is kept or nothing
    overshoots); confidence is the same made honest by a temperature fitted on the validation
    nodes, and is empty where these are too few to fit one.
    """
    found = confidence(now.result, now.t_min_index)
    shares, sure = (
        rows[np.arange(dataset.nodes), now.predicted]
        for rows in (found.shares, found.probabilities)
    )
    told = [_number(value) if found.calibration.enough else "" for value in sure.tolist()]
    rows = zip(_rows(dataset, now), map(_number, shares.tolist()), told, strict=True)
    return _written((*COLUMNS, *SURE_COLUMNS), ((*row, *both) for row, *both in rows))


def comparison_csv(dataset: Dataset, methods: Mapping[str, Relabelling]) -> str:
    """All nodes for every method, one below the other: one row a method and node.

    Before the columns of `predictions_csv` stand the method and its t_min, in relaxation times.
    """
    rows = (
        (safe_cell(name), f"{now.t_min:.6g}", *row)
        for name, now in methods.items()
        for row in _rows(dataset, now)
    )
    return _written((*METHOD_COLUMNS, *COLUMNS), rows)


def _rows(dataset: Dataset, now: Relabelling) -> Iterator[tuple[object, ...]]:
    classes = tuple(map(safe_cell, dataset.class_names))
    return zip(
        range(dataset.nodes),
        map(safe_cell, dataset.node_names),
        dataset.split.part_of_nodes(dataset.nodes).tolist(),
        names_of(now.result.truth, classes),
        names_of(now.result.prior_labels, classes),
        names_of(now.predicted, classes),
        (OUTCOMES[code] for code in now.outcomes.tolist()),
        ("" if now.result.keeps_prior else _number(margin) for margin in now.margins.tolist()),
        strict=True,
    )


def _number(value: float) -> str:
    return f"{value:.6g}"


def _written(columns: Sequence[str], rows: Iterator[tuple[object, ...]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()
