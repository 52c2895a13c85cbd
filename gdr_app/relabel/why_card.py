"""The "Why this label" card: how one node came to its label, and from whom."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Final

import numpy as np
import streamlit as st

from gdr_app.components.picture import show_picture
from gdr_app.computing import cached
from gdr_app.computing.results import laplacian_of, result_of
from gdr_app.overshoot.examples import example_node
from gdr_app.widgets.later import about_lines, drawn_curves
from gdr_app.wording import plain, readable
from gdr_core.datasets import Dataset
from gdr_core.datasets.hiding import truth_of
from gdr_core.explanation.contributions import explain
from gdr_core.explanation.quantities import shown
from gdr_core.explanation.verdict import Source, Verdict, judge, sentence, sources
from gdr_core.figures.relabel import node_curves
from gdr_core.gdr import RULES, GDRResult
from gdr_core.method import Method

NOBODY: Final = """
No node is chosen. Click one in the graph or in the table below, or search for it above. Until
then, this is {example}.
"""


def example(view: Method) -> tuple[int, str]:
    """A node to begin with, and a sentence on why this one.

    It is the same for every t_min, so that one sees what t_min does to it.
    """
    node, reason = example_node(view)
    return node, NOBODY.format(example=reason)


def why_card(
    view: Method, graph: Dataset, result: GDRResult, index: int, node: int, preface: str = ""
) -> None:
    """Curves, sentence, runner-up, history and the ten largest sources of a node."""
    st.header("Why this label", anchor=False)
    names = tuple(map(readable, graph.class_names))
    verdict = judge(result, node, index)
    words = [preface, _headline(graph, verdict, names), plain(sentence(verdict, names))]
    st.markdown("\n\n".join(words))
    drawn = drawn_curves(view, np.array([node]))
    show_picture(node_curves(result, node, names, verdict, drawn), key="why-curves")
    st.caption(about_lines(result, drawn, node))
    origin = origin_of(view, node, verdict.label, verdict.decisive_index)
    words = [
        _how_decided(view.rule, verdict),
        _runner_up(verdict, names),
        _history(verdict, names),
        _origin(origin, verdict, names),
    ]
    st.markdown("\n\n".join(words))
    st.html(_source_table(origin, graph, names))


@dataclass(frozen=True)
class Origin:
    """p of a class at a node when it was decided, and the nodes that it came from."""

    score: float
    sources: tuple[Source, ...]


@st.cache_resource(max_entries=256, show_spinner=False)
def origin_of(view: Method, node: int, label: int, moment: int) -> Origin:
    """Where a score came from, at one time of the grid; it is the same for all t_min before."""
    graph, result = cached.dataset(view.dataset), result_of(view)
    time = float(result.times[moment])
    found = explain(laplacian_of(view), result, node, label, time=time, tolerance=ENOUGH)
    return Origin(found.score, tuple(sources(graph.undirected, result, found)))


def _headline(graph: Dataset, verdict: Verdict, names: tuple[str, ...]) -> str:
    true = plain(readable(truth_of(graph, verdict.node)))
    moved = plain(names[verdict.label])
    if verdict.label != verdict.prior:
        moved = f"{plain(names[verdict.prior])} → {moved}"
    return f"**Node {plain(graph.node_names[verdict.node])}** · **{moved}** · true class {true}"


def _how_decided(rule: str, verdict: Verdict) -> str:
    """The rule and what it measured here, as the rule's own record says it."""
    if verdict.given:
        return "**How it is decided**: not at all, training nodes keep their class."
    how = f"**How it is decided**: by the rule *{rule}*, {RULES[rule].meaning}."
    if verdict.measure is None:
        return f"{how} Here {verdict.keeping}."
    return f"{how} Compared here: the {verdict.measure.name}, {verdict.measure.meaning}."


def _runner_up(verdict: Verdict, names: tuple[str, ...]) -> str:
    if verdict.runner_up < 0 or verdict.measure is None:
        return "**Runner-up**: none."
    label, second = verdict.values[verdict.label], verdict.values[verdict.runner_up]
    return (
        f"**Runner-up**: {plain(names[verdict.runner_up])}, with {verdict.measure.name} "
        f"{shown(second)} against {shown(label)}."
    )


def _history(verdict: Verdict, names: tuple[str, ...]) -> str:
    (_, first), *later = verdict.history
    if not later:
        return f"**For every t_min** of the window its label is {plain(names[first])}."
    steps = [f"{plain(names[label])} from t_min = {shown(time)} on" for time, label in later]
    return f"**As t_min grows** its label is {plain(names[first])}, then " + ", ".join(steps) + "."


def _origin(origin: Origin, verdict: Verdict, names: tuple[str, ...]) -> str:
    return (
        f"**Where its belief in {plain(names[verdict.label])} comes from**: "
        f"p = {shown(origin.score)} at t = {shown(verdict.decisive_time)}, split by the node where "
        "it started. ★ marks training nodes."
    )


def _source_table(origin: Origin, graph: Dataset, names: tuple[str, ...]) -> str:
    """A plain table: ten rows that change with t_min need no grid that scrolls and sorts."""
    rows = "".join(
        f"<tr><td>{escape(graph.node_names[source.node])}</td><td>{source.share:.1%}</td>"
        f"<td>{'–' if source.distance is None else source.distance}</td>"
        f"<td>{'★ ' if source.training else ''}{escape(names[source.label])}</td></tr>"
        for source in origin.sources
    )
    return TABLE.format(rows=rows)


ENOUGH: Final = 1e-7  # error of a contribution; the table shows a tenth of a percent
TABLE: Final = """
<style>
.gdr-sources {{ width: 100%; border-collapse: collapse; font-size: 0.9rem; }}
.gdr-sources th, .gdr-sources td {{ text-align: left; padding: 0.15rem 0.5rem;
  border-bottom: 1px solid color-mix(in srgb, currentColor 15%, transparent); }}
.gdr-sources :is(th, td):is(:nth-child(2), :nth-child(3)) {{ text-align: right; }}
</style>
<table class="gdr-sources">
<thead><tr><th scope="col">Node</th><th scope="col">Share</th><th scope="col">Hops</th>
<th scope="col">Class in the prior</th></tr></thead>
<tbody>{rows}</tbody>
</table>
"""
