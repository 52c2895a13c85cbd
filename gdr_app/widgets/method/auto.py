"""Auto: rule and Laplacian chosen on the validation nodes, or the prior kept, and what is said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gdr_app.computing.deciding import decided, decision_of
from gdr_app.state.pickers import pick
from gdr_core.method import Method

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

BY_HAND, BY_VALIDATION = "false", "true"
NAMES: Final = {BY_HAND: "as chosen below", BY_VALIDATION: "auto"}
HELP: Final = (
    "**as chosen below**: the Laplacian of the next control, and the rule under Advanced. "
    "**auto**: every rule on every Laplacian that fits the graph is tried, each at its own t_min. "
    "The one with the best accuracy on the validation nodes, averaged over neighbouring t_min, is "
    "taken; the prior is kept where these nodes do not show clearly that the graph helps."
)
SAID_HELP: Final = (
    "The gain is that at the t_min that GDR chooses. The same nodes have chosen rule, Laplacian "
    "and t_min, so the gain is a little flattered; the bar for leaving the prior rises with the "
    "number of ways that were tried."
)


def choose_auto() -> bool:
    """Whether the validation nodes choose rule and Laplacian, or keep the prior."""
    chosen = pick(
        "How to reclassify",
        tuple(NAMES),
        key="auto",
        help=HELP,
        format_func=lambda value: NAMES[value],
    )
    return chosen == BY_VALIDATION


def with_choice(view: Method, place: DeltaGenerator) -> Method:
    """The view with what was chosen for it, which is said in this place with its reason."""
    if not view.auto:
        return view
    found = decision_of(view)
    place.markdown(f":material/auto_awesome: {found.sentence}", help=SAID_HELP)
    return decided(view)
