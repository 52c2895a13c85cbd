"""The outer wall of the server: which hosts it answers to, what it keeps to itself, its headers.

Streamlit itself checks the host of websockets only. Here every request is checked, by the same
list, `server.allowedHosts`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final

from gdr_app.network import network_of
from gdr_app.serving.arrivals import Arrivals
from gdr_app.serving.uploads import Uploads, is_active, place_of

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

# Counts of sessions and of what caches hold; and ways in for programs, which are off.
_CLOSED: Final = ("/_stcore/metrics", "/_stcore/agent")
_FRAMES_VARIABLE: Final = "GDR_FRAMES"
_ORIGIN: Final = re.compile(r"https?://[A-Za-z0-9.-]+(:\d{1,5})?")


def frames() -> list[str]:
    """Who may show the app in a frame: itself, and the sites that `GDR_FRAMES` lists."""
    given = os.environ.get(_FRAMES_VARIABLE, "").split(",")
    listed = [site.strip() for site in given if site.strip()]
    if wrong := [site for site in listed if not _ORIGIN.fullmatch(site)]:
        raise ValueError(
            f"{_FRAMES_VARIABLE} must list sites like https://course.example, got {wrong[0]!r}"
        )
    return ["'self'", *listed]


# Streamlit has styles and scripts inside its pages and makes components of blob addresses, and the
# picture of a neighbourhood (vis-network) compiles expressions. Nothing comes from elsewhere.
POLICY: Final = "; ".join(
    [
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:",
        "style-src 'self' 'unsafe-inline' blob:",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self' blob: data:",
        "media-src 'self' data: blob:",
        "worker-src 'self' blob:",
        "frame-src 'self' data: blob:",
        f"frame-ancestors {' '.join(frames())}",
        "base-uri 'self'",
        "form-action 'self'",
        "object-src 'none'",
    ]
)
HEADERS: Final = {
    "content-security-policy": POLICY,
    # Knows no list: where there is one, the policy alone says who may.
    **({} if len(frames()) > 1 else {"x-frame-options": "SAMEORIGIN"}),
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "cross-origin-opener-policy": "same-origin",
}
_ADDED: Final = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
_TRY_LATER: Final = 1013  # what a websocket is closed with where too many come at once
_DONE: Final = 204  # what Streamlit answers where a file was stored or deleted
_TOO_MUCH: Final = 413, "More was uploaded than this server takes at once; close other files first."
_NAMES: Final = {name for name, _ in _ADDED}


class Guard:
    """ASGI middleware: refuses strange hosts, closed paths and floods, adds headers to answers."""

    def __init__(self, app: Application):
        self.app, self.arrivals, self.uploads = app, Arrivals(), Uploads(is_active)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request or hand it on."""
        if scope["type"] == "http" and (refusal := refused(scope)):
            await _answer(send, *refusal)
        elif scope["type"] == "http" and (place := place_of(scope["path"])):
            await self._upload(place, scope, receive, send)
        elif scope["type"] == "http":
            await self.app(scope, receive, _with_headers(send))
        elif scope["type"] != "websocket" or await self.arrivals.admit(_address(scope)):
            await self.app(scope, receive, send)
        else:
            await receive()  # the wish to connect
            await send({"type": "websocket.close", "code": _TRY_LATER})

    async def _upload(
        self, place: tuple[str, str], scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Hand on a request about an uploaded file, and count what it brings."""
        answered: list[int] = []

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                answered.append(message["status"])
            await send(message)

        if scope["method"] != "PUT":
            await self.app(scope, receive, _with_headers(sending))
            if scope["method"] == "DELETE" and answered == [_DONE]:
                self.uploads.delete(*place)
            return
        upload = self.uploads.begin(*place, _address(scope), _announced(scope))
        if upload is None:
            await _answer(send, *_TOO_MUCH)
            return
        refused = False

        async def counting() -> Message:
            nonlocal refused
            message = await receive()
            if not self.uploads.receive(upload, len(message.get("body", b""))):
                refused = True
                return {"type": "http.disconnect"}  # ends the reading of what has come so far
            return message

        async def sending_unless_refused(message: Message) -> None:
            if not refused:
                await sending(message)

        try:
            await self.app(scope, counting, _with_headers(sending_unless_refused))
        except Exception:
            if not refused:
                raise
        finally:
            self.uploads.end(upload, stored=answered == [_DONE])
        if refused and not answered:
            await _answer(send, *_TOO_MUCH)


def guards() -> list[Any]:
    """The middleware as Streamlit takes it."""
    from starlette.middleware import Middleware

    return [Middleware(Guard)]


def refused(scope: Scope) -> tuple[int, str] | None:
    """Status and words where a request is not answered; None where it is."""
    from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

    host = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
    if not is_host_allowed(host):
        return 421, "This server does not answer under that name."
    if any(part in scope["path"] for part in _CLOSED):
        return 404, "Not found."
    return None


def _address(scope: Scope) -> str:
    """The network that a request comes from; behind a proxy on this machine, what that says."""
    client = scope.get("client")
    return network_of(str(client[0])) if client else ""


def _announced(scope: Scope) -> int:
    """How long a request says that it is; 0 where it does not say."""
    said = dict(scope["headers"]).get(b"content-length", b"")
    return int(said) if said.isdigit() and len(said) < 20 else 0


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            kept = [entry for entry in message.get("headers", ()) if entry[0] not in _NAMES]
            message = {**message, "headers": [*kept, *_ADDED]}
        await send(message)

    return sending


async def _answer(send: Send, status: int, words: str) -> None:
    body = words.encode()
    lengths = [(b"content-type", b"text/plain"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": [*lengths, *_ADDED]})
    await send({"type": "http.response.body", "body": body})
