"""Curves beyond the time window, and what a page says about the window's end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import streamlit as st

from gdr_app.computing.diffusing import curves_onward
from gdr_app.computing.kept import kept
from gdr_app.computing.results import called, concealed, laplacian_of, result_of
from gdr_app.computing.store import Store
from gdr_app.computing.working import obtain
from gdr_app.state import link
from gdr_app.widgets.sidebar import LAST_TIMES
from gdr_core.diffusion.trajectories import Trajectories
from gdr_core.explanation.quantities import shown
from gdr_core.gdr import GDRResult
from gdr_core.gdr.onward import Drawn, drawn
from gdr_core.gdr.scan import NEIGHBOURHOOD
from gdr_core.method import Method
from gdr_core.progress import Progress

BUDGET: Final = 96 * 2**20  # bytes kept for all visitors
_WINDOW_END: Final = "to"  # the key of the sidebar's "Window to"


@dataclass(frozen=True, eq=False)
class Later:
    """The curves after the window; None where there are none to show."""

    curves: Trajectories | None

    @property
    def size(self) -> int:
        """Bytes held."""
        return 0 if self.curves is None else self.curves.fields.nbytes + self.curves.level.nbytes


@kept(most=1)
def _laters() -> Store[Later]:
    return Store(BUDGET, lambda later: later.size)


class Continuation:
    """The curves of a view after its window, which are the same for every rule.

    Pages make one before their fragment: the progress bar that this may show must not move what
    stands in the fragment, or a hand that drags t_min would lose it. The curves stay in the store.
    """

    def __init__(self, view: Method) -> None:
        self.view = view
        self._later()

    def drawn(self, nodes: np.ndarray) -> Drawn:
        """The curves of some nodes until they have settled."""
        return drawn(result_of(self.view), self._later().curves, nodes)

    def _later(self) -> Later:
        view = self.view
        result, laplacian = result_of(view), laplacian_of(view)

        def compute(progress: Progress) -> Later:
            return Later(curves_onward(view, result, laplacian, progress))

        key = ("onward", concealed(view).diffusion_key)
        return obtain(_laters(), key, f"Curves after the window on {called(view.dataset)}", compute)


def about_lines(result: GDRResult, shown_curves: Drawn, node: int) -> str:
    """What the dashed and dotted lines are, and where the window ends: only what is in the chart.

    Levels that differ by less than the chart can show count as one.
    """
    span = float(np.ptp(shown_curves.values)) or 1.0
    apart = np.abs(result.limit[node] - result.stationary[node]).max() > 0.005 * span
    words = ["Dashed: π, the value a curve is compared with"]
    words += ["dotted: where a curve ends, the long-run value of its component"] if apart else []
    text = "; ".join(words) + "."
    if shown_curves.times.size > shown_curves.window:
        end = shown(shown_curves.times[shown_curves.window - 1])
        text += f" The time window ends at t = {end}; what follows is drawn but does not count."
    if not shown_curves.settled:
        goal = "dotted" if apart else "dashed"
        text += (
            f" The curves have not settled where the chart ends; they go on to the {goal} lines."
        )
    return text


def tell_of_the_edge(result: GDRResult) -> None:
    """The best t_min lies at the end of the window or near: say so, and offer a longer window."""
    last = float(result.relative_times[-1])
    longer = [name for name in LAST_TIMES if _is_longer(name, last)]
    text = edge_sentence(result)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f":material/right_panel_open: {text}", width="content")
        if longer and st.button(
            f"Look as far as t = {longer[0]}",
            key="longer-window",
            on_click=_look_further,
            args=(longer[0],),
        ):
            st.rerun()  # the picker stands in the sidebar, outside of the fragment


def edge_sentence(result: GDRResult) -> str:
    """What is said where `at_the_edge`: whether the chosen t_min is the last time, or near it."""
    times = result.relative_times
    last, best = shown(float(times[-1])), shown(float(times[result.chosen]))
    if result.chosen == times.size - 1:
        return (
            f"The chosen t_min lies at the end of the time window, t = {last}: a later one may do "
            "better."
        )
    return (
        f"The chosen t_min, {best}, is so close to the end of the time window, t = {last}, "
        "that times after it could not be compared: one of them may do better."
    )


def _look_further(name: str) -> None:
    link.remember(_WINDOW_END, name)


def at_the_edge(result: GDRResult) -> bool:
    """Whether the window cuts off the times by whose mean the chosen t_min was judged.

    Where no t_min is better than another, none is at the edge.
    """
    validation = result.accuracy["validation"]
    flat = np.isnan(validation).any() or np.ptp(validation) == 0
    times = result.relative_times
    return not flat and bool(times[result.chosen] * NEIGHBOURHOOD > times[-1] * (1 + 1e-9))


def _is_longer(name: str, last: float) -> bool:
    return name in LAST_TIMES[1:] and float(name) > last * 1.001
