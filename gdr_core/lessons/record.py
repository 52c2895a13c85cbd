"""A lesson as its file says it: steps with text, a figure that moves, and a question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from gdr_core.sketches import Sketch

SKETCH: Final = "sketch"
STUDIES: Final = ("smoothing", "relabel", "homophily")  # figures that are made from a dataset
NUMBER, NODE, CHOICE, CHART = "number", "node", "choice", "chart"
QUESTIONS: Final = (NUMBER, NODE, CHOICE, CHART)


@dataclass(frozen=True, order=True)
class Finding:
    """What is wrong with a lesson's file: where, and one sentence.

    >>> print(Finding("heat.md", 12, "There is no node “z” in the figure."))
    heat.md:12: There is no node “z” in the figure.
    """

    file: str
    line: int
    sentence: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.sentence}"


class LessonError(ValueError):
    """What cannot be read, and in which line of the file."""

    def __init__(self, line: int, sentence: str) -> None:
        super().__init__(sentence)
        self.line = line


class Claim(NamedTuple):
    """An expression that the file says is true; the checker computes it."""

    line: int
    text: str


@dataclass(frozen=True)
class Figure:
    """What a step shows.

    kind      `sketch`, or a study of a dataset: `smoothing`, `relabel`, `homophily`
    dataset   of a study
    sketch    of a figure that is drawn and computed in the browser
    stop      the time at which playing stops; 0: the end of the axis
    focus     name of the node whose curves stand out, or none
    hidden    whether curves and Play wait for the answer
    """

    line: int
    kind: str = SKETCH
    dataset: str = ""
    sketch: Sketch | None = None
    stop: float = 0.0
    focus: str = ""
    hidden: bool = False
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True)
class Reply:
    """What is said to a particular wrong answer: a number in a range, a node, or an option."""

    text: str
    low: float = 0.0
    high: float = 0.0
    node: str = ""


class Offered(NamedTuple):
    """One of the answers to choose from, and what is said to who chooses it."""

    text: str
    right: bool
    reply: str = ""


@dataclass(frozen=True)
class Question:
    """What is asked before the answer is shown.

    answer      a number, for `number` and `chart`
    tolerance   how far off is still right
    nodes       the right nodes, for `node`
    exact       the expression that the stated answer must equal; for `node` the one that is true
                of the right nodes and of no others, with `node` for the node
    most        for `node`: the expression that is largest at the right node
    at, of      for `chart`: the time and the node of the point to draw
    """

    line: int
    kind: str
    ask: str
    right: str
    wrong: str
    answer: float = 0.0
    stated: str = ""
    tolerance: float = 0.0
    nodes: tuple[str, ...] = ()
    options: tuple[Offered, ...] = ()
    replies: tuple[Reply, ...] = ()
    exact: Claim | None = None
    most: Claim | None = None
    at: float = 0.0
    of: str = ""
    unit: str = ""
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True)
class Step:
    """One state of a lesson.

    text     before the question; numbers stand in it as {{expressions}}
    after    shown when the question has been answered, or at once where there is none
    """

    line: int
    title: str
    text: str = ""
    after: str = ""
    figure: Figure | None = None
    question: Question | None = None
    lecturer: str = ""
    texts: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True)
class Lesson:
    """A lesson; its name is that of its file without the ending."""

    name: str
    file: str
    title: str
    language: str
    minutes: int
    summary: str
    steps: tuple[Step, ...]
    lecturer: str = ""

    @property
    def questions(self) -> int:
        """How many of its steps ask something."""
        return sum(step.question is not None for step in self.steps)
