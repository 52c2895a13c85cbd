"""The wheel: what it carries, and that it works from any folder and says what it lacks."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import socket
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from gdr_app import launch, places
from gdr_core import extras
from tests.packed import ROOT, build_wheel, run, unpack, without

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def packages(wheel, tmp_path_factory) -> Path:
    return unpack(wheel, tmp_path_factory.mktemp("site"))


@pytest.fixture
def here(tmp_path) -> Path:
    """An empty folder."""
    return tmp_path


def test_the_wheel_carries_the_data_and_the_app_and_is_small(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        promised = json.loads(archive.read("gdr_core/_data/manifest.json"))["files"]
        for file, entry in promised.items():
            content = archive.read(f"gdr_core/_data/{file}")
            assert hashlib.sha256(content).hexdigest() == entry["sha256"]
    assert wheel.stat().st_size < 12e6
    top = {name.partition("/")[0] for name in names}
    assert top - {"gdr_explorer-0.1.0.dist-info"} <= {"gdr_core", "gdr_tools", "gdr_app"}
    assert not [name for name in names if "__pycache__" in name or name.endswith(".pyc")]
    site = {name.removeprefix("gdr_app/site/") for name in names}
    assert {".streamlit/config.toml", "app.py", "static/icon.png"} <= site
    tracked = subprocess.run(
        ["git", "ls-files", "pages", "static", "data/results"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    ).stdout.split()
    carried = site | {name.replace("gdr_core/_data/", "data/") for name in names}
    assert set(tracked) <= carried


def library_lines() -> str:
    """The first Python block of the README's section about the library."""
    section = (ROOT / "README.md").read_text(encoding="utf-8").partition("## The library")[2]
    return section.partition("```python\n")[2].partition("```")[0]


def test_the_lines_of_the_readme_run_from_an_empty_folder_without_any_extra(packages, here):
    code = without("torch", *launch.NEEDED) + library_lines()
    done = run(packages, here, "-c", code)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout.split()[0]) == pytest.approx(0.59)
    promised = re.search(r"# ([0-9.]+), ([0-9.]+)", library_lines())
    assert float(done.stdout.split()[1]) == pytest.approx(float(promised[2]), abs=5e-4)


STORE_AGAIN = """
from gdr_tools.paper.cells import of_table
from gdr_tools.paper.store import Store
cell = of_table("2")[0]
Store().put(cell, Store().get(cell) | {"note": "mine"})
assert Store().get(cell)["note"] == "mine"
"""


def state_of(folder: Path) -> dict[Path, int]:
    """Files with the time of their last change, but for compiled code: pip's business."""
    found = (path for path in folder.rglob("*") if "__pycache__" not in path.parts)
    return {path: path.stat().st_mtime_ns for path in found if path.is_file()}


def test_nothing_is_written_beside_the_code(packages, here):
    before = state_of(packages)
    words = ("classify", "karate", "--prior", "label-propagation", "--json")
    done = run(packages, here, "-m", "gdr_core", *words)
    assert done.returncode == 0, done.stderr
    done = run(packages, here, "-c", STORE_AGAIN)
    assert done.returncode == 0, done.stderr
    assert state_of(packages) == before
    assert list((here / "cache/priors").glob("*.npz"))
    assert (here / "cache/results/undirected.json").is_file()


