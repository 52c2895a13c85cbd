"""The alignment of every dataset that is at hand, stored so that pages show it at once.

Each dataset is measured twice on its first split: with the classes of test nodes held back, as
pages show it until somebody asks for them, and with all classes. The first depends on the split;
the second does not.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from time import process_time
from typing import Any, Final

from gdr_core import __version__
from gdr_core.datasets import MissingFilesError, load_dataset, names, spec_of
from gdr_core.datasets.hiding import hide_test
from gdr_core.structure.alignment import DRAWS, Alignment, alignments

_DIGITS: Final = 9  # more than any page prints, few enough that the file stays small


def aligned(name: str, seed: int = 0) -> dict[str, Any]:
    """One dataset: with test classes hidden, and with all.

    Both are measured at once; `seconds` is the processor time that they took together.
    """
    data, before = load_dataset(name), process_time()
    hidden, revealed = alignments([hide_test(data), data], seed=seed)
    seconds = round(process_time() - before, 2)
    about = {"name": name, "split": spec_of(name).splits[0], "nodes": data.nodes, "seed": seed}
    about |= {"draws": DRAWS, "seconds": seconds, "versions": _versions()}
    return about | {"hidden": _plain(hidden), "revealed": _plain(revealed)}


def store_alignments(file: Path, wanted: Sequence[str] = (), seed: int = 0) -> Iterator[str]:
    """Measure these datasets, or else all but those drawn by a visitor's options, one by one.

    Each is written at once, so that nothing is lost where the rest is not waited for; others that
    the file has stay. Yields a line for each.
    """
    found = {each["name"]: each for each in _known(file)}
    for name in wanted or [name for name in names() if name != "sbm"]:
        try:
            found[name] = aligned(name, seed)
            yield f"{name}: written"
        except (MissingFilesError, ValueError) as error:
            yield f"{name}: left out, {error}"
        ordered = [found[each] for each in names() if each in found]
        file.write_text(json.dumps({"datasets": ordered}, indent=1) + "\n", encoding="utf-8")


def _known(file: Path) -> list[dict[str, Any]]:
    if not file.exists():
        return []
    known: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))["datasets"]
    return known


def _versions() -> dict[str, str]:
    return {"gdr_core": __version__, "numpy": version("numpy"), "scipy": version("scipy")}


def _plain(found: Alignment) -> dict[str, Any]:
    """Numbers as JSON has them, and the gap that follows from them."""
    return {key: _rounded(value) for key, value in asdict(found).items()} | {
        "gap": _rounded(found.gap)
    }


def _rounded(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_rounded(each) for each in value]
    return round(value, _DIGITS) if isinstance(value, float) else value
