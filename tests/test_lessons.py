"""Lessons: what files say is true, what is wrong is told by file and line, answers are judged."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from gdr_app import launch
from gdr_core.laplacians import LAPLACIANS
from gdr_core.lessons import (
    check_lesson,
    figure_of,
    fill,
    functions_of,
    judge,
    read_library,
    right_answer,
)
from gdr_core.lessons.expressions import ExpressionError, evaluate
from gdr_core.lessons.facts import SketchFacts
from gdr_core.lessons.reading import read_lesson
from gdr_core.lessons.studies import computed
from gdr_core.sketches import GALLERY, parse
from gdr_tools.cli import main
from tools.check_sentences.oracle import solve

LESSONS = read_library([]).lessons
HEADER = "---\ntitle: T\nlanguage: en\nminutes: 5\nsummary: S\n---\n"
PAIR = "```figure\nsketch: pair\n```\n"
HALF = (
    "```question number\nask: How much?\nanswer: {answer}\ntolerance: 0.01\n"
    "exact: p(b, 0.5)\nright: Yes.\nwrong: No.\n```\n"
)


@cache
def result(method):
    return computed(method)


def test_there_are_six_lessons_of_five_to_ten_minutes_that_ask_before_they_show():
    assert [name[0] for name in LESSONS] == list("123456")
    assert not read_library([]).findings
    for lesson in LESSONS.values():
        assert 5 <= lesson.minutes <= 10
        assert lesson.questions >= 3
        assert all(step.lecturer and (step.figure or step.question) for step in lesson.steps)
    kinds = {step.question.kind for lesson in LESSONS.values() for step in lesson.steps}
    assert kinds == {"number", "node", "choice", "chart"}


@pytest.mark.parametrize("name", LESSONS)
def test_every_number_of_a_lesson_is_true(name):
    assert check_lesson(LESSONS[name], result) == []
    for place, step in enumerate(LESSONS[name].steps):
        functions = functions_of(figure_of(LESSONS[name], place), result)
        assert "{{" not in fill(step.text + step.after, functions)


@pytest.mark.parametrize("name", LESSONS)
def test_right_and_wrong_answers_get_their_replies(name):
    for step in LESSONS[name].steps:
        question = step.question
        if question.kind == "choice":
            said = {option.text: judge(question, option.text) for option in question.options}
            assert [text for text, verdict in said.items() if verdict.right] == [
                right_answer(question)
            ]
            assert len({verdict.reply for verdict in said.values()}) == len(said)
        elif question.kind == "node":
            assert all(judge(question, node).right for node in question.nodes)
            assert {judge(question, r.node).reply for r in question.replies} == {
                r.text for r in question.replies
            }
            assert not judge(question, "nobody").right
        else:
            assert judge(question, as_answer(question, question.answer)).right
            assert judge(question, as_answer(question, 1e5)).reply == question.wrong
            for reply in question.replies:
                middle = (reply.low + reply.high) / 2
                assert judge(question, as_answer(question, middle)).reply == reply.text


def as_answer(question, value):
    return value if question.kind == "number" else [[0, 0], [question.at, value], [99, 0]]


def test_beliefs_peaks_and_energy_are_those_of_the_differential_equation():
    sketch = parse("a - b; b - c 2; c - a; c - d 0.5; d - e; a: 1 0; e: 0.25 2")
    facts, weights = SketchFacts(sketch), sketch.adjacency
    matrix = np.diag(weights.sum(axis=1)) - weights
    times = np.linspace(0, 6, 4001)
    for k in (0, 1):
        start = np.array(sketch.beliefs)[:, k]
        course = solve_ivp(
            lambda _, p: -matrix @ p, (0, 6), start, "DOP853", times, rtol=1e-11, atol=1e-13
        ).y
        for j, name in enumerate(sketch.names):
            assert facts.p(name, 1.5, k + 1) == pytest.approx(course[j, 1000], abs=1e-8)
            assert facts.pi(name, k + 1) == pytest.approx(start.mean())
            if facts.rises(name, k + 1):
                assert facts.peak(name, k + 1) == pytest.approx(course[j].max(), abs=1e-6)
                assert facts.peak_time(name, k + 1) == pytest.approx(
                    times[course[j].argmax()], abs=3e-3
                )
            above = course[j, 2000:].max() - start.mean()
            assert facts.overshoot(name, 3, k + 1) == pytest.approx(max(above, 0), abs=1e-6)
    p = np.array([[facts.p(name, 1, k) for k in (1, 2)] for name in sketch.names])
    assert facts.energy(1) == pytest.approx(np.trace(p.T @ matrix @ p))


def test_at_t_min_0_the_prior_is_kept_at_the_node_of_lesson_4_and_not_everywhere():
    """So the lesson says it of that node only."""
    sketch = GALLERY["misleading"].sketch
    blue = [SketchFacts(sketch).p("x", time, 1) for time in np.linspace(0, 60, 3000)]
    assert max(blue) == blue[0] == 0.6
    found = solve("cora", "projection", "combinatorial")[2]
    assert (found.predictions(0) != found.prior_labels).sum() > 500
    step = LESSONS["4-t-min"].steps[0]
    words = " ".join(f"{step.text} {step.after} {step.lecturer}".split())
    assert "the graph is never asked" not in words
    assert "repeats the prior" not in words
    assert "not at every node" in words


@pytest.mark.parametrize("laplacian", LAPLACIANS)
def test_beliefs_are_those_of_the_dense_exponential_for_every_laplacian(laplacian):
    for drawn in GALLERY.values():
        sketch = replace(drawn.sketch, laplacian=laplacian)
        facts, classes = SketchFacts(sketch), range(1, sketch.classes + 1)
        for time in (0.0, 1e-6, 0.3, 2.0, 40.0):
            found = [[facts.p(name, time, k) for k in classes] for name in sketch.names]
            np.testing.assert_allclose(found, sketch.at(time), rtol=0, atol=1e-12)


def findings(body: str) -> list[str]:
    lesson, found = read_lesson(HEADER + body, "my.md")
    return [str(one) for one in (found or check_lesson(lesson, result))]


def test_a_wrong_answer_is_an_error_with_the_right_value():
    assert findings("## One\n" + PAIR + HALF.format(answer=0.316)) == []
    assert findings("## One\n" + PAIR + HALF.format(answer=0.368)) == [
        "my.md:15: The stated answer is 0.368, and p(b, 0.5) is 0.316."
    ]


@pytest.mark.parametrize(
    ("body", "line", "words"),
    [
        ("text\n## One\n", 7, "before the first heading"),
        ("## One\n```figure\nsketch: pair\n", 8, "no end"),
        ("## One\n```figure\nsketch: pear\n```\n", 9, "no graph “pear”"),
        ("## One\n```figure\ngraph:\n  a - b\n  a - a\n```\n", 11, "to itself"),
        ("## One\n```figure\nsketch: pair\nfocus: z\n```\n", 10, "no node “z”"),
        ("## One\n```figure\nsketch: pair\ncolour: red\n```\n", 10, "no “colour:”"),
        ("## One\n```figure\nstudy: smoothing corra\n```\n", 9, "no dataset"),
        ("## One\n```figure\nsketch: pair\nwhat\n```\n", 10, "neither"),
        ("## One\n```fugue\n```\n", 8, "no block “fugue”"),
        ("## One\n" + PAIR + PAIR, 11, "its second"),
        ("## One\n```question colour\n```\n", 8, "says its kind"),
        ("## One\n```question choice\nask: A?\n(x) a => b\n```\n", 8, "at least two"),
        ("## One\n```question choice\nask: A?\n(x) a => b\n( ) c\n```\n", 8, "no reply"),
        ("## One\n" + PAIR + HALF.format(answer="x"), 13, "not a number"),
        ("## One\n" + PAIR + "\nIt is {{q(b)}}.\n", 12, "no function “q”"),
        ("## One\n" + PAIR + "\nIt is {{p(z, 1)}}.\n", 12, "no node “z”"),
        ("## One\n```figure\nsketch: pair\ntrue: p(a, 1) > 1\n```\n", 10, "not true"),
        (
            "## One\n"
            + PAIR
            + "```question node\nask: W?\nanswer: b\nmost: p(node, 0)\n"
            + "right: R\nwrong: W\n```\n",
            11,
            "the right nodes are a",
        ),
    ],
)
def test_what_is_wrong_is_told_by_file_and_line(body, line, words):
    found = findings(body)
    assert len(found) == 1, found
    assert found[0].startswith(f"my.md:{line}: ")
    assert words in found[0]


@pytest.mark.parametrize(
    "text",
    ["", "no header", "---\ntitle: x\n", "---\nminutes: many\n---\n## a\n", "\0", "## a\n---\n---"],
)
def test_a_damaged_header_is_a_finding_and_no_crash(text):
    lesson, found = read_lesson(text, "my.md")
    assert lesson is None
    assert found
    assert all(one.file == "my.md" and one.line >= 1 for one in found)


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')",
        "p.real",
        "[1]",
        "lambda: 1",
        "9**999",
        "1/0",
        "p(",
        "'a'",
        "a if 1 else 2",
    ],
)
def test_expressions_do_no_harm(text):
    with pytest.raises(ExpressionError):
        evaluate(text, {"p": lambda: 1.0})


GERMAN = (
    "---\ntitle: Wärme zwischen zwei Knoten\nlanguage: de\nminutes: 5\nsummary: Von Hand.\n---\n"
    "## Ein Tropfen\nNach t = 0,5 ist bei b {{p(b, 0.5) | .3f}}.\n" + PAIR
)


def test_the_command_line_lists_and_checks_a_folder(tmp_path, capsys):
    (tmp_path / "1-heat.de.md").write_text(GERMAN, encoding="utf-8")
    assert main(["lessons", "list", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines[:2]] == [["1-heat", "en"], ["1-heat.de", "de"]]
    assert main(["lessons", "check", str(tmp_path)]) == 0
    broken = tmp_path / "mine.md"
    broken.write_text(HEADER + "## One\n" + PAIR + HALF.format(answer=0.9), encoding="utf-8")
    assert main(["lessons", "check", str(tmp_path)]) == 1
    assert f"{broken}:15: The stated answer is 0.9" in capsys.readouterr().out


def test_an_own_lesson_takes_the_place_of_one_of_the_same_name(tmp_path, monkeypatch):
    (tmp_path / "1-heat.md").write_text(GERMAN, encoding="utf-8")
    monkeypatch.setenv("GDR_LESSONS", str(tmp_path))
    library = read_library()
    assert library.lessons["1-heat"].language == "de"
    assert len(library.lessons) == 6
    monkeypatch.setenv("GDR_LESSONS", str(tmp_path / "nowhere"))
    assert "no such folder" in str(read_library().findings[0])


def test_the_app_is_started_with_folders_of_lessons(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("GDR_LESSONS", "before")
    served = []
    monkeypatch.setattr(launch, "serve", lambda *given: served.append(os.environ["GDR_LESSONS"]))
    monkeypatch.setattr(launch, "check_port", lambda *given: None)
    assert launch.main(["--lessons", str(tmp_path), "--no-browser"]) == 0
    assert served == [f"{tmp_path}{os.pathsep}before"]
    with pytest.raises(SystemExit):
        launch.main(["--lessons", str(tmp_path / "nowhere")])
    assert "there is no folder" in capsys.readouterr().err
