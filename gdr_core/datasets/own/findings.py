"""What is odd about own data: found, counted, placed, and treated in a way that can be changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

PLACES = 5
SHOWN = 60
_JOINER = "\u200d"

# For each kind of finding what can be done about it, in words; the first is done unless another
# is chosen. Where there is only one, the finding is a notice.
TREATMENTS: dict[str, dict[str, str]] = {
    "encoding": {"converted": "read as Windows-1252"},
    "comments": {"skip": "skipped"},
    "header": {"header": "taken as names of the columns", "data": "read as data"},
    "first-line": {"data": "read as data", "header": "taken as names of the columns"},
    "ragged": {"skip": "skipped", "refuse": "refused"},
    "empty-id": {"skip": "skipped", "refuse": "refused"},
    "self-loops": {"drop": "dropped", "refuse": "refused"},
    "duplicate-edges": {
        "largest": "merged, the largest weight kept",
        "sum": "merged, weights added up",
        "first": "merged, the first weight kept",
        "refuse": "refused",
    },
    "bad-weight": {"drop": "these edges are dropped", "refuse": "refused"},
    "unknown-end": {
        "add": "these nodes are added, without features",
        "drop": "these edges are dropped",
        "refuse": "refused",
    },
    "undeclared-end": {
        "drop": "these edges are dropped",
        "add": "these nodes are added, without features",
        "refuse": "refused",
    },
    "unknown-id": {
        "ignore": "these lines are ignored",
        "add": "these nodes are added, without edges",
        "refuse": "refused",
    },
    "duplicate-id": {
        "first": "the first line counts",
        "last": "the last line counts",
        "refuse": "refused",
    },
    "missing-features": {"zeros": "all their features are taken as zero", "refuse": "refused"},
    "bad-number": {"zero": "taken as zero", "refuse": "refused"},
    "missing-labels": {"unlabelled": "to be predicted"},
    "bad-part": {"ignore": "these nodes are in no part", "refuse": "refused"},
    "unlabelled-part": {"leave": "left out of the split", "refuse": "refused"},
    "class-without-training": {
        "unlabelled": "their nodes count as unlabelled",
        "refuse": "refused",
    },
    "one-class": {"keep": "there is nothing to decide: every node has this class"},
    "no-class": {"keep": "without labels or class probabilities nothing can be classified"},
    "no-training": {"keep": "only class probabilities can serve as the prior"},
    "row-sums": {"normalise": "divided by their sum", "refuse": "refused"},
    "missing-probabilities": {"uniform": "every class is equally likely there"},
    "class-without-probability": {"zero": "its probability is taken as zero"},
    "isolated": {
        "keep": "kept; they keep the label of the prior",
        "remove": "removed",
        "refuse": "refused",
    },
    "no-graph": {"neighbours": "nodes are joined to their nearest neighbours by features"},
    "split-drawn": {"drawn": "drawn by lot"},
    "direction": {"undirected": "read as undirected", "directed": "read as directed"},
    "ignored": {"ignore": "left aside"},
}


class ReadingError(ValueError):
    """Own data that cannot be read: one sentence, with the file and the line where known."""

    def __init__(self, problem: str, file: str = "", line: int | None = None):
        self.problem, self.file, self.line = problem, file, line
        where = short(file) + (f", line {line:,}" if line else "")
        super().__init__(f"{where}: {problem}" if where else problem)


@dataclass(frozen=True)
class Finding:
    """One kind of oddity in one file.

    code       its kind, a key of TREATMENTS
    text       what was found, with the count in words
    count      how many times
    lines      the first lines where it was found; empty where lines mean nothing
    treatment  what was done about it, a key of TREATMENTS[code]
    """

    code: str
    text: str
    count: int
    treatment: str
    file: str = ""
    lines: tuple[int, ...] = ()

    @property
    def choices(self) -> Mapping[str, str]:
        """What can be done about it, in words."""
        return TREATMENTS[self.code]

    @property
    def sentence(self) -> str:
        """The finding, its places and its treatment in one sentence."""
        file = f"{short(self.file)}: " if self.file else ""
        return f"{file}{self.text}{self.places}: {self.choices[self.treatment]}."

    @property
    def places(self) -> str:
        """The first line numbers in brackets, or nothing."""
        if not self.lines:
            return ""
        listed = ", ".join(f"{line:,}" for line in self.lines)
        more = ", …" if self.count > len(self.lines) else ""
        return f" (line{'s' if self.count > 1 else ''} {listed}{more})"


@dataclass
class Notebook:
    """Collects findings while files are read, and knows the treatment chosen for each kind."""

    chosen: Mapping[str, str] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def __post_init__(self) -> None:
        for code, treatment in self.chosen.items():
            allowed = TREATMENTS.get(code)
            if allowed is None:
                raise ReadingError(f"unknown finding {code!r}; there are {', '.join(TREATMENTS)}")
            if treatment not in allowed:
                raise ReadingError(
                    f"{code} is treated by {' or '.join(allowed)}, not {treatment!r}"
                )

    def treatment(self, code: str) -> str:
        """What is done about findings of this kind."""
        return self.chosen.get(code, next(iter(TREATMENTS[code])))

    def note(
        self, code: str, text: str, count: int = 1, file: str = "", lines: Iterable[int] = ()
    ) -> str:
        """Note a finding and return its treatment; where that is to refuse, raise."""
        treatment, places = self.treatment(code), tuple(lines)[:PLACES]
        if treatment == "refuse":
            raise ReadingError(text, file, places[0] if places else None)
        known = Finding(code, text, count, treatment, file, places)
        if known not in self.findings:
            self.findings.append(known)
        return treatment


def counted(number: int, one: str, many: str | None = None) -> str:
    """`1 edge`, `2 edges`: a number with its noun."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed(names: Iterable[str], most: int = 3) -> str:
    """The first names, quoted and shortened, for a sentence."""
    names = list(names)
    text = ", ".join(f"“{short(name)}”" for name in names[:most])
    return text + (", …" if len(names) > most else "")


def short(text: str, most: int = SHOWN) -> str:
    """A text on one line, without control characters, shortened to what a sentence can carry.

    The joiner that builds one emoji of several stays; marks that turn the text around do not.
    """
    head = "".join(c if c.isprintable() or c == _JOINER else " " for c in text[: most + 1])
    return head if len(head) <= most else head[: most - 1] + "…"
