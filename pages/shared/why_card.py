"""The "Why?" card: how one node came to its label, and from whom."""

from __future__ import annotations

from typing import Final

import pandas as pd
import streamlit as st

from gdr_core.datasets import Dataset
from gdr_core.explain import explain
from gdr_core.figures.relabel import node_curves
from gdr_core.gdr import GDRResult
from gdr_core.verdict import Source, Verdict, judge, sentence, sources
from pages.shared.picture import show_picture
from pages.shared.results import laplacian_of
from pages.shared.sidebar import View
from pages.shared.wording import plain, readable

NOBODY: Final = """
No node is chosen. Click one in the graph or in the ledger, or search it above. Until then, this
is the **clearest correction**:
"""


def why_card(
    view: View,
    graph: Dataset,
    result: GDRResult,
    index: int,
    node: int | None,
    example: int | None,
) -> None:
    """Curves, sentence, runner-up, history and the ten largest sources of a node.

    Where none is chosen, the example is shown: the clearest correction.
    """
    st.header("Why?", anchor=False)
    if node is None:
        st.markdown(NOBODY)
        node = example
    if node is None:
        st.markdown("Nothing: no node was corrected at this t_min.")
        return
    names = tuple(map(readable, graph.class_names))
    verdict = judge(result, node, index)
    st.markdown(_headline(graph, verdict, names))
    st.markdown(plain(sentence(verdict, names)))
    show_picture(node_curves(result, node, index, names, verdict.label), key="why-curves")
    st.markdown(_runner_up(verdict, names))
    st.markdown(_history(verdict, names))
    _source_table(view, graph, result, index, verdict, names)


def _headline(graph: Dataset, verdict: Verdict, names: tuple[str, ...]) -> str:
    known = int(graph.labels[verdict.node])
    true = plain(names[known]) if known >= 0 else "not known"
    moved = plain(names[verdict.label])
    if verdict.label != verdict.prior:
        moved = f"{plain(names[verdict.prior])} → {moved}"
    return f"**Node {plain(graph.node_names[verdict.node])}** · **{moved}** · true class {true}"


def _runner_up(verdict: Verdict, names: tuple[str, ...]) -> str:
    if verdict.runner_up < 0 or verdict.measure in ("given", "none"):
        return "**Runner-up**: none."
    return (
        f"**Runner-up**: {plain(names[verdict.runner_up])}, **{verdict.lead:.3g}** behind "
        f"({verdict.values[verdict.label]:.3g} against {verdict.values[verdict.runner_up]:.3g})."
    )


def _history(verdict: Verdict, names: tuple[str, ...]) -> str:
    (_, first), *later = verdict.history
    if not later:
        return f"**Along t_min** it is {plain(names[first])} all the way."
    steps = [f"{plain(names[label])} from {time:.3g}" for time, label in later]
    return f"**Along t_min** it is {plain(names[first])} first, " + ", ".join(steps) + "."


def _source_table(
    view: View,
    graph: Dataset,
    result: GDRResult,
    index: int,
    verdict: Verdict,
    names: tuple[str, ...],
) -> None:
    explanation = explain(laplacian_of(view), result, verdict.node, verdict.label, index)
    found = sources(graph.undirected, result, explanation)
    st.markdown(
        f"**Where its {plain(names[verdict.label])} came from** "
        f"(p = {explanation.score:.3g} at t = {verdict.peak_time:.3g}). ★ marks training nodes."
    )
    st.dataframe(
        pd.DataFrame([_row(source, graph, names) for source in found]),
        key="why-sources",
        hide_index=True,
        height="content",
        column_config={
            "Node": st.column_config.TextColumn(width=80),
            "Share": st.column_config.NumberColumn(format="percent", width=65),
            "Hops": st.column_config.NumberColumn(width=50, help="Links between the two."),
            "Class": st.column_config.TextColumn(help="In the prior. ★: a training node."),
        },
        alt=f"The {len(found)} nodes that contributed most, with distance and share.",
    )


def _row(source: Source, graph: Dataset, names: tuple[str, ...]) -> dict[str, object]:
    return {
        "Node": graph.node_names[source.node],
        "Share": source.share,
        "Hops": source.distance,
        "Class": ("★ " if source.training else "") + names[source.label],
    }
