"""How one node came to its label, and from whom: told for every t_min."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

import numpy as np

from gdr_app.computing import cached
from gdr_app.computing.kept import kept
from gdr_app.computing.results import laplacian_of, result_of
from gdr_app.overshoot.examples import example_node
from gdr_app.widgets.later import Continuation, about_lines
from gdr_app.wording import plain, readable
from gdr_core.datasets import Dataset
from gdr_core.datasets.hiding import truth_of
from gdr_core.explanation.contributions import explain
from gdr_core.explanation.quantities import shown
from gdr_core.explanation.sources import Source, sources
from gdr_core.explanation.verdict import Verdict, Verdicts, sentence
from gdr_core.figures.relabel import NodeCurves
from gdr_core.gdr import RULES, GDRResult
from gdr_core.gdr.onward import Drawn
from gdr_core.method import Method

NOBODY: Final = """
This is {example}. Click a node in the graph, or search for it above, for its own card.
"""


@kept(most=64)
def example(view: Method) -> tuple[int, str]:
    """A node to begin with, and a sentence on why this one.

    It is the same for every t_min, so that one sees what t_min does to it.
    """
    node, reason = example_node(view)
    return node, NOBODY.format(example=reason)


@dataclass(frozen=True)
class Told:
    """What is said of a node at one t_min.

    headline  the node and its classes
    verdict   in a sentence
    how       the rule and the runner-up
    marks     what stands at t_min in the picture of the curves
    moment    index of the time at which the label was decided
    """

    headline: str
    verdict: str
    how: str
    marks: str
    label: int
    moment: int


@dataclass(frozen=True, eq=False)
class Story:
    """A node for every t_min.

    It is told as a whole when the node is first shown, and a step of t_min only turns a page. What
    the verdicts have in common is found once for all of them (`Verdicts`), or else nobody would
    want to wait for it.

    told      what is said at each t_min
    frames    the picture of the curves by the node's label, open for the marks
    lines     what the lines of the picture are
    history   how the label changes along t_min
    """

    told: tuple[Told, ...]
    frames: dict[int, str]
    lines: str
    history: str


@kept(most=64)
def story_of(view: Method, node: int, _later: Continuation) -> Story:
    """All that is told of a node; what it tells is the same for every visitor."""
    graph, result = cached.dataset(view.dataset), result_of(view)
    return tell(graph, result, node, _later.drawn(np.array([node])))


def tell(graph: Dataset, result: GDRResult, node: int, drawn: Drawn) -> Story:
    """The story of a node; `drawn` are its curves until they have settled."""
    names = tuple(map(readable, graph.class_names))
    curves, verdicts = NodeCurves(result, node, names, drawn), Verdicts(result, node)
    each = [verdicts.at(index) for index in range(result.times.size)]
    heads = {label: _headline(graph, result, node, label) for label in {one.label for one in each}}
    return Story(
        told=tuple(
            Told(
                headline=heads[verdict.label],
                verdict=plain(sentence(verdict, names)),
                how=f"{_how_decided(result, verdict)}\n\n{_runner_up(verdict, names)}",
                marks=curves.marks(verdict),
                label=verdict.label,
                moment=verdict.decisive_index,
            )
            for verdict in each
        ),
        frames={label: curves.frame(label) for label in heads},
        lines=about_lines(result, drawn, node),
        history=_history(each[0], names),
    )


@dataclass(frozen=True)
class Origin:
    """Where p of a class at a node came from when it was decided: in words and as a table."""

    said: str
    table: str


@kept(most=256)
def origin_of(view: Method, node: int, label: int, moment: int) -> Origin:
    """Where a score came from, at one time of the grid; it is the same for all t_min before."""
    graph, result = cached.dataset(view.dataset), result_of(view)
    names = tuple(map(readable, graph.class_names))
    time = float(result.times[moment])
    found = explain(laplacian_of(view), result, node, label, time=time, tolerance=_ENOUGH)
    return Origin(
        f"**Where its belief in {plain(names[label])} comes from**: p = {shown(found.score)} at "
        f"t = {shown(float(result.relative_times[moment]))}, split by the node where it started. "
        "★ marks training nodes.",
        _source_table(sources(graph.undirected, result, found), graph, names),
    )


def _headline(graph: Dataset, result: GDRResult, node: int, label: int) -> str:
    names = [plain(readable(name)) for name in graph.class_names]
    prior, true = int(result.prior_labels[node]), plain(readable(truth_of(graph, node)))
    moved = names[label] if label == prior else f"{names[prior]} → {names[label]}"
    return f"**Node {plain(graph.node_names[node])}** · **{moved}** · true class {true}"


def _how_decided(result: GDRResult, verdict: Verdict) -> str:
    """The rule and what it measured here, as the rule's own record says it."""
    if verdict.given:
        return "**How it is decided**: not at all, training nodes keep their class."
    if verdict.kept:
        return "**How it is decided**: by no rule; auto keeps the prior's label at every node."
    rule = result.options.rule
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


def _source_table(found: Sequence[Source], graph: Dataset, names: tuple[str, ...]) -> str:
    """A plain table: ten rows that change with t_min need no grid that scrolls and sorts."""
    rows = "".join(
        f"<tr><td>{escape(graph.node_names[source.node])}</td><td>{source.share:.1%}</td>"
        f"<td>{'–' if source.distance is None else source.distance}</td>"
        f"<td>{'★ ' if source.training else ''}{escape(names[source.label])}</td></tr>"
        for source in found
    )
    return TABLE.format(rows=rows)


_ENOUGH: Final = 1e-7  # error of a contribution; the table shows a tenth of a percent
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
