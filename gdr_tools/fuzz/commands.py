"""Command lines: words that people mistype, and words that nobody would."""

from __future__ import annotations

import json
import os
import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from importlib import import_module
from io import StringIO

from gdr_tools.fuzz import odd_values as odd
from gdr_tools.fuzz.judging import wrong

Draw = random.Random
_FILES = {
    "edges.csv": "source,target\na,b\nb,c\nc,d\nd,a\n",
    "labels.csv": "id,class\na,X\nb,Y\nc,X\nd,Y\n",
    "features.csv": "id,f,g\na,1,0\nb,0,2\nc,1,1\nd,2,2\n",
    "split.csv": "id,part\na,train\nb,train\nc,validation\nd,test\n",
    "odd.csv": '\0,,\n\n"',
    "empty.csv": "",
    "array.npy": "no array",
    "prior.npz": "PK\3\4",
}
_DATA = (
    "karate",
    "path",
    "ring",
    "star",
    "tree",
    "directed-ring",
    "nowhere",
    "",
    "-",
    "--",
    "\udcff",
)
_VALUES = (*_FILES, "missing.csv", ".", "/", "1e400", "nan", "-1", "0", "inf", "a=b", "=", "x=",
           "é", "uniform",
           "random", "peak", "symmetric", "component", "9" * 400, "-5", "1e300", "0.1", "3",
           "size=5",
           "size=x", "tolerance=0", "labels.class=9", "duplicate-edges=sum", "\x00",
           "none")  # fmt: skip
_CLASSIFY = ("--split", "--seed", "--prior", "--prior-seed", "--laplacian", "--direction",
             "--alpha",
             "--rule", "--stationary", "--tolerance", "--times", "--spacing", "--window",
             "--option",
             "--prior-option", "--probabilities", "--t-min", "--edges", "--features", "--labels",
             "--content", "--cites", "--column", "--treat", "--neighbours", "--metric", "--out",
             "--report")  # fmt: skip
_FLAGS = ("--normalise", "--directed", "--json", "--help", "--nonsense")
_TRAIN = ("--model", "--direction", "--laplacian", "--alpha", "--split",
          "--seeds", "--hidden", "--dropout",
          "--learning-rate", "--weight-decay", "--patience", "--initial-time",
          "--time-learning-rate")  # fmt: skip
_MEANT = {"--laplacian": ("symmetric", "directed"), "--rule": ("peak", "overshoot"),
                          "--prior": ("uniform", "projection"),
          "--edges": ("edges.csv",), "--labels": ("labels.csv",), "--features": ("features.csv",),
          "--split": ("random", "split.csv"),
          "--direction": ("forward", "backward"), "--spacing": ("linear",),
          "--metric": ("cosine",), "--t-min": ("0.1", "-5", "nan", "1e300"),
          "--model": ("gcn", "mlp"), "--seeds": ("0", "2000", "x")}  # fmt: skip


def prepare() -> None:
    """Import every sub-command."""
    attempt(json.dumps(["classify", "karate", "--prior", "uniform"]).encode())
    attempt(json.dumps(["classify", "--edges", "edges.csv", "--labels", "labels.csv"]).encode())


def make(draw: Draw) -> bytes:
    """The words as a JSON list."""
    return json.dumps(draw.choice((_classify, _classify, _classify, _data, _other))(draw)).encode()


def attempt(case: bytes) -> str:
    """Run the words; what is printed on stderr must be one sentence, without a traceback."""
    main = import_module("gdr_tools.cli").main  # the command that runs fuzzers is one of them
    try:
        words = [str(word) for word in json.loads(case)]
    except (ValueError, TypeError):
        return "refused"
    said = StringIO()
    with _folder(), redirect_stdout(StringIO()), redirect_stderr(said):
        try:
            code = main(words)
        except SystemExit as end:
            code = int(end.code or 0)
        except BaseException as error:
            return wrong(error)
    return _judged(code, said.getvalue())


def _judged(code: int, said: str) -> str:
    if code == 0:
        return "result"
    if code not in (1, 2) or "Traceback" in said:
        return f"wrong: exit code {code} and {said[-200:]!r}"
    errors = [line for line in said.splitlines() if "error: " in line]
    return "refused" if len(errors) == 1 else f"wrong: not one sentence but {said[-300:]!r}"


@contextmanager
def _folder() -> Iterator[None]:
    """A folder with small files, which is the current one for a while."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for name, text in _FILES.items():
                with open(name, "w", encoding="utf-8") as file:
                    file.write(text)
            yield
        finally:
            os.chdir(before)


def _options(draw: Draw, allowed: tuple[str, ...]) -> list[str]:
    words = []
    for _ in range(draw.choice((0, 1, 1, 2, 3))):
        name = draw.choice(allowed)
        words.append(name)
        meant = draw.random() < 0.5 and name in _MEANT
        words.append(draw.choice(_MEANT[name]) if meant else _value(draw))
        if name == "--window":
            words.append(_value(draw))
    if draw.random() < 0.15:
        words.append(draw.choice(_FLAGS))
    return words


def _value(draw: Draw) -> str:
    return draw.choice(_VALUES) if draw.random() < 0.8 else odd.word(draw)


def _classify(draw: Draw) -> list[str]:
    given = (
        [draw.choice(_DATA)]
        if draw.random() < 0.6
        else ["--edges", "edges.csv", "--labels", "labels.csv"]
    )
    prior = ["--prior", "uniform"] if draw.random() < 0.5 else []
    return ["classify", *given, *prior, *_options(draw, _CLASSIFY)]


def _data(draw: Draw) -> list[str]:
    if draw.random() < 0.5:
        files = [_value(draw) for _ in range(draw.choice((0, 1, 1, 2)))]
        return ["data", "check", *files, *_options(draw, ("--treat", "--directed"))]
    return ["data", draw.choice(("fetch", "nonsense", "--json")), draw.choice(_DATA)]


def _other(draw: Draw) -> list[str]:
    """Sub-commands that take long when they are right, so they are always wrong in one place."""
    if draw.random() < 0.5:
        right = ["train", draw.choice(_DATA), *_options(draw, _TRAIN)]
        return [*right, "--epochs", draw.choice(("0", "-1", "x", "1e400", "nan", ""))]
    if draw.random() < 0.5:
        return [
            "reproduce",
            "--report-only",
            "--folder",
            ".",
            *_options(draw, ("--table", "--jobs", "--seeds")),
        ]
    return [_value(draw), *_options(draw, _CLASSIFY)]
