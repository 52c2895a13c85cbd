"""Rule and Laplacian chosen on the validation nodes, for a view that leaves them open."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from gdr_app.computing.kept import kept, store_for
from gdr_app.computing.results import concealed, result_of
from gdr_app.computing.store import Store
from gdr_core.gdr import RULES
from gdr_core.gdr.automatic import Decision, decide, try_out
from gdr_core.method import Method

_EACH: Final = 400  # bytes of a candidate
_BUDGET: Final = 2**20  # bytes of all decisions, about a hundred


def decided(view: Method) -> Method:
    """The view with what was chosen for it; the view itself where its visitor chooses.

    No choice reads a test class: it is the same whether these are shown or not.
    """
    return view.decided(decision_of(view)) if view.auto else view


def decision_of(view: Method) -> Decision:
    """What the validation nodes choose for a view, and why.

    Nobody waits for another's decision: of each diffusion that it takes, and that visitors share,
    everybody sees how far it is, and can cancel it.
    """
    plain = concealed(view)
    # By an open record: one that was decided says the same as one that was not.
    asked = replace(plain, laplacian="", rule="overshoot", keeps_prior=False)
    store = store_for(_decisions(), asked)
    known = store.get(asked)
    return store.keep(asked, _decide(asked)) if known is None else known


@kept(most=1)
def _decisions() -> Store[Decision]:
    return Store(_BUDGET, lambda found: _EACH * len(found.candidates))


def _decide(view: Method) -> Decision:
    """One Laplacian after the other, so that no more than one diffusion must be held at a time."""
    tried = []
    for name, way in view.ways.items():
        for rule in RULES:
            tried.append(try_out(name, result_of(replace(way, rule=rule))))
    return decide(tried)
