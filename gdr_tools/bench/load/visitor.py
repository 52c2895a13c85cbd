"""A visitor without a browser: what Streamlit's page says over the websocket, and nothing more.

    async with Visitor(address) as visitor:
        await visitor.open("Relabel", "dataset=cora")
        await visitor.step_t_min(+1)

Many of them are cheap, so that what is measured is the server. As a browser does, a visitor keeps
large messages and says which ones it has, sends back what the page gave it, and looks again when
a page asks to be looked at regularly.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from http.cookies import SimpleCookie
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

PATIENCE: Final = 120.0  # seconds for one answer
_SHELL: Final = ("/", "/_stcore/health", "/_stcore/host-config")
AGAIN: Final = _SHELL[1:]  # what a page that lost its connection asks for
_KEPT: Final = 300  # messages that a browser remembers, about
_ADDRESS: Final = "_stcore/stream"
_BAR: Final = "-t_min"  # ends the name of the bar on which t_min is dragged
_PLACES: Final = 190  # of t_min, through which a visitor steps
_CORRECTS: Final = '"arrival":'  # is in what the code that corrects the address is given
_TOLD: Final = "$$STREAMLIT_INTERNAL_KEY_"  # begins the names of what our components tell


class VisitorError(Exception):
    """The page showed an exception, the connection broke, or no answer came."""


class Visitor:
    """One tab. `seconds` of an action are those until its run has ended.

    errors    what the pages showed as an error or exception, in the order of appearance
    """

    def __init__(self, address: str, *, headers: dict[str, str] | None = None):
        self.address, self.headers = address.rstrip("/"), dict(headers or {})
        self.socket: ClientConnection | None = None
        self.pages: dict[str, str] = {}
        self.page, self.query, self.session = "", "", ""
        self.elements: dict[tuple[int, ...], Any] = {}
        self.states: dict[str, Any] = {}
        self.kept: dict[str, Any] = {}  # messages that the server may name by their hash
        self.looks: dict[str, float] = {}
        self.errors: list[str] = []
        self.received, self.place = 0, 100

    async def __aenter__(self) -> Visitor:
        await self.connect()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def connect(self, session: str = "") -> None:
        """Open the websocket; with the name of a session, to take it up again."""
        from websockets.asyncio.client import connect
        from websockets.exceptions import WebSocketException

        protocols = ["streamlit", "PLACEHOLDER_AUTH_TOKEN", *([session] if session else [])]
        try:
            self.socket = await connect(
                f"ws{self.address.removeprefix('http')}/{_ADDRESS}",
                subprotocols=protocols,  # type: ignore[arg-type]
                additional_headers=self.headers,
                max_size=None,
                compression=None,
                open_timeout=PATIENCE,
                ping_interval=None,
            )
        except (WebSocketException, OSError, TimeoutError) as error:
            raise VisitorError(f"no connection: {error}") from error

    async def close(self) -> None:
        """Leave, as by closing the tab."""
        if self.socket is not None:
            with suppress(Exception):
                await asyncio.wait_for(self.socket.close(), 5)

    # ------------------------------------------------------------ what a visitor does

    async def fetch_shell(self, paths: tuple[str, ...] = _SHELL) -> None:
        """What a browser asks for before it opens the websocket; it keeps the cookies."""
        try:
            cookies = await asyncio.to_thread(_fetch, self.address, paths, self.headers)
        except (OSError, http.client.HTTPException) as error:
            raise VisitorError(f"no answer: {error}") from error
        if cookies:
            self.headers["Cookie"] = "; ".join(f"{name}={text}" for name, text in cookies.items())

    @property
    def cookies(self) -> dict[str, str]:
        """What servers have asked this browser to keep."""
        return {name: each.value for name, each in SimpleCookie(self.headers.get("Cookie")).items()}

    async def is_gone_within(self, seconds: float) -> bool:
        """Wait so long; whether the connection has ended meanwhile."""
        assert self.socket is not None, "connect first"
        with suppress(TimeoutError):
            await asyncio.wait_for(self.socket.wait_closed(), seconds)
            return True
        return False

    async def open(self, page: str = "", query: str = "") -> float:
        """Come to a page by its link, whose path has no blanks."""
        self.query = query
        return await self.run(page_name=page.replace(" ", "_"))

    async def go(self, page: str) -> float:
        """Switch to another page by its name in the sidebar; the address is empty at first."""
        self.query = ""
        self.looks.clear()
        return await self.run(page_script_hash=self.pages[page])

    async def step_t_min(self, by: int) -> float:
        """Move t_min along its bar, and only the part of the page that follows it runs."""
        delta = self.find("bidi_component", "", ending=_BAR)
        self.place = (self.place + by) % _PLACES
        return await self.run(
            delta.fragment_id, told={f"{_TOLD}{id_of(delta)}__events": ("moved", self.place)}
        )

    async def choose(self, label: str, option: str) -> float:
        """Choose in a select box."""
        delta = self.find("selectbox", label)
        self.states[delta.new_element.selectbox.id] = option
        return await self.run(delta.fragment_id)

    async def press(self, label: str) -> float:
        """Press a button."""
        delta = self.find("button", label)
        return await self.run(delta.fragment_id, pressed=delta.new_element.button.id)

    async def choose_row(self, row: int) -> float:
        """Choose a row of the table of nodes: the card tells why that node has its label."""
        delta = self.find("dataframe", "")
        chosen = {"selection": {"rows": [row], "columns": [], "cells": []}}
        self.states[delta.new_element.dataframe.id] = json.dumps(chosen)
        return await self.run(delta.fragment_id)

    async def look_again(self) -> float:
        """What a page that watches something does by itself."""
        fragment = next(iter(self.looks))
        return await self.run(fragment, is_auto_rerun=True)

    # ------------------------------------------------------------ what is on the page

    def find(self, kind: str, label: str, *, ending: str = "") -> Any:
        """The first element of a kind whose label contains some words, and whose name ends so."""
        for delta in self.elements.values():
            if delta.new_element.WhichOneof("type") == kind:
                body = getattr(delta.new_element, kind)
                if label in getattr(body, "label", "") and id_of(delta).endswith(ending):
                    return delta
        raise VisitorError(f"no {kind} “{label}” on the page")

    def has(self, kind: str, label: str, *, ending: str = "") -> bool:
        """Whether there is such an element."""
        with suppress(VisitorError):
            return bool(self.find(kind, label, ending=ending))
        return False

    def has_t_min(self) -> bool:
        """Whether t_min can be moved on this page."""
        return self.has("bidi_component", "", ending=_BAR)

    @property
    def place_name(self) -> str:
        """The page's name in the sidebar."""
        return next((name for name, each in self.pages.items() if each == self.page), "")

    @property
    def view(self) -> tuple[str, str, tuple[str, ...]]:
        """What is looked at: the page, the link, and what the page says that it computed with."""
        return self.page, self.query, tuple(sorted(self.facts("")))

    @property
    def epoch(self) -> int:
        """How far the training run is that is watched; -1 where none is."""
        told = (delta.new_element.markdown.body for delta in self.elements.values())
        found = next(filter(None, (re.search(r"epoch \**([\d,]+)\** of", t) for t in told)), None)
        return int(found[1].replace(",", "")) if found else -1

    def facts(self, place: str) -> Iterator[str]:
        """What the page has told machines of what it computed with."""
        for delta in self.elements.values():
            if delta.new_element.WhichOneof("type") == "html":
                body = delta.new_element.html.body
                if "gdr-used" in body and place in body:
                    yield body

    # ------------------------------------------------------------ the protocol

    async def run(
        self,
        fragment: str = "",
        *,
        pressed: str = "",
        told: dict[str, tuple[str, object]] | None = None,
        **fields: Any,
    ) -> float:
        """Ask for a run, and wait until it has ended.

        told   what components of our own tell, each a name and a value
        """
        began = time.perf_counter()
        await self.send_raw(self._request(fragment, pressed, told or {}, fields))
        async with asyncio.timeout(PATIENCE):
            while not await self._ended():
                pass
        seconds = time.perf_counter() - began
        while len(self.kept) > _KEPT:  # not before: the server counts on what it was told
            del self.kept[next(iter(self.kept))]
        if not fragment:
            self._forget_controls()
        return seconds

    def _forget_controls(self) -> None:
        """A browser forgets what a control held that is no longer on the page."""
        there = {id_of(delta) for delta in self.elements.values()}
        self.states = {key: value for key, value in self.states.items() if key in there}

    def _request(
        self,
        fragment: str,
        pressed: str,
        told: dict[str, tuple[str, object]],
        fields: dict[str, Any],
    ) -> bytes:
        from streamlit.proto.BackMsg_pb2 import BackMsg

        message = BackMsg()
        state = message.rerun_script
        state.query_string, state.fragment_id = self.query, fragment
        state.page_script_hash = fields.pop("page_script_hash", self.page)
        for name, value in fields.items():
            setattr(state, name, value)
        state.context_info.timezone, state.context_info.locale = "UTC", "en"
        state.context_info.url = self.address
        state.cached_message_hashes.extend(self.kept)
        for key, value in self.states.items():
            widget = state.widget_states.widgets.add(id=key)
            if isinstance(value, bool):
                widget.bool_value = value
            else:
                widget.string_value = value
        if pressed:
            state.widget_states.widgets.add(id=pressed, trigger_value=True)
        for key, (event, value) in told.items():
            widget = state.widget_states.widgets.add(id=key)
            widget.json_trigger_value = json.dumps([{"event": event, "value": value}])
        return message.SerializeToString()

    async def send_raw(self, data: bytes) -> None:
        """One frame, whatever it holds."""
        assert self.socket is not None, "connect first"
        try:
            await self.socket.send(data)
        except Exception as error:
            raise VisitorError(f"the connection is gone: {error}") from error

    async def _ended(self) -> bool:
        """Take one message; whether it says that the run has ended."""
        from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

        assert self.socket is not None
        try:
            data = await self.socket.recv()
        except Exception as error:
            raise VisitorError(f"the connection is gone: {error}") from error
        self.received += len(data)
        message = ForwardMsg.FromString(data)
        if message.metadata.cacheable:
            self.kept[message.hash] = _without_data(message.delta)
        kind = message.WhichOneof("type")
        if kind == "script_finished":
            return message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN
        self._take(kind, message)
        return False

    def _take(self, kind: str, message: Any) -> None:
        if kind == "new_session":
            self._begin(message.new_session, whole=not message.metadata.run.fragment_ids)
        elif kind == "ref_hash":
            known = self.kept[message.ref_hash] = self.kept.pop(message.ref_hash)  # the newest now
            self.elements[tuple(message.metadata.delta_path)] = known
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            self.elements[tuple(message.metadata.delta_path)] = message.delta
            self._note_error(message.delta.new_element)
            self._note_address(message.delta.new_element)
        elif kind == "navigation":
            self.pages = {p.page_name: p.page_script_hash for p in message.navigation.app_pages}
            self.page = message.navigation.page_script_hash
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "auto_rerun":
            self.looks[message.auto_rerun.fragment_id] = message.auto_rerun.interval
        elif kind == "stop_auto_rerun":
            for fragment in message.stop_auto_rerun.fragment_ids:
                self.looks.pop(fragment, None)

    def _begin(self, session: Any, *, whole: bool) -> None:
        self.session = session.initialize.session_id or self.session
        if whole:
            self.elements.clear()
            self.looks.clear()

    def _note_address(self, element: Any) -> None:
        """A page that is entered has code in the browser correct the address (history.js)."""
        if (
            element.WhichOneof("type") == "bidi_component"
            and _CORRECTS in element.bidi_component.json
        ):
            self.query = json.loads(element.bidi_component.json)["link"]

    def _note_error(self, element: Any) -> None:
        if element.WhichOneof("type") == "exception":
            self.errors.append(f"{element.exception.type}: {element.exception.message}"[:300])
        elif element.WhichOneof("type") == "alert" and element.alert.format == 1:
            self.errors.append(element.alert.body[:300])


