"""What a step shows: a sketch computed in the browser, or a study of a dataset."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import streamlit as st

from gdr_app.components.diffusion_figure import FigureOptions, diffusion_figure
from gdr_app.computing.results import concealed, dataset_of, result_of
from gdr_app.lessons.charts import homophily_bars, smoothing_curves
from gdr_app.widgets.overview import BY_CLASS, Overview, prior_looks, relabel_looks
from gdr_app.widgets.plots import draw_figure
from gdr_app.wording import percent
from gdr_core.datasets import Dataset
from gdr_core.gdr import GDRResult
from gdr_core.lessons import Figure, Question, functions_of
from gdr_core.lessons.expressions import Functions
from gdr_core.lessons.record import CHART, NODE
from gdr_core.lessons.studies import ResultFacts, method_of
from gdr_core.method import Method

HIDEABLE: Final = ("play", "speed", "axis", "chart", "values", "badges", "steps", "sheets")
_PLAYER: Final = ("play", "speed", "axis")
Told = Callable[[dict[str, Any]], None]


def run(method: Method) -> tuple[GDRResult, Dataset]:
    """A study's result from the store that all pages share; test classes stay hidden."""
    view = concealed(method)
    return result_of(view), dataset_of(view)


def functions_for(figure: Figure | None) -> Functions:
    """What a step's texts compute with."""
    return functions_of(figure, run)


def draw(
    figure: Figure, question: Question | None, hidden: list[str], key: str, told: Told | None
) -> None:
    """The figure of a step; `question` where it still waits for an answer."""
    if figure.sketch is not None:
        _draw_sketch(figure, question, hidden, key, told)
    elif question is None:
        _STUDIES[figure.kind](figure, key)
    elif figure.kind == "relabel":
        _draw_start(figure)
    else:
        st.info("The chart is shown when you have answered.", icon=":material/visibility_off:")


def _draw_sketch(
    figure: Figure, question: Question | None, hidden: list[str], key: str, told: Told | None
) -> None:
    assert figure.sketch is not None
    waits = question is not None and figure.hidden
    asked = question.kind if question is not None else ""
    ask: Any = {NODE: "node", CHART: "curve"}.get(asked, "")
    names = ", ".join(figure.sketch.names)
    diffusion_figure(
        figure.sketch,
        key=key,
        label=f"A graph with the nodes {names}, and its beliefs over time.",
        options=FigureOptions(
            controls=() if waits else tuple(c for c in _PLAYER if c not in hidden),
            curves="none" if waits else "all",
            chart="chart" not in hidden and (not waits or ask == "curve"),
            values="values" not in hidden,
            badges=not waits and "badges" not in hidden,
            ask=ask,
            focus=figure.focus,
            stop=figure.stop or None,
        ),
        on_told=told,
    )


def _draw_smoothing(figure: Figure, key: str) -> None:
    facts = ResultFacts(*run(method_of(figure)))
    index = _choose_t_min(facts, key)
    draw_figure(
        smoothing_curves(facts, index),
        key=f"{key}-curves",
        alt=f"Accuracy of GDR on {figure.dataset} and the share of the Dirichlet energy that is "
        "left, for every t_min.",
    )


def _draw_relabel(figure: Figure, key: str) -> None:
    view = concealed(method_of(figure))
    result, graph = run(view)
    facts = ResultFacts(result, graph)
    index = _choose_t_min(facts, key)
    overview = Overview(view.dataset, clickable=False)
    looks = relabel_looks(view.dataset, graph, result.at(index), BY_CLASS)
    overview.draw(looks, None, height=400, coloured_by="the class that GDR gives")


def _draw_start(figure: Figure) -> None:
    """The graph before GDR, by what the prior believes."""
    view = concealed(method_of(figure))
    result, graph = run(view)
    looks = prior_looks(graph, result.prior_labels)
    Overview(view.dataset, clickable=False).draw(looks, None, height=400, coloured_by="prior class")


def _draw_homophily(figure: Figure, key: str) -> None:
    share = st.slider(
        "Share of links inside a class (homophily)",
        0.1,
        0.9,
        0.8,
        0.1,
        key=f"{key}-share",
    )
    functions = functions_for(figure)
    before, after = functions["before"](share), functions["after"](share)
    st.markdown(
        f"At {share:g}: **{percent(before)}** before GDR, **{percent(after)}** after, on "
        "validation nodes."
    )
    draw_figure(
        homophily_bars(share, before, after),
        key=f"{key}-bars",
        alt=f"Accuracy before GDR {percent(before)} and after it {percent(after)}.",
    )


def _choose_t_min(facts: ResultFacts, key: str) -> int:
    """A slider over every t_min, with what it leads to beside it."""
    result = facts.result
    name = st.select_slider(
        "t_min, in relaxation times",
        result.time_names,
        result.time_names[result.chosen],
        key=f"{key}-t-min",
    )
    index = result.time_names.index(name)
    accuracy = float(result.accuracy["validation"][index])
    st.markdown(
        f"Prior **{percent(facts.prior())}**, GDR **{percent(accuracy)}** on validation nodes; "
        f"**{int(result.scan.relabelled[index]):,}** labels changed; "
        f"**{percent(float(facts.energies[index]))}** of the energy left."
    )
    return index


_STUDIES: Final[dict[str, Callable[[Figure, str], None]]] = {
    "smoothing": _draw_smoothing,
    "relabel": _draw_relabel,
    "homophily": _draw_homophily,
}
