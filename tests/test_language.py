"""The words of the product: what was given up stays away, and each page explains its terms."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from gdr_app.widgets.glossary import TERMS, define, define_all

ROOT = Path(__file__).parents[1]
PYTHON = ("app.py", "pages/*.py", "gdr_app/**/*.py", "gdr_core/**/*.py", "gdr_tools/**/*.py")
TEXTS = ("gdr_app/**/*.js", "README.md", "docs/**/*.py", "docs/**/*.md")
GIVEN_UP = (
    r"mended",
    r"spoilt",
    r"draw with it",
    r"worth seeing",
    r"humps?",
    r"one ring a hop",
    r"from below",
    r"news from the neighbours",
    r"which there is not",
    r"who changes class",
    r"contestants?",
    r"take it further",
    r"deserved",
    r"behind the line of t",
    r"form of the laplacian",
    r"seed of the run",
    r"nobody can tell",
)
UNWANTED = re.compile(rf"\b(?:{'|'.join(GIVEN_UP)})\b", re.IGNORECASE)


def test_words_that_were_given_up_are_nowhere():
    files = sorted({path for pattern in (*PYTHON, *TEXTS) for path in ROOT.glob(pattern)})
    assert len(files) > 200, "the patterns no longer find the sources"
    found = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in files
        for text in _texts(path)
        for match in UNWANTED.finditer(text)
    ]
    assert not found, found


@pytest.mark.parametrize(
    "text",
    ["nodes Mended by GDR", "a hump", "Changed; nobody can\n    tell", "def contestants(): ..."],
)
def test_the_search_finds_them(text):
    assert UNWANTED.search(_flat(text))


def _texts(path: Path) -> Iterator[str]:
    """String literals and names of a module; the whole of any other file. Without line breaks."""
    source = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        yield _flat(source)
        return
    for node in ast.walk(ast.parse(source)):
        for _, value in ast.iter_fields(node):
            if isinstance(value, str):
                yield _flat(value)


def _flat(text: str) -> str:
    return re.sub(r"[\s_]+", " ", text)


# ---------------------------------------------------------------- each term explained on each page

PAGES = {
    "Home": None,
    "Lab": "0_Lab",
    "Lessons": "0_Lessons",
    "Dataset": "1_Dataset",
    "Prior": "2_Prior",
    "Overshoot": "3_Overshoot",
    "Impulse": "3_Overshoot",
    "Relabel": "4_Relabel",
    "Compare": "5_Compare",
    "Train": "6_Train",
    "Directed": "7_Directed",
    "Reproduce": "8_Reproduce",
    "Structure": "9_Structure",
}
# The words that a reader cannot know from everyday language.
TECHNICAL = (
    "GDR",
    "prior",
    "Laplacian",
    "π",
    "relaxation time",
    "t_min",
    "overshoot height",
    "homophily",
    "PageRank",
    "dead end",
    "teleportation",
    "epoch",
)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_defines_the_terms_it_uses(page):
    texts, tooltips = _read(page)
    used = [term for term in TECHNICAL if re.search(rf"(?i)(?<!\w){term}s?(?!\w)", texts)]
    assert used, f"{page} uses no term at all"
    missing = [
        term for term in used if TERMS[term] not in tooltips and define(term) not in tooltips
    ]
    assert not missing, f"{page} uses {missing} without a tooltip"


@cache
def _read(page: str) -> tuple[str, str]:
    """What the page shows in running text, and all that its tooltips say."""
    app = AppTest.from_file("../app.py", default_timeout=60)
    if PAGES[page]:
        app.switch_page(f"pages/{PAGES[page]}.py")
    app.query_params["dataset"] = "two-schools" if page == "Directed" else "karate"
    if page == "Impulse":
        app.query_params["mode"] = "delta impulse"
    app.run()
    assert not app.exception
    elements = [*app.title, *app.header, *app.markdown, *app.caption, *app.metric]
    texts = [getattr(element, "label", None) or element.value for element in elements]
    helped = [*elements, *app.selectbox, *app.toggle]
    return "\n".join(texts), "\n".join(str(element.proto.help) for element in helped)


@pytest.mark.parametrize("term", TERMS)
def test_a_definition_is_one_line(term):
    assert len(TERMS[term]) <= 160
    assert "\n" not in TERMS[term]
    assert TERMS[term].endswith(".")
    assert define(term)[0].isupper() or not define(term)[0].isalpha()
    assert TERMS[term] in define_all("GDR", term).splitlines()[-1]
