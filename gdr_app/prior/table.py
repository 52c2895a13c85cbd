"""What the prior says of every node, as a table: to filter, sort, and to choose a node."""

from __future__ import annotations

from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from gdr_app.computing import cached
from gdr_app.computing.kept import kept
from gdr_app.computing.results import prior_of
from gdr_app.state.pickers import Pills
from gdr_app.widgets.node_table import choose_by_row
from gdr_app.wording import counted, readable
from gdr_core.datasets import Dataset
from gdr_core.datasets.hiding import truth_codes, truth_names
from gdr_core.graphs.statistics import REST
from gdr_core.method import Method
from gdr_core.priors.assessment import VERDICTS, verdicts, wrong_first

TABLE: Final = "prior-table"
FILTER: Final = "verdicts"
SURE: Final = "Confidence"


def show_prior_table(view: Method) -> None:
    """One row a node, those that the prior gets wrong first."""
    nodes, table = _all_rows(view)
    present = [word for word in VERDICTS if (table["Verdict"] == word).any()]
    wanted = Pills("Show only", present, key=FILTER).draw()
    rows = table["Verdict"].isin(wanted or present).to_numpy()
    count = counted(int(rows.sum()), "node")
    st.markdown(f"{count}, wrong ones first. Click a row's box to show the node in the graph.")
    choose_by_row(
        view.dataset,
        nodes[rows],
        table[rows],
        key=TABLE,
        columns={SURE: "%.3f"},
        alt="Table of all nodes: name, true class, prior class, confidence, verdict, split.",
    )


@kept(most=8)
def _rows(view: Method, _graph: Dataset, _prior: np.ndarray) -> tuple[np.ndarray, pd.DataFrame]:
    """The nodes in the order of the table, and the table."""
    nodes = wrong_first(_graph.labels, _prior)
    classes = truth_names(list(map(readable, _graph.class_names)))
    labels, said = _graph.labels[nodes], _prior[nodes].argmax(axis=1)
    names = np.array(list(cached.node_labels(view.dataset)), dtype=object)
    part_of = _graph.split.part_of_nodes(_graph.nodes)[nodes]
    table = pd.DataFrame(
        {
            "Node": names[nodes],
            "True class": pd.Categorical.from_codes(truth_codes(_graph)[nodes], classes),
            "Prior": pd.Categorical.from_codes(said, classes),
            SURE: _prior[nodes].max(axis=1),
            "Verdict": pd.Categorical.from_codes(verdicts(labels, said), list(VERDICTS)),
            "Part of split": pd.Categorical(np.where(part_of == "", REST, part_of)),
        }
    )
    return nodes, table


def _all_rows(view: Method) -> tuple[np.ndarray, pd.DataFrame]:
    return _rows(view, cached.dataset(view.dataset), prior_of(view))
