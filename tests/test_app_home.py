"""Home without a browser: five steps, and sentences that are true."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import expm

from gdr_app.home.story import PARTS, corrected, ink_sentence, inked, label_sentence, t_min_sentence
from gdr_app.home.texts import INK
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
    app.text_input(key="home-own").set_value("a - a").run()
    assert not app.exception
    assert any("to itself" in warning.value for warning in app.warning)


def test_the_words_above_the_ink_are_true_for_every_source():
    """They said that one neighbour rises above π; wherever the ink is dropped, more nodes do."""
    rising = set()
    for source in inked("a").names:
        facts = SketchFacts(inked(source))
        rising.add(sum(facts.rises(name) for name in facts.sketch.names if name != source))
    assert 1 not in rising
    assert not re.search(r"\b(?:one|two|a) neighbours?\b", INK)
