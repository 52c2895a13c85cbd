"""Small graphs as people draw them: the browser's arithmetic and texts against the library's.

The answers of the browser's code come from Node. What they are compared with is dense arithmetic
(`scipy.linalg.expm`) and the library's own engine and proofs.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.sparse.csgraph import connected_components

from gdr_core.datasets.own import Choices, read
from gdr_core.datasets.record import PARTS
from gdr_core.diffusion import exact
from gdr_core.diffusion.engine import diffuse
from gdr_core.gdr import reclassify
from gdr_core.laplacians import LAPLACIANS, make_laplacian
from gdr_core.sketches import (
    DAMAGED,
    GALLERY,
    Edge,
    Sketch,
    SketchError,
    decode,
    encode,
    parse,
    probabilities_of,
    tidy,
    to_dataset,
    to_files,
    write,
)
from gdr_core.sketches.coding import KINDS

NODE = shutil.which("node")
SCRIPT = Path(__file__).parent / "javascript" / "answers.js"
GRAPHS = 1000
CLOSE = 1e-6


def ask(questions: list[dict]) -> list[dict]:
    """What the browser's code answers."""
    if NODE is None:
        pytest.skip("no Node on this machine")
    text = "\n".join(map(json.dumps, questions))
    done = subprocess.run(
        [NODE, str(SCRIPT)], input=text, capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def random_sketch(number: int) -> Sketch:
    """Two nodes or more, one in fifty up to sixty; some of them in several parts."""
    draw = np.random.default_rng(number)
    nodes = int(draw.choice([2, 3, 4, 5, 6, 8])) if number % 50 else int(draw.integers(13, 61))
    joined = np.argwhere(np.triu(draw.random((nodes, nodes)) < draw.choice([0.2, 0.4, 0.8]), 1))
    weights = np.where(draw.random(len(joined)) < 0.5, 1, 10 ** draw.uniform(-2, 2, len(joined)))
    arrows = draw.random(len(joined)) < draw.choice([0.0, 0.7])
    classes = int(draw.integers(1, 4))
    beliefs = draw.random((nodes, classes)) * (draw.random((nodes, classes)) < 0.5)
    return Sketch(
        names=tuple(f"{'n' if number % 2 else ''}{i + 1}" for i in range(nodes)),
        edges=tuple(
            Edge(int(i), int(j), tidy(float(weight)), bool(arrow))
            for (i, j), weight, arrow in zip(joined, weights, arrows, strict=True)
        ),
        beliefs=tuple(tuple(tidy(float(b)) for b in row) for row in beliefs),
        places=tuple((int(x), int(y)) for x, y in draw.integers(0, 1001, (nodes, 2))),
        train=tuple(bool(mark) for mark in draw.random(nodes) < 0.2),
        direction=str(draw.choice(["forward", "backward"])),
        alpha=tidy(float(draw.uniform(0.05, 0.99))),
        time=tidy(float(10 ** draw.uniform(-2, 2))),
        t_min=tidy(float(draw.choice([0.0, 0.05, 0.5]))),
    )


def plain_laplacian(sketch: Sketch, kind: str) -> np.ndarray:
    """L as its formula reads, dense."""
    if LAPLACIANS[kind].directed:
        return _plain_directed(sketch, kind)
    A = np.maximum(sketch.adjacency, sketch.adjacency.T)
    degrees = A.sum(axis=1)
    here = np.diag((degrees > 0).astype(float))
    with np.errstate(divide="ignore"):
        inverse = np.where(degrees > 0, 1 / degrees, 0)
    if kind == "combinatorial":
        return np.diag(degrees) - A
    if kind == "symmetric":
        return here - np.sqrt(inverse)[:, None] * A * np.sqrt(inverse)
    if kind == "random-walk":
        return here - inverse[:, None] * A
    _, part = connected_components(A)
    radii = {k: np.abs(np.linalg.eigvalsh(A[np.ix_(part == k, part == k)])).max() for k in {*part}}
    return here - A / np.array([radii[k] or 1 for k in part])[:, None]


def _plain_directed(sketch: Sketch, kind: str) -> np.ndarray:
    A = sketch.adjacency.T if sketch.direction == "backward" else sketch.adjacency
    out, nodes = A.sum(axis=1, keepdims=True), len(A)
    walk = np.divide(A, out, out=np.full_like(A, 1 / nodes), where=out > 0)
    P = np.where(out > 0, sketch.alpha * walk + (1 - sketch.alpha) / nodes, 1 / nodes)
    values, vectors = np.linalg.eig(P.T)
    rank = np.abs(vectors[:, np.argmax(values.real)].real)
    rank /= rank.sum()
    L = np.diag(rank) - (rank[:, None] * P + P.T * rank) / 2
    if kind == "directed":
        return L
    if kind == "directed-normalised":
        return L / np.sqrt(np.outer(rank, rank))
    return L / rank[:, None]


@pytest.fixture(scope="module")
def thousand() -> list[Sketch]:
    return [random_sketch(number) for number in range(GRAPHS)]


@pytest.mark.parametrize("kind", LAPLACIANS)
def test_a_thousand_graphs_have_the_same_course_in_the_browser(thousand, kind):
    sketches = [replace(sketch, laplacian=kind) for sketch in thousand]
    answers = ask([{"ask": "course", "code": encode(sketch)} for sketch in sketches])
    assert len(answers) == GRAPHS
    for number, (sketch, answer) in enumerate(zip(sketches, answers, strict=True)):
        matrix, start = plain_laplacian(sketch, kind), np.array(sketch.beliefs)
        kernel = expm(-sketch.time * matrix)
        _same(answer["laplacian"], matrix)
        _same(answer["kernel"], kernel)
        _same(answer["p"], kernel @ start)
        _same(answer["curve"], kernel @ start)
        if number % 25 == 1:
            _compare_with_the_library(sketch, answer)


def _same(told: list[float], wanted: np.ndarray) -> None:
    error = np.abs(np.array(told).reshape(wanted.shape) - wanted).max()
    assert error < CLOSE * max(1.0, np.abs(wanted).max())


def _compare_with_the_library(sketch: Sketch, answer: dict) -> None:
    """Engine, stationary state, λ₂, the proof of what never overshoots, and the rule."""
    operator, start = sketch.operator(), np.array(sketch.beliefs)
    _same(answer["laplacian"], operator.dense())
    _same(answer["p"], diffuse(operator, start, np.array([sketch.time])).at(0))
    _same(answer["limit"], operator.stationary(start, "component"))
    if operator.components.max() == 0:
        assert answer["gap"] == pytest.approx(operator.gap, rel=1e-6, abs=1e-12)
    told = np.array([[one["above"], one["never"]] for one in answer["overshoots"]])
    tiny = np.array([abs(one["height"]) < 1e-8 for one in answer["overshoots"]])
    assert ((told.sum(axis=1) == 1) | tiny).all(), "neither an overshoot nor a proof"
    still = operator.gap == 0
    grid = np.ones(1) if still else np.geomspace(1e-3, 40 * operator.relaxation_time, 400)
    _compare_heights(sketch, answer, grid)


def _compare_heights(sketch: Sketch, answer: dict, grid: np.ndarray) -> None:
    """No time of a dense grid is higher than the height told; the rule follows from heights."""
    start, operator = np.array(sketch.beliefs), sketch.operator()
    values, vectors = np.linalg.eig(operator.dense())
    inverse, limit = np.linalg.inv(vectors), operator.stationary(start, "component")
    heights = np.array([one["height"] for one in answer["overshoots"]]).reshape(start.shape)
    best = np.full(start.shape, -np.inf)
    for time in sketch.t_min + np.concatenate([[0.0], grid]):
        now = ((vectors * np.exp(-values * time)) @ inverse @ start).real
        best = np.maximum(best, now - limit)
    assert (best <= heights + CLOSE).all()
    assert (best >= heights - 1e-3).all()
    for node, known in enumerate(sketch.train):
        above = np.maximum(heights[node], 0)
        if not known and above.max() > 1e-6 and np.sum(above > above.max() - 1e-9) == 1:
            assert answer["labels"][node] == above.argmax()


def test_an_impulse_that_never_overshoots_is_proved_in_both(thousand):
    sketches = []
    for sketch in thousand[1:200:4]:
        spike = tuple((float(i == 0),) for i in range(len(sketch.names)))
        sketches.append(replace(sketch, beliefs=spike, t_min=0.0))
    answers = ask([{"ask": "course", "code": encode(sketch)} for sketch in sketches])
    for sketch, answer in zip(sketches, answers, strict=True):
        operator = sketch.operator()
        inside = np.flatnonzero(operator.components == operator.components[0])
        ever = exact.ever(exact.modes(operator, 0, inside))
        told = [answer["overshoots"][node] for node in inside]
        assert [one["above"] for one in told] == ever.overshoots.tolist()
        assert [one["never"] for one in told] == ever.never.tolist()
        high = ever.height > 1e-6
        assert np.allclose(np.array([one["height"] for one in told]), ever.height, atol=1e-9)
        times = np.array([one["time"] for one in told])
        assert np.allclose(times[high], ever.peak_time[high], rtol=1e-2, atol=1e-4)


def test_links_and_texts_go_there_and_back(thousand):
    sample = thousand[:120]
    codes = [encode(sketch) for sketch in sample]
    for sketch, code, answer in zip(
        sample, codes, ask([{"ask": "decode", "code": code} for code in codes]), strict=True
    ):
        assert decode(code) == sketch
        assert parse(write(sketch)) == sketch
        assert answer["again"] == code
        assert parse(answer["text"]) == sketch
    texts = [write(sketch) for sketch in sample]
    told = ask([{"ask": "parse", "text": text} for text in texts])
    assert [answer["code"] for answer in told] == codes


def test_every_laplacian_has_a_number_in_links():
    assert set(KINDS) == set(LAPLACIANS)


def test_whatever_is_damaged_gives_one_sentence(thousand):
    code = encode(thousand[5])
    draw = np.random.default_rng(0)
    letters = "ABCxyz019_-."
    bad = ["", "1.", "0.AAAA", "2" + code[1:], "1.\u00e9", "x" * 100_000, code + "A", code[:-1]]
    for place in draw.integers(0, len(code), 60):
        other = str(draw.choice([letter for letter in letters if letter != code[place]]))
        bad.append(code[:place] + other + code[place + 1 :])
        bad.append(code[:place])
    for text in bad:
        with pytest.raises(SketchError) as caught:
            decode(text)
        assert str(caught.value) == DAMAGED
    assert {answer.get("fault") for answer in ask([{"ask": "decode", "code": t} for t in bad])} == {
        DAMAGED
    }


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a - b - c", "Line 1"),
        ("a - b\nb - c -2", "Line 2"),
        ("a - b\n\nb - c heavy", "Line 3"),
        ("a - b nan", "Line 1"),
        ("a - a", "to itself"),
        ("a - b\nb - a", "joined already"),
        ("a - b 0", "not allowed"),
        ("a - b\na: 1\na: 2", "one name, two nodes"),
        ("a - b\na: -1", "not allowed"),
        ("\n".join(f"n{i} - n{i + 1}" for i in range(10_000)), "characters"),
        ("\n".join(f"n{i} - n{i + 1}" for i in range(100)), "more than 60 nodes"),
        ("a - b\nlaplacian cubic", "no Laplacian"),
        ("a - b\nalpha 1.5", "α lies between"),
        ("averyveryverylongname - b", "cannot be a node's name"),
        ("{'a': 1}", "Line 1"),
    ],
)
def test_a_text_that_is_no_graph_is_told_in_a_sentence_with_its_line(text, words):
    with pytest.raises(SketchError, match=words):
        parse(text)
    [answer] = ask([{"ask": "parse", "text": text}])
    assert words in answer["fault"]


