"""Components in two mounts: one for code and data, which travel once, one for what changes.

Streamlit sends a component's script with each of its messages, and a message that it has sent
before by reference only. So the code goes with the data, whose message stays the same, and the
mount that changes carries a few lines that call it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import streamlit as st

LOADER: Final = (Path(__file__).parent / "loader.js").read_text(encoding="utf-8")
Component = Callable[..., Any]


def two_mounts(name: str, script: Path, style: Path) -> tuple[Component, Component]:
    """The component that brings the code, and the one that draws with it.

    The script publishes itself as `window.gdrParts[name]`.
    """
    code = st.components.v2.component(f"gdr_{name}_code", js=script.read_text(encoding="utf-8"))
    drawing = st.components.v2.component(
        f"gdr_{name}",
        css=style.read_text(encoding="utf-8"),
        js=LOADER.replace("PART", name),
    )
    return code, drawing
