"""Taking results away: the lines of Python that give the same numbers, predictions as CSV."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias, TypeVar

import streamlit as st

from gdr_app.computing import cached
from gdr_app.computing.lines.own import lines_for
from gdr_app.computing.results import called, judging_part
from gdr_app.computing.runs import in_file_names, prior_label
from gdr_core.datasets import Dataset
from gdr_core.figures.page import page_of
from gdr_core.gdr import Relabelling
from gdr_core.gdr.predictions import predictions_csv
from gdr_core.method import Method
from gdr_core.method.lines import PriorLines, literal

if TYPE_CHECKING:
    import plotly.graph_objects as go

    Picture: TypeAlias = go.Figure | str | Callable[[], go.Figure | str]  # or how to make one

Shown = TypeVar("Shown")
PYTHON_OPEN: Final = "python-open"
_ONE_OF_MANY: Final = """\
after = result.accuracy["{part}"][result.chosen]
print({name}, result.prior_accuracy["{part}"], "->", after)
"""
IMPULSE: Final = """
from gdr_core.gdr.onward import until_settled
from gdr_core.graphs.neighbourhood import neighbourhood, sample_by_distance
from gdr_core.explanation.responses import respond

source = {node}  # {name}
near = neighbourhood(dataset.undirected, source, {hops})
far = sample_by_distance(dataset.undirected, source, {each})  # some nodes at each distance
times = until_settled(laplacian, options.times(laplacian))  # the window, and what follows
everyone = respond(laplacian, near, times, beyond=far, tolerance=options.tolerance)
responses = everyone.of(far.nodes)
for kind, name in enumerate(responses.names):
    print(name, (responses.kinds == kind).sum())
"""


def python_for(view: Method, t_min: float, part: str = "validation") -> str:
    """The lines of Python that lead to this view; t_min in relaxation times.

    part   of the split, whose accuracy the page shows
    """
    return view.python(t_min, part, lines_for(view))


def python_for_all(views: Mapping[str, Method], part: str = "validation") -> str:
    """The same for several views of one dataset, each at the t_min that GDR chooses."""
    runs = {name: lines_for(view) for name, view in views.items()}
    known = [lines for lines in runs.values() if lines is not None]
    trained = max(known, key=lambda lines: len(lines.imports), default=None)
    head = next(iter(views.values())).python_head(trained)
    blocks = [
        view.python_body(runs[name]) + _ONE_OF_MANY.format(name=literal(name), part=part)
        for name, view in views.items()
    ]
    return "\n".join([head, *blocks])


def python_for_impulse(view: Method, node: int, hops: int, each: int, name: str) -> str:
    """The lines that put unit mass on a node and tell how nodes near and far respond."""
    run = lines_for(view)
    lines = view.python_head(run) + view.python_body(run)
    return lines + IMPULSE.format(node=node, hops=hops, each=each, name=" ".join(name.split()))


@dataclass(frozen=True)
class Export(Generic[Shown]):
    """The way to take what a page shows away: Python lines, a table, figures.

    A session that was left is kept for a while, with its buttons and all that these hold. So they
    hold a way to what is shown and not the large arrays themselves: stores have a budget, and
    sessions none.

    name    begins the names of the files
    lines   the lines of Python for what is shown
    csv     the table of it
    title   of the table
    report  one page to send that tells all of what is shown
    page    makes one page to send with the graph, which answers to the hand
    """

    name: str
    lines: Callable[[Shown], str]
    csv: Callable[[Shown], str]
    title: str = "Predictions as CSV"
    report: Callable[[Shown], str] | None = None
    page: Callable[[Shown, int | None], str] | None = None

    def show(
        self,
        shown: Shown,
        figures: Sequence[Picture] = (),
        *,
        again: Callable[[], Shown],
        suffix: str = "",
        lines: str | None = None,
        node: int | None = None,
    ) -> None:
        """An expander with the lines, and buttons for the files, all made when they are asked for.

        again    what is shown, from where it is kept, when a file is asked for
        suffix   ends the names of the files
        lines    where they are others than usual
        node     that is chosen: files are made where no visit is known any more
        """
        # Tracked, so that a step of t_min writes no lines while it is shut.
        code = st.expander(
            "Python for this view", icon=":material/code:", key=PYTHON_OPEN, on_change="rerun"
        )
        if code.open:
            with code:
                st.markdown("These lines give the same numbers, without the app.")
                st.code(self.lines(shown) if lines is None else lines, language="python")
        name = self.name + suffix
        with st.container(horizontal=True):
            offer_file(self.title, f"{name}.csv", lambda: self.csv(again()))
            if (report := self.report) is not None:
                offer_file("Report as HTML", f"{name}-report.html", lambda: report(again()))
            if (page := self.page) is not None:
                offer_file("Graph as HTML", f"{name}-graph.html", lambda: page(again(), node))
            if figures:
                offer_file("Figures as HTML", f"{name}.html", lambda: _page_of(figures, name))


def _page_of(figures: Sequence[Picture], name: str) -> str:
    return page_of([figure() if callable(figure) else figure for figure in figures], name)


def export_of(view: Method) -> Export[Relabelling]:
    """For one t_min of a method: its Python lines and its predictions."""
    prior = prior_label(view.prior)
    about = f"Prior: {prior}. Laplacian: {view.laplacian}. Rule: {view.rule}."
    if view.auto:
        about += " Rule and Laplacian are those of auto."
    if view.keeps_prior:
        about += " The prior's labels are kept."
    graph, lines = cached.dataset(view.dataset), lines_for(view)  # which only the visit knows
    return Export(
        f"{in_file_names(called(view.dataset))}-{in_file_names(view.prior)}-",
        lambda now: python_for(view, now.t_min, judging_part(view)),
        lambda now: predictions_csv(graph, now),
        report=lambda now: _report_for(view, graph, now, lines, prior),
        page=lambda now, node: _graph_page(graph, now, node, about),
    )


def _report_for(
    view: Method, graph: Dataset, now: Relabelling, lines: PriorLines | None, prior: str
) -> str:
    """The report on a view at one t_min; without test accuracies while these are hidden."""
    from gdr_core.report import report_page

    result = replace(now.result, chosen=now.t_min_index)
    return report_page(view, graph, result, lines=lines, prior=prior)


def _graph_page(graph: Dataset, now: Relabelling, node: int | None, about: str) -> str:
    """A page of the graph at one t_min, with the curves of the chosen node."""
    from gdr_core.canvases.page import view_page

    index = now.t_min_index
    return view_page(graph, now.result, t_min_index=index, node=node, about=about)


def offer_file(
    label: str, name: str, data: bytes | Callable[[], str] | Callable[[], bytes], **more: Any
) -> None:
    """A button that makes a file and saves it, without running the page again."""
    st.download_button(
        label,
        data=data,
        file_name=name,
        mime=_KINDS_OF_FILES[name.rpartition(".")[2]],
        icon=":material/download:",
        on_click="ignore",
        **more,
    )


_KINDS_OF_FILES: Final = {
    "csv": "text/csv",
    "html": "text/html",
    "md": "text/markdown",
    "npz": "application/zip",
    "pdf": "application/pdf",
    "svg": "image/svg+xml",
    "zip": "application/zip",
}
