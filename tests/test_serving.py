"""The parts of the server that need none: who is let in, what is remembered."""

from __future__ import annotations

import asyncio
import gc
import re
import subprocess
import sys
import threading
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

from gdr_app.computing import memory, runs
from gdr_app.computing.kept import forget_everything, kept
from gdr_app.overshoot.style import ROOM
from gdr_app.serving import guard, shell
from gdr_app.serving.arrivals import Arrivals
from gdr_app.serving.shell import Shell
from gdr_app.serving.uploads import AFTERWARDS, Uploads
from gdr_app.serving.wakeups import wake_once
from tests.staging import Clock, eventually

ROOT = Path(__file__).parents[1]


def test_a_class_comes_at_once_and_a_flood_waits_and_is_turned_away():
    now = [100.0]
    arrivals = Arrivals(at_once=30, a_second=2, longest=10, clock=lambda: now[0])
    assert [arrivals.delay("school") for _ in range(30)] == [0] * 30
    waits = [arrivals.delay("school") for _ in range(40)]
    assert waits[:20] == pytest.approx([(n + 1) / 2 for n in range(20)])
    assert waits[20:] == [None] * 20
    assert arrivals.delay("elsewhere") == 0
    now[0] += 10 + 15  # those who wait have been let in, and all places are free again
    assert [arrivals.delay("school") for _ in range(30)] == [0] * 30


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8:0:1::1", "2001:db8:0:1:ffff:ffff:ffff:ffff", True),
        ("2001:db8:0:1::1", "2001:DB8:0:1:0:0:0:2%eth0", True),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("192.0.2.1", "192.0.2.2", False),
        ("testclient", "testserver", False),
    ],
)
def test_one_customers_addresses_count_as_one_everywhere(monkeypatch, one, other, same):
    arrived = [guard._address({"client": (each, 1)}) for each in (one, other)]
    asking = []
    for each in (one, other):
        monkeypatch.setattr(runs.st, "context", SimpleNamespace(ip_address=each))
        asking.append(runs.address())
    assert arrived == asking
    assert (arrived[0] == arrived[1]) is same


def test_who_is_on_the_same_machine_has_no_address(monkeypatch):
    monkeypatch.setattr(runs.st, "context", SimpleNamespace(ip_address=None))
    assert runs.address() == ""


def test_a_clock_that_goes_backwards_lets_nobody_wait_for_longer():
    now = [1e6]
    arrivals = Arrivals(at_once=2, a_second=1, longest=5, clock=lambda: now[0])
    for _ in range(3):
        arrivals.delay("here")
    now[0] = 0.0  # no monotonic clock does this; then strangers still come in
    assert arrivals.delay("there") == 0


def test_addresses_that_came_long_ago_are_forgotten():
    arrivals = Arrivals()
    for number in range(5000):
        arrivals.delay(str(number))
    assert len(arrivals.due) == 4096


def test_what_is_kept_is_made_once_for_all_and_by_what_it_depends_on():
    made = []

    @kept(most=2)
    def double(number: int, _same: object) -> list[int]:
        made.append(number)
        return [2 * number]

    assert double(1, "a") is double(1, "b")
    assert double(2, None) == [4]
    double(3, None)  # the third, so the first is forgotten
    double(1, None)
    assert made == [1, 2, 3, 1]
    forget_everything()
    double(1, None)
    assert made[-1:] == [1]
    assert len(made) == 5


def test_who_asks_for_what_another_makes_waits_for_it():
    made, begun, go_on = [], threading.Event(), threading.Event()

    @kept(most=4)
    def slow(name: str) -> str:
        made.append(name)
        begun.set()
        go_on.wait(10)
        return name

    threads = [threading.Thread(target=slow, args=("x",)) for _ in range(5)]
    for thread in threads:
        thread.start()
    begun.wait(10)
    go_on.set()
    for thread in threads:
        thread.join(10)
    assert made == ["x"]


def test_what_raises_is_made_again():
    tries = []

    @kept(most=1)
    def fails() -> int:
        tries.append(1)
        raise OSError("not today")

    for _ in range(2):
        with pytest.raises(OSError, match="not today"):
            fails()
    assert len(tries) == 2


