"""Predictions as a table: one row a node, for spreadsheets and other programs."""

from __future__ import annotations

import csv
import io

from gdr_core.datasets.record import Dataset
from gdr_core.gdr.result import GDRResult
from gdr_core.ledger import OUTCOMES, names_of, outcomes
from gdr_core.spreadsheets import safe_cell

COLUMNS = ("node", "name", "part", "true", "prior", "gdr", "outcome", "margin")


def predictions_csv(dataset: Dataset, result: GDRResult, index: int | None = None) -> str:
    """All nodes as CSV: class before and after reclassification, and how clear the decision is.

    node is the node's number; part is its part of the split; classes are given by name and are
    empty where they are not known.
    """
    text, classes = io.StringIO(), tuple(map(safe_cell, dataset.class_names))
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(
        zip(
            range(dataset.nodes),
            map(safe_cell, dataset.node_names),
            dataset.split.part_of_nodes(dataset.nodes).tolist(),
            names_of(dataset.labels, classes),
            names_of(result.prior_labels, classes),
            names_of(result.predictions(index), classes),
            (OUTCOMES[code] for code in outcomes(result, index).tolist()),
            (f"{margin:.6g}" for margin in result.margin(index).tolist()),
            strict=True,
        )
    )
    return text.getvalue()
