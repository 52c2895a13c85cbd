"""Why a file is not made is told beside its button, where Streamlit says only that it failed.

A file is made when it is asked for, outside of any run of a page: nothing can be drawn then.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from functools import wraps
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from gdr_app.computing.results import NotKeptError
from gdr_core.within import holding

if TYPE_CHECKING:
    from streamlit.proto.BackMsg_pb2 import BackendOperationRequest
    from streamlit.proto.ForwardMsg_pb2 import BackendOperationResponse
    from streamlit.runtime.media_file_manager import MediaFileManager

    Answer: TypeAlias = Callable[
        [Any, BackendOperationRequest, str], Awaitable[BackendOperationResponse]
    ]

LOG: Final = logging.getLogger(__name__)
_ANSWER, _MAKE, _DONE = "handle", "execute_deferred", "_gdr_tells_refusals"
# The sentences of one request. Its file is made in a thread that has the same list.
_said: ContextVar[list[str]] = ContextVar("said")


def tell_refusals() -> None:
    """From now on, in all sessions of this process."""
    from streamlit.runtime.backend_operation_handler import DeferredFileHandler
    from streamlit.runtime.media_file_manager import MediaFileManager

    if hasattr(DeferredFileHandler, _DONE):
        return
    if not (hasattr(DeferredFileHandler, _ANSWER) and hasattr(MediaFileManager, _MAKE)):
        LOG.warning("this version of Streamlit does not tell why a file is not made")
        return
    setattr(MediaFileManager, _MAKE, _noting(getattr(MediaFileManager, _MAKE)))
    setattr(DeferredFileHandler, _ANSWER, _telling(getattr(DeferredFileHandler, _ANSWER)))
    setattr(DeferredFileHandler, _DONE, True)


def _noting(make: Callable[[MediaFileManager, str], str]) -> Callable[[MediaFileManager, str], str]:
    @wraps(make)
    def noted(manager: MediaFileManager, file: str) -> str:
        try:
            return make(manager, file)
        except Exception as error:
            if isinstance(why := error.__cause__, NotKeptError):
                _said.get([]).append(str(why))
            raise

    return noted


def _telling(answer: Answer) -> Answer:
    @wraps(answer)
    async def told(
        handler: Any, request: BackendOperationRequest, session: str
    ) -> BackendOperationResponse:
        said: list[str] = []
        with holding(_said, said):
            given = await answer(handler, request, session)
        if said:
            given.error_msg = said[0]
        return given

    return told
