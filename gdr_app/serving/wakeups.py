"""Waking the server's event loop once for many messages, not once for each.

Every element that a page draws is a message from the page's thread to the thread of the event loop,
and asyncio wakes its loop for each by a byte through a socket: the page's thread gives the
interpreter away, the loop takes it, does very little and gives it back. A loop that has been woken
looks at everything that waits, so that a second byte is needed only once the first has been read.
"""

from __future__ import annotations

from asyncio import AbstractEventLoop
from collections.abc import Callable
from typing import Final

# Names of asyncio's loops; another kind of loop (uvloop, say) wakes up as it likes.
_WAKE: Final = "_write_to_self"
_WOKEN: Final = "_process_self_data"


def wake_once(loop: AbstractEventLoop) -> bool:
    """Let a loop be woken by one byte at a time; whether it is a loop of which that is known.

    What is to be done is in the loop's list before anybody asks whether it was woken. The loop
    notes that the byte is read before it looks at the list again, and it sleeps only where the
    list is empty: so nothing in the list is slept over.
    """
    if not all(callable(getattr(loop, name, None)) for name in (_WAKE, _WOKEN)):
        return False
    wake: Callable[[], None] = getattr(loop, _WAKE)
    woken: Callable[[bytes], None] = getattr(loop, _WOKEN)
    on_its_way = False

    def wake_unless_woken() -> None:
        nonlocal on_its_way
        if not on_its_way:
            on_its_way = True
            wake()

    def note(data: bytes) -> None:
        nonlocal on_its_way
        on_its_way = False
        woken(data)

    setattr(loop, _WAKE, wake_unless_woken)
    setattr(loop, _WOKEN, note)
    return True
