"""The server as it is started by `streamlit run app.py`, met by protocol: what it answers, what it
keeps to itself, and what hostile clients cannot do to others."""

from __future__ import annotations

import asyncio
import http.client
import re
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import pytest
from streamlit import file_util

from gdr_app.serving import hearing
from gdr_app.serving.hearing import HEARD, OPERATIONS
from gdr_tools.bench.browser import App, running_app
from gdr_tools.bench.load import fuzz, hostile, run, table
from gdr_tools.bench.load.visitor import Visitor

Found = TypeVar("Found")
ENDING = {"debug_disconnect_websocket", "debug_shutdown_runtime"}
HEADERS = ("content-security-policy", "x-frame-options", "x-content-type-options")


@pytest.fixture(scope="module")
def app() -> Iterator[App]:
    with running_app(environment={"GDR_WORKER_NICENESS": "19"}) as started:
        yield started


def fetch(address: str, **headers: str) -> tuple[int, dict[str, str], str]:
    request = urllib.request.Request(address, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            body = answer.read().decode(errors="replace")
            return answer.status, {k.lower(): v for k, v in answer.headers.items()}, body
    except urllib.error.HTTPError as refusal:
        return refusal.code, {k.lower(): v for k, v in refusal.headers.items()}, ""


def port_of(app: App) -> int:
    return int(app.address.rpartition(":")[2])


def visiting(app: App, act: Callable[[Visitor], Awaitable[Found]]) -> Found:
    """What somebody finds who comes to the server."""

    async def come() -> Found:
        async with Visitor(app.address) as visitor:
            return await act(visitor)

    return asyncio.run(come())


async def open_karate(visitor: Visitor) -> list[str]:
    await visitor.open("Relabel", "dataset=karate")
    return visitor.errors


def test_every_answer_carries_the_security_headers(app):
    for path in ("/", "/Relabel", "/_stcore/health", "/_stcore/host-config"):
        status, headers, _ = fetch(app.address + path)
        assert status == 200
        assert all(headers.get(name) for name in HEADERS), path
    policy = headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert not re.search(r"https?:|\*", policy)  # nothing from elsewhere


def test_a_page_says_where_its_server_is_and_scripts_are_whole_and_kept(app):
    for path in ("/", "/Relabel?dataset=karate"):
        asked = {"Accept": "text/html,*/*", "Accept-Encoding": "gzip"}
        status, headers, page = fetch(app.address + path, **asked)
        assert status == 200
        assert all(headers.get(name) for name in HEADERS), path
        assert int(headers["content-length"]) == len(page.encode())
        assert page.count("BACKEND_BASE_URL") == 1
        assert page.index("BACKEND_BASE_URL") < page.index('<script type="module"')
    script = re.findall(r'src="\./(static/js/[^"]+)"', page)[0]
    whole = (Path(file_util.get_static_dir()) / script).read_text(encoding="utf-8")
    status, streamlit, found = fetch(f"{app.address}/{script}", Range="bytes=0-9")
    assert (status, found) == (206, whole[:10])
    for _ in range(2):
        status, headers, found = fetch(f"{app.address}/{script}")
        assert (status, found) == (200, whole)
        for name in ("content-type", "cache-control", *HEADERS):
            assert headers[name] == streamlit[name]


@pytest.mark.parametrize("path", ["/_stcore/metrics", "/_stcore/agent/openapi.json"])
def test_what_only_the_operator_may_see_is_closed(app, path):
    assert fetch(app.address + path)[0] == 404


def test_it_answers_under_its_own_names_only(app):
    """DNS rebinding: a page of somebody else whose name suddenly means this machine."""
    assert fetch(app.address + "/", Host="evil.example")[0] == 421
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    }
    for host, status in (("evil.example", 403), ("localhost", 101)):
        connection = http.client.HTTPConnection("localhost", port_of(app), timeout=30)
        connection.request("GET", "/_stcore/stream", headers={"Host": host, **upgrade})
        assert connection.getresponse().status == status
        connection.close()


def test_other_machines_cannot_reach_it(app):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing: the address that others would use
        outer = probe.getsockname()[0]
    if outer.startswith("127."):
        pytest.skip("this machine has no address that others could use")
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((outer, port_of(app)), timeout=5).close()


def test_pages_are_served_without_torch_and_scikit_learn(app):
    maps = Path(f"/proc/{app.process.pid}/maps")
    if not maps.exists():
        pytest.skip("which libraries a process has loaded can be read on Linux only")

    async def look_around(visitor: Visitor) -> list[str]:
        await visitor.open("Dataset", "dataset=digits")
        await visitor.open("Relabel", "dataset=two-moons")
        return visitor.errors

    assert visiting(app, look_around) == []
    loaded = maps.read_text(encoding="utf-8", errors="replace")
    assert "numpy" in loaded
    assert "/torch/" not in loaded
    assert "/sklearn/" not in loaded


def test_nobodys_work_is_ended_by_cleared_caches_frames_and_forged_runs(app):
    """Everything that a client may send, while somebody else looks at a page."""
    told = [
        asyncio.run(hostile.clear_caches(app.address, 30)),
        asyncio.run(hostile.fill_frames(app.address)),
        asyncio.run(hostile.send_nonsense(app.address, 5)),
        asyncio.run(hostile.forge(app.address, 20)),
        asyncio.run(hostile.diffuse_and_leave(app.address, 6)),
        asyncio.run(hostile.open_and_leave(app.address, 10)),
    ]
    assert told[1] == "a frame of 4 MB answered, of 5 MB closed, of 33 MB closed"
    assert "5 connections closed" in told[2]
    assert visiting(app, open_karate) == []


