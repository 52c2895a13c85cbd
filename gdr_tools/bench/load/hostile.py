"""Clients that mean harm, or are broken. Each tells in words how the server took it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from gdr_tools.bench.load.visitor import Visitor, VisitorError

MEGABYTE: Final = 1_000_000
SESSIONS: Final = 1000
_AT_ONCE: Final = 300
_COMING_BACK: Final = 60  # tries, a second apart, of who was turned away


async def clear_caches(address: str, times: int = 100) -> str:
    """Ask again and again that everybody's caches be cleared."""
    from streamlit.proto.BackMsg_pb2 import BackMsg

    async with Visitor(address) as visitor:
        await visitor.open()
        for _ in range(times):
            await visitor.send_raw(BackMsg(clear_cache=True).SerializeToString())
        await visitor.open()
    return f"{times} requests to clear caches"


async def fill_frames(address: str) -> str:
    """The largest message that is allowed, and one that is larger."""
    sizes = {"4 MB": 4 * MEGABYTE - 500, "5 MB": 5 * MEGABYTE, "33 MB": 33 * MEGABYTE}
    told = [f"of {name} {await _sent(address, _stuffed(size))}" for name, size in sizes.items()]
    return "a frame " + ", ".join(told)


async def send_nonsense(address: str, times: int = 40, seed: int = 0) -> str:
    """Frames that are no messages, one for each connection, which it ends."""
    luck = random.Random(seed)
    ended = [await _sent(address, luck.randbytes(luck.randrange(1, 400))) for _ in range(times)]
    return f"{times} frames of random bytes: {ended.count('closed')} connections closed"


async def forge(address: str, times: int = 50) -> str:
    """Runs of pages, parts and controls that there are not, faster than they can be answered."""
    async with Visitor(address) as visitor:
        await visitor.open()
        for number in range(times):
            request = visitor._request("no such part", f"$$ID-{number}-forged", {}, {})
            await visitor.send_raw(request)
        await visitor.open("Relabel", "dataset=karate")
    return f"{times} forged runs at once"


async def open_and_leave(address: str, sessions: int = SESSIONS) -> str:
    """Many sessions that ask for a page and leave before they have it."""
    gate, let_in = asyncio.Semaphore(_AT_ONCE), 0

    async def one() -> None:
        nonlocal let_in
        async with gate:
            with suppress(VisitorError, TimeoutError):
                async with Visitor(address) as visitor:
                    await visitor.send_raw(visitor._request("", "", {}, {}))
                    let_in += 1

    await asyncio.gather(*(one() for _ in range(sessions)))
    return f"{sessions} sessions opened and left, {let_in} of them let in"


ATTACKS: Final[tuple[Callable[[str], Awaitable[str]], ...]] = (
    clear_caches,
    fill_frames,
    send_nonsense,
    forge,
    open_and_leave,
)


async def attack(address: str) -> list[str]:
    """All of them, one after the other, and whether the server still serves a page after each."""
    told = []
    for act in ATTACKS:
        text = await act(address)
        errors = await _errors_of_a_page(address)
        told.append(text + (", then an error" if errors else ", then a page as ever"))
    return told


async def _errors_of_a_page(address: str) -> list[str]:
    """What an honest visitor from the same address is shown, who comes back when turned away."""
    visitor = Visitor(address)
    for _ in range(_COMING_BACK):
        with suppress(VisitorError):
            await visitor.connect()
            break
        await asyncio.sleep(1)
    await visitor.open("Relabel", "dataset=karate")
    await visitor.close()
    return visitor.errors


def _stuffed(size: int) -> bytes:
    from streamlit.proto.BackMsg_pb2 import BackMsg

    message = BackMsg()
    message.rerun_script.widget_states.widgets.add(id="stuffing", string_value="x" * size)
    return message.SerializeToString()


async def _sent(address: str, data: bytes) -> str:
    """What becomes of a connection that sends this: `answered` or `closed`."""
    async with Visitor(address) as visitor:
        try:
            await visitor.send_raw(data)
            async with asyncio.timeout(20):
                while not await visitor._ended():
                    pass
        except VisitorError:
            return "closed"
        except TimeoutError:
            return "ignored"
    return "answered"