@pytest.mark.slow
def test_rings_of_objects_go_away_though_no_run_collects_them(monkeypatch):
    monkeypatch.setattr(memory, "EVERY", 0.05)

    class Ring:
        def __init__(self) -> None:
            self.me = self

    memory.collect_regularly.cache_clear()
    ended = memory.collect_regularly()
    gc.disable()
    try:
        Ring()
        eventually(lambda: not any(type(o).__name__ == "Ring" for o in gc.get_objects()))
    finally:
        gc.enable()
        ended.set()
        memory.collect_regularly.cache_clear()


def test_nobody_waits_for_a_look_at_all_that_is_old_but_the_one_that_was_asked_for():
    code = """
import gc
from gdr_app.computing.memory import spare_collector

def looks():
    return gc.get_stats()[2]["collections"]

spare_collector()
before = looks()
kept = [[[] for _ in range(1000)] for _ in range(500)]
print(looks() - before)
gc.collect()
print(looks() - before)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "1"]


def test_the_settings_are_safe_without_a_word():
    settings = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))
    assert settings["server"]["address"] == "localhost"
    assert settings["server"]["allowedHosts"] == ["localhost", "127.0.0.1", "::1"]
    assert settings["server"]["enableAgentApi"] is False
    assert settings["client"]["showErrorDetails"] == "none"
    assert settings["browser"]["gatherUsageStats"] is False


def test_every_test_that_shows_a_promise_is_there():
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    named = re.findall(r"`(tests/[^`]*[^`/])`", text)
    assert len(named) > 40
    for reference in named:
        file, _, test = reference.partition("::")
        if file.startswith("tests/corpus/"):
            assert (ROOT / file).exists(), reference
            continue
        source = (ROOT / file).read_text(encoding="utf-8")
        function, _, case = test.partition("[")
        assert function, f"{reference}: a file alone shows nothing"
        assert f"\ndef {function}(" in source, reference
        assert f'"{case[:-1]}"' in source or not case, reference


def uploads(active: set[str], clock: Clock) -> Uploads:
    return Uploads(active.__contains__, 10, 15, 20, 0, clock)


def upload(budget: Uploads, session: str, file: str, address: str, size: int) -> bool:
    begun = budget.begin(session, file, address, 0)
    assert begun is not None
    stored = budget.receive(begun, size)
    budget.end(begun, stored)
    return stored


def test_uploads_have_a_budget_for_session_address_and_server():
    clock, active = Clock(), {"a", "b", "c", "d"}
    budget = uploads(active, clock)
    assert budget.begin("a", "1", "here", 11) is None, "announced"
    assert upload(budget, "a", "1", "here", 10)
    assert not upload(budget, "a", "2", "here", 1), "a session"
    assert not upload(budget, "b", "1", "here", 6), "an address"
    assert upload(budget, "b", "1", "here", 5)
    assert not upload(budget, "c", "1", "there", 6), "the server"
    assert upload(budget, "c", "1", "there", 5)
    budget.delete("a", "1")
    assert upload(budget, "d", "1", "there", 10)
    active.clear()
    assert budget.begin("a", "3", "here", 5) is None, "Streamlit may still keep them"
    clock.now += AFTERWARDS + 1
    assert upload(budget, "a", "3", "here", 10)


def test_bytes_on_their_way_count_and_those_that_broke_off_do_not():
    budget = uploads({"a"}, Clock())
    first, second = (budget.begin("a", name, "here", 0) for name in "12")
    assert first is not None
    assert second is not None
    assert budget.receive(first, 6)
    assert not budget.receive(second, 5)
    budget.end(second, stored=False)
    assert budget.receive(first, 4)


@pytest.mark.parametrize("name", ["compose.yaml", "compose.replicas.yaml"])
def test_containers_have_no_rights_that_they_do_not_need(name):
    yaml = pytest.importorskip("yaml")
    read = yaml.safe_load((ROOT / "deploy" / name).read_text(encoding="utf-8"))
    ours = [each for each in read["services"].values() if "build" in each]
    assert ours
    for service in read["services"].values():
        assert service["read_only"] is True
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", ()))
    for service in ours:
        assert service["cap_drop"] == ["ALL"]
        assert "no-new-privileges:true" in service["security_opt"]
        assert service["shm_size"] == "512m"
        assert {"mem_limit", "pids_limit", "tmpfs"} <= set(service)
        assert {"GDR_HOSTS", "FORWARDED_ALLOW_IPS"} <= set(service["environment"])


def test_the_container_runs_without_root_under_its_own_names():
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    user, command = lines.index("\nUSER explorer\n"), lines.index("\nCMD ")
    assert user < command
    assert "USER" not in lines[command:]
    assert "GDR_HOSTS=localhost,127.0.0.1\n" in lines


def test_many_messages_wake_the_loop_once_and_none_is_slept_over():
    sent = []

    async def serve() -> None:
        loop = asyncio.get_running_loop()
        wake = loop._write_to_self
        loop._write_to_self = lambda: (sent.append(1), wake())
        assert wake_once(loop)
        heard = []
        crowd = threading.Thread(target=post, args=(loop, heard, 1000))
        crowd.start()
        crowd.join()  # meanwhile the loop stands still
        await asyncio.sleep(0)
        assert len(heard) == 1000
        assert len(sent) == 1
        # Each asks again only when it has been heard: one message slept over, and it waits forever.
        asking = [asyncio.to_thread(ask, loop, 3000) for _ in range(4)]
        assert await asyncio.wait_for(asyncio.gather(*asking), 60) == [3000] * 4

    def post(loop: asyncio.AbstractEventLoop, heard: list[int], times: int) -> None:
        for number in range(times):
            loop.call_soon_threadsafe(heard.append, number)

    def ask(loop: asyncio.AbstractEventLoop, times: int) -> int:
        answered = threading.Semaphore(0)
        for _ in range(times):
            loop.call_soon_threadsafe(answered.release)
            assert answered.acquire(timeout=10)
        return times

    asyncio.run(serve())


def test_another_kind_of_loop_is_left_alone():
    assert not wake_once(SimpleNamespace(call_soon_threadsafe=print))  # type: ignore[arg-type]


def answer_through_the_shell(folder: Path, path: str, body: bytes, kind: str) -> bytes:
    """What a browser gets of an answer of Streamlit's."""
    got = []

    async def streamlit(scope, receive, send):
        headers = [(b"content-type", kind.encode()), (b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body[:5], "more_body": True})
        await send({"type": "http.response.body", "body": body[5:]})

    async def take(message):
        got.append(message)

    asked = {"type": "http", "method": "GET", "path": path, "headers": [(b"accept", b"text/html")]}
    asyncio.run(Shell(streamlit, folder)(asked, None, take))
    said = b"".join(message.get("body", b"") for message in got)
    assert dict(got[0]["headers"])[b"content-length"] == b"%d" % len(said)
    return said


