"""The t_min slider and the switch that reveals the test nodes."""

from __future__ import annotations

from typing import Final

import streamlit as st

from gdr_app.computing.results import name_of_time, set_t_min, t_min_of
from gdr_app.state.pickers import identity, moved
from gdr_app.state.revealing import reveal_test, test_is_revealed
from gdr_app.widgets.glossary import define_all
from gdr_core.gdr import GDRResult

SLIDER: Final = "t_min slider"
SWITCH: Final = "reveal switch"
SWITCH_WIDTH: Final = 130  # px; given, so that the row has its shape before the switch is drawn
WHY_HIDDEN: Final = (
    "The classes of test nodes are hidden. Settings that are chosen by looking at them are tuned "
    "to them, and test accuracy no longer tells how well a method does on new nodes."
)
WHY_CAREFUL: Final = (
    "The classes of test nodes are visible. Use them to judge a result, not to choose settings."
)


def choose_t_min(result: GDRResult) -> int:
    """A slider over the time grid, which is logarithmic; its value is in every link."""
    index = t_min_of(result)
    names = [name_of_time(result, position) for position in range(result.times.size)]
    control = identity(SLIDER, names[index], tuple(names))

    def take() -> None:
        moved(SLIDER, st.session_state[control])
        set_t_min(float(st.session_state[control]))

    st.select_slider(
        "t_min, in relaxation times: only what happens later counts",
        names,
        names[index],
        key=control,
        on_change=take,
        help=define_all("t_min", "relaxation time"),
    )
    return index


def offer_chosen_t_min(result: GDRResult, index: int) -> None:
    """A button that goes back to the t_min that GDR chose."""
    st.button(
        f"Back to the chosen t_min, {name_of_time(result, result.chosen)}",
        icon=":material/target:",
        disabled=index == result.chosen,
        on_click=set_t_min,
        args=(None,),
    )


def offer_test(why_hidden: str = WHY_HIDDEN) -> bool:
    """The switch "Reveal test"; whether the test nodes may be looked at.

    why_hidden   what its tooltip says while they may not
    """
    revealed = test_is_revealed()
    control = identity(SWITCH, revealed)

    def take() -> None:
        moved(SWITCH, st.session_state[control])
        reveal_test(st.session_state[control])

    why = WHY_CAREFUL if revealed else why_hidden
    st.toggle("Reveal test", revealed, key=control, on_change=take, help=why, width=SWITCH_WIDTH)
    return revealed
