"""What the first visitor would wait for, made while the server waits for that visitor.

Home and the pages that Home leads to begin with the same graph and the same method. A thread makes
their numbers as soon as the server answers; who comes earlier waits for the rest of it only.
"""

from __future__ import annotations

import logging
from threading import Thread
from typing import Final

from gdr_app.computing.results import concealed
from gdr_app.computing.working import unseen
from gdr_app.home.story import tell_beforehand
from gdr_app.relabel.story import example, story_of
from gdr_app.relabel.sweep import sweep_of
from gdr_app.widgets.later import Continuation
from gdr_core.method import Method

LOG: Final = logging.getLogger(__name__)
FIRST: Final = "cora"


def start_preparing() -> None:
    """Begin; the thread ends with its work, or with the server."""
    Thread(target=_try, name="first view", daemon=True).start()


def prepare() -> None:
    """Put the first view into the stores that all visitors share."""
    view = concealed(Method.on(FIRST))
    with unseen():
        sweep_of(view)  # and with it the graph, the prior and the diffusion
        later = Continuation(view)
        tell_beforehand()
        node, _ = example(view)  # and with it the nodes that overshoot most clearly
        story_of(view, node, later)


def _try() -> None:
    try:
        prepare()
    except Exception:  # nobody has asked for it: the page that needs it will say what is wrong
        LOG.warning("the first view could not be prepared", exc_info=True)
