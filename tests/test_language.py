"""The words of the product: what was given up stays away, and each page explains its terms."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as sp
from streamlit.testing.v1 import AppTest

from gdr_app.dataset.texts import HOW_TO_READ
from gdr_app.lab.texts import INTRODUCTION as LAB_INTRODUCTION
from gdr_app.overshoot.texts import IMPULSE_INTRODUCTION, OVERSHOOT_INTRODUCTION
from gdr_app.relabel.texts import relabel_introduction
from gdr_app.structure.aspects import ASPECTS
from gdr_app.widgets.glossary import TERMS, define, define_all
from gdr_app.widgets.sidebar import STATIONARY_HELP
from gdr_app.widgets.tiles import VERDICT_HELP
from gdr_app.your_data.texts import INTRODUCTION as OWN_DATA
from gdr_core import datasets
from gdr_core.datasets.record import Split
from gdr_core.explanation.highlights import HIGHLIGHTS, ranking, summits
from gdr_core.gdr import RULES, reclassify, with_rule
from gdr_core.gdr.course import courses
from gdr_core.gdr.trust import Gain
from gdr_core.laplacians import LAPLACIANS, make_laplacian
from tools.check_sentences.oracle import solve

ROOT = Path(__file__).parents[1]
PYTHON = ("app.py", "pages/*.py", "gdr_app/**/*.py", "gdr_core/**/*.py", "gdr_tools/**/*.py")
TEXTS = (
    "gdr_app/**/*.js",
    "gdr_core/**/*.js",
    "gdr_core/**/*.md",
    "README.md",
    "docs/**/*.py",
    "docs/**/*.md",
)
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
    r"chang(?:e|es|ed|ing) sides",
    r"behind the curve of t",
    r"long-run share",
    r"graph is in one piece",
    r"made surer",
    r"draws first weights",
    r"who listens to whom",
    r"not in this window",
    r"neighbours? (?:is|are) heard",
    r"(?:have|has) (?:not )?spoken",
    r"GDR trusts",
    r"hears? (?:the|one) source",
    r"node \w+ hears",
    r"hears? (?:more|most) of",
    r"colour heard",
    r"knows nothing about",
)
UNWANTED = re.compile(rf"\b(?:{'|'.join(GIVEN_UP)})\b", re.IGNORECASE)


def test_words_that_were_given_up_are_nowhere():
    files = sorted({path for pattern in (*PYTHON, *TEXTS) for path in ROOT.glob(pattern)})
    for pattern in (*PYTHON, *TEXTS):
        assert any(ROOT.glob(pattern)), f"{pattern} no longer finds any source"
    assert len(files) > 200
    found = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in files
        for text in _texts(path)
        for match in UNWANTED.finditer(text)
    ]
    assert not found, found


@pytest.mark.parametrize(
    "text",
    [
        "nodes Mended by GDR",
        "a hump",
        "Changed; nobody can\n    tell",
        "def contestants(): ...",
        "the nodes that changed sides",
        "they have\nnot spoken yet",
        "and the neighbours are heard",
    ],
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
    **{f"Structure, {aspect}": "9_Structure" for aspect in ASPECTS},
    "Your data": "9_Your_data",
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
    "alignment",
    "Dirichlet energy",
    "community",
)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_defines_the_terms_it_uses(page):
    texts, tooltips = _read(page)
    used = [term for term in TECHNICAL if re.search(rf"(?i)(?<!\w){term}s?(?!\w)", texts)]
    assert used, page
    missing = [
        term for term in used if TERMS[term] not in tooltips and define(term) not in tooltips
    ]
    assert not missing, f"{page} uses {missing} without a tooltip"


@pytest.mark.parametrize(
    ("aspect", "term"),
    [("alignment", "alignment"), ("influence", "influence"), ("communities", "community")],
)
def test_an_aspect_of_structure_defines_what_it_is_called_by(aspect, term):
    assert TERMS[term] in _read(f"Structure, {aspect}")[1]


@cache
def _read(page: str) -> tuple[str, str]:
    """What the page shows in running text, and all that its tooltips say."""
    app = AppTest.from_file("../app.py", default_timeout=60)
    if PAGES[page]:
        app.switch_page(f"pages/{PAGES[page]}.py")
    app.query_params["dataset"] = "two-schools" if page == "Directed" else "karate"
    if page.startswith("Structure, "):
        app.query_params["aspect"] = page.removeprefix("Structure, ")
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


# ------------------------------------------------------------------ sentences that never change


def _sentences() -> Iterator[tuple[str, str]]:
    """Every sentence of the app's texts and the lessons, with its file."""
    patterns = ("pages/*.py", "gdr_app/**/*.py", "gdr_core/lessons/texts/*.md")
    for path in sorted({path for pattern in patterns for path in ROOT.glob(pattern)}):
        for text in _texts(path):
            for sentence in re.split(r"(?<=[.?!])\s", text):
                yield path.name, sentence


def test_a_relaxation_time_is_always_that_of_the_largest_component():
    """A smaller component can be slower; its eigenvalue is not λ₂."""
    adjacency = np.zeros((7, 7))
    for i, j, weight in ((0, 1, 1), (1, 2, 1), (2, 3, 1), (3, 0, 1), (4, 5, 0.01), (5, 6, 0.01)):
        adjacency[i, j] = adjacency[j, i] = weight
    laplacian = make_laplacian("combinatorial", sp.csr_array(adjacency))
    rates = np.linalg.eigvalsh(laplacian.dense())
    assert laplacian.gap > 10 * rates[rates > 1e-9].min()
    said = [
        (name, sentence)
        for name, sentence in _sentences()
        if re.search(r"slowest difference|smallest positive eigenvalue", sentence)
    ]
    assert len(said) >= 4
    assert not [each for each in said if "largest component" not in each[1]]


