"""How a component's code and data reach the browser.

    _component = component("picture", _HERE / "picture.js", _HERE / "picture.css")
    _code, _drawing = two_mounts("graph_canvas", _HERE / "canvas.js", _HERE / "canvas.css")

A component is made of modules, see `gdr_core.canvases.bundle`; those that several components need
stand in `gdr_core/canvases/library`.
Streamlit sends a component's script with each of its messages, and a message that it has sent
before by reference only. So large code goes with the data, whose message stays the same, and a
second mount for what changes carries a few lines that call it.

What several pages have alike is drawn in `lasting()`: the browser then keeps it from page to page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from gdr_core.canvases.bundle import bundle_script, bundle_style

Component = Callable[..., Any]
_LOADER: Final = bundle_script(Path(__file__).parent / "loader.js")


def component(name: str, script: Path, style: Path | None = None) -> Component:
    """Declare a component in one mount; its entry module is `script`."""
    return _declared(name, _telling_itself(bundle_script(script)), style)


def two_mounts(name: str, script: Path, style: Path) -> tuple[Component, Component]:
    """The component that brings the code, and the one that draws with it.

    The script publishes itself under its name, see `parts.js`.
    """
    code = component(f"{name}_code", script)
    return code, _declared(name, _LOADER.replace("PART", name), style)


@contextmanager
def lasting() -> Iterator[None]:
    """Draw what is the same on other pages, too, as Streamlit draws what stands around all pages.

    Streamlit names each element after its page, and clears away what belongs to the page before:
    thirty parts of a sidebar would be made anew, and megabytes of code sent again, at every change
    of page. What has the name of the app instead stays where the next page draws it again.
    """
    context = get_script_run_ctx()
    if context is None:
        yield
        return
    with context.run_with_active_hash(context.pages_manager.main_script_hash):
        yield


def value_of(key: str, name: str, allowed: range) -> int | None:
    """What a component has told under a name; None where it is none of the allowed numbers."""
    told = (st.session_state.get(key) or {}).get(name)
    return told if isinstance(told, int) and told in allowed else None


def _telling_itself(script: str) -> str:
    """The same component, which is handed the text of its own code: a saved page needs it."""
    inside, found, default = script.rpartition("export default ")
    if not found:
        raise ValueError("a component exports a default, which Streamlit calls")
    return (
        f"const code = () => {{\n{inside}return {default}}};\nconst mount = code();\n"
        "export default (given) => mount({ ...given, code: String(code) });\n"
    )


def _declared(name: str, script: str, style: Path | None) -> Component:
    css = None if style is None else bundle_style(style)
    return st.components.v2.component(f"gdr_{name}", js=script, css=css)
