"""Whether the test nodes may be seen: one switch for all pages, kept in every link.

While they are hidden a page has `cached.dataset` of a choice that is not `revealed`, in which their
classes are not known (see `gdr_core.datasets.hiding`), and results that are judged without them.
"""

from __future__ import annotations

from typing import Final

from gdr_app.state import link

_REVEALED: Final = "test"
SHOWN: Final = "shown"


def test_is_revealed() -> bool:
    """Whether the visitor has asked to see the classes of the test nodes."""
    return link.recall(_REVEALED) == SHOWN


def reveal_test(shown: bool) -> None:
    """Show or hide the classes of the test nodes. For callbacks."""
    link.remember(_REVEALED, SHOWN if shown else None)
