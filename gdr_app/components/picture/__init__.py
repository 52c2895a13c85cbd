"""SVG text as a picture on the page, in the page's own text colour and with its tooltips.

`st.html` removes SVG and `st.image` cuts it off from the page's colours, so this mounts it.
"""

from __future__ import annotations

from pathlib import Path

from gdr_app.components.mounts import component

_HERE = Path(__file__).parent
_component = component("picture", _HERE / "picture.js", _HERE / "picture.css")


def show_picture(svg: str, *, key: str) -> str:
    """Draw an SVG as wide as its column; it carries its own label for screen readers."""
    _component(key=key, data={"svg": svg}, height="content")
    return svg
