"""Why GDR gains here and not there: the alignment of each dataset of a study beside the gain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import isnan
from typing import Final, NamedTuple

import pandas as pd
import streamlit as st

from gdr_app.compare.findings import by_method, of_part
from gdr_app.structure.alignment import known_alignment
from gdr_app.widgets.plots import draw_figure, draw_numbers
from gdr_app.wording import counted, plain, points
from gdr_core.datasets import DatasetChoice
from gdr_core.figures.structure import gains_by_alignment
from gdr_core.gdr.trials import Trial, mean_of

ALT: Final = "Scatter chart: GDR's mean gain against how far S lies below chance, by dataset."
_TABLE: Final = "Table: S, how far it lies below chance, and GDR's mean gain, one row a dataset."


class Aligned(NamedTuple):
    """A dataset: S, how far below chance as a share of it, and GDR's mean gain."""

    dataset: str
    measure: float
    gap: float
    gain: float


def show_alignment_gains(
    choices: Mapping[str, DatasetChoice], trials: Mapping[str, Sequence[Trial]], part: str
) -> None:
    """The chart, the table and the sentence, for the datasets whose alignment is known.

    The same methods count on all of them. Where test is hidden, so are its classes: the gain is
    that on validation nodes, and S is made without them.
    """
    runs = {name: by_method(of_part(each, part)) for name, each in trials.items()}
    known = {name: known_alignment(choices[name]) for name in runs if runs[name]}
    methods = _common_methods([runs[name] for name, found in known.items() if found])
    rows = [
        Aligned(name, found.measure, found.gap, gain)
        for name, found in known.items()
        if found and not isnan(gain := _gain(runs[name], methods))
    ]
    st.markdown("**Alignment and gain**: do features, graph and classes agree where GDR gains?")
    if len(rows) > 1:
        _draw(rows, part)
    if rows:
        st.markdown(aligned_sentence(rows, len(methods), part))
    _tell_unknown([name for name in choices if name not in {row.dataset for row in rows}])


def _common_methods(runs: Sequence[Mapping[str, Sequence[Trial]]]) -> tuple[str, ...]:
    """The methods that have runs on every one of the datasets."""
    first = runs[0] if runs else {}
    return tuple(name for name in first if all(name in each for each in runs))


def _gain(runs: Mapping[str, Sequence[Trial]], methods: Sequence[str]) -> float:
    """The mean over methods of the mean gain over runs; NaN without methods."""
    return mean_of(mean_of(t.gain for t in runs[name]).value for name in methods).value


def _draw(rows: Sequence[Aligned], part: str) -> None:
    picture, words = st.columns([3, 2], gap="medium", vertical_alignment="center")
    table = pd.DataFrame(
        [(row.dataset, row.measure, 100 * row.gap, 100 * row.gain) for row in rows],
        columns=["Dataset", "S", "Below chance, %", "Gain, points"],
    )
    with picture:
        figure = gains_by_alignment([(row.dataset, row.gap, row.gain) for row in rows], part)
        draw_figure(figure, key="aligned-gains", alt=ALT)
    with words:
        draw_numbers(table, key="aligned", digits=1, alt=_TABLE)


def aligned_sentence(rows: Sequence[Aligned], methods: int, part: str) -> str:
    """Both ends, and how often the better aligned of two datasets gains more.

    Two datasets that agree in what is printed are no pair that could tell anything.
    """
    first = f"Over {counted(methods, 'method')}, GDR's mean gain on {part} nodes is "
    if len(rows) == 1:
        return first + f"{_told(rows[0])}."
    ordered = sorted(rows, key=lambda row: row.gain)
    ends = f"from {_told(ordered[0])} to {_told(ordered[-1])}."
    pairs = [
        (one, other)
        for one, other in combinations(rows, 2)
        if _printed(one.gap) != _printed(other.gap) and _printed(one.gain) != _printed(other.gain)
    ]
    if not pairs:
        return first + ends
    agree = sum((a.gap > b.gap) == (a.gain > b.gain) for a, b in pairs)
    return (
        f"{first}{ends} In **{agree} of {counted(len(pairs), 'pair')}** of datasets that differ in "
        "both, GDR gains more on the one whose S lies farther below chance."
    )


def _told(row: Aligned) -> str:
    side = "above" if row.gap < 0 else "below"
    return (
        f"**{points(row.gain)} points** on {plain(row.dataset)}, where S lies "
        f"{abs(row.gap):.1%} {side} chance"
    )


def _printed(share: float) -> float:
    return round(100 * share, 1)


def _tell_unknown(names: Sequence[str]) -> None:
    if names:
        st.caption(
            f"Not told of {', '.join(map(plain, names))}: no runs, or no alignment. That of any "
            "graph with features is computed on the page Dataset."
        )
