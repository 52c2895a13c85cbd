"""Every example in a docstring is true, and every public name has one."""

from __future__ import annotations

import ast
import doctest
from importlib import import_module
from pathlib import Path

import pytest

import gdr_core

CORE = Path(gdr_core.__file__).parent
WITH_EXAMPLES = sorted(p for p in CORE.rglob("*.py") if ">>>" in p.read_text(encoding="utf-8"))


def module_name(path: Path) -> str:
    parts = path.relative_to(CORE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@pytest.mark.parametrize("name", [*map(module_name, WITH_EXAMPLES)])
def test_the_examples_of_a_module_are_true(name):
    found = doctest.testmod(import_module(name), optionflags=doctest.ELLIPSIS)
    assert found.attempted
    assert not found.failed


@pytest.mark.parametrize("name", gdr_core.PUBLIC)
def test_a_public_name_has_an_example(name):
    documentation = getattr(gdr_core, name).__doc__
    assert doctest.DocTestParser().get_examples(documentation), f"{name} has no example"


def test_editors_see_the_names_that_are_imported_on_use():
    """The imports for type checkers, the table for use and `__all__` say the same."""
    tree = ast.parse((CORE / "__init__.py").read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {name.name: node.module for node in block.body for name in node.names}
    assert seen == gdr_core.PUBLIC
    assert {*seen, "__version__"} == set(gdr_core.__all__)
