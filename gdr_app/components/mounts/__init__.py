"""How a component's code and data reach the browser.

    _component = component("node_search", _HERE / "search.js", _HERE / "search.css")
    _code, _drawing = two_mounts("graph_canvas", _HERE / "canvas.js", _HERE / "canvas.css")

A component is made of modules, see `bundle`; those that several components need stand in `library`.
Streamlit sends a component's script with each of its messages, and a message that it has sent
before by reference only. So large code goes with the data, whose message stays the same, and a
second mount for what changes carries a few lines that call it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import streamlit as st

from gdr_app.components.mounts.bundle import bundle_script, bundle_style

Component = Callable[..., Any]
LOADER: Final = bundle_script(Path(__file__).parent / "loader.js")


def component(name: str, script: Path, style: Path | None = None) -> Component:
    """Declare a component in one mount; its entry module is `script`."""
    return _declared(name, bundle_script(script), style)


def two_mounts(name: str, script: Path, style: Path) -> tuple[Component, Component]:
    """The component that brings the code, and the one that draws with it.

    The script publishes itself under its name, see `parts.js`.
    """
    code = component(f"{name}_code", script)
    return code, _declared(name, LOADER.replace("PART", name), style)


def _declared(name: str, script: str, style: Path | None) -> Component:
    css = None if style is None else bundle_style(style)
    return st.components.v2.component(f"gdr_{name}", js=script, css=css)
