"""Streamlit's page and scripts, as a browser that comes for the first time needs them.

The page asks for about sixty scripts. Streamlit reads each from the disk in other threads, which
wait for the interpreter several times a file, and a server that has just been started is busy. The
name of such a file holds a hash of what is in it: one that was read once can be answered again and
again.

The page may be the address of any of ours, say /Relabel, and Streamlit's script does not know which
part of an address leads to its server: it asks at /Relabel/_stcore/health first, and a tenth of a
second after that has failed, at /_stcore/health. So the page says where its server is: where its
scripts are, too.

With the page comes the room that pages keep for what they draw late.
"""

from __future__ import annotations

import mimetypes
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from gdr_app.overshoot.style import ROOM
from gdr_app.serving.guard import Application, Message, Receive, Scope, Send

PLACE: Final = "/static/"
LARGEST: Final = 1_000_000  # bytes of a file that is kept: larger ones are charts, seldom and late
_FOREVER: Final = b"public, immutable, max-age=31536000"  # as Streamlit says of these files
_IN_PARTS: Final = {b"range", b"if-none-match", b"if-modified-since"}
_FIRST_SCRIPT: Final = b'<script type="module" crossorigin src="./static/'
_TELLING: Final = (
    '<script>window.__streamlit ??= { BACKEND_BASE_URL: new URL("./", location.href).href };'
    f"</script>\n    <style>{ROOM}</style>\n    "
).encode()
_LONGEST_PAGE: Final = 65_536  # bytes; Streamlit's has 8,000
_NOT_TRUE_NOW: Final = {b"content-length", b"etag", b"last-modified"}


class Shell:
    """ASGI middleware: answers for Streamlit's scripts, and lets its page say where its server is.

    folder   of Streamlit's frontend
    """

    def __init__(self, app: Application, folder: Path):
        self.app, self.folder = app, folder
        self.known = set(_paths(folder))
        self.answer = lru_cache(maxsize=None)(self._read)  # of files that are known, no others

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request or hand it on."""
        if scope["type"] != "http" or scope["method"] != "GET":
            await self.app(scope, receive, send)
        elif scope["path"] in self.known and _wants_all(scope):
            headers, body = self.answer(scope["path"])
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": body})
        elif _asks_for_page(scope):
            await self.app(_as_it_is(scope), receive, _Telling(send))
        else:
            await self.app(scope, receive, send)

    def _read(self, path: str) -> tuple[list[tuple[bytes, bytes]], bytes]:
        body = (self.folder / path.removeprefix(PLACE)).read_bytes()
        kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
        charset = "; charset=utf-8" if kind.startswith("text/") else ""
        return [
            (b"content-type", f"{kind}{charset}".encode()),
            (b"content-length", str(len(body)).encode()),
            (b"cache-control", _FOREVER),
        ], body


class _Telling:
    """Sends an answer on; into Streamlit's page it puts where the server is."""

    def __init__(self, send: Send):
        self.send, self.body = send, b""
        self.start: Message = {}

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _may_be_page(message):
            self.start = message
        elif not self.start:
            await self.send(message)
        else:
            self.body += message.get("body", b"")
            if not message.get("more_body", False):
                await self._finish()

    async def _finish(self) -> None:
        if _FIRST_SCRIPT in self.body:
            self.body = self.body.replace(_FIRST_SCRIPT, _TELLING + _FIRST_SCRIPT, 1)
            kept = [entry for entry in self.start["headers"] if entry[0] not in _NOT_TRUE_NOW]
            length = b"content-length", str(len(self.body)).encode()
            self.start = {**self.start, "headers": [*kept, length]}
        await self.send(self.start)
        await self.send({"type": "http.response.body", "body": self.body})


def shells() -> list[Any]:
    """The middleware as Streamlit takes it."""
    from starlette.middleware import Middleware
    from streamlit import file_util

    return [Middleware(Shell, folder=Path(file_util.get_static_dir()) / "static")]


def _paths(folder: Path) -> Iterator[str]:
    """What browsers call the files that may be kept."""
    for path in folder.rglob("*"):
        if path.is_file() and path.stat().st_size <= LARGEST:
            yield PLACE + path.relative_to(folder).as_posix()


def _wants_all(scope: Scope) -> bool:
    """Whether a request is for the whole of a file, whatever the browser has of it."""
    return not any(name in _IN_PARTS for name, _ in scope["headers"])


def _asks_for_page(scope: Scope) -> bool:
    """Whether a browser opens an address; what visitors download is no page of ours."""
    accepted = dict(scope["headers"]).get(b"accept", b"")
    return b"text/html" in accepted and "/media/" not in scope["path"]


def _as_it_is(scope: Scope) -> Scope:
    """The same request for an answer in plain bytes, not compressed: a page has 8 kB."""
    kept = [entry for entry in scope["headers"] if entry[0] != b"accept-encoding"]
    return {**scope, "headers": kept, "extensions": {}}


def _may_be_page(start: Message) -> bool:
    headers = dict(start.get("headers", ()))
    length = headers.get(b"content-length", b"")
    small = length.isdigit() and int(length) <= _LONGEST_PAGE
    is_html = headers.get(b"content-type", b"").startswith(b"text/html")
    return start["status"] == 200 and is_html and small
