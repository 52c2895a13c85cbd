"""What a visitor has done is taken over wholly, however soon the next message comes.

A message of the browser brings the values of all controls. Streamlit calls those who hear of the
changed ones, and then runs the page. If another message comes meanwhile, it gets a run of its own
at once, and the run before stops at its next call of Streamlit. Two things go wrong with that:

- Reading a control's value is such a call. So a run may stop before anybody has heard of a change,
  or half-way. The next run finds the value where this one has put it and sees no change.
- Each run locks the values of the session with a lock of its own. A run that is just ending clears
  away what it did not draw while the next one puts in what has been chosen.

Nobody ever hears of that choice then: the control shows one thing, page and link another. Here all
runs of a session have one lock, and a run stops either before it takes a message, so that the next
one takes all of it, or when everyone has heard. Nothing is computed or drawn in between.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequest, ScriptRequests
    from streamlit.runtime.state.safe_session_state import SafeSessionState

LOG: Final = logging.getLogger(__name__)
_MAKE, _TAKE, _ASK = "__init__", "on_script_will_rerun", "on_scriptrunner_yield"
_DONE: Final = "_gdr_takes_wholly"
_here = threading.local()  # each run has a thread of its own
# By the session's state, which lives as long as a run that has its lock.
_locks: WeakValueDictionary[int, Any] = WeakValueDictionary()
_finding: Final = threading.Lock()


def take_wholly() -> None:
    """From now on, in all sessions of this process."""
    from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests
    from streamlit.runtime.state.safe_session_state import SafeSessionState

    if hasattr(SafeSessionState, _DONE):
        return
    if not (hasattr(SafeSessionState, _TAKE) and hasattr(ScriptRequests, _ASK)):
        LOG.warning("this version of Streamlit may lose a choice that is followed by another")
        return
    setattr(SafeSessionState, _MAKE, _with_one_lock(getattr(SafeSessionState, _MAKE)))
    setattr(SafeSessionState, _TAKE, _wholly(getattr(SafeSessionState, _TAKE)))
    setattr(ScriptRequests, _ASK, _unless_taking(getattr(ScriptRequests, _ASK)))
    setattr(SafeSessionState, _DONE, True)


def _with_one_lock(make: Callable[..., None]) -> Callable[..., None]:
    """The same, with the lock that the session's other runs have."""

    def making(run: SafeSessionState, state: object, *more: Any, **others: Any) -> None:
        make(run, state, *more, **others)
        with _finding:
            lock = _locks.setdefault(id(state), run._lock)
        object.__setattr__(run, "_lock", lock)  # its own way of setting leads into the session

    return making


def _wholly(take: Callable[..., None]) -> Callable[..., None]:
    """The same with no stop inside; who is to stop already leaves everything to the next run."""

    def taking(run: SafeSessionState, *values: Any, **more: Any) -> None:
        with run._lock:  # the run that comes next waits here
            run._yield_callback()
            _here.taking = True
            try:
                take(run, *values, **more)
            finally:
                _here.taking = False

    return taking


def _unless_taking(
    ask: Callable[[ScriptRequests], ScriptRequest | None],
) -> Callable[[ScriptRequests], ScriptRequest | None]:
    """The question whether to stop, which is put off while a message is taken over."""

    def asking(requests: ScriptRequests) -> ScriptRequest | None:
        return None if getattr(_here, "taking", False) else ask(requests)

    return asking
