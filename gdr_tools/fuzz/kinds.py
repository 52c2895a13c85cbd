"""The kinds of input, and one input of a kind."""

from __future__ import annotations

import random
from importlib import import_module
from types import ModuleType

from gdr_core.gate import check_name

# The module of each kind is imported when it is wanted: the app's needs Streamlit, the
# checkpoints' torch.
KINDS = {
    "library": "gdr_tools.fuzz.library",
    "files": "gdr_tools.fuzz.files",
    "own": "gdr_tools.fuzz.own",
    "commands": "gdr_tools.fuzz.commands",
    "links": "gdr_app.state.fuzz",
    "checkpoints": "gdr_tools.fuzz.checkpoints",
}


def module_of(kind: str) -> ModuleType:
    """The module that makes and tries inputs of a kind."""
    module = import_module(KINDS[check_name(kind, "kind of input", KINDS)])
    getattr(module, "prepare", lambda: None)()
    return module


def made(kind: str, seed: int, number: int) -> bytes:
    """One input, from the seed and its number alone."""
    return module_of(kind).make(random.Random(f"{kind} {seed} {number}"))


def attempt(kind: str, case: bytes) -> str:
    """What comes of one input: a word for what is fine, or `wrong: …`."""
    return module_of(kind).attempt(case)
