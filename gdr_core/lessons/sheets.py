"""Paper from the same files: a handout to fill in, the lecturer's sheet, a certificate of answers.

Each is one HTML file without anything from elsewhere, made to be printed by a browser.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import escape
from typing import Final

from gdr_core.lessons.answering import right_answer
from gdr_core.lessons.checking import figure_of
from gdr_core.lessons.drawing import pictures_of
from gdr_core.lessons.expressions import Functions, fill
from gdr_core.lessons.markdown import inline, to_html
from gdr_core.lessons.record import CHART, CHOICE, NODE, NUMBER, Figure, Lesson, Question, Step

_FunctionsOf = Callable[[Figure | None], Functions]

_STYLE: Final = """
:root { color-scheme: light; }
body { font: 16px/1.5 Georgia, serif; color: #222; background: #fff; max-width: 46rem;
  margin: 2rem auto; padding: 0 1rem; }
h1, h2, th { font-family: system-ui, sans-serif; line-height: 1.2; }
h1 { font-size: 1.7rem; } h2 { font-size: 1.2rem; margin-top: 2rem; }
.pictures { display: flex; flex-wrap: wrap; gap: 1rem; }
.pictures svg { max-width: 20rem; border: 1px solid #ccc; }
.question { border-left: 4px solid #0072b2; padding: 0.1rem 1rem; break-inside: avoid; }
.note { background: #f4f4f0; padding: 0.1rem 1rem; break-inside: avoid; }
.line { border-bottom: 1px solid #777; height: 1.8rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.35rem 0.6rem; border: 1px solid #bbb; }
section { break-inside: avoid-page; }
@media print { body { margin: 0; max-width: none; font-size: 11pt; } a { color: inherit; } }
"""
_HOW: Final = {
    NUMBER: "Your number:",
    CHART: "Draw your curve into the chart, and write down its value:",
    NODE: "Your node:",
    CHOICE: "Tick one:",
}


@dataclass(frozen=True)
class Given:
    """An answer that was given: to which question, the first one, how many, whether right."""

    lesson: str
    step: int
    ask: str
    first: str
    tries: int
    first_right: bool
    right: bool


def handout(lesson: Lesson, functions_of: _FunctionsOf) -> str:
    """The lesson on paper for those who take part: texts, pictures, questions with room."""
    parts = [f"<p><em>{inline(lesson.summary)}</em> About {lesson.minutes} minutes.</p>"]
    for place, step in enumerate(lesson.steps):
        functions = functions_of(figure_of(lesson, place))
        parts.append(_section(place, step, _handed_out(step, functions)))
    return _page(lesson.title, lesson.language, parts)


def lecturer_sheet(lesson: Lesson, functions_of: _FunctionsOf) -> str:
    """For who teaches it: what to say when, right answers, and what is said to wrong ones."""
    parts = [f"<p>{inline(lesson.summary)} {lesson.minutes} minutes in all.</p>"]
    for place, step in enumerate(lesson.steps):
        functions = functions_of(figure_of(lesson, place))
        note = f'<div class="note">{to_html(fill(step.lecturer, functions))}</div>'
        asked = "" if step.question is None else _answers(step.question, functions)
        after = to_html(fill(step.after, functions))
        parts.append(_section(place, step, note + asked + after))
    return _page(f"{lesson.title}: lecturer's sheet", lesson.language, parts)


def certificate(name: str, when: str, answers: Iterable[Given]) -> str:
    """What somebody has answered: one row a question."""
    rows = list(answers)
    right = sum(row.right for row in rows)
    first = sum(row.first_right for row in rows)
    cells = "".join(
        f"<tr><td>{escape(row.lesson)}, step {row.step}</td><td>{inline(row.ask)}</td>"
        f"<td>{inline(row.first)}</td><td>{'right' if row.first_right else 'not right'}</td>"
        f"<td>{row.tries}</td></tr>"
        for row in rows
    )
    titles = ("Lesson", "Question", "First answer", "It was", "Tries")
    head = f"<tr>{''.join(f'<th>{title}</th>' for title in titles)}</tr>"
    total = (
        f"<p>{escape(name) or 'A visitor'} answered {len(rows)} "
        f"question{'' if len(rows) == 1 else 's'} on {escape(when)}: {right} rightly, {first} of "
        "them at the first try.</p>"
    )
    return _page("Certificate of answers", "en", [total, f"<table>{head}{cells}</table>"])


def _section(place: int, step: Step, inside: str) -> str:
    return f"<section><h2>{place + 1}. {inline(step.title)}</h2>{inside}</section>"


def _handed_out(step: Step, functions: Functions) -> str:
    pictures = "" if step.figure is None else "".join(pictures_of(step.figure))
    asked = "" if step.question is None else _room(step.question, functions)
    return (
        to_html(fill(step.text, functions))
        + (f'<div class="pictures">{pictures}</div>' if pictures else "")
        + asked
    )


def _room(question: Question, functions: Functions) -> str:
    """The question and room for an answer."""
    options = "".join(f"<li>☐ {inline(option.text)}</li>" for option in question.options)
    below = f"<ul style='list-style:none'>{options}</ul>" if options else '<div class="line"></div>'
    ask = inline(fill(question.ask, functions))
    return f'<div class="question"><p><strong>{ask}</strong> {_HOW[question.kind]}</p>{below}</div>'


def _answers(question: Question, functions: Functions) -> str:
    said = [(reply.node or _range(reply.low, reply.high), reply.text) for reply in question.replies]
    said += [(option.text, option.reply) for option in question.options if not option.right]
    if question.wrong:
        said.append(("any other", question.wrong))
    rows = "".join(
        f"<tr><td>{inline(answer)}</td><td>{inline(fill(reply, functions))}</td></tr>"
        for answer, reply in said
    )
    right = inline(right_answer(question))
    ask = inline(fill(question.ask, functions))
    return (
        f'<div class="question"><p><strong>{ask}</strong></p><p>Right: {right}</p></div>'
        f"<table><tr><th>Wrong answer</th><th>What is said to it</th></tr>{rows}</table>"
    )


def _range(low: float, high: float) -> str:
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"


def _page(title: str, language: str, parts: Iterable[str]) -> str:
    return (
        f'<!doctype html><html lang="{escape(language, quote=True)}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>"
        f"<h1>{escape(title)}</h1>{''.join(parts)}</body></html>"
    )
