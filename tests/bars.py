"""What a page has sent to the bar of t_min, read from its bytes as the browser reads them."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest


@dataclass(frozen=True, eq=False)
class Bar:
    """The bar with its line at `index`; labels have one row for each t_min."""

    index: int
    head: dict[str, Any]
    lines: dict[str, np.ndarray]
    counts: dict[str, np.ndarray]
    labels: np.ndarray
    prior: np.ndarray
    truth: np.ndarray

    @property
    def t_min(self) -> str:
        """The t_min that it shows."""
        return self.head["names"][self.index]

    @property
    def numbers(self) -> dict[str, str]:
        """The numbers beside it, by name."""
        return {name: f"{values[self.index]:,}" for name, values in self.counts.items()}


def read_sweep(payload: bytes, index: int = 0) -> Bar:
    """The bytes of a sweep, by the layout that `payload.py` states."""
    length = struct.unpack("<I", payload[:4])[0]
    head, at = json.loads(payload[4 : 4 + length]), 4 + length
    times, nodes, changes = head["times"], head["nodes"], head["changes"]

    def take(kind: str, count: int) -> np.ndarray:
        nonlocal at
        found = np.frombuffer(payload, kind, count, at)
        at += found.nbytes
        return found

    lines = {line["name"]: take("<f4", times) for line in head["lines"]}
    counts = {count["name"]: take("<u4", times) for count in head["counts"]}
    steps, places = take("<u4", times - 1), take("<u4", changes)
    fresh, first, prior, truth = (take("u1", n) for n in (changes, nodes, nodes, nodes))
    assert at == len(payload)
    labels, done = np.tile(first, (times, 1)), 0
    for step, count in enumerate(steps.tolist()):
        changed = slice(done, done + count)
        labels[step + 1 :, places[changed]] = fresh[changed]
        done += count
    return Bar(index, head, lines, counts, labels, prior, truth)


def bar_of(app: AppTest) -> Bar:
    """The bar of a page that was drawn without a browser."""
    sent = {each.key: each.proto for each in app.get("bidi_component")}
    return read_sweep(sent["t_min-sweep"].bytes, json.loads(sent["t_min"].json)["index"])
