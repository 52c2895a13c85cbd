"""How many may come at once from one network address: a class does, a flood waits its turn.

Each session costs the server a run of a page. Who opens sessions faster than people can is let in
at the pace at which the server serves, and turned away when more are waiting than it could serve
within a patient visitor's time. Visitors from elsewhere do not notice.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

AT_ONCE: Final = 80  # sessions that may be opened without waiting, and …
_A_SECOND: Final = 4.0  # … how many more each second
LONGEST: Final = 15.0  # seconds that anybody is made to wait
_ADDRESSES: Final = 4096  # that are remembered; those that came longest ago are forgotten


class Arrivals:
    """For each address, when the next session without waiting may be opened.

    at_once, a_second, longest   as the constants above say
    """

    def __init__(
        self,
        at_once: int = AT_ONCE,
        a_second: float = _A_SECOND,
        longest: float = LONGEST,
        clock: Callable[[], float] = time.monotonic,
    ):
        self.credit, self.each = at_once / a_second, 1 / a_second
        self.longest, self.clock = longest, clock
        self.due: OrderedDict[str, float] = OrderedDict()

    def delay(self, address: str) -> float | None:
        """Seconds that a new session from here has to wait; None if it is turned away."""
        now = self.clock()
        due = max(self.due.get(address, 0.0), now - self.credit + self.each)
        wait = max(due - now, 0.0)
        if wait > self.longest:
            return None
        self.due[address] = due + self.each
        self.due.move_to_end(address)
        while len(self.due) > _ADDRESSES:
            self.due.popitem(last=False)
        return wait

    async def admit(self, address: str) -> bool:
        """Wait as long as it takes; whether the session may be opened."""
        wait = self.delay(address)
        if wait:
            await asyncio.sleep(wait)
        return wait is not None
