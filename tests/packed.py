"""The built wheel, unpacked: the packages as they lie in somebody's site-packages."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]

BLOCK = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {names!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Blocked())
"""


def build_wheel(folder: Path) -> Path:
    """Build the wheel as pip would, with the hatchling that is installed."""
    code = "import sys, hatchling.build as b; print(b.build_wheel(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return folder / done.stdout.split()[-1]


def unpack(wheel: Path, folder: Path) -> Path:
    """The wheel's files in a folder that stands for site-packages."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def without(*names: str) -> str:
    """Lines of Python after which these packages cannot be imported."""
    return BLOCK.format(names=set(names))


def run(packages: Path, here: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Python in the folder `here`, with the unpacked wheel and nothing of the checkout."""
    return subprocess.run(
        [sys.executable, *words],
        cwd=here,
        env=environment(packages, here),
        capture_output=True,
        text=True,
    )


def environment(packages: Path, here: Path) -> dict[str, str]:
    """Variables for a process that sees the unpacked wheel and keeps its cache in `here`."""
    own = {"PYTHONPATH": str(packages), "GDR_CACHE_DIR": str(here / "cache")}
    return {**os.environ, **own}