def test_edge_lists_from_elsewhere_are_read():
    wanted = parse("a - b\nb - c 2")
    assert parse("a b\nb c 2") == parse("a,b\nb,c,2") == parse("a-b; b-c 2 # remark") == wanted
    texts = ["a b\nb c 2", "a,b\nb,c,2", "a-b; b-c 2 # remark"]
    codes = [answer["code"] for answer in ask([{"ask": "parse", "text": text} for text in texts])]
    assert codes == [encode(wanted)] * 3


def test_a_sketch_is_a_dataset_that_gdr_runs_on():
    sketch = parse(
        "a - b; b - c; c - a; c - d 0.5; d - e; e - f; f - d\n"
        "a: 1 0 train; b: 0.6 0.4; c: 0.55 0.45; d: 0.45 0.55; e: 0.4 0.6; f: 0 1 train"
    )
    dataset = to_dataset(sketch)
    assert dataset.split.train.tolist() == [0, 5]
    assert dataset.labels.tolist() == [0, 0, 0, 1, 1, 1]
    assert (dataset.adjacency.toarray() == sketch.adjacency).all()
    operator = make_laplacian("combinatorial", dataset.adjacency)
    result = reclassify(operator, probabilities_of(sketch), dataset.labels, dataset.split)
    assert result.at(0).predicted.tolist() == [0, 0, 0, 1, 1, 1]
    with pytest.raises(SketchError, match="two nodes"):
        to_dataset(parse("a\nb"))


@pytest.mark.parametrize("name", ["bridge", "cliques", "misleading", "with arrows"])
def test_a_sketch_as_files_is_read_as_the_same_dataset(name):
    arrows = parse("a > b; b - c 2; c > a; a: 1 0 train; b: 0.2 0.8; c: 0 1 train")
    sketch = arrows if name == "with arrows" else GALLERY[name].sketch
    dataset, read_again = to_dataset(sketch), read(to_files(sketch), Choices(draw_layout=False))
    assert read_again.dataset.node_names == sketch.names
    assert read_again.dataset.directed == sketch.directed
    assert (read_again.dataset.adjacency.toarray() == sketch.adjacency).all()
    assert (read_again.dataset.labels == dataset.labels).all()
    for part in PARTS:
        assert (getattr(read_again.dataset.split, part) == getattr(dataset.split, part)).all()
    assert np.allclose(read_again.probabilities, probabilities_of(sketch))