def test_only_streamlit_s_own_page_is_told_where_its_server_is(tmp_path):
    page = b'<title>S</title><script type="module" crossorigin src="./static/js/i.js"></script>'
    told = answer_through_the_shell(tmp_path, "/Relabel", page, "text/html; charset=utf-8")
    assert told.endswith(page.removeprefix(b"<title>S</title>"))
    assert b"BACKEND_BASE_URL" in told
    assert ROOM.encode() in told
    for path, body, kind in (
        ("/media/a.html", page, "text/html"),  # what a visitor downloads
        ("/Relabel", b"<p>another page</p>", "text/html"),
        ("/Relabel", page + b" " * 100_000, "text/html"),
        ("/Relabel", page, "text/plain"),
    ):
        assert answer_through_the_shell(tmp_path, path, body, kind) == body


def test_a_script_is_read_once_and_one_that_is_too_large_not_at_all(tmp_path, monkeypatch):
    monkeypatch.setattr(shell, "LARGEST", 3)
    (tmp_path / "a.js").write_text("abc", encoding="utf-8")
    (tmp_path / "b.js").write_text("abcd", encoding="utf-8")
    served = Shell(None, tmp_path)
    assert served.known == {"/static/a.js"}
    assert served.answer("/static/a.js")[1] == b"abc"
    (tmp_path / "a.js").unlink()
    assert served.answer("/static/a.js")[1] == b"abc"
