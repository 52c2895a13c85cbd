"""Home: who overshoots if ink is dropped on a node, which colour wins; dense exponentials."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import scipy.linalg

from gdr_app.home.story import ink_sentence, inked, label_sentence, t_min_sentence
from gdr_core.sketches import GALLERY, Sketch
from tools.check_sentences.report import NUMBER, Report, number

TIMES = np.geomspace(1e-3, 60, 3000)


def curves(sketch: Sketch) -> np.ndarray:
    """p on TIMES, shape (times, nodes, classes)."""
    weights = np.maximum(sketch.adjacency, sketch.adjacency.T)
    rates, vectors = scipy.linalg.eigh(np.diag(weights.sum(axis=1)) - weights)
    parts = vectors.T @ np.array(sketch.beliefs, dtype=float)
    return np.stack([vectors @ (np.exp(-rates * t)[:, None] * parts) for t in TIMES])


def check() -> Report:
    """All sources of the first figure, the second, and all t_min of the third."""
    report = Report()
    for source in inked("a").names:
        _check_ink(report, source)
    two = replace(GALLERY["bridge"].sketch, time=1.0)
    text = label_sentence(two)
    found, start = curves(two), np.array(two.beliefs, dtype=float)
    read = report.read(
        "two inks", text, r"Overshoots: blue at (.+), orange at (.+)\. Read them as labels, .*"
    )
    for k in (0, 1):
        pi = start[:, k].mean()
        over = (found[:, :, k].max(axis=0) > pi + 1e-7) & (start[:, k] <= pi + 1e-12)
        names = [name for name, rises in zip(two.names, over, strict=True) if rises]
        if read is not None:
            report.claim("two inks", "who overshoots", read[k + 1].split(" and ") == names, text)
    for step in range(21):
        _check_t_min(report, round(0.1 * step, 1))
    return report


def _check_ink(report: Report, source: str) -> None:
    sketch, where = inked(source), f"ink on {source}"
    text = ink_sentence(sketch, source)
    found = curves(sketch)[:, :, 0]
    pi = 1 / len(sketch.names)
    peaks = {name: found[:, k].max() for k, name in enumerate(sketch.names) if name != source}
    rising = [name for name, peak in peaks.items() if peak > pi + 1e-7]
    read = report.read(
        where,
        text,
        r"From \*\*(\w)\*\*, (?:nobody overshoots\.|\*\*(\w)\*\* overshoots most: it reaches "
        r"([\d.]+) at t = ([\d.]+), above the line π = ([\d.]+), and falls "
        r"back\.(.*) The others, but for \w, never rise above it\.)",
    )
    if read is None:
        return
    report.claim(where, "source", read[1] == source)
    if read[2] is None:
        report.claim(where, "nobody", not rising, rising)
        return
    best = max(rising, key=peaks.__getitem__)
    report.claim(where, "most", peaks[read[2]] >= peaks[best] - 1e-6, (text, peaks))
    report.claim(where, "peak", abs(float(read[3]) - peaks[best]) < 6e-4)
    report.claim(where, "π", abs(float(read[5]) - pi) < 6e-4)
    named = {read[2], *(c for c in rising if f" {c} " in f"{read[6]} " or f"{c}." in read[6])}
    report.claim(where, "who else", named == set(rising), (text, rising))
    rest = [k for k, name in enumerate(sketch.names) if name not in (*rising, source)]
    below = bool((found[:, rest] <= pi + 1e-9).all())
    report.claim(where, "never above", below, [sketch.names[k] for k in rest])


def _check_t_min(report: Report, t_min: float) -> None:
    sketch = replace(GALLERY["misleading"].sketch, t_min=t_min, time=1.0)
    text, where = t_min_sentence(sketch), f"t_min {t_min}"
    gets = rf"(?:gets {NUMBER} above its π|does not get above π)"
    read = report.read(
        where,
        text,
        rf"From t_min = ([\d.]+) on, blue {gets} and orange {gets} at x: x "
        r"(?:becomes \*\*(blue|orange)\*\*|keeps its own belief)\.",
    )
    if read is None:
        return
    found, x = curves(sketch), sketch.names.index("x")
    start = np.array(sketch.beliefs, dtype=float)
    late = t_min <= TIMES
    heights = found[late][:, x].max(axis=0) - start.mean(axis=0)
    if t_min == 0:
        heights = np.maximum(heights, start[x] - start.mean(axis=0))
    report.claim(where, "t_min", float(read[1]) == t_min)
    for k in (0, 1):
        above = read[k + 2] is not None
        report.claim(where, "gets above π", above == (heights[k] > 1e-7), (text, heights))
        if above:
            height = number(read[k + 2])
            report.claim(where, "not nothing", height > 0, text)
            report.claim(where, "height", abs(height - heights[k]) < 2e-3, (text, heights))
    clear = abs(heights[0] - heights[1]) > 1e-4
    wins = ("blue", "orange")[int(heights.argmax())] if heights.max() > 1e-7 else None
    report.claim(where, "becomes", not clear or read[4] == wins, (text, heights))
