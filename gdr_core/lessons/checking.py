"""Checks a lesson against exact arithmetic: stated answers, claims, and numbers in its text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial

from gdr_core.explanation.quantities import shown
from gdr_core.lessons.expressions import PLACE, ExpressionError, Functions, evaluate, filled
from gdr_core.lessons.facts import SketchFacts
from gdr_core.lessons.record import (
    CHART,
    NODE,
    NUMBER,
    SKETCH,
    Claim,
    Figure,
    Finding,
    Lesson,
    LessonError,
    Question,
    Step,
)
from gdr_core.lessons.studies import HomophilyFacts, ResultFacts, Run, computed, method_of
from gdr_core.sketches import Sketch

_SLACK = 0.51  # of the last digit that a file states


def functions_of(figure: Figure | None, run: Run = computed) -> Functions:
    """What expressions beside a figure can use; nothing but arithmetic where there is none.

    >>> from gdr_core.lessons.record import Figure
    >>> from gdr_core.sketches import GALLERY
    >>> functions_of(Figure(1, sketch=GALLERY["pair"].sketch))["pi"]("a")
    0.5
    """
    if figure is None:
        return {}
    if figure.kind == SKETCH:
        assert figure.sketch is not None
        return _facts_of(figure.sketch).functions
    if figure.kind == "homophily":
        return HomophilyFacts(figure, run).functions
    return ResultFacts(*run(method_of(figure))).functions


@lru_cache(maxsize=64)
def _facts_of(sketch: Sketch) -> SketchFacts:
    return SketchFacts(sketch)


def figure_of(lesson: Lesson, place: int) -> Figure | None:
    """The figure that a step shows: its own, or else the last one before it."""
    shown = [step.figure for step in lesson.steps[: place + 1] if step.figure is not None]
    return shown[-1] if shown else None


def check_lesson(lesson: Lesson, run: Run = computed) -> list[Finding]:
    """All that is false in a lesson, by line; empty if nothing is."""
    found: list[Finding] = []
    offered: dict[int, Functions] = {}
    for place, step in enumerate(lesson.steps):
        figure = figure_of(lesson, place)
        if id(figure) not in offered:
            offered[id(figure)] = functions_of(figure, run)
        for line, sentence in _step(step, figure, offered[id(figure)]):
            found.append(Finding(lesson.file, line, sentence))
    return sorted(found)


def _step(step: Step, figure: Figure | None, functions: Functions) -> Iterator[tuple[int, str]]:
    for first, text in (*step.texts, (step.line, step.lecturer)):
        yield from _numbers(first, text, functions)
    claims = [*(step.figure.claims if step.figure else ())]
    if step.question is not None:
        claims += step.question.claims
        yield from _question(step.question, figure, functions)
    for claim in claims:
        yield from _caught(claim.line, partial(_claim, claim, functions))


def _numbers(first: int, text: str, functions: Functions) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), start=first):
        for place in PLACE.finditer(line):
            yield from _caught(number, partial(filled, place["inside"], functions))


def _claim(claim: Claim, functions: Functions) -> None:
    if not evaluate(claim.text, functions):
        raise LessonError(claim.line, f"“{claim.text}” is not true.")


def _caught(line: int, act: Callable[[], object]) -> Iterator[tuple[int, str]]:
    """What an act complains of."""
    try:
        act()
    except LessonError as error:
        yield error.line, str(error)
    except ExpressionError as error:
        yield line, str(error)


def _question(
    question: Question, figure: Figure | None, functions: Functions
) -> Iterator[tuple[int, str]]:
    for text in (question.ask, question.right, question.wrong):
        yield from _numbers(question.line, text, functions)
    spoken = [reply.text for reply in question.replies]
    for text in spoken + [option.reply for option in question.options]:
        yield from _numbers(question.line, text, functions)
    if question.kind in (NUMBER, CHART):
        yield from _caught(question.line, partial(_right_number, question, functions))
    if question.kind in (NODE, CHART):
        yield from _caught(question.line, partial(_right_nodes, question, figure, functions))


def _right_number(question: Question, functions: Functions) -> None:
    """The stated number is the exact one, to the last digit that is stated."""
    assert question.exact is not None
    exact = float(evaluate(question.exact.text, functions))
    _, _, decimals = question.stated.partition(".")
    if abs(question.answer - exact) > _SLACK * 10.0 ** -len(decimals):
        raise LessonError(
            question.exact.line,
            f"The stated answer is {question.stated}, and {question.exact.text} is {shown(exact)}.",
        )
    for reply in question.replies:
        if reply.low - question.tolerance <= exact <= reply.high + question.tolerance:
            raise LessonError(
                question.line, f"The reply to {reply.low:g} would be given to a right answer."
            )


def _right_nodes(question: Question, figure: Figure | None, functions: Functions) -> None:
    if figure is None or figure.sketch is None:
        raise LessonError(question.line, "This question needs a figure with a sketch.")
    names = figure.sketch.names
    if question.kind == CHART:
        wanted: tuple[str, ...] = (question.of,)
    else:
        wanted = question.nodes + tuple(reply.node for reply in question.replies)
    if unknown := [name for name in wanted if name not in names]:
        raise LessonError(
            question.line, f"The figure has no node “{unknown[0]}”; it has {', '.join(names)}."
        )
    if question.kind == CHART:
        return
    right = _nodes_by(question, names, functions)
    if set(right) != set(question.nodes):
        said = ", ".join(right) or "none"
        raise LessonError(
            question.line, f"The stated answer is {question.stated}; the right nodes are {said}."
        )


def _nodes_by(question: Question, names: tuple[str, ...], functions: Functions) -> list[str]:
    """The nodes of which `exact` is true, or at which `most` is largest."""
    if question.exact is not None:
        text = question.exact.text
        return [name for name in names if evaluate(text, functions, node=name)]
    assert question.most is not None
    values = {name: evaluate(question.most.text, functions, node=name) for name in names}
    top = max(values.values())
    return [name for name, value in values.items() if value >= top - 1e-9]
