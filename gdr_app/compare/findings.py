"""What a study finds: one figure, methods in pairs, gains by class, and all of it as files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import pandas as pd
import streamlit as st

from gdr_app.compare.stored import STORED
from gdr_app.components.picture import show_picture
from gdr_app.state.pickers import pick
from gdr_app.widgets.export import offer_file
from gdr_app.widgets.plots import show_table
from gdr_app.wording import counted, plain, readable
from gdr_core.datasets import Dataset
from gdr_core.figures.pdf import missing_letters, pdf_of
from gdr_core.figures.study import Row, study_figure
from gdr_core.gdr import GDRResult
from gdr_core.gdr.trials import EVERY_CLASS, Mean, Trial, difference, mcnemar, mean_of, trials_csv
from gdr_core.gdr.trust import gain

_WON: Final = (
    "Won: nodes that only this method labels right. Lost: nodes that only the one it is compared "
    "with labels right. p: the chance of a difference at least as large if both were equally good."
)
_POINTS: Final = "%+.1f"


def show_figure(trials: Sequence[Trial], part: str) -> str:
    """Accuracy before and after of every method, mean and interval; the SVG text."""
    return show_picture(study_figure(figure_rows(trials, part), part), key="study-figure")


def figure_rows(trials: Sequence[Trial], part: str) -> list[Row]:
    """One row a method, in the order of the trials."""
    chosen = of_part(trials, part)
    return [
        Row(
            name=name,
            runs=_told(runs),
            before=mean_of(trial.before for trial in runs),
            after=mean_of(trial.after for trial in runs),
        )
        for name, runs in by_method(chosen).items()
    ]


def of_part(trials: Sequence[Trial], part: str) -> list[Trial]:
    """The trials on all nodes of a part."""
    return [trial for trial in trials if trial.part == part and trial.group == EVERY_CLASS]


def by_method(trials: Sequence[Trial]) -> dict[str, list[Trial]]:
    """The trials of each method."""
    return {
        name: [trial for trial in trials if trial.method == name]
        for name in dict.fromkeys(trial.method for trial in trials)
    }


def _told(runs: Sequence[Trial]) -> str:
    """What the runs of a method are: stored or here, how many."""
    several = "split" if runs[0].split == "random" else "seed"
    word = counted(len(runs), several if len(runs) > 1 else "run")
    return f"{STORED}, {word}" if runs[0].source == STORED else f"run here, {word}"


def show_pairs(
    trials: Sequence[Trial],
    results: dict[str, GDRResult],
    graph: Dataset,
    part: str,
    first: str | None,
) -> None:
    """Each method against one of them: node by node on this split, and run by run.

    first   the one that is compared with until another is chosen
    """
    names = tuple(by_method(of_part(trials, part)))
    if len(names) < 2:
        return
    usual = first if first in names else names[0]
    against = pick("Compared after GDR with", names, key="against", default=usual)
    nodes = node_pairs(against, results, graph, part)
    if not nodes.empty:
        st.markdown(f"Node by node, on the {part} nodes of this split (McNemar, exact)", help=_WON)
        alt = f"Table: each method against {against} node by node."
        draw_pairs(nodes, "pairs-nodes", alt)
    runs = run_pairs(trials, against, part)
    if not runs.empty:
        st.markdown("Run by run, on the runs that both have (paired t)")
        draw_pairs(runs, "pairs-runs", f"Table: each method against {against} run by run.")


def draw_pairs(table: pd.DataFrame, key: str, alt: str) -> None:
    """A table of paired comparisons."""
    show_table(
        table,
        key=key,
        alt=alt,
        formats={"Points": _POINTS, "From": _POINTS, "To": _POINTS, "p": "%.2g"},
    )


def node_pairs(
    against: str, results: dict[str, GDRResult], graph: Dataset, part: str
) -> pd.DataFrame:
    """One row a method: nodes that only it, and only the other, labels right; the exact chance."""
    if against not in results:
        return pd.DataFrame()
    first, members = results[against].predictions(), getattr(graph.split, part)
    rows = []
    for name, result in results.items():
        if name == against:
            continue
        found = gain(first, result.predictions(), graph.labels, members)
        rows.append(
            {
                "Method": name,
                "Won": found.fixed,
                "Lost": found.broken,
                "Points": 100 * found.value,
                "p": mcnemar(found.fixed, found.broken),
            }
        )
    return pd.DataFrame(rows)


def run_pairs(trials: Sequence[Trial], against: str, part: str) -> pd.DataFrame:
    """One row a method that shares at least two runs with the other: mean difference, interval.

    A difference that is the same in every run has neither interval nor p: without any spread, runs
    say nothing of chance.
    """
    every = by_method(of_part(trials, part))
    found: dict[str, Mean] = {
        name: difference(every[against], runs) for name, runs in every.items() if name != against
    }
    return pd.DataFrame(
        [
            {
                "Method": name,
                "Runs": mean.runs,
                "Points": 100 * mean.value,
                "From": 100 * mean.low if mean.high > mean.low else None,
                "To": 100 * mean.high if mean.high > mean.low else None,
                "p": mean.chance if mean.high > mean.low else None,
            }
            for name, mean in found.items()
            if mean.runs > 1
        ]
    )


def class_gains(trials: Sequence[Trial], part: str) -> pd.DataFrame:
    """One row a method, one column a class: the mean gain by GDR in points."""
    rows = []
    for name, runs in by_method([t for t in trials if t.part == part]).items():
        groups = [group for group in dict.fromkeys(t.group for t in runs) if group != EVERY_CLASS]
        means = {g: mean_of(t.gain for t in runs if t.group == g).value for g in groups}
        if means:
            rows.append({"Method": name} | {readable(g): 100 * v for g, v in means.items()})
    return pd.DataFrame(rows)


def show_class_gains(trials: Sequence[Trial], part: str) -> None:
    """What GDR adds to each class; stored runs know of no classes."""
    table = class_gains(trials, part)
    if table.empty:
        return
    st.markdown(f"**Gain by GDR in each class**, in points of accuracy on {part} nodes")
    show_table(
        table,
        key="class-gains",
        formats=dict.fromkeys(table.columns[1:], _POINTS),
        alt="Table: points gained by GDR, one row a method, one column a class.",
    )


def offer_study(trials: Sequence[Trial], figure: str, name: str, parts: Sequence[str]) -> None:
    """All trials as one table, and the figure as a file."""
    shown = [trial for trial in trials if trial.part in parts]
    offer_files(name, lambda: trials_csv(shown), figure)


def offer_files(name: str, table: Callable[[], str], figure: str) -> None:
    """The table of all runs, and the figure as a drawing and for a paper."""
    with st.container(horizontal=True):
        offer_file("All runs as CSV", f"{name}-runs.csv", table)
        offer_file("Figure as SVG", f"{name}-study.svg", lambda: _alone(figure))
        offer_file("Figure as PDF", f"{name}-study.pdf", lambda: pdf_of(figure))
    if lacks := missing_letters(figure):
        st.caption(
            f"The fonts of the PDF lack {plain(' '.join(lacks))}: it shows ? instead. The SVG is "
            "complete."
        )


def _alone(figure: str) -> str:
    """The picture as a file of its own: black, in a font of its own."""
    return figure.replace(
        'style="display:block;font-family:inherit"', 'color="#000" font-family="sans-serif"', 1
    )


def tell_sources(trials: Sequence[Trial], missing: Sequence[str]) -> None:
    """Which methods stand for what is stored, and which lack."""
    if missing:
        st.caption(f"Not run yet: {plain(', '.join(missing))}.")
    if any(trial.source == STORED for trial in trials):
        st.caption(
            "Stored runs are those of the page Reproduce: the same settings, seeds 0 to 9 where a "
            "method is random. The charts below follow as soon as a method has been run here."
        )
