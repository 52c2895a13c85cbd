"""The little Markdown that lessons use, as HTML for paper: paragraphs, lists, emphasis, code."""

from __future__ import annotations

import re
from html import escape

_MARKS = (
    (re.compile(r"`([^`]+)`"), r"<code>\1</code>"),
    (re.compile(r"\*\*([^*]+)\*\*"), r"<strong>\1</strong>"),
    (re.compile(r"(?<![\w*])\*([^*\s][^*]*)\*"), r"<em>\1</em>"),
    (re.compile(r"\[([^\]]+)\]\((https?://[^\s)]+)\)"), r'<a href="\2">\1</a>'),
)
_ITEM = re.compile(r"[-*] ")


def to_html(text: str) -> str:
    """A text as HTML; whatever looks like HTML in it is shown, not obeyed.

    >>> to_html("It **rises** <b>.")
    '<p>It <strong>rises</strong> &lt;b&gt;.</p>'
    """
    blocks = [block.strip() for block in re.split(r"\n\s*\n", text) if block.strip()]
    return "\n".join(_block(block) for block in blocks)


def inline(text: str) -> str:
    """One line of text with its emphasis."""
    made = escape(text, quote=False)
    for pattern, replacement in _MARKS:
        made = pattern.sub(replacement, made)
    return made


def _block(block: str) -> str:
    lines = block.splitlines()
    if all(_ITEM.match(line) or line.startswith(" ") for line in lines):
        items = re.split(r"(?m)^[-*] ", block)[1:]
        listed = "".join(f"<li>{inline(' '.join(item.split()))}</li>" for item in items)
        return f"<ul>{listed}</ul>"
    return f"<p>{inline(' '.join(lines))}</p>"
