"""Which priors the mean of several is made of: their names, and how many seeds of random ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import streamlit as st

from gdr_app.state import link
from gdr_app.state.pickers import identity, moved, pick_number
from gdr_app.wording import plain
from gdr_core.priors import PRIORS
from gdr_core.priors.ensemble import MOST, members_of, possible
from gdr_core.priors.specification import PriorSpec

MEMBERS: Final = "ensemble-members"
_COPIES: Final = "ensemble-copies"
_MOST_COPIES: Final = 20
USUAL: Final[tuple[str, ...]] = ("linear", "heat-linear", "sgc")
HELP: Final = (
    "The class probabilities of all of these are averaged, each with its usual settings; every one "
    "has the same weight."
)
_COPIES_HELP: Final = (
    "Every random member is computed with this many seeds; each result counts as one member."
)


def choose_members(usable: Sequence[PriorSpec]) -> dict[str, Any]:
    """The options of the mean: members that the data allow, and seeds of those that are random."""
    allowed = [spec.name for spec in usable if spec.name in possible()]
    first: tuple[str, ...] = tuple(name for name in USUAL if name in allowed) or tuple(allowed[:2])
    value = _asked(allowed, first)
    # `gcn*3` of a link is an option of its own, which stands for `gcn`: a prior is named once.
    counted = {name for name, _ in members_of(",".join(value))} - set(value)
    options = tuple(dict.fromkeys((*(name for name in allowed if name not in counted), *value)))
    control = identity(MEMBERS, value, options)

    def take() -> None:
        chosen = tuple(st.session_state[control])
        moved(MEMBERS, chosen)
        link.remember(MEMBERS, None if chosen in ((), first) else ",".join(chosen))

    st.multiselect("Members", options, default=list(value), key=control, on_change=take, help=HELP)
    copies = 1
    if random := sum(word in PRIORS and PRIORS[word].random for word in value):
        most = min(_MOST_COPIES, 1 + (MOST - len(members_of(",".join(value)))) // random)
        label, limits = "Seeds of each random member", (1, most, 1)
        copies = int(pick_number(label, *limits, key=_COPIES, step=1, help=_COPIES_HELP))
    return {"members": ",".join(value), "copies": copies}


def _asked(allowed: Sequence[str], first: tuple[str, ...]) -> tuple[str, ...]:
    """The members that hold; what cannot be meant is forgotten, with a word if a link said it."""
    asked = link.recall(MEMBERS)
    if asked is None:
        return first
    words = tuple(dict.fromkeys(word for word in asked.replace(",", " ").split()))
    try:
        names = {name for name, _ in members_of(asked)}
        strange = sorted(names - set(allowed))
        trouble = f"{strange[0]} needs what these data do not have" if strange else ""
    except ValueError as error:
        trouble = str(error)
    if trouble:
        if MEMBERS in link.visit().asked:
            st.warning(
                f"The link asks for “{plain(asked)}” under **Members**: {plain(trouble)}. Showing "
                f"{', '.join(first)}.",
                icon=":material/link_off:",
            )
        link.correct(MEMBERS, None)
        return first
    link.visit().asked.discard(MEMBERS)
    if (text := ",".join(words)) != asked or words == first:
        link.correct(MEMBERS, None if words == first else text)
    return words
