"""JupyterLab on a free port, and notebooks to open in it."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gdr_tools.bench.browser import ROOT

PATIENCE = 90  # seconds until the server answers


def notebook(*cells: str) -> str:
    """A notebook of code cells, as its file."""
    empty = {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": []}
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    return json.dumps(
        {
            "cells": [{**empty, "id": f"cell{i}", "source": cell} for i, cell in enumerate(cells)],
            "metadata": kernel,
            "nbformat": 4,
            "nbformat_minor": 5,
        }
    )


@contextmanager
def running_lab(folder: Path) -> Iterator[str]:
    """JupyterLab over a folder: its address; all that it writes goes into the folder, too."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--port={port}",
               "--IdentityProvider.token=", "--ServerApp.password=",
               f"--ServerApp.root_dir={folder}", f"--LabApp.user_settings_dir={folder / 'CONFIG'}",
               f"--LabApp.app_settings_dir={folder / 'DATA' / 'lab' / 'settings'}"]  # fmt: skip
    own = {f"JUPYTER_{what}_DIR": str(folder / what) for what in ("CONFIG", "DATA", "RUNTIME")}
    quiet = {"@jupyterlab/apputils-extension:notification": {"fetchNews": "false"}}
    settings = folder / "DATA" / "lab" / "settings"
    settings.mkdir(parents=True)
    (settings / "overrides.json").write_text(json.dumps(quiet), encoding="utf-8")
    environment = {**os.environ, **own, "PYTHONPATH": str(ROOT), "HOME": str(folder)}
    with (folder / "lab.log").open("wb") as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=log, cwd=folder)
        try:
            _await(f"http://127.0.0.1:{port}/api/status", server)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(30)


def _await(address: str, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and server.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.3)
    raise AssertionError("JupyterLab did not start")
