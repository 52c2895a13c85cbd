"""Clients that mean harm, or are broken. Each tells in words how the server took it."""

from __future__ import annotations

import asyncio
import http.client
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from gdr_tools.bench.load.visitor import Visitor, VisitorError

MEGABYTE: Final = 1_000_000
_SESSIONS: Final = 1000
_FILE: Final = 60 * MEGABYTE
_AT_ONCE: Final = 300
_IMPATIENCE: Final = 3.0  # seconds
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


async def open_and_leave(address: str, sessions: int = _SESSIONS) -> str:
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


async def upload_without_end(address: str, most: int = 40) -> str:
    """One session that uploads file after file until it is refused, and files that break off."""
    content = bytes(_FILE)
    async with Visitor(address) as visitor:
        await visitor.open("Your_data")
        for number in range(most):
            status = await asyncio.to_thread(_put, address, visitor.session, number, content)
            if status != 204:
                break
        taken = number * _FILE // MEGABYTE
        for each in range(20):
            await asyncio.to_thread(_put, address, visitor.session, most + each, content[:9], _FILE)
        freed = await asyncio.to_thread(_put, address, visitor.session, 0, b"", delete=True)
        again = await asyncio.to_thread(_put, address, visitor.session, 0, content)
    return f"{taken} MB uploaded, then {status}; after a deletion ({freed}) the next: {again}"


async def diffuse_and_leave(address: str, sessions: int = 40) -> str:
    """Sessions that each ask for another diffusion of a large graph, and do not wait for it."""

    async def one(number: int) -> bool:
        with suppress(VisitorError, TimeoutError):
            async with Visitor(address) as visitor:
                link = f"dataset=pubmed&to={1 + number / 1000:.3f}"
                await asyncio.wait_for(visitor.open("Relabel", link), _IMPATIENCE)
                return True
        return False

    seen = await asyncio.gather(*map(one, range(sessions)))
    return f"{sessions} diffusions of Pubmed asked for at once, {sum(seen)} of them waited for"


def _put(
    address: str,
    session: str,
    number: int,
    content: bytes,
    announced: int = 0,
    delete: bool = False,
) -> int:
    """Upload or delete one file; the status of the answer, 0 where the upload breaks off or the
    server ends the connection before all of it was sent.

    announced   bytes that the request says will come, if not as many as there are
    """
    host, _, port = address.partition("//")[2].partition(":")
    token = f"2|00000000|{'ab' * 16}|1700000000"  # one that whoever sends it has made up
    edge = "gdr-hostile-edge"
    head = f'--{edge}\r\nContent-Disposition: form-data; name="f"; filename="f.csv"\r\n\r\n'
    body = b"" if delete else head.encode() + content + f"\r\n--{edge}--\r\n".encode()
    connection = http.client.HTTPConnection(host, int(port or 80), timeout=60)
    fields = {
        "Content-Type": f"multipart/form-data; boundary={edge}",
        "Content-Length": str(announced or len(body)),
        "Cookie": f"_streamlit_xsrf={token}",
        "X-Xsrftoken": token,
    }
    path = f"/_stcore/upload_file/{session}/hostile-{number}"
    try:
        connection.request("DELETE" if delete else "PUT", path, body, fields)
        return 0 if announced else connection.getresponse().status
    except OSError:
        return 0
    finally:
        connection.close()


_ATTACKS: Final[tuple[Callable[[str], Awaitable[str]], ...]] = (
    clear_caches,
    fill_frames,
    send_nonsense,
    forge,
    upload_without_end,
    diffuse_and_leave,
    open_and_leave,
)


async def attack(address: str) -> list[str]:
    """All of them, one after the other, and whether the server still serves a page after each."""
    told = []
    for act in _ATTACKS:
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
