"""Downloads from a server on this machine: whole, broken half-way, and two at once."""

import hashlib
import os
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import gdr_core
from gdr_core.datasets import DamagedFileError, Download, MissingFilesError, download

CONTENT = {"ind.wikipedia.x": b"one " * 50_000, "ind.wikipedia.y": b"two " * 50_000}
CHECKSUMS = {file: hashlib.sha256(content).hexdigest() for file, content in CONTENT.items()}


@pytest.fixture
def server():
    """Serves CONTENT; `server.mode` makes it break or linger in the middle of a file."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.server.requests.append(self.path)
            content = CONTENT[self.path.strip("/")]
            content = b"x" * len(content) if self.server.mode == "wrong" else content
            self.send_response(200 if self.server.mode != "absent" else 404)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content[: len(content) // 2])
            if self.server.mode == "slow":
                time.sleep(0.5)
            if self.server.mode != "breaks":
                self.wfile.write(content[len(content) // 2 :])

        def log_message(self, *_):
            pass

    running = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    running.mode, running.requests = "whole", []
    threading.Thread(target=running.serve_forever, daemon=True).start()
    yield running
    running.shutdown()
    running.server_close()


@pytest.fixture
def cache(tmp_path, monkeypatch) -> Path:
    """An empty cache folder."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("GDR_DATA_DIR", raising=False)
    monkeypatch.setattr(download, "cache_folder", lambda: folder)
    return folder


@pytest.fixture
def files(server, cache) -> Download:
    """Two files on the server, wanted in the cache folder."""
    return files_at(f"http://127.0.0.1:{server.server_port}/")


def files_at(address: str, folder: str = "") -> Download:
    return Download("wikipedia", address, CHECKSUMS, "1 MB", "this machine", folder)


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_fetching_brings_every_file_once_and_tells_its_progress(server, cache, files):
    told = []
    paths = files.fetch(progress=lambda fraction, message: told.append((fraction, message)))
    assert [path.name for path in paths] == list(CONTENT)
    assert files_in(cache) == CONTENT == files.read()
    assert [fraction for fraction, _ in told] == [0, 0.5, 1]
    files.fetch()
    assert len(server.requests) == 2
    assert files.available()


@pytest.mark.parametrize("mode", ["breaks", "wrong", "absent"])
def test_a_failed_download_leaves_nothing_behind(server, cache, files, mode):
    server.mode = mode
    with pytest.raises(MissingFilesError, match=r"could not fetch ind\.wikipedia\.x from http"):
        files.fetch()
    assert files_in(cache) == {}
    server.mode = "whole"
    files.fetch()
    assert files_in(cache) == CONTENT


def test_without_a_network_the_error_is_one_sentence(cache):
    with pytest.raises(MissingFilesError) as caught:
        files_at("http://127.0.0.1:9/").fetch()
    assert "the connection failed (ConnectionError)" in str(caught.value)
    assert "GDR_DATA_DIR" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_damaged_file_in_the_cache_is_reported_and_fetched_again(cache, files):
    files.fetch()
    (cache / "ind.wikipedia.y").write_bytes(b"half")
    assert not files.available()
    with pytest.raises(DamagedFileError, match=r"ind\.wikipedia\.y is damaged: expected SHA-256"):
        files.read()
    files.fetch()
    assert files_in(cache) == CONTENT


def test_the_given_folder_comes_first_and_is_verified_too(
    server, cache, files, tmp_path, monkeypatch
):
    given = tmp_path / "given"
    given.mkdir()
    monkeypatch.setenv("GDR_DATA_DIR", str(given))
    (given / "ind.wikipedia.x").write_bytes(CONTENT["ind.wikipedia.x"])
    paths = files.fetch()
    assert [path.parent for path in paths] == [given, cache]
    assert server.requests == ["/ind.wikipedia.y"]
    (given / "ind.wikipedia.y").write_bytes(b"damaged")
    for call in (files.read, files.fetch):
        with pytest.raises(DamagedFileError, match="given/ind"):
            call()


def test_files_of_two_sources_do_not_meet(server, cache):
    files_at(f"http://127.0.0.1:{server.server_port}/", "elsewhere").fetch()
    assert {path.parent.name for path in cache.rglob("ind.*")} == {"elsewhere"}


FETCH = """
import sys
from pathlib import Path
from gdr_core.datasets import download
download.cache_folder = lambda: Path(sys.argv[1])
checksums = dict(pair.split("=") for pair in sys.argv[3:])
download.Download("wikipedia", sys.argv[2], checksums, "1 MB", "this machine").fetch()
"""


def test_two_processes_at_once_both_end_with_good_files(server, cache, files):
    server.mode = "slow"
    pairs = [f"{file}={checksum}" for file, checksum in CHECKSUMS.items()]
    command = [sys.executable, "-c", FETCH, str(cache), files.address, *pairs]
    environment = {key: value for key, value in os.environ.items() if key != "GDR_DATA_DIR"}
    root = Path(gdr_core.__file__).parents[1]
    both = [subprocess.Popen(command, cwd=root, env=environment) for _ in range(2)]
    assert [process.wait(timeout=60) for process in both] == [0, 0]
    assert files_in(cache) == CONTENT
