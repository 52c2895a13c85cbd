"""The documentation site: an API reference and a gallery of executed examples.

python -m sphinx -W -b html docs/site docs/site/_build
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

import gdr_core  # noqa: E402

project = "GDR Explorer"
author = "the authors of GDR Explorer"
version = release = gdr_core.__version__
extensions = ["sphinx.ext.autodoc", "sphinx_gallery.gen_gallery"]
exclude_patterns = ["_build"]
html_theme = "alabaster"
html_theme_options = {"description": "See how diffusion on a graph corrects a classifier"}
html_js_files = ["plotly.min.js"]
default_role = "literal"
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"

sphinx_gallery_conf = {
    "examples_dirs": "../gallery",
    "gallery_dirs": "gallery",
    "filename_pattern": "/",
    "within_subsection_order": "FileNameSortKey",
    "image_scrapers": (),
    "reset_modules": (),
    "capture_repr": ("_repr_html_", "__repr__"),
    "show_memory": False,
    "show_signature": False,
    "download_all_examples": False,
    "abort_on_example_error": True,
}

# Figures are drawn by the one copy of Plotly that the site carries, so that it can be read offline.
go.Figure._repr_html_ = lambda self: self.to_html(full_html=False, include_plotlyjs=False)

ARGUMENT = re.compile(r"(?P<names>[\w.]+(, [\w.]+)*) {2,}(?P<meaning>\S.*)")


def as_markup(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Docstrings are written to be read as they are; here their tables become lists of terms."""
    written: list[str] = []
    example = argument = False
    for line in lines:
        example = line.startswith(">>>") or (example and bool(line))
        found = None if example else ARGUMENT.fullmatch(line)
        if found:
            if not argument and written and written[-1]:
                written.append("")
            written += [f"``{found['names']}``", f"    {escaped(found['meaning'])}"]
        elif argument and line.startswith(" "):
            written.append(f"    {escaped(line.strip())}")
        else:
            written.append(line if example else escaped(line))
        argument = bool(found) or (argument and line.startswith(" "))
    lines[:] = written


def escaped(text: str) -> str:
    """Stars and bars are mathematics in our docstrings, not markup."""
    return re.sub(r"([*|])", r"\\\1", text)


def add_plotly(app: Any) -> None:
    """Put Plotly's program into the finished site."""
    if app.builder.format == "html":
        folder = Path(app.outdir) / "_static"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "plotly.min.js").write_text(get_plotlyjs(), encoding="utf-8")


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("builder-inited", add_plotly)
    app.connect("autodoc-process-docstring", as_markup)