def test_an_overshoot_is_the_same_everywhere():
    """Above π at some time that counts, as the library has it; not also falling back."""
    link = make_laplacian("combinatorial", sp.csr_array(np.array([[0.0, 1.0], [1.0, 0.0]])))
    split = Split(np.array([0]), np.array([1]), np.array([], dtype=int))
    found = reclassify(link, np.array([[0.9, 0.1], [0.3, 0.7]]), np.array([0, 1]), split)
    assert courses(found, 0, 0).of(0).overshoots  # it starts above π and only falls
    assert not courses(found, 0, 0).of(0).returns
    texts = (OVERSHOOT_INTRODUCTION, IMPULSE_INTRODUCTION, LAB_INTRODUCTION, TERMS["overshoot"])
    for text in texts:
        assert re.search(r"overshoots\*{0,2} if .*above.*π.* at some time", _flat(text)), text
        assert not re.search(r"falls? back", text)


def test_the_mean_is_said_to_be_pi_only_where_it_is():
    """Of all Laplacians: the help names the one whose π over the whole graph is the mean."""
    graph = datasets.load_dataset("karate").undirected
    start = np.random.default_rng(0).random((34, 3))
    even = [
        kind
        for kind in LAPLACIANS
        if np.allclose(make_laplacian(kind, graph).stationary(start, "global"), start.mean(axis=0))
    ]
    assert "combinatorial" in even
    assert "random-walk" not in even
    assert "for the combinatorial Laplacian the mean" in STATIONARY_HELP
    assert STATIONARY_HELP.count("mean") == 1


@pytest.mark.parametrize("rule", RULES)
def test_relabel_s_introduction_is_that_of_the_rule(rule):
    data, _, result = solve("karate", "projection", "combinatorial")
    read = with_rule(result, rule)
    text = " ".join(relabel_introduction(read).split())
    assert f"by the rule *{rule}*: {RULES[rule].meaning}" in text
    assert "Training nodes keep their class" in text
    np.testing.assert_array_equal(
        read.scan.predicted[:, data.split.train], data.labels[None, data.split.train].repeat(200, 0)
    )
    assert ("the prior's label stays" in text) == (rule != "reference")


def test_beliefs_stay_in_a_component_unless_a_walker_may_jump():
    """e^{−tL} between two components, for every Laplacian."""
    graph = sp.csr_array(np.kron(np.eye(2), np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0]])))
    for kind, entry in LAPLACIANS.items():
        dense = make_laplacian(kind, graph if entry.directed else graph + graph.T).dense()
        across = np.abs(scipy.linalg.expm(-dense / np.abs(dense).max())[:3, 3:]).max()
        assert (across > 1e-6) == entry.directed, kind
    assert "Diffusion never leaves" not in HOW_TO_READ
    assert re.search(r"directed Laplacians .* a walker may also jump", _flat(HOW_TO_READ))


def test_where_own_data_are_is_what_the_security_page_says():
    security = _flat((ROOT / "SECURITY.md").read_text(encoding="utf-8"))
    assert "In the memory of the server" in security
    assert "temporary folder" in security
    said = _flat(OWN_DATA)
    assert "in no file" not in said
    assert "in its memory" in said
    assert "temporary files" in said


def test_the_interval_is_said_to_be_that_of_the_gain():
    found = Gain(nodes=100, fixed=9, broken=1)
    assert max(found.interval) < found.fixed / (found.fixed + found.broken)  # not a share of fixed
    assert "The interval is that of the gain" in VERDICT_HELP


def test_t_min_is_not_said_to_be_chosen_where_no_node_can_choose_it():
    assert "where there are any" in TERMS["t_min"]


@pytest.mark.parametrize(("name", "index"), [("karate", 120), ("cora", 100)])
def test_the_list_of_clear_overshoots_is_what_its_explanation_says(name, index):
    """By the rule that does not compare overshoots, and at a late t_min: three groups."""
    _, _, result = solve(name, "projection", "combinatorial")
    found = summits(with_rule(result, "reference"), index)
    order = ranking(found, "clear overshoots", 3000).nodes
    curves, every = result.trajectories.values(order), np.arange(order.size)
    levels = np.maximum(result.limit[order], result.stationary[order])
    lows = [np.maximum(np.maximum(curves[0], curves[at]), levels) for at in (index, 0)]
    late, ever = (curves[at:].max(axis=0) - low for at, low in zip((index, 0), lows, strict=True))
    label = found.result.predictions(index)[order]
    moved = label != result.prior_labels[order]
    first = moved & (late[every, label] > 0.02)
    second = moved & ~first & (ever[every, label] > 0.02)
    np.testing.assert_array_equal(found.group[order], 2 - first - (first | second))
    assert (np.diff(found.group[order]) >= 0).all()
    assert (ever.max(axis=1) > 0).all()
    text = HIGHLIGHTS["clear overshoots"].explanation
    assert "because" not in text
    assert "from t = 0" in text
