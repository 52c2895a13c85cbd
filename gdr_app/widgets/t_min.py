"""The bar of t_min and the switch that reveals the test nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import streamlit as st

from gdr_app.components.t_min_bar import PackedSweep, SentSweep
from gdr_app.computing.results import T_MIN
from gdr_app.state import link
from gdr_app.state.pickers import identity, moved
from gdr_app.state.revealing import reveal_test, test_is_revealed

BAR: Final = "bar"  # the key of the container that stays at the top while the page is scrolled
LABEL: Final = "t_min, in relaxation times: only what happens later counts"
_SWITCH: Final = "reveal switch"
_SWITCH_WIDTH: Final = 130  # px; given, so that the row has its shape before the switch is drawn
WHY_HIDDEN: Final = (
    "The classes of test nodes are hidden. Settings that are chosen by looking at them are tuned "
    "to them, and test accuracy no longer tells how well a method does on new nodes."
)
_WHY_CAREFUL: Final = (
    "The classes of test nodes are visible. Use them to judge a result, not to choose settings."
)


def t_min_bar(packed: PackedSweep, names: Sequence[str]) -> SentSweep:
    """The bar over the time grid, which is logarithmic; its t_min is in every link."""

    def take(to: int | None) -> None:
        link.remember(T_MIN, None if to is None else names[to])

    return SentSweep(packed, key="t_min", label=LABEL, on_move=take)


def offer_test(why_hidden: str = WHY_HIDDEN) -> bool:
    """The switch "Reveal test"; whether the test nodes may be looked at.

    why_hidden   what its tooltip says while they may not
    """
    revealed = test_is_revealed()
    control = identity(_SWITCH, revealed)

    def take() -> None:
        moved(_SWITCH, st.session_state[control])
        reveal_test(st.session_state[control])

    why = _WHY_CAREFUL if revealed else why_hidden
    st.toggle("Reveal test", revealed, key=control, on_change=take, help=why, width=_SWITCH_WIDTH)
    return revealed
