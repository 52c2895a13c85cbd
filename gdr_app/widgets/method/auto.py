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
    "taken; the prior is kept where these nodes do not show clearly that the graph helps. With too "
    "few validation nodes the usual rule and Laplacian are taken."
)
_SAID_HELP: Final = (
    "The gain is the one at the t_min that GDR chooses. Rule, Laplacian and t_min were chosen on "
    "the same nodes, so it is likely to be larger here than on other nodes. The more ways are "
    "tried, the clearer the gain has to be for GDR to leave the prior."
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
    about = _SAID_HELP if found.gain.enough else None  # else nothing was chosen on any nodes
    place.markdown(f":material/auto_awesome: {found.sentence}", help=about)
    return decided(view)
