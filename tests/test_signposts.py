"""What the documents for developers name is there."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAPS = ("docs/ARCHITECTURE.md", "CONTRIBUTING.md")
PATH = re.compile(r"[\w.]*(?:/[\w.]+)*(?:/|\.(?:py|md|toml|json|js|css|rst))|\.ci/run")


def prose(text: str) -> str:
    """A document without its blocks of code."""
    return re.sub(r"```.*?```", "", text, flags=re.DOTALL)


def named(text: str) -> Iterator[tuple[str, Path | None]]:
    """Every path in backticks and the file or folder it means.

    It starts from the root or from gdr_core/; a bare name, from the folder of the path before it.
    """
    here = ROOT
    for path in re.findall(r"`([^`\n]+)`", prose(text)):
        if not PATH.fullmatch(path):
            continue
        starts = (ROOT, ROOT / "gdr_core") if "/" in path else (here, ROOT)
        found = next((at / path for at in starts if (at / path).exists()), None)
        yield path, found
        if found is not None and found.parent != ROOT:
            here = found if found.is_dir() else found.parent


@pytest.mark.parametrize("document", MAPS)
def test_every_path_on_the_map_exists(document):
    paths = list(named((ROOT / document).read_text(encoding="utf-8")))
    assert len(paths) > 3
    assert [path for path, found in paths if found is None] == []


def test_a_path_that_is_not_there_would_be_seen():
    text = "`gdr_core/gdr/scan.py`, then `rules.py`, then `ruler.py` and `gdr_attic/`; `RULES`"
    assert [path for path, found in named(text) if found is None] == ["ruler.py", "gdr_attic/"]


@pytest.mark.parametrize("document", [*MAPS, "README.md"])
def test_every_program_named_can_be_started(document):
    text = (ROOT / document).read_text(encoding="utf-8")
    ours = [m for m in re.findall(r"python -m ([\w.]+)", text) if m.startswith(("gdr_", "tools"))]
    places = [ROOT / module.replace(".", "/") for module in ours]
    started = [(p / "__main__.py").is_file() or p.with_suffix(".py").is_file() for p in places]
    assert all(started), ours
    scripts = re.findall(r"python ([\w/]+\.py)", text)
    assert [script for script in scripts if not (ROOT / script).is_file()] == []
