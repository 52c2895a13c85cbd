"""An installed wheel on a disk that takes nothing: neither beside the code nor in any cache."""

from __future__ import annotations

import asyncio
import ctypes
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from gdr_tools.bench.load.visitor import Visitor
from tests.packed import build_wheel, unpack
from tests.test_package import library_lines

pytestmark = pytest.mark.slow  # every case starts Python anew

PR_CAPBSET_DROP = 24  # of linux/prctl.h
CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 1, 2  # of linux/capability.h
PROBE = """
import os, pathlib, sys
for folder in sys.argv[1:]:
    try:
        (pathlib.Path(folder) / "probe").write_text("")
    except OSError:
        continue
    sys.exit(f"{folder} can be written to")
"""


def obey_permissions() -> None:
    """Root may write and look everywhere, unless this is taken from it before a program begins."""
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None, use_errno=True)
        for right in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH):
            if libc.prctl(PR_CAPBSET_DROP, right, 0, 0, 0) != 0:
                raise OSError(ctypes.get_errno(), "the rights of root cannot be given up")


def set_writable(folder: Path, writable: bool) -> None:
    """All folders and files below a folder, and itself."""
    for path in [folder, *folder.rglob("*")]:
        mode = path.stat().st_mode
        path.chmod(mode | 0o200 if writable else mode & ~0o222)


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Iterator[Path]:
    """The unpacked wheel, and beside it homes in which nothing can be changed or even seen."""
    folder = tmp_path_factory.mktemp("sealed")
    unpack(build_wheel(tmp_path_factory.mktemp("dist")), folder / "site")
    (folder / "home").mkdir()
    (folder / "closed").mkdir()
    set_writable(folder, False)
    (folder / "closed").chmod(0)
    yield folder / "site"
    (folder / "closed").chmod(0o700)
    set_writable(folder, True)
    shutil.rmtree(folder)


@pytest.fixture(params=["a folder that is named", "a home", "a closed home"])
def surroundings(request, site) -> dict[str, str]:
    """The variables of a process that sees the wheel, and whose cache would be in such a place."""
    home = site.parent / ("closed" if "closed" in request.param else "home")
    ours = ("GDR_CACHE_DIR", "GDR_DATA_DIR", "XDG_CACHE_HOME")
    kept = {name: value for name, value in os.environ.items() if name not in ours}
    if "named" in request.param:
        kept["GDR_CACHE_DIR"] = str(home / "cache")
    return {**kept, "PYTHONPATH": str(site), "HOME": str(home)}


def run(surroundings: dict[str, str], here: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words],
        cwd=here,
        env=surroundings,
        preexec_fn=obey_permissions,
        capture_output=True,
        text=True,
    )


def test_nothing_can_be_written_indeed(site, surroundings, tmp_path):
    places = [site, site / "gdr_core", site / "gdr_app/site", Path(surroundings["HOME"])]
    done = run(surroundings, tmp_path, "-c", PROBE, *map(str, places))
    assert done.returncode == 0, done.stderr
    assert run(surroundings, tmp_path, "-c", PROBE, str(tmp_path)).returncode == 1


def test_the_library_and_the_command_line_work(surroundings, tmp_path):
    done = run(surroundings, tmp_path, "-c", library_lines())
    assert done.returncode == 0, done.stderr
    assert float(done.stdout.split()[0]) == pytest.approx(0.59)
    # The projection needs no cache; label propagation would be kept in it.
    for words in (["cora"], ["karate", "--prior", "label-propagation"]):
        done = run(surroundings, tmp_path, "-m", "gdr_core", "classify", *words, "--json")
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["dataset"] == words[0]
        assert len(done.stderr.splitlines()) <= 1, done.stderr


@pytest.mark.parametrize("words", ["reproduce --table 1", "data fetch texas"])
def test_what_has_to_be_written_is_refused_in_one_sentence(surroundings, tmp_path, words):
    done = run(surroundings, tmp_path, "-m", "gdr_core", *words.split())
    assert done.returncode == 1
    *_, said = done.stderr.splitlines()
    assert said.startswith("error: ")
    assert "Traceback" not in done.stderr
    assert "GDR_CACHE_DIR" in said


def test_the_app_is_served_and_draws_relabel(surroundings, tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    words = ["--port", str(port), "--address", "127.0.0.1", "--no-browser"]
    with (tmp_path / "said").open("w+") as said:
        server = subprocess.Popen(
            [sys.executable, "-m", "gdr_app.launch", *words],
            cwd=tmp_path,
            env=surroundings,
            preexec_fn=obey_permissions,
            stdout=said,
            stderr=subprocess.STDOUT,
        )
        try:
            await_answer(f"{address}/Relabel", server)
            errors = asyncio.run(errors_of(address, "Relabel", "dataset=cora"))
        finally:
            server.terminate()
            server.wait(20)
        said.seek(0)
        assert errors == []
        assert "Traceback" not in said.read()


def await_answer(address: str, server: subprocess.Popen) -> None:
    """Until the address answers with a page; not longer than the server lives."""
    end = time.monotonic() + 60
    while True:
        try:
            with urllib.request.urlopen(address, timeout=10) as answer:
                assert answer.status == 200
                return
        except urllib.error.URLError:
            assert server.poll() is None, "the server has ended"
            assert time.monotonic() < end, "the server does not answer"
            time.sleep(0.2)


async def errors_of(address: str, page: str, query: str) -> list[str]:
    """What a page shows as an error or exception to a visitor who comes by its link."""
    async with Visitor(address) as visitor:
        await visitor.open(page, query)
        assert visitor.has_t_min  # the page was drawn to its end
        return visitor.errors
