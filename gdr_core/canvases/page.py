"""Pages that are one file: everything inside, nothing asked of the net, every text escaped."""

from __future__ import annotations

import base64
from functools import cache
from html import escape
from typing import Final

from gdr_core.canvases.bundle import ROOM, bundle_script, bundle_style
from gdr_core.canvases.relabelling.payload import pack_view
from gdr_core.datasets.record import Dataset
from gdr_core.gdr.result import GDRResult

POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:"
)
_HERE: Final = ROOM / "relabelling"
STYLE: Final = (
    ":root { color-scheme: light dark; } "
    "body { font: 16px/1.5 system-ui, sans-serif; margin: 0; "
    "color: light-dark(#1a1a1a, #eaeaea); background: light-dark(#ffffff, #16181d); } "
    "main { max-width: 75rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; } "
    "h1 { font-size: 1.4rem; margin: 0 0 0.5rem; max-height: 12rem; overflow: auto; }"
)


def view_page(
    dataset: Dataset,
    result: GDRResult | None = None,
    *,
    t_min_index: int | None = None,
    node: int | None = None,
    about: str = "",
) -> str:
    """One HTML document: the relabelled graph with a t_min to drag, and the curves of a node.

    Without a result it is the graph alone.

    about   a sentence under the title, e.g. with which prior

    >>> from gdr_core import Method, load_dataset
    >>> page = view_page(load_dataset("karate"), Method.on("karate", prior="uniform").run())
    >>> page[:15], "http://" in page.replace("http://www.w3.org/2000/svg", "")
    ('<!doctype html>', False)
    """
    title = f"{dataset.name}: graph diffusion reclassification"
    told = f'<p dir="auto">{escape(about)}</p>' if about else ""
    shown = view_html(dataset, result, t_min_index=t_min_index, node=node)
    return document(title, f'<h1 dir="auto">{escape(title)}</h1>{told}{shown}', STYLE)


def view_html(
    dataset: Dataset,
    result: GDRResult | None = None,
    *,
    t_min_index: int | None = None,
    node: int | None = None,
    most: int | None = None,
) -> str:
    """The view as a part of a page, of which there may be one.

    most   nodes that are drawn; of more, those that are relabelled come first

    >>> from gdr_core import Method, load_dataset
    >>> part = view_html(load_dataset("karate"), Method.on("karate", prior="uniform").run())
    >>> part[:21]
    '<div id="view"></div>'
    """
    block = pack_view(dataset, result, t_min_index=t_min_index, node=node, most=most)
    data = base64.b64encode(block).decode()
    script, sheet = _code()
    return (
        '<div id="view"></div>'
        f'<script type="text/plain" id="view-data">{data}</script>'
        f'<script type="text/plain" id="view-sheet">{sheet}</script>'
        f'<script type="module">{script}</script>'
    )


def document(title: str, body: str, style: str) -> str:
    """An HTML document that may load nothing from anywhere.

    >>> "default-src 'none'" in document("a < b", "", "")
    True
    """
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style></head><body>"
        f"<main>{body}</main></body></html>"
    )


@cache
def _code() -> tuple[str, str]:
    """The script and the style sheet, neither of which may end the element that it stands in."""
    script, sheet = bundle_script(_HERE / "page.js"), bundle_style(_HERE / "view.css")
    return script.replace("</", "<\\/"), sheet
