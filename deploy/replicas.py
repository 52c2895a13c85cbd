"""Three replicas behind HAProxy as plain processes, as compose.replicas.yaml starts them in Docker.

    apt-get install haproxy
    python deploy/replicas.py --port 8501 --folder /var/tmp/gdr-explorer

Prints one line of JSON with the processes when all of them answer, and ends them when it is ended.
A replica that dies is not started again: that is the work of whatever runs this (systemd, say).
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from gdr_tools.jobs.memory import MEGABYTES_VARIABLE, WORKERS_VARIABLE, together  # noqa: E402
from gdr_tools.jobs.pool import workers  # noqa: E402

NAMES = ("one", "two", "three")
PATIENCE = 120.0  # seconds


def main() -> int:
    """Start everything, say so, and wait."""
    options = _options()
    proxy = shutil.which("haproxy", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if proxy is None:
        print("error: haproxy is not installed: apt-get install haproxy", file=sys.stderr)
        return 1
    folder = Path(options.folder or tempfile.mkdtemp(prefix="gdr-replicas-"))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    started: dict[str, subprocess.Popen[bytes]] = {}
    try:
        ports = {name: options.port + 1 + number for number, name in enumerate(NAMES)}
        secret = secrets.token_hex(32)
        for name, port in ports.items():
            started[name] = _replica(port, folder, secret)
        started["proxy"] = _proxy(proxy, options.port, ports)
        for port in (*ports.values(), options.port):
            _await(port)
        processes = {name: process.pid for name, process in started.items()}
        print(json.dumps({"port": options.port, "processes": processes}), flush=True)
        started["proxy"].wait()
    except KeyboardInterrupt:
        pass
    finally:
        for process in started.values():
            process.terminate()
        for process in started.values():
            process.wait(15)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--port", type=int, default=8501, help="of the proxy; the next three follow"
    )
    parser.add_argument(
        "--folder", help="for caches and runs, shared; a temporary one if not given"
    )
    return parser.parse_args()


def _replica(port: int, folder: Path, secret: str) -> subprocess.Popen[bytes]:
    shared = {
        "GDR_CACHE_DIR": str(folder),
        "GDR_RUNS_DIR": str(folder / "runs"),
        "STREAMLIT_SERVER_COOKIE_SECRET": secret,
        **_share(),
    }
    command = [sys.executable, "-m", "gdr_app.launch", "--no-browser", f"--port={port}"]
    return subprocess.Popen(
        command,
        cwd=HERE.parent,
        env={**os.environ, **shared},
        stdout=sys.stderr,
        start_new_session=True,
    )


def _share() -> dict[str, str]:
    """Of the machine's cores and memory, what one of the replicas may have for its workers."""
    return {
        WORKERS_VARIABLE: str(max(workers() // len(NAMES), 1)),
        MEGABYTES_VARIABLE: str(max((together() >> 20) // len(NAMES), 1)),
    }


def _proxy(program: str, port: int, ports: dict[str, int]) -> subprocess.Popen[bytes]:
    places = {f"GDR_{name.upper()}": f"127.0.0.1:{port}" for name, port in ports.items()}
    environment = {**os.environ, **places, "GDR_LISTEN": f"127.0.0.1:{port}"}
    command = [program, "-db", "-f", str(HERE / "haproxy.cfg")]
    return subprocess.Popen(command, env=environment, stdout=sys.stderr)


def _await(port: int) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            urllib.request.urlopen(f"http://localhost:{port}/_stcore/health", timeout=2).close()
            return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


if __name__ == "__main__":
    sys.exit(main())
