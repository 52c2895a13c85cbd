"""The page Lessons without a browser: every lesson walked through, with right and wrong answers."""

from __future__ import annotations

from html import escape

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from gdr_app.lessons import progress
from gdr_app.lessons.questions import hear
from gdr_core.lessons import functions_of, read_library
from gdr_core.lessons.sheets import certificate, handout, lecturer_sheet
from tests.test_lessons import GERMAN, HEADER, PAIR, as_answer
from tests.visiting import assert_fine, assert_warns, open_app

LESSONS = read_library([]).lessons
PAGE = "0_Lessons"


def wrong_answer(question):
    if question.kind == "choice":
        return next(option.text for option in question.options if not option.right)
    if question.kind == "node":
        return question.replies[0].node
    return question.answer + 50 * (question.tolerance + 1)


def right_answer(question):
    if question.kind == "choice":
        return next(option.text for option in question.options if option.right)
    return question.nodes[0] if question.kind == "node" else question.answer


def answer(app: AppTest, kind: str, given) -> AppTest:
    if kind == "choice":
        app.radio[0].set_value(given)
    elif kind == "node":
        next(box for box in app.selectbox if "Click a node" in box.label).set_value(given)
    else:
        app.number_input[0].set_value(given)
    next(button for button in app.button if button.label == "Check my answer").click()
    return app.run()


def said(app: AppTest) -> str:
    return "\n".join(text.value for text in app.markdown)


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_from_end_to_end(name):
    lesson = LESSONS[name]
    app = open_app(PAGE, lesson=name)
    for place, step in enumerate(lesson.steps, start=1):
        assert_fine(app)
        assert step.title in [header.value for header in app.header]
        assert "".join(app.query_params.get("step", "1")) == str(place)
        assert not app.get("plotly_chart"), "the chart is shown before the question is answered"
        after = step.after.split("{{")[0][:40].strip()
        assert not after or after not in said(app), "the answer is shown before the question"
        answer(app, step.question.kind, wrong_answer(step.question))
        assert_fine(app)
        assert app.warning[0].value.startswith("You answered")
        assert not after or after not in said(app)
        answer(app, step.question.kind, right_answer(step.question))
        assert_fine(app)
        assert app.success[0].value.startswith("You answered")
        assert after in said(app)
        if place < len(lesson.steps):
            app.button(key="lesson-next").click().run()
    assert f"{lesson.questions} of {lesson.questions} answered" in app.caption[0].value
    app.button(key="lesson-all").click().run()
    assert any(f"0 of {one.questions}" in app_caption(app) for one in LESSONS.values())
    assert f"{lesson.questions} questions answered in this visit, 0 rightly" in said(app)


def app_caption(app: AppTest) -> str:
    return "\n".join(caption.value for caption in app.caption)


def test_a_link_opens_a_step_and_hides_controls():
    app = open_app(PAGE, lesson="2-overshoot", step="3", hide="play")
    assert_fine(app)
    assert LESSONS["2-overshoot"].steps[2].title in [header.value for header in app.header]
    bare = open_app(PAGE, lesson="2-overshoot", hide="steps")
    assert "lesson-next" not in [button.key for button in bare.button]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"lesson": "7-nothing"}, "7\\-nothing"),
        ({"lesson": "1-heat", "step": "99"}, "99"),
        ({"lesson": "1-heat", "hide": "everything"}, "everything"),
    ],
)
def test_what_a_link_asks_for_in_vain_is_said(query, words):
    assert_warns(open_app(PAGE, **query), words)


def test_a_clicked_node_and_a_drawn_curve_are_answers(monkeypatch):
    monkeypatch.setattr(st, "session_state", {})
    overshoot, heat = LESSONS["2-overshoot"], LESSONS["1-heat"]
    hear(overshoot, 1, {"event": "time", "time": 1.0})
    assert progress.record_of(overshoot, 1) is None
    hear(overshoot, 1, {"event": "node", "node": "c"})
    hear(overshoot, 1, {"event": "node", "node": "b"})
    record = progress.record_of(overshoot, 1)
    assert (record.first.right, record.last.right, record.tries) == (False, True, 2)
    for damaged in (None, [], [[1]], [["a", 1]], [[0, 1]] * 3000):
        hear(heat, 1, {"event": "curve", "points": damaged})
        assert progress.draft(heat, 1) is None
    question = heat.steps[0].question
    hear(heat, 1, {"event": "curve", "points": as_answer(question, question.answer)})
    progress.give(heat, 1, progress.draft(heat, 1))
    assert progress.record_of(heat, 1).settled
    page = certificate("<Ada>", "today", progress.answers(LESSONS))
    assert "&lt;Ada&gt; answered 2 questions on today: 2 rightly, 1 of them" in page


@pytest.mark.parametrize("name", ["1-heat", "3-superposition"])
def test_paper_asks_without_telling_and_the_lecturer_knows(name):
    lesson = LESSONS[name]
    paper, sheet = handout(lesson, functions_of), lecturer_sheet(lesson, functions_of)
    for step in lesson.steps:
        assert escape(step.title, quote=False) in paper
        if step.question.right:
            plain = escape(step.question.right.split("{{")[0][:30], quote=False)
            assert plain not in paper
        assert escape(step.lecturer.split("**")[0][:30].split("\n")[0], quote=False) in sheet
    assert "{{" not in paper + sheet
    assert paper.count("<svg") >= len(lesson.steps)
    assert "@media print" in paper


def test_lessons_of_a_folder_are_added_and_a_broken_one_is_reported(tmp_path, monkeypatch):
    (tmp_path / "1-heat.de.md").write_text(GERMAN, encoding="utf-8")
    broken = tmp_path / "mine.md"
    broken.write_text(HEADER + "## One\n" + PAIR + "```figure\n```\n", encoding="utf-8")
    monkeypatch.setenv("GDR_LESSONS", str(tmp_path))
    app = open_app(PAGE)
    assert not app.exception
    assert [error.value for error in app.error] == [
        f"`{broken}`, line 11: A step has one figure, and this is its second."
    ]
    assert "Wärme zwischen zwei Knoten" in [one.value for one in app.header]
    german = open_app(PAGE, lesson="1-heat.de")
    assert "Nach t = 0,5 ist bei b 0.316." in said(german)


def test_a_wrong_answer_can_be_given_up():
    app = open_app(PAGE, lesson="1-heat", step="3")
    answer(app, "choice", "Nothing.")
    app.button(key="show-1-heat-3").click().run()
    assert_fine(app)
    assert "Here λ₂ = 6" in said(app)
