"""The core stays light to import and knows nothing of the app."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import gdr_core

CORE = Path(gdr_core.__file__).parent
HEAVY = ("torch", "sklearn", "plotly", "streamlit", "networkx", "pandas", "pooch", "igraph")


def modules_after(statement: str) -> set[str]:
    code = f"{statement}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=CORE.parent
    )
    return {name.partition(".")[0] for name in done.stdout.split()}


@pytest.mark.parametrize(
    "statement",
    [
        "import gdr_core",
        "import gdr_core.datasets",
        "import gdr_tools.cli; gdr_tools.cli.parser()",
        "import gdr_core; gdr_core.load_dataset('cora')",
        "import gdr_core; gdr_core.load_dataset('digits'); gdr_core.load_dataset('two-moons')",
    ],
)
def test_nothing_heavy_is_imported_before_it_is_needed(statement):
    assert modules_after(statement).isdisjoint(HEAVY)


def test_the_heavy_names_would_be_seen():
    assert "networkx" in modules_after("import gdr_core; gdr_core.load_dataset('karate')")


def imported_by(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return found


@pytest.mark.parametrize("path", sorted(CORE.rglob("*.py")), ids=lambda p: str(p.relative_to(CORE)))
def test_the_core_never_imports_streamlit(path):
    assert "streamlit" not in imported_by(path)


def test_public_names_are_there_and_others_are_refused():
    assert gdr_core.load_dataset is gdr_core.datasets.load_dataset
    assert set(gdr_core.PUBLIC) <= set(dir(gdr_core))
    for name in gdr_core.PUBLIC:
        assert getattr(gdr_core, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = gdr_core.nonsense