@pytest.mark.parametrize("harm", ["changed", "gone"])
@pytest.mark.parametrize("file", ["cora.npz", "manifest.json"])
def test_a_damaged_wheel_says_how_to_repair_it_in_one_sentence(packages, here, harm, file):
    copy = here / "site"
    for name in ("gdr_core", "gdr_tools"):
        shutil.copytree(packages / name, copy / name)
    damaged = copy / "gdr_core/_data" / file
    if harm == "gone":
        damaged.unlink()
    else:
        damaged.write_bytes(damaged.read_bytes()[: damaged.stat().st_size // 2])
    done = run(copy, here, "-m", "gdr_core", "classify", "cora")
    assert done.returncode == 1
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert "pip install --force-reinstall" in done.stderr
    assert "git" not in done.stderr


@pytest.mark.parametrize(
    ("package", "statement"),
    [
        ("torch", "from gdr_tools.cli import main; sys.exit(main(['train', 'karate']))"),
        (
            "torch",
            "from gdr_tools.cli import main; "
            "sys.exit(main(['classify', 'karate', '--prior', 'planetoid']))",
        ),
        ("streamlit", "from gdr_app.launch import main; sys.exit(main([]))"),
        ("pyvis", "from gdr_app.launch import main; sys.exit(main([]))"),
    ],
)
def test_a_missing_extra_is_named_in_one_sentence(packages, here, package, statement):
    done = run(packages, here, "-c", without(package) + statement)
    assert done.returncode == 1
    assert done.stderr == (
        f"error: the package {package} is missing; install it with `python -m pip install "
        f"'gdr-explorer[{extras.EXTRAS[package]}]'`\n"
    )


def test_the_core_needs_no_extra_until_it_does(packages, here):
    code = f"""{without("torch", *launch.NEEDED)}
import gdr_core
from gdr_core.extras import MissingExtraError
for name in gdr_core.PUBLIC:
    getattr(gdr_core, name)
import gdr_core.estimator, gdr_core.neural
for statement in ("from gdr_core.neural import Training", "import gdr_core.figures.relabel"):
    try:
        exec(statement)
    except MissingExtraError as error:
        print(error.name)
"""
    done = run(packages, here, "-c", code)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["torch", "plotly"]


def test_every_extra_that_is_advised_exists_and_holds_the_package():
    for package, extra in extras.EXTRAS.items():
        assert any(line.startswith(package) for line in PROJECT["optional-dependencies"][extra])
    assert set(launch.NEEDED) == {name for name, extra in extras.EXTRAS.items() if extra == "app"}
    assert set(PROJECT["optional-dependencies"]) == {
        "app", "networks", "files", "notebook", "cluster", "dev",
    }  # fmt: skip


def test_the_pinned_versions_lie_within_the_ranges():
    from packaging.requirements import Requirement

    pinned = {}
    for file in ("requirements.txt", "requirements-dev.txt"):
        for line in (ROOT / file).read_text(encoding="utf-8").split():
            name, _, version = line.partition("==")
            pinned[name] = version
    groups = PROJECT["optional-dependencies"]
    ranges = [*PROJECT["dependencies"], *groups["app"], *groups["networks"], *groups["dev"]]
    for requirement in map(Requirement, ranges):
        assert requirement.specifier.contains(pinned.pop(requirement.name)), requirement
    assert not pinned, f"pinned, but in no range of pyproject.toml: {pinned}"


def test_an_occupied_port_is_named_and_another_offered(capsys):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert launch.main(["--address", "127.0.0.1", "--port", str(port)]) == 1
    error = capsys.readouterr().err
    assert len(error.splitlines()) == 1
    assert f"port {port}" in error
    assert "gdr-explorer --port" in error


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--address", "192.0.2.1"], "leave --address out"),
        (["--address", "no such host"], "leave --address out"),
    ],
)
def test_an_address_that_is_not_ours_is_refused(capsys, words, said):
    assert launch.main(words) == 1
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("port", ["0", "65536", "x", "-1"])
def test_a_port_that_is_none_is_refused(capsys, port):
    with pytest.raises(SystemExit) as end:
        launch.main(["--port", port])
    assert end.value.code == 2
    assert "from 1 to 65535" in capsys.readouterr().err


def test_an_app_without_its_pages_is_refused(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(places, "HERE", tmp_path / "gdr_app")
    assert launch.main([]) == 1
    assert "missing from" in capsys.readouterr().err


def test_help_names_the_program_that_was_called(packages, here):
    code = "import sys; from gdr_tools.cli import main; sys.argv = ['/a/gdr', '--help']; main()"
    assert run(packages, here, "-c", code).stdout.startswith("usage: gdr ")
    shown = subprocess.run([sys.executable, "-m", "gdr_core", "-h"], capture_output=True, text=True)
    assert shown.stdout.startswith("usage: python -m gdr_core ")
