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

The next message has all values of this one but not its clicks, of which a browser tells once. A run
that stops before it takes its message leaves its clicks to the next.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary, WeakValueDictionary

if TYPE_CHECKING:
    from streamlit.proto.WidgetStates_pb2 import WidgetStates
    from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequest, ScriptRequests
    from streamlit.runtime.state.safe_session_state import SafeSessionState

LOG: Final = logging.getLogger(__name__)
_MAKE, _TAKE, _ASK = "__init__", "on_script_will_rerun", "on_scriptrunner_yield"
_CLICKS: Final = "_has_active_trigger_value", "_coalesce_widget_states"
_DONE: Final = "_gdr_takes_wholly"
_here = threading.local()  # each run has a thread of its own
# By the session's state, which lives as long as a run that has its lock.
_locks: WeakValueDictionary[int, Any] = WeakValueDictionary()
_finding: Final = threading.Lock()
# By the lock, which is held: clicks of which nobody has heard yet.
_clicks: WeakKeyDictionary[Any, WidgetStates] = WeakKeyDictionary()


def take_wholly() -> None:
    """From now on, in all sessions of this process."""
    from streamlit.runtime.scriptrunner_utils import script_requests
    from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests
    from streamlit.runtime.state.safe_session_state import SafeSessionState

    if hasattr(SafeSessionState, _DONE):
        return
    needed: list[tuple[object, str]] = [(SafeSessionState, _TAKE), (ScriptRequests, _ASK)]
    needed += [(script_requests, name) for name in _CLICKS]
    if not all(hasattr(place, name) for place, name in needed):
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

    def taking(run: SafeSessionState, values: WidgetStates | None, **more: Any) -> None:
        with run._lock:  # the run that comes next waits here
            values = _with_clicks(_clicks.pop(run._lock, None), values)
            try:
                run._yield_callback()
            except BaseException:
                if values is not None:
                    _clicks[run._lock] = _clicks_of(values)
                raise
            _here.taking = True
            try:
                take(run, values, **more)
            finally:
                _here.taking = False

    return taking


def _clicks_of(values: WidgetStates) -> WidgetStates:
    """What happened once, without what is still so."""
    from streamlit.proto.WidgetStates_pb2 import WidgetStates
    from streamlit.runtime.scriptrunner_utils.script_requests import _has_active_trigger_value

    return WidgetStates(widgets=filter(_has_active_trigger_value, values.widgets))


def _with_clicks(earlier: WidgetStates | None, values: WidgetStates | None) -> WidgetStates | None:
    """The values with earlier clicks, as Streamlit itself adds them up where it can."""
    from streamlit.runtime.scriptrunner_utils.script_requests import _coalesce_widget_states

    return _coalesce_widget_states(earlier, values) if earlier else values


def _unless_taking(
    ask: Callable[[ScriptRequests], ScriptRequest | None],
) -> Callable[[ScriptRequests], ScriptRequest | None]:
    """The question whether to stop, which is put off while a message is taken over."""

    def asking(requests: ScriptRequests) -> ScriptRequest | None:
        return None if getattr(_here, "taking", False) else ask(requests)

    return asking
