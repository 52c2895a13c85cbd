"""Names from data and visitors are shown as they are: never a link, a picture or a formula."""

import csv
import re
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from gdr_app.wording import UNSEEN, plain
from gdr_core import compute_prior, load_dataset, make_laplacian, reclassify
from gdr_core.figures.compare import agreement_map, t_min_curves
from gdr_core.gdr.predictions import comparison_csv, predictions_csv

ROOT = Path(__file__).parents[1]
# What GitHub's dialect of Markdown makes a link of, wherever it stands in a text.
BARE = (
    re.compile(r"https?://[-.\w]+", re.IGNORECASE),
    re.compile(r"www\.[-.\w]+", re.IGNORECASE),
    re.compile(r"[-.\w+]+@[-\w]+(?:\.[-\w]+)+"),
)
HOSTILE = ["![p](http://host/x.png)", "http://host/x", "HTTPS://host", "see www.host.io",
           "me@host.io", "[a](javascript:alert(1))", "<img src=x onerror=alert(1)>", "a|b",
           "$x$", ":red[x]"]  # fmt: skip
PIECES = st.sampled_from(["http", "s", "://", "www", ".", "@", "a", "host", " ", "![", "](", ")"])


def unescaped(text: str) -> str:
    """What Markdown shows of an escaped text."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text)


@given(st.lists(PIECES, max_size=12).map("".join) | st.text(max_size=40))
def test_no_address_stays_a_link(name):
    shown = unescaped(plain(name))
    assert shown.replace(UNSEEN, "") == name.replace(UNSEEN, "")
    assert not any(bare.search(shown) for bare in BARE)


@pytest.mark.parametrize("name", HOSTILE)
def test_no_mark_of_markdown_stays_alive(name):
    left = re.sub(r"\\.", "", plain(name), flags=re.DOTALL)
    assert not set(left) & set("*_`[]()<>!#|~$:{}")


def test_what_a_computation_refuses_is_shown_as_it_is():
    def refuse() -> None:
        from gdr_app.computing.store import Store
        from gdr_app.computing.working import obtain

        def compute(progress: object) -> int:
            raise ValueError("[click-me](http://host) in /srv/data/x")

        obtain(Store(1, lambda _: 1), "key", "This", compute)

    [error] = AppTest.from_function(refuse).run().error
    left = re.sub(r"\\.", "", error.value)
    assert not set(left) & set("[]()")
    assert "srv" not in left


@pytest.fixture(scope="module")
def named():
    """A result about classes and nodes with the worst of names."""
    club = load_dataset("karate")
    club = replace(
        club,
        class_names=("=HYPERLINK(1)", "@SUM(A1)"),
        node_names=tuple(f"+{i}" for i in range(club.nodes)),
    )
    laplacian = make_laplacian("combinatorial", club.adjacency)
    return club, reclassify(laplacian, compute_prior("uniform", club), club.labels, club.split)


def test_no_cell_of_an_exported_table_is_a_formula(named):
    club, result = named
    for text in (predictions_csv(club, result.at()), comparison_csv(club, {"-1+1": result.at()})):
        rows = list(csv.reader(StringIO(text)))
        assert len(rows) == club.nodes + 1
        cells = [cell for row in rows for cell in row]
        assert any("HYPERLINK" in cell for cell in cells)
        assert not [cell for cell in cells if re.match(r"\s*[=+@]|\s*-\D", cell)]


def test_charts_show_tags_as_text(named):
    _, result = named
    name = "<a href='http://host'>%{x}</a>"
    curves = t_min_curves({name: result}, "validation")
    agreeing = agreement_map([[1.0]], [name], "Before")
    for figure in (curves, agreeing):
        assert "<a" not in figure.to_json()
    assert "%{x}" not in curves.data[0].hovertemplate


def test_nothing_binds_a_parameter_that_code_may_take_away():
    """Streamlit refuses to delete a parameter that a widget owns; no widget owns one."""
    sources = [*ROOT.glob("gdr_app/**/*.py"), *ROOT.glob("pages/*.py"), ROOT / "app.py"]
    assert len(sources) > 50
    for source in sources:
        text = source.read_text(encoding="utf-8")
        assert 'bind="query-params"' not in text, source
        assert "del st.query_params" not in text, source
