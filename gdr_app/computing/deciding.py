"""Rule and Laplacian chosen on the validation nodes, for a view that leaves them open."""

from __future__ import annotations

from dataclasses import replace

from gdr_app.computing.kept import kept
from gdr_app.computing.results import concealed, result_of
from gdr_core.gdr import RULES
from gdr_core.gdr.automatic import Decision, decide, try_out
from gdr_core.method import Method


def decided(view: Method) -> Method:
    """The view with what was chosen for it; the view itself where its visitor chooses.

    No choice reads a test class: it is the same whether these are shown or not.
    """
    return view.decided(decision_of(view)) if view.auto else view


def decision_of(view: Method) -> Decision:
    """What the validation nodes choose for a view, and why."""
    plain = concealed(view)
    # By an open record: one that was decided says the same as one that was not.
    return _decision_of(replace(plain, laplacian="", rule="overshoot", keeps_prior=False))


@kept(most=64)
def _decision_of(view: Method) -> Decision:
    """One Laplacian after the other, so that no more than one diffusion must be held at a time."""
    tried = []
    for name, way in view.ways.items():
        for rule in RULES:
            tried.append(try_out(name, result_of(replace(way, rule=rule))))
    return decide(tried)
