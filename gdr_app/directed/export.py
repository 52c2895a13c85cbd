"""Python lines and downloads of the Directed page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from gdr_app.computing.lines.own import lines_for
from gdr_app.computing.results import called
from gdr_app.computing.runs import in_file_names
from gdr_app.directed.choice import DirectedView
from gdr_app.directed.rank import ranks_csv
from gdr_app.directed.study import Studies
from gdr_app.widgets.export import Export
from gdr_core.datasets import Dataset, DatasetChoice
from gdr_core.method.lines import PriorLines, call, literal

if TYPE_CHECKING:
    from gdr_app.widgets.export import Picture

LINES: Final = """\
from gdr_core.explanation.directions import READINGS, common_times, study
from gdr_core.method import Method
{imports}
{own}method = Method.on({method})
dataset = method.load_dataset()
{prior}
node, times = {node}, common_times(method.laplacian)
for reading in READINGS:
    found = study(method, reading, dataset, prior)
    curves = found.curves(node, times)  # p(t) of the node, times in relaxation times
    label = dataset.class_names[found.result.predictions()[node]]
    accuracy = found.result.accuracy["validation"][found.result.chosen]
    print(reading, found.gap, found.visits[node], label, accuracy)
"""
RUN: Final = """\
{lines}prior = compute_prior("external", dataset, probabilities={probabilities})"""
_OWN_PRIOR: Final = "prior = method.compute_prior(dataset)"
_NEEDED_FOR_RUN: Final = "from gdr_core.priors import compute_prior\n"


def python_for(view: DirectedView, node: int) -> str:
    """The lines of Python that lead to this view."""
    method, more = view.method, lines_for(view.method) or PriorLines("", "", "")
    words: dict[str, object] = {"laplacian": method.laplacian, "alpha": method.alpha}
    if not more.probabilities:
        words = {"prior": method.prior, **words}
    own = method.dataset.own is not None
    which = "dataset" if own else literal(method.dataset.name)
    known = {} if own else _dataset_words(method.dataset)
    return LINES.format(
        imports=(_NEEDED_FOR_RUN if more.probabilities else "") + more.imports,
        own=more.dataset,
        method=call(which, **known, **words),
        prior=RUN.format(lines=more.lines, probabilities=more.probabilities)
        if more.probabilities
        else _OWN_PRIOR,
        node=node,
    )


def _dataset_words(choice: DatasetChoice) -> dict[str, object]:
    """What `Method.on` is told of a dataset beside its name."""
    seed = {"seed": choice.seed} if choice.seed else {}
    options = {"options": dict(choice.options)} if choice.options else {}
    return {"split": choice.split, **seed, **options}


def show_directed_export(
    view: DirectedView,
    graph: Dataset,
    studies: Studies,
    node: int,
    figures: Sequence[Picture],
) -> None:
    """The Python lines, PageRank as CSV and the figures of the open part as one page."""
    export: Export[int] = Export(
        f"{in_file_names(called(view.dataset))}-directions-alpha-{view.method.alpha:g}",
        lambda node: python_for(view, node),
        lambda node: ranks_csv(graph, studies),
        "PageRank as CSV",
    )
    export.show(node, figures, again=lambda: node)
