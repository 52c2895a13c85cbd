"""The t_min slider and the switch that reveals the test nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import streamlit as st

from gdr_app.computing.results import T_MIN, set_t_min, t_min_of
from gdr_app.state import link
from gdr_app.state.pickers import identity, moved
from gdr_app.state.revealing import reveal_test, test_is_revealed
from gdr_app.widgets.glossary import define_all
from gdr_core.gdr import GDRResult

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

SLIDER: Final = "t_min slider"
LINE: Final = '<div class="t-min-line" style="left: {place:.3f}%"></div>'
SLIDER_HELP: Final = define_all("t_min", "relaxation time")
SWITCH: Final = "reveal switch"
SWITCH_WIDTH: Final = 130  # px; given, so that the row has its shape before the switch is drawn
WHY_HIDDEN: Final = (
    "The classes of test nodes are hidden. Settings that are chosen by looking at them are tuned "
    "to them, and test accuracy no longer tells how well a method does on new nodes."
)
WHY_CAREFUL: Final = (
    "The classes of test nodes are visible. Use them to judge a result, not to choose settings."
)


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
        help=SLIDER_HELP,
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
