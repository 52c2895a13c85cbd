"""The t_min slider and the switch that reveals the test nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import streamlit as st

from gdr_app.computing.results import T_MIN, set_t_min, t_min_of
from gdr_app.state import link
from gdr_app.state.pickers import identity, moved
from gdr_app.state.revealing import reveal_test, test_is_revealed
from gdr_core.gdr import GDRResult

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

SLIDER: Final = "t_min slider"
LINE: Final = '<div class="t-min-line" style="left: {place:.3f}%"></div>'
SWITCH: Final = "reveal switch"
WHY_HIDDEN: Final = (
    "The classes of test nodes are hidden: who chooses by looking at them tunes to them, and test "
    "accuracy no longer tells how the method does on new nodes."
)
WHY_CAREFUL: Final = "Now visible: from here on, choose nothing by it."


def choose_t_min(result: GDRResult, line: DeltaGenerator) -> int:
    """A slider over the time grid, which is logarithmic; its value is in every link.

    line   where the current t_min is marked in the chart under the slider
    """
    index, names = t_min_of(result), result.time_names
    control = identity(SLIDER, names[index], names)

    def take() -> None:
        moved(SLIDER, st.session_state[control])
        link.remember(T_MIN, st.session_state[control])

    st.select_slider(
        "t_min, in relaxation times: only what happens later counts",
        names,
        names[index],
        key=control,
        on_change=take,
    )
    line.html(LINE.format(place=100 * index / (len(names) - 1)))
    return index


def offer_chosen_t_min(result: GDRResult, index: int) -> None:
    """A button that goes back to the t_min that GDR chose."""
    st.button(
        f"Back to the chosen t_min, {result.time_names[result.chosen]}",
        icon=":material/target:",
        disabled=index == result.chosen,
        on_click=set_t_min,
        args=(None,),
    )


def offer_test() -> bool:
    """The switch "Reveal test"; whether the test nodes may be looked at."""
    revealed = switch_test()
    st.caption(WHY_CAREFUL if revealed else WHY_HIDDEN, width=420)
    return revealed


def switch_test() -> bool:
    """The switch without a word on it."""
    revealed = test_is_revealed()
    control = identity(SWITCH, revealed)

    def take() -> None:
        moved(SWITCH, st.session_state[control])
        reveal_test(st.session_state[control])

    st.toggle("Reveal test", revealed, key=control, on_change=take)
    return revealed