def _without_data(delta: Any) -> Any:
    """What a visitor needs of an element: which one it is. A browser keeps all of it."""
    kept = type(delta)(fragment_id=delta.fragment_id)
    kind = delta.new_element.WhichOneof("type")
    body = getattr(kept.new_element, kind)
    body.SetInParent()
    if name := getattr(getattr(delta.new_element, kind), "id", ""):
        body.id = name
    return kept


def id_of(delta: Any) -> str:
    """The name of the control that an element is; empty if it is none."""
    kind = delta.new_element.WhichOneof("type")
    return getattr(getattr(delta.new_element, kind), "id", "") if kind else ""


def _fetch(address: str, paths: tuple[str, ...], headers: dict[str, str]) -> dict[str, str]:
    """Ask for several things over one connection; the cookies that came with them."""
    cookies: SimpleCookie = SimpleCookie(headers.get("Cookie"))
    connection = http.client.HTTPConnection(address.partition("//")[2], timeout=PATIENCE)
    try:
        for path in paths:
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            answer.read()
            if answer.status >= 400:
                raise http.client.HTTPException(f"{path} is answered with {answer.status}")
            for given in answer.headers.get_all("Set-Cookie", []):
                cookies.load(given)
    finally:
        connection.close()
    return {name: each.value for name, each in cookies.items()}
