"""Home without a browser: five steps, and sentences that are true."""

from __future__ import annotations

import re
from dataclasses import replace
from urllib.parse import parse_qs

import numpy as np
import pytest
from scipy.linalg import expm

from gdr_app.home import texts
from gdr_app.home.story import PARTS, corrected, ink_sentence, inked, label_sentence, t_min_sentence
from gdr_app.home.texts import INK
from gdr_app.state.visit import Visit
from gdr_core.lessons.facts import SketchFacts
from gdr_core.method import Method
from gdr_core.sketches import GALLERY
from tests.visiting import assert_fine, open_app


def test_home_tells_five_steps_and_links_to_every_page():
    app = open_app()
    assert_fine(app)
    assert app.title[0].value == "GDR Explorer"
    assert [part.title in " ".join(h.value for h in app.header) for part in PARTS] == [True] * 5
    mounts = [mount.key for mount in app.get("bidi_component")]
    figures = [key for key in mounts if key and "home-figure" in key]
    assert len(figures) == 4, f"four sketches beside Cora's curves, not {mounts}"
    assert any("10.3934/fods.2020002" in text.value for text in app.markdown)


@pytest.mark.parametrize("source", "abcdef")
def test_home_says_truly_who_overshoots(source):
    matrix = np.diag([2, 2, 3, 3, 2, 2]).astype(float)
    for i, j in ((0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)):
        matrix[i, j] = matrix[j, i] = -1
    start = np.eye(6)["abcdef".index(source)]
    course = np.stack([expm(-t * matrix) @ start for t in np.linspace(0, 8, 801)])
    peaks = course.max(axis=0) - 1 / 6
    peaks["abcdef".index(source)] = 0
    said = ink_sentence(inked(source), source)
    highest = f"overshoots most: it reaches {peaks.max() + 1 / 6:.3f}"
    tied = [name for name, peak in zip("abcdef", peaks, strict=True) if peak > peaks.max() - 1e-6]
    assert any(f"**{name}** {highest}" in said for name in tied)
    rising = {name for name, peak in zip("abcdef", peaks, strict=True) if peak > 1e-3}
    assert rising == set(re.findall(r"\b[a-f]\b", said)) - {source}


def test_the_papers_that_home_shows_are_fixed_and_none_is_a_test_paper():
    result = Method.on("cora").run()
    truth = result.truth.copy()
    truth[result.split.test] = -1
    papers = corrected(result.judged_by(truth))
    assert papers.size > 5
    assert not set(papers) & set(result.split.test)
    assert (result.prior_labels[papers] != result.truth[papers]).all()
    assert (result.predictions()[papers] == result.truth[papers]).all()


def test_home_reads_two_inks_as_labels_and_t_min_decides_about_x():
    assert "blue at b and c, orange at d and e" in label_sentence(GALLERY["bridge"].sketch)
    early, late = (replace(GALLERY["misleading"].sketch, t_min=time) for time in (0.0, 0.5))
    assert "x becomes **blue**" in t_min_sentence(early)
    assert "x becomes **orange**" in t_min_sentence(late)


def test_a_graph_that_cannot_be_is_refused_beside_its_field():
    app = open_app()
    app.text_input(key="own").set_value("a - a").run()
    assert not app.exception
    assert any("to itself" in warning.value for warning in app.warning)


def test_a_graph_in_a_link_is_refused_without_a_link_of_its_own():
    app = open_app(own="[click-me](http://evil.example) <b> ![p](http://evil.example/x.png)")
    assert not app.exception
    [said] = [warning.value for warning in app.warning if "evil" in warning.value]
    assert not set(re.sub(r"\\.", "", said)) & set("[]()<>!`")
    assert "http://e" not in said.replace("\\", "")


def test_the_words_above_the_ink_are_true_for_every_source():
    """They said that one neighbour rises above π; wherever the ink is dropped, more nodes do."""
    rising = set()
    for source in inked("a").names:
        facts = SketchFacts(inked(source))
        rising.add(sum(facts.rises(name) for name in facts.sketch.names if name != source))
    assert 1 not in rising
    assert not re.search(r"\b(?:one|two|a) neighbours?\b", INK)


def test_what_one_does_on_home_is_in_its_link():
    app = open_app()
    app.slider(key="wait").set_value(0.2).run()
    app.text_input(key="own").set_value("x - y; x: 1").run()
    app.button(key="home-another").click().run()
    said = app.session_state["visit"].link()
    assert said == {"wait": "0.2", "own": "x - y; x: 1", "paper": said["paper"]}
    shown = {name: app.query_params[name] for name in app.query_params}
    assert {k: v if isinstance(v, str) else v[-1] for k, v in shown.items()} == said
    again = open_app(**said)  # a reload, or somebody else
    assert_fine(again)
    assert again.slider[0].value == 0.2
    assert again.text_input[0].value == "x - y; x: 1"
    assert shown_paper(again) == shown_paper(app) != shown_paper(open_app())
    assert "From t_min = 0.2 on" in " ".join(text.value for text in again.markdown)
    again.text_input[0].set_value("").run()
    assert again.text_input[0].value == texts.OWN_GRAPH
    assert again.session_state["visit"].link() == {k: v for k, v in said.items() if k != "own"}


def test_the_ink_of_a_link_is_on_its_node_and_another_is_named():
    app = open_app(ink="d")
    assert "From **d**" in " ".join(text.value for text in app.markdown)
    app = open_app(ink="nobody", wait="0.37", paper="no such paper")
    assert len([warning for warning in app.warning if "The link asks for" in warning.value]) == 2
    assert app.session_state["visit"].link() == {"wait": "0.4"}, "the slider goes in tenths"
    assert app.slider[0].value == 0.4


def test_why_opens_the_method_of_home_whatever_was_chosen_before():
    """Else the paper that Home calls fixed may be wrong there, by another rule or prior."""
    kept = {"prior": "uniform", "rule": "peak", "laplacian": "symmetric", "to": "0.1"}
    visit = Visit()
    visit.arrive("Relabel", {name: [value] for name, value in kept.items()}, whole=True)
    visit.put("t_min", "0.02")
    home = open_app()
    [why] = [each for each in home.get("page_link") if "Why?" in each.proto.label]
    asked = parse_qs(why.proto.query_string)
    usual = Method.on("cora").run()
    assert asked["t_min"] == [usual.time_names[usual.chosen]]
    assert asked["node"] == [shown_paper(home)]
    visit.put("t_min", None)
    for name in ("prior", "rule", "laplacian", "to"):
        visit.put(name, None)
    visit.put("t_min", "0.3")  # Home's own method, at another t_min
    for name, value in kept.items():
        visit.put(name, value)
    visit.arrive("Relabel", asked, whole=False)
    assert visit.link() == {"t_min": asked["t_min"][0], "node": asked["node"][0]}


def shown_paper(app) -> str:
    """The paper that Home corrects, by the link to its card."""
    [why] = [each for each in app.get("page_link") if "Why?" in each.proto.label]
    return parse_qs(why.proto.query_string)["node"][0]
