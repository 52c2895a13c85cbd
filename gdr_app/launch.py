"""`gdr-explorer`: serve the app on this machine, from a checkout or an installed wheel."""

from __future__ import annotations

import argparse
import errno
import os
import socket
import sys
from pathlib import Path

from gdr_app.places import site_folder
from gdr_core import __version__
from gdr_core.extras import MissingExtraError, need
from gdr_core.lessons.library import VARIABLE
from gdr_core.places import REINSTALL, installed
from gdr_tools.jobs.everybody import CLUSTER_VARIABLE

NEEDED = ("streamlit", "plotly", "pyvis", "pandas", "pyarrow", "segno")
LOCAL, PORT = "localhost", 8501
_LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")
_EVERYWHERE = ("0.0.0.0", "::", "")
_HOSTS_VARIABLE = "GDR_HOSTS"
_IN_USE = (errno.EADDRINUSE, errno.EACCES)


class LaunchError(Exception):
    """The app cannot be started; one sentence says why and what to do."""


def main(argv: list[str] | None = None) -> int:
    """Serve the app until it is interrupted; the exit code, 1 where it cannot start."""
    arguments = parser().parse_args(argv)
    try:
        cluster = arguments.cluster or os.environ.get(CLUSTER_VARIABLE, "")
        for package in (*NEEDED, *(["distributed"] if cluster else [])):
            need(package)
        script = _main_script()
        check_port(arguments.address, arguments.port)
    except (LaunchError, MissingExtraError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    _add_lessons(arguments.lessons)
    os.environ[CLUSTER_VARIABLE] = cluster
    serve(script, settings(arguments))
    return 0


def parser() -> argparse.ArgumentParser:
    """The grammar of `gdr-explorer`."""
    top = argparse.ArgumentParser(
        prog="gdr-explorer",
        description="Open GDR Explorer in the browser: see how diffusion on a graph corrects a "
        "classifier.",
    )
    top.add_argument("--version", action="version", version=f"gdr-explorer {__version__}")
    top.add_argument("--port", type=_port, default=PORT, help=f"default: {PORT}")
    top.add_argument(
        "--address",
        default=LOCAL,
        help=f"the name or number to listen on; default: {LOCAL}, which only this machine reaches",
    )
    top.add_argument(
        "--host",
        action="append",
        metavar="NAME",
        help="a name under which visitors reach it, as in explorer.example.org; repeat it, or "
        f"list several in ${_HOSTS_VARIABLE}. Under others it does not answer",
    )
    top.add_argument("--no-browser", action="store_true", help="do not open a browser window")
    top.add_argument(
        "--lessons",
        type=_folder,
        action="append",
        default=[],
        metavar="FOLDER",
        help="a folder of lessons of your own, shown with the others; may be given several times",
    )
    top.add_argument(
        "--cluster",
        type=_cluster,
        metavar="ADDRESS|local",
        help="train and compute on the Dask cluster whose scheduler is at this address instead of "
        f"in processes of this machine; default: what ${CLUSTER_VARIABLE} says, or no cluster",
    )
    return top


def _main_script() -> Path:
    """The file app.py, refused where the pages beside it are gone."""
    folder = site_folder()
    script = folder / "app.py"
    if not script.is_file() or not any((folder / "pages").glob("[0-9]*_*.py")):
        raise LaunchError(f"the app's files are missing from {folder}; {REINSTALL}")
    return script


def check_port(address: str, port: int) -> None:
    """Refuse a port that another program has, and an address that this machine has not."""
    try:
        family, kind, protocol, _, target = socket.getaddrinfo(
            address, port, type=socket.SOCK_STREAM
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            if os.name == "posix":  # as servers do: what a closed server left behind is no obstacle
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(target)
    except OSError as error:
        if error.errno in _IN_USE:
            raise LaunchError(
                f"port {port} on {address} cannot be used ({error.strerror}); choose another, "
                f"as in `gdr-explorer --port {_another(port)}`"
            ) from error
        raise LaunchError(
            f"this machine cannot listen on {address} ({error.strerror}); leave --address out to "
            f"serve on {LOCAL}"
        ) from error


def settings(arguments: argparse.Namespace) -> dict[str, object]:
    """What differs from .streamlit/config.toml, which Streamlit reads from beside app.py."""
    chosen: dict[str, object] = {
        "server.port": arguments.port,
        "server.address": arguments.address,
        "browser.serverPort": arguments.port,
        "server.allowedHosts": hosts(arguments.address, arguments.host or _listed()),
    }
    if installed():
        chosen["server.fileWatcherType"] = "none"  # nobody edits an installed package
    if not os.access(os.path.expanduser("~"), os.X_OK):  # Streamlit fails where it may not look
        chosen["secrets.files"] = [str(site_folder() / ".streamlit/secrets.toml")]
    if arguments.no_browser:
        chosen["server.headless"] = True
    return chosen


def hosts(address: str, named: list[str]) -> list[str]:
    """The names under which it answers.

    Without any, those of this machine and the address; on all addresses, any name: which one
    visitors will use is then not known.

    >>> hosts("localhost", [])
    ['localhost', '127.0.0.1', '::1']
    >>> hosts("0.0.0.0", ["explorer.example.org"])
    ['localhost', '127.0.0.1', '::1', 'explorer.example.org']
    >>> hosts("0.0.0.0", [])
    ['*']
    """
    if address in _EVERYWHERE and not named:
        return ["*"]
    own = [] if address in (*_LOCAL_NAMES, *_EVERYWHERE) else [address]
    return [*_LOCAL_NAMES, *own, *named]


def _listed() -> list[str]:
    names = os.environ.get(_HOSTS_VARIABLE, "").split(",")
    return [name.strip() for name in names if name.strip()]


def serve(script: Path, chosen: dict[str, object]) -> None:
    """Run Streamlit's server in this process until it is interrupted."""
    import streamlit as st

    from gdr_app.serving import surroundings

    # Streamlit takes the folder of its settings and of imports from the program's name.
    sys.argv = [str(script)]
    st.App(script, **surroundings()).run(config=chosen)


def _add_lessons(folders: list[Path]) -> None:
    """Put folders where the app looks for them, before those that are there already."""
    before = os.environ.get(VARIABLE)
    said = [*(str(folder) for folder in folders), *([before] if before else [])]
    if said:
        os.environ[VARIABLE] = os.pathsep.join(said)


def _folder(text: str) -> Path:
    folder = Path(text).expanduser().resolve()
    if not folder.is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {text!r}")
    return folder


def _cluster(text: str) -> str:
    if text != "local" and "://" not in text:
        raise argparse.ArgumentTypeError(
            f"a cluster is tcp://host:8786, tls://host:8786 or local, got {text!r}"
        )
    return text


def _port(text: str) -> int:
    port = int(text) if text.isdecimal() else 0
    if not 1 <= port <= 65535:
        raise argparse.ArgumentTypeError(f"a port is a number from 1 to 65535, got {text!r}")
    return port


def _another(port: int) -> int:
    return port + 1 if 1024 <= port < 65535 else PORT + 1


if __name__ == "__main__":
    sys.exit(main())