def test_uploads_end_at_a_budget_and_a_deletion_gives_back(app):
    told = asyncio.run(hostile.upload_without_end(app.address))
    assert told == "180 MB uploaded, then 413; after a deletion (204) the next: 204"
    assert visiting(app, open_karate) == []


def test_an_upload_that_breaks_off_leaves_nothing_and_the_page_goes_on(app):
    async def break_off(visitor: Visitor) -> list[str]:
        await visitor.open("Your_data")
        for number in range(5):  # together they announce more than a session may have
            await asyncio.to_thread(
                hostile._put, app.address, visitor.session, number, b"a,b", 50_000_000
            )
        statuses = [
            await asyncio.to_thread(
                hostile._put, app.address, visitor.session, n, bytes(50_000_000)
            )
            for n in (7, 8, 9)
        ]
        assert statuses == [204, 204, 204], "what broke off does not count"
        await visitor.open("Your_data")
        return visitor.errors

    assert visiting(app, break_off) == []


def test_a_row_that_a_table_does_not_have_chooses_nothing(app):
    async def choose(visitor: Visitor) -> tuple[str, list[str]]:
        await visitor.open("Relabel", "dataset=karate&below=relabelled+nodes")
        for row in (99_999, -1):
            await visitor.choose_row(row)
        return visitor.query, visitor.errors

    query, errors = visiting(app, choose)
    assert "node=" not in query
    assert errors == []


def test_a_visitor_by_protocol_stays_on_the_page_as_a_browser_does(app):
    async def choose(visitor: Visitor) -> list[str]:
        await visitor.open("Relabel", "dataset=karate")
        await visitor.choose("Dataset", "path")
        await visitor.step_t_min(1)
        assert "t_min=" in visitor.query
        assert any("&quot;path&quot;" in each for each in visitor.facts("dataset"))
        return visitor.errors

    assert visiting(app, choose) == []


def test_damaged_messages_harm_nobody(app):
    found = asyncio.run(fuzz.fuzz(app.address, 60, seed=3))
    assert found["troubles"] == []
    assert sum(found["outcomes"].values()) == 60


def test_messages_that_no_page_sends_are_not_heard(app):
    """Neither where the server's code comes from nor files for agents, from this machine even."""

    async def ask(visitor: Visitor) -> list[str]:
        await visitor.open("Relabel", "dataset=karate")
        answers: list[str] = []
        take = visitor._take

        def taking(kind: str, message: Any) -> None:
            if kind == "backend_operation_response":
                answers.append(message.backend_operation_response.error_msg)
            if kind == "git_info_changed" or message.session_status_changed.run_on_save:
                answers.append(kind)
            take(kind, message)

        visitor._take = taking  # type: ignore[method-assign]
        unheard = ("load_git_info", "set_run_on_save", "install_skills", "dismiss_skills_nudge")
        for kind in unheard:
            await visitor.send_raw(fuzz.asking(kind, visitor.session))
        with suppress(TimeoutError):
            async with asyncio.timeout(5):
                while True:
                    await visitor._ended()
        return answers

    refusal = "No handler registered for payload type: "
    assert sorted(visiting(app, ask)) == [
        f"{refusal}dismiss_skills_nudge",
        f"{refusal}install_skills",
    ]
    assert visiting(app, open_karate) == []


def test_every_kind_of_message_is_heard_refused_or_ended():
    """Those of the Streamlit that is installed: SECURITY.md counts them."""
    from streamlit.proto.BackMsg_pb2 import BackMsg

    kinds = {field.name for field in BackMsg.DESCRIPTOR.fields}
    assert kinds == HEARD | {"load_git_info", "set_run_on_save"} | ENDING
    assert kinds == {*fuzz.FLAGS, "rerun_script", "file_urls_request", "backend_operation_request"}
    operations = BackMsg().backend_operation_request.DESCRIPTOR.oneofs_by_name["payload"].fields
    assert {field.name for field in operations} == set(fuzz.OPERATIONS)
    assert set(fuzz.OPERATIONS) > OPERATIONS

    heard: list[str] = []
    hear = hearing._if_heard(lambda session, message: heard.append(message.WhichOneof("type")))
    for kind in kinds:
        message = BackMsg()
        if kind in fuzz.FLAGS:
            setattr(message, kind, True)
        else:
            getattr(message, kind).SetInParent()
        hear(None, message)  # type: ignore[arg-type]
    assert set(heard) == HEARD


def test_an_error_is_told_by_a_number_and_logged_under_it():
    code = (
        "import logging, sys, streamlit as st\n"
        "from gdr_app.serving import trouble\n"
        "logging.basicConfig(stream=sys.stdout)\n"
        "st.error = lambda text, icon: print('shown:', text)\n"
        "try: raise KeyError('a secret path')\n"
        "except KeyError as error: assert trouble.report(error) is True\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    [shown] = [line for line in done.stdout.splitlines() if line.startswith("shown:")]
    [number] = re.findall(r"\*\*(\w{8})\*\*", shown)
    assert "secret" not in shown
    assert f"error {number}" in done.stdout
    assert "a secret path" in done.stdout


@pytest.mark.slow
def test_the_benchmark_reports_every_move_without_an_error(app):
    found = run(users=2, seconds=4, url=app.address, pid=app.process.pid)
    assert found["phases"]["calm"]["errors"] == []
    assert found["phases"]["calm"]["moves"]["first page"]["times"] == 2
    assert "errors: 0" in table(found)
    with pytest.raises(ValueError, match="unknown phase 'storm'"):
        run(phases="storm")
