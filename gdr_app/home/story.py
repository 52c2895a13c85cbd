"""Home's five steps: each a figure that one can touch, each with a link of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import streamlit as st

from gdr_app.components.diffusion_figure import FigureOptions, diffusion_figure
from gdr_app.components.trajectory_canvas import pack_curves, trajectory_canvas
from gdr_app.computing.kept import kept
from gdr_app.computing.results import concealed, dataset_of, result_of
from gdr_app.home import texts
from gdr_app.overshoot.node_story import headline, reason
from gdr_app.state import link
from gdr_app.state.pickers import chosen_of, number_of, pick_number, type_text
from gdr_app.state.visit import number_text, usual_method
from gdr_app.widgets.later import Continuation
from gdr_app.wording import plain
from gdr_core.canvases.relabelling.payload import class_curves
from gdr_core.explanation.highlights import ranking, summits
from gdr_core.explanation.quantities import shown
from gdr_core.gdr import GDRResult
from gdr_core.lessons.facts import SketchFacts
from gdr_core.method import Method
from gdr_core.sketches import GALLERY, Sketch, SketchError, encode, parse

_INK, _WAIT, _PAPER, _OWN = "ink", "wait", "paper", "own"  # what links call them
_MOST_PAPERS: Final = 400
_SENTENCES: Final = 64  # of each kind; exact numbers take a second, and all visitors read the same
_COLOURS: Final = ("blue", "orange")
_FIRST_INK: Final = "a"  # what Home shows before one touches it
_FIRST_T_MIN: Final = 0.5
_LONGEST: Final = 2.0  # the largest t_min of seven nodes
_LETTERS: Final = 400  # of a graph that one types


@dataclass(frozen=True)
class Part:
    """A step: the name of its link, its title, its words, and what draws its figure."""

    anchor: str
    title: str
    words: str
    draw: Callable[[], None]


def tell() -> None:
    """All five, one below the other."""
    for place, part in enumerate(PARTS):
        st.header(f"{place + 1}. {part.title}", anchor=part.anchor)
        st.markdown(part.words)
        part.draw()
        if place + 1 < len(PARTS):
            then = PARTS[place + 1]
            st.markdown(f"[Next: **{then.title}** :material/arrow_downward:](#{then.anchor})")


@st.fragment
def _drop_ink() -> None:
    """One ink, on the node that was clicked last."""
    source = chosen_of("Ink", _INK, GALLERY["bridge"].sketch.names, _FIRST_INK)
    sketch = inked(source)
    diffusion_figure(
        sketch,
        key="home-figure-ink",
        label="Six nodes and one drop of ink. Press Play; click a node to drop the ink there.",
        options=FigureOptions(controls=("play", "speed"), height=300),
        on_told=_take_ink,
    )
    st.markdown(f":material/water_drop: {ink_sentence(sketch, source)}")


@st.fragment
def _spread_two() -> None:
    """Two inks from two known nodes."""
    sketch = _two_inks()
    diffusion_figure(
        sketch,
        key="home-figure-two",
        label="Six nodes, blue ink on a, orange ink on f.",
        options=FigureOptions(controls=("play", "speed"), height=300),
    )
    st.markdown(f":material/palette: {label_sentence(sketch)}")


@st.fragment
def _wait_a_little() -> None:
    """The same for a node whose classifier is wrong, with a t_min to move."""
    sketch = waited(_choose_t_min())
    diffusion_figure(
        sketch,
        key="home-figure-t-min",
        label="Seven nodes; x believes in blue, most of its neighbours in orange.",
        options=FigureOptions(controls=("play",), focus="x", height=300),
    )
    st.markdown(f":material/hourglass_bottom: {t_min_sentence(sketch)}")


@st.fragment
def _correct_a_paper() -> None:
    """A paper of Cora whose label GDR corrects, and its beliefs over time."""
    view = concealed(Method.on("cora"))
    graph, result = dataset_of(view), result_of(view)
    papers = corrected(result)
    names = tuple(graph.node_names[paper] for paper in papers)
    name = chosen_of("Paper", _PAPER, names, names[0])
    place = names.index(name)
    node = int(papers[place])
    st.markdown(headline(graph, result, node, result.chosen))
    nodes = np.array([node])
    trajectory_canvas(
        pack_curves(class_curves(graph, result, nodes, Continuation(view).drawn(nodes))),
        key="home-curves",
        label=f"Beliefs in every field at paper {name} over time.",
        index=result.chosen,
        height=300,
    )
    st.markdown(reason(graph, result, node, result.chosen))
    with st.container(horizontal=True, gap="small"):
        then = None if place + 1 == len(names) else names[place + 1]
        st.button("Another paper", key="home-another", on_click=link.remember, args=(_PAPER, then))
        st.page_link(
            "pages/4_Relabel.py",
            label="Why? Open it on the page Relabel",
            icon=":material/published_with_changes:",
            query_params={
                **usual_method("cora"),
                "t_min": result.time_names[result.chosen],
                "node": name,
            },
        )


@st.fragment
def _draw_your_own() -> None:
    """A graph that the visitor types."""
    text = type_text(
        "Your graph: links, and a colon for who starts with ink",
        key=_OWN,
        longest=_LETTERS,
        default=texts.OWN_GRAPH,
    )
    try:
        sketch = parse(text.replace(";", "\n"))
        sketch.operator()
    except (SketchError, ValueError) as error:
        st.warning(plain(str(error)), icon=":material/edit:")
        sketch = parse(texts.OWN_GRAPH.replace(";", "\n"))
    diffusion_figure(
        sketch,
        key="home-figure-own",
        label="Your graph.",
        options=FigureOptions(controls=("play", "speed"), height=280),
    )
    with st.container(horizontal=True, gap="medium"):
        graph = {"graph": encode(sketch)}
        st.page_link(
            "pages/0_Lab.py",
            label="Go on drawing in the Lab",
            icon=":material/science:",
            query_params=graph,
        )
        st.page_link("pages/0_Lessons.py", label="Take a lesson", icon=":material/school:")


def tell_beforehand() -> None:
    """Make the sentences that everybody reads first."""
    ink_sentence(inked(_FIRST_INK), _FIRST_INK)
    label_sentence(_two_inks())
    t_min_sentence(waited(_FIRST_T_MIN))


@kept(most=_SENTENCES)
def ink_sentence(sketch: Sketch, source: str) -> str:
    """Who overshoots if the ink starts at this node, made from exact numbers.

    >>> "**b** overshoots most" in ink_sentence(inked("a"), "a")
    True
    """
    facts = SketchFacts(sketch)
    rising = [name for name in sketch.names if facts.rises(name)]
    if not rising:
        return f"From **{source}**, nobody overshoots."
    best = max(rising, key=facts.overshoot)
    others = " and ".join(name for name in rising if name != best)
    also = f" {others} does, too." if len(rising) == 2 else f" So do {others}." if others else ""
    return (
        f"From **{source}**, **{best}** overshoots most: it reaches {facts.peak(best):.3f} at t = "
        f"{facts.peak_time(best):.2f}, above the line π = {facts.pi(best):.3f}, and falls "
        f"back.{also} The others, but for {source}, never rise above it."
    )


@kept(most=_SENTENCES)
def label_sentence(sketch: Sketch) -> str:
    """Which colour overshoots where."""
    facts = SketchFacts(sketch)
    found = {
        colour: [name for name in sketch.names if facts.rises(name, k + 1)]
        for k, colour in enumerate(_COLOURS)
    }
    said = ", ".join(f"{colour} at {' and '.join(names)}" for colour, names in found.items())
    return f"Overshoots: {said}. Read them as labels, and the graph is classified."


@kept(most=_SENTENCES)
def t_min_sentence(sketch: Sketch) -> str:
    """What x becomes with this t_min."""
    facts = SketchFacts(sketch)
    heights = [facts.overshoot("x", sketch.t_min, k) for k in (1, 2)]
    said = " and ".join(
        f"{colour} {_gets(height)}" for colour, height in zip(_COLOURS, heights, strict=True)
    )
    winner = int(facts.label("x", sketch.t_min))
    ends = f"x becomes **{_COLOURS[winner - 1]}**" if winner else "x keeps its own belief"
    return f"From t_min = {sketch.t_min:g} on, {said} at x: {ends}."


def _gets(height: float) -> str:
    return f"gets {shown(height)} above its π" if height > 1e-9 else "does not get above π"


def inked(source: str) -> Sketch:
    """Six nodes with all ink on one of them."""
    six = GALLERY["bridge"].sketch
    beliefs = tuple((1.0,) if name == source else (0.0,) for name in six.names)
    return replace(six, beliefs=beliefs, train=(False,) * len(six.names))


def _two_inks() -> Sketch:
    """Six nodes, an ink on each of two."""
    return replace(GALLERY["bridge"].sketch, time=1.0)


def waited(t_min: float) -> Sketch:
    """Seven nodes whose overshoots count from t_min on."""
    return replace(GALLERY["misleading"].sketch, t_min=t_min, time=1.0)


def _take_ink(told: dict[str, Any]) -> None:
    if told.get("event") == "node" and told.get("node") in GALLERY["bridge"].sketch.names:
        link.remember(_INK, None if told["node"] == _FIRST_INK else told["node"])


def _choose_t_min() -> float:
    """The slider; a link's value between two of its steps becomes the nearer one."""
    asked = number_of("t_min", _WAIT, 0.0, _LONGEST, _FIRST_T_MIN)
    if (nearest := round(asked, 1)) != asked:
        link.correct(_WAIT, None if nearest == _FIRST_T_MIN else number_text(nearest))
    return pick_number("t_min", 0.0, _LONGEST, _FIRST_T_MIN, key=_WAIT, step=0.1, slider=True)


def corrected(result: GDRResult) -> np.ndarray:
    """Papers that GDR fixes by a clear overshoot, the clearest first; none is a test paper."""
    found = summits(result)
    clear = ranking(found, "clear overshoots", _MOST_PAPERS).nodes
    return clear[found.changes.fixed[clear]]


PARTS: Final = (
    Part("ink", "Drop ink on a node", texts.INK, _drop_ink),
    Part("two-inks", "Two inks, two classes", texts.TWO_INKS, _spread_two),
    Part("t-min", "Wait a little: t_min", texts.WAIT, _wait_a_little),
    Part("cora", "The same on 2,708 papers", texts.CORA, _correct_a_paper),
    Part("you", "Your turn", texts.YOU, _draw_your_own),
)
