"""Which messages of a client are heard: those that our pages send, and no others.

Streamlit takes more. It tells any client the name of the repository that its script lies in, the
branch and the names of changed files; a client on the same machine can have it write files for
agents into that folder, or change what it does when code changes. Kinds of messages that a later
version adds are not heard either, until somebody has looked at them.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from streamlit.proto.BackMsg_pb2 import BackMsg
    from streamlit.runtime.app_session import AppSession

LOG: Final = logging.getLogger(__name__)
# A message that ends the connection or the server is refused where it arrives.
HEARD: Final = frozenset(
    {
        "rerun_script",
        "stop_script",
        "file_urls_request",
        "clear_cache",
        "app_heartbeat",
        "backend_operation_request",
    }
)
OPERATIONS: Final = frozenset({"deferred_file", "dataframe_chunk"})
_HEAR, _MAKE, _NUDGE = (
    "handle_backmsg",
    "_create_backend_operation_dispatcher",
    "_compute_skills_nudge_state",
)
_DONE: Final = "_gdr_hears_pages_only"


def hear_pages_only() -> None:
    """From now on, in all sessions of this process."""
    from streamlit.runtime.app_session import AppSession

    if hasattr(AppSession, _DONE):
        return
    if not all(hasattr(AppSession, name) for name in (_HEAR, _MAKE, _NUDGE)):
        LOG.warning("this version of Streamlit may hear messages that no page sends")
        return
    setattr(AppSession, _HEAR, _if_heard(getattr(AppSession, _HEAR)))
    setattr(AppSession, _MAKE, _of_pages(getattr(AppSession, _MAKE)))
    setattr(AppSession, _NUDGE, lambda session: (False, ""))  # nobody is offered to write files
    setattr(AppSession, _DONE, True)


def _if_heard(hear: Callable[[AppSession, BackMsg], None]) -> Callable[[AppSession, BackMsg], None]:
    """The same for messages that are heard; others are dropped without an answer."""

    def hearing(session: AppSession, message: BackMsg) -> None:
        kind = message.WhichOneof("type")
        if kind in HEARD:
            hear(session, message)
        else:
            LOG.debug("a message of the kind %s is not heard", kind)

    return hearing


def _of_pages(make: Callable[[AppSession], Any]) -> Callable[[AppSession], Any]:
    """The same without what serves operations that no page asks for."""

    def making(session: AppSession) -> Any:
        dispatcher = make(session)
        for name in set(dispatcher._handlers) - OPERATIONS:
            del dispatcher._handlers[name]
        return dispatcher

    return making
