"""How a page is shown: as usual, in a frame of another page, or on a projector."""

from __future__ import annotations

from io import BytesIO
from typing import Final
from urllib.parse import urlencode, urlsplit

import streamlit as st

from gdr_app.components.presenting import Showing, mount_presenting
from gdr_app.state import link, own
from gdr_app.state.pickers import chosen_of, some_of

PAGE, EMBED, PRESENT = VIEWS = "page", "embed", "present"
ON, OFF = "on", "off"
_HIDE: Final = "hide-parts"  # `hide` in links
ASKED: Final = "QR code asked for"
# What a link may hide in a view without sidebar, by the elements that Streamlit makes of it.
HIDEABLE: Final = {
    "title": '[data-testid="stHeading"]:has(h1)',
    "switch": '[data-testid="stCheckbox"]',
    "text": '[data-testid="stMarkdown"]',
    "tiles": '[data-testid="stMetric"]',
    "tables": '[data-testid="stDataFrame"], .stDataFrame',
    "downloads": '[data-testid="stDownloadButton"]',
    "expanders": '[data-testid="stExpander"]',
}
ALONE: Final = """
[data-testid="stSidebar"], [data-testid="stExpandSidebarButton"], [data-testid="stHeader"] {
  display: none;
}
[data-testid="stMain"] .stMainBlockContainer { padding: 0.75rem 1rem 1rem; }
"""
# The switch has a width of its own, in pixels: larger letters need more.
LARGE: Final = """
html { font-size: clamp(18px, 1.55vw, 28px); }
[data-testid="stElementContainer"]:has(> [data-testid="stCheckbox"]) { min-width: 9rem; }
"""


def read_view() -> str:
    """How the link says that the page is shown, as a style sheet; what it cannot mean is told."""
    view = chosen_of("View", "view", VIEWS, PAGE)
    hidden = some_of("Hide", _HIDE, tuple(HIDEABLE), ())
    chosen_of("Autoplay", "autoplay", (OFF, ON), OFF)
    return style_of(view, hidden)


def offer_views() -> None:
    """The buttons to share and present; in another view, what its visitors can do with keys."""
    view, plays = link.recall("view") or PAGE, link.recall("autoplay") == ON
    code, address = _code() if st.session_state.pop(ASKED, False) else ("", "")
    showing = Showing(view, plays, link.visit().dataset in own.opened(), code, address)
    mount_presenting(showing, {"code": _ask, "present": _present, "leave": _leave})


def style_of(view: str, hidden: tuple[str, ...]) -> str:
    """The style sheet of a view.

    >>> style_of("page", ("title",))
    ''
    >>> "display: none" in style_of("embed", ("title",))
    True
    """
    if view == PAGE:
        return ""
    parts = [
        f'[data-testid="stMain"] :is({HIDEABLE[name]}) {{ display: none; }}' for name in hidden
    ]
    return "\n".join([ALONE, LARGE if view == PRESENT else "", *parts])


def qr_code(address: str) -> str:
    """An address as a QR code, an SVG of black squares on white.

    >>> qr_code("https://example.org/Relabel?view=present")[:4]
    '<svg'
    """
    import segno

    drawn = BytesIO()
    segno.make_qr(address, error="m").save(
        drawn, kind="svg", xmldecl=False, scale=4, dark="#000000", light="#ffffff"
    )
    return drawn.getvalue().decode()


def _code() -> tuple[str, str]:
    """The QR code of the view as it is now, and its address."""
    base = urlsplit(st.context.url or "")
    address = f"{base.scheme}://{base.netloc}{base.path}"
    if said := urlencode(link.visit().link(), doseq=True):
        address = f"{address}?{said}"
    return qr_code(address), address


def _ask() -> None:
    st.session_state[ASKED] = True


def _present() -> None:
    link.remember("view", PRESENT)


def _leave() -> None:
    for key in (_HIDE, "autoplay", "view"):
        link.remember(key, None)
