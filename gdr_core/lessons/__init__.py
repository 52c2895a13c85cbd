"""Lessons: plain Markdown files that drive figures, ask before they show, and are checked.

    library = read_library()
    lesson = library.lessons["1-heat"]
    check_lesson(lesson)                    # []: every stated number is true
    judge(lesson.steps[1].question, 0.3)    # right or wrong, and the reply

`reading` tells how a file is written.
"""

from gdr_core.lessons.answering import Verdict, judge, right_answer
from gdr_core.lessons.checking import check_lesson, figure_of, functions_of
from gdr_core.lessons.expressions import fill
from gdr_core.lessons.library import VARIABLE, Library, read_file, read_library
from gdr_core.lessons.record import Figure, Finding, Lesson, Question, Step

__all__ = [
    "VARIABLE",
    "Figure",
    "Finding",
    "Lesson",
    "Library",
    "Question",
    "Step",
    "Verdict",
    "check_lesson",
    "figure_of",
    "fill",
    "functions_of",
    "judge",
    "read_file",
    "read_library",
    "right_answer",
]
