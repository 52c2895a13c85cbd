"""A study over several datasets: methods as rows, datasets as columns, one table, one figure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import pandas as pd
import streamlit as st

from gdr_app.compare.alignment import show_alignment_gains
from gdr_app.compare.background import offer_to_run
from gdr_app.compare.cells import Across, Place, gather, label_of
from gdr_app.compare.findings import (
    by_method,
    draw_pairs,
    figure_rows,
    node_pairs,
    of_part,
    offer_files,
    run_pairs,
    tell_sources,
)
from gdr_app.compare.results import Results
from gdr_app.compare.study import KNOWN, SEEDS, choose_times, computed, is_cancelled
from gdr_app.components.picture import show_picture
from gdr_app.computing.results import dataset_of, judging_part, parts_of
from gdr_app.computing.working import without
from gdr_app.state import own
from gdr_app.state.pickers import pick, pick_several
from gdr_app.widgets.plots import show_table
from gdr_app.wording import counted, plain
from gdr_core import datasets
from gdr_core.figures.panels import panels_figure
from gdr_core.gdr.trials import Mean, Trial, datasets_csv, mean_of
from gdr_core.method import Method

ASKED: Final = "study over datasets wanted"
FAILED: Final = "cells that failed"
_HELP: Final = (
    "The datasets of the study, its columns. The sidebar's has the split of the sidebar, every "
    "other one its first split, seed 0 and its usual shape; the rest of the page is about the "
    "sidebar's alone."
)
_HIDDEN: Final = (
    "Methods are compared in pairs on test nodes, dataset by dataset, once you reveal these."
)
_FEW: Final = (
    "Methods are compared in pairs where both have the same two or more runs: choose **random "
    "splits** or **seeds** under Runs."
)


def choose_datasets(view: Method) -> tuple[str, ...]:
    """The datasets of the study; at first the sidebar's alone."""
    here = [name for name in datasets.names() if datasets.spec_of(name).download is None]
    names = tuple(dict.fromkeys((view.dataset.name, *here)))
    titles = own.titles()
    chosen = pick_several(
        "Datasets",
        names,
        default=(view.dataset.name,),
        key="datasets",
        help=_HELP,
        format_func=lambda name: titles.get(name, name),
    )
    return tuple(name for name in names if name in chosen) or (view.dataset.name,)


def show_across(
    view: Method, views: dict[str, Method], results: Results, kind: str, names: Sequence[str]
) -> Callable[[], None]:
    """Everything that is there at once; running the rest is handed back, for the page's end."""
    count = choose_times(kind)
    found = gather(view, views, results, kind, count, names)
    asked = (kind, count, tuple(names), tuple(views))
    wanted = st.session_state.get(ASKED) == asked
    missing = [each for each in found.missing if each not in st.session_state.get(FAILED, ())]
    if missing and not wanted:
        text = f"**Run what is missing: {counted(len(missing), 'cell')}**"
        offer_to_run(text, ":material/play_arrow:", {ASKED: asked}, key="run-across")
    elif missing:
        st.button(
            f"Stop: {counted(len(missing), 'cell')} still to run",
            key="stop-across",
            icon=":material/stop_circle:",
            on_click=lambda: st.session_state.pop(ASKED, None),
        )
    part = judging_part(view)
    _show_table(found, part)
    if any(of_part(trials, part) for trials in found.trials.values()):
        _show_figure(view, found, part)
        _show_pairs(view, results, found, part)
        show_alignment_gains(found.choices, found.trials, part)
    return lambda: _run(missing, kind, count) if wanted else None


def _run(missing: Sequence[Place], kind: str, count: int) -> None:
    """Have workers run what is missing, one after the other; each result is shown at once."""
    asked = (SEEDS, 1) if kind == KNOWN else (kind, count)
    for number, place in enumerate(missing):
        name = f"{place.method} on {place.dataset}"
        st.caption(f"{number + 1} of {len(missing)} without runs: {plain(name)}")
        with without(name):
            computed(place.method, place.view, *asked)
            st.rerun()
        if not is_cancelled(place.view, *asked):
            st.session_state.setdefault(FAILED, set()).add(place)


def _show_table(found: Across, part: str) -> None:
    """Methods as rows, datasets as columns."""
    st.markdown(
        f"**Accuracy on {part} nodes in %**: before GDR → after it, means over runs, ± half of "
        "the 95% interval of the mean after"
    )
    rows = [
        {"Method": method} | {name: _cell(found, name, method, part) for name in found.trials}
        for method in found.methods
    ]
    show_table(
        pd.DataFrame(rows),
        key="across",
        alt=f"Table: accuracy on {part} nodes, one row a method, one column a dataset.",
    )


def _cell(found: Across, dataset: str, method: str, part: str) -> str:
    """One cell in words: the means, or why there are none."""
    runs = [t for t in of_part(found.trials[dataset], part) if t.method == method]
    if not runs:
        return found.reasons.get((dataset, method), "not run yet")
    before, after = mean_of(t.before for t in runs), mean_of(t.after for t in runs)
    return f"{100 * before.value:.1f} → {100 * after.value:.1f}{_half(after)}"


def _half(mean: Mean) -> str:
    return f" ± {50 * (mean.high - mean.low):.1f} ({mean.runs})" if mean.runs > 1 else ""


def _show_figure(view: Method, found: Across, part: str) -> None:
    panels = {name: figure_rows(trials, part) for name, trials in found.trials.items()}
    figure = show_picture(panels_figure(panels, part), key="across-figure")
    every: list[Trial] = [trial for trials in found.trials.values() for trial in trials]
    tell_sources(every, ())
    shown = {
        name: [trial for trial in trials if trial.part in parts_of(view)]
        for name, trials in found.trials.items()
    }
    offer_files("datasets", lambda: datasets_csv(shown), figure)


def _show_pairs(view: Method, results: Results, found: Across, part: str) -> None:
    """Each method against one of them, on every dataset; on test nodes only."""
    if view.dataset.test_hidden:
        st.caption(_HIDDEN)
        return
    names = tuple(dict.fromkeys(n for trials in found.trials.values() for n in by_method(trials)))
    most = max(names, key=lambda name: _most_runs(found, name, part))  # the first of them
    against = pick("Compared after GDR with", names, key="against", default=most)
    tables = []
    for dataset, trials in found.trials.items():
        if against in by_method(of_part(trials, part)):
            table = run_pairs(trials, against, part)
            table.insert(0, "Dataset", dataset)
            tables.append(table)
    pairs = pd.concat(tables) if tables else pd.DataFrame()
    if pairs.empty:
        st.caption(_FEW)
    else:
        st.markdown("Run by run, on the runs that both have (paired t; each p by itself)")
        draw_pairs(pairs, "across-runs", f"Table: each method against {against}, by dataset.")
    nodes = node_pairs(against, results, dataset_of(view), part)
    if (label := label_of(view.dataset)) in found.trials and not nodes.empty:
        st.markdown(f"Node by node, on the {part} nodes of {label} (McNemar, exact)")
        draw_pairs(nodes, "across-nodes", f"Table: each method against {against}, node by node.")


def _most_runs(found: Across, method: str, part: str) -> int:
    """The runs of a method on the dataset where it has the most: pairs need two of them."""
    return max(
        sum(trial.method == method for trial in of_part(trials, part))
        for trials in found.trials.values()
    )
