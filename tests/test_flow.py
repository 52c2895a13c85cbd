"""Imports run with the flow of the house, a list in pyproject.toml, and never in a circle."""

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import networkx as nx
import pytest

from gdr_core.laplacians import DIRECTIONS, WALKS

ROOT = Path(__file__).parents[1]
FLOW: list[str] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
    "gdr"
]["flow"]
MOST_FILES = 15


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {
    module_name(path): path
    for top in ("gdr_core", "gdr_tools", "gdr_app", "pages")
    for path in sorted((ROOT / top).rglob("*.py"))
} | {"app": ROOT / "app.py"}


def room_of(module: str) -> str:
    """The longest entry of the list that the module is, or lies in."""
    found = [room for room in FLOW if module == room or module.startswith(f"{room}.")]
    if not found:
        raise LookupError(f"{module} is in no room of the list in pyproject.toml")
    return max(found, key=len)


def _is_for_types(node: ast.AST) -> bool:
    """`if TYPE_CHECKING:` is read by type checkers alone; nothing is imported there."""
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def _inside(tree: ast.AST, wanted: Callable[[ast.AST], bool]) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if wanted(node):
            yield from ast.walk(node)


def imports_of(path: Path, *, delayed: bool) -> Iterator[str]:
    """Our own modules that a file imports; delayed ones are those inside functions."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    passed_over = set(_inside(tree, _is_for_types))
    if not delayed:
        passed_over |= set(_inside(tree, lambda node: isinstance(node, ast.FunctionDef)))
    for node in ast.walk(tree):
        if node in passed_over:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in MODULES)
        elif isinstance(node, ast.ImportFrom) and node.module in MODULES:
            for alias in node.names:
                inside = f"{node.module}.{alias.name}"
                yield inside if inside in MODULES else node.module


@pytest.mark.parametrize("module", MODULES)
def test_no_import_runs_against_the_flow(module):
    place = FLOW.index(room_of(module))
    against = {
        name
        for name in imports_of(MODULES[module], delayed=True)
        if FLOW.index(room_of(name)) > place
    }
    assert not against


def test_no_import_runs_in_a_circle():
    graph = {name: set(imports_of(path, delayed=False)) - {name} for name, path in MODULES.items()}
    TopologicalSorter(graph).prepare()  # raises CycleError


def test_circles_through_imports_inside_functions_are_those_that_the_map_tells_of():
    graph = nx.DiGraph()
    for name, path in MODULES.items():
        graph.add_edges_from((name, other) for other in imports_of(path, delayed=True))
    circles = [each for each in nx.strongly_connected_components(graph) if len(each) > 1]
    text = (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")
    told = text[text.index("Imports inside functions") : text.index("stays within its room")]
    assert len(circles) == 4
    for circle in circles:
        (room,) = {room_of(module) for module in circle}
        words = (room.removeprefix("gdr_core."), *(m.rpartition(".")[2] for m in circle))
        assert any(word in told for word in words), circle


def test_every_room_of_the_list_exists():
    for room in FLOW:
        assert any(name == room or name.startswith(f"{room}.") for name in MODULES), room


def test_a_step_against_the_flow_would_be_seen():
    assert FLOW.index(room_of("gdr_core.datasets.record")) < FLOW.index(
        room_of("gdr_core.gdr.scan")
    )
    with pytest.raises(LookupError):
        room_of("gdr_attic.box")


@pytest.mark.parametrize(
    "folder",
    [
        p
        for p in [ROOT / "gdr_app", *(ROOT / "gdr_app").rglob("*")]
        if p.is_dir() and p.name != "__pycache__"
    ],
    ids=lambda p: str(p.relative_to(ROOT)),
)
def test_no_folder_of_the_app_is_a_drawer(folder):
    assert sum(path.is_file() for path in folder.iterdir()) <= MOST_FILES


def names_read_too_early(source: str) -> set[str]:
    """Names of a page that one of its functions reads, and that are only defined below it."""
    below: dict[str, int] = {}
    read: list[tuple[str, int]] = []
    for part in ast.parse(source).body:
        inside = list(ast.walk(part))
        if isinstance(part, ast.FunctionDef):
            below.setdefault(part.name, part.lineno)
            own = {n.id for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
            own |= {n.arg for n in inside if isinstance(n, ast.arg)}
            read += [
                (n.id, part.lineno) for n in inside if isinstance(n, ast.Name) and n.id not in own
            ]
        else:
            for n in inside:
                if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store):
                    below.setdefault(n.id, n.lineno)
    return {name for name, line in read if below.get(name, 0) > line}


@pytest.mark.parametrize("page", [m for m in MODULES if m == "app" or m.startswith("pages.")])
def test_no_page_reads_a_name_defined_below_it(page):
    assert not names_read_too_early(MODULES[page].read_text(encoding="utf-8"))


def test_a_name_read_too_early_would_be_seen():
    page = "def draw():\n    own = 1\n    return own + parts\n\nparts = 2\nown = 3\n"
    assert names_read_too_early(page) == {"parts"}


def test_directions_are_listed_once():
    """Everybody else takes them from the Laplacians; the fuzzer alone writes out what it tries."""
    for name, path in MODULES.items():
        if name.startswith("gdr_tools.fuzz"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Tuple):
                words = [part.value for part in node.elts if isinstance(part, ast.Constant)]
                assert words[-2:] != list(DIRECTIONS) or name == "gdr_core.laplacians", path
                assert words != list(WALKS), path


def _of_the_module(tree: ast.Module) -> Iterator[str]:
    """Functions and constants at the level of the module, by the names that others may use."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        yield from (target.id for target in targets if isinstance(target, ast.Name))


def _words_of(folder: Path, *suffixes: str) -> Iterator[tuple[Path, set[str]]]:
    for path in sorted(folder.rglob("*")):
        if path.suffix in suffixes and "node_modules" not in path.parts:
            yield path, set(re.findall(r"\w+", path.read_text(encoding="utf-8")))


def test_what_one_file_keeps_to_itself_begins_with_an_underscore():
    said = dict(_words_of(ROOT / "docs", ".md", ".py"))
    for top in ("gdr_core", "gdr_tools", "gdr_app", "pages", "tools", "tests", "data", "deploy"):
        said |= dict(_words_of(ROOT / top, ".py", ".md", ".js"))
    for path in (ROOT / "app.py", ROOT / "README.md", ROOT / "pyproject.toml"):
        said[path] = set(re.findall(r"\w+", path.read_text(encoding="utf-8")))
    places = Counter(word for words in said.values() for word in words)
    alone = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in said
        if path.suffix == ".py" and path.relative_to(ROOT).parts[0].startswith(("gdr_", "tools"))
        for name in _of_the_module(ast.parse(path.read_text(encoding="utf-8")))
        if not name.startswith("_") and places[name] == 1
    ]
    assert alone == []
