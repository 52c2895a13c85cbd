"""What a diffusion leaves in a folder: values in files of rows, and a record of what was proved."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gdr_core import gate
from gdr_core.blocks.ranks import Alone, Ranks
from gdr_core.blocks.writing import whole

RESULT = "result.json"


@dataclass(frozen=True)
class BlockResult:
    """What was computed: files with rows of all times, and the bound that was proved.

    >>> record = BlockResult(Path("."), (0.5,), 2, 1, 1e-7, 9, ((0, 2),))
    >>> record.part(0).name
    'rows-0-2.npy'
    """

    path: Path
    times: tuple[float, ...]
    nodes: int
    columns: int
    error_bound: float
    products: int
    parts: tuple[tuple[int, int], ...]

    def part(self, number: int) -> Path:
        """The file of some rows, shape (times, rows, columns)."""
        first, last = self.parts[number]
        return self.path / f"rows-{first}-{last}.npy"

    def values(self) -> np.ndarray:
        """All values in memory, shape (times, nodes, columns)."""
        found = [np.load(self.part(i), mmap_mode="r") for i in range(len(self.parts))]
        return np.concatenate(found, axis=1)

    def labels(self) -> np.ndarray:
        """For every time the column with the largest value of each node, shape (times, nodes)."""
        found = [np.load(self.part(i), mmap_mode="r") for i in range(len(self.parts))]
        return np.concatenate([part.argmax(axis=2) for part in found], axis=1)


def open_result(path: str | os.PathLike[str]) -> BlockResult:
    """The record that `diffuse_blocks` has left in a folder."""
    folder = Path(path)
    try:
        found = json.loads((folder / RESULT).read_text(encoding="utf-8"))
        parts = tuple((int(a), int(b)) for a, b in found.pop("parts"))
        record = BlockResult(folder, tuple(found.pop("times")), parts=parts, **found)
    except FileNotFoundError:
        raise gate.UnreadableError(f"{folder} holds no result: it has no {RESULT}") from None
    except (ValueError, TypeError, KeyError) as problem:
        raise gate.UnreadableError(f"{folder / RESULT} is damaged") from problem
    return record


def check_new(folder: Path) -> Path:
    """The folder, if it has no result yet."""
    if (folder / RESULT).exists():
        raise ValueError(f"{folder} has a result already; choose another folder or remove it")
    return folder


def read_scores(file: Path, nodes: int, rows: slice) -> np.ndarray:
    """Some rows of H, checked."""
    try:
        stored: Any = np.load(file, mmap_mode="r", allow_pickle=False)
    except FileNotFoundError:
        raise FileNotFoundError(f"{file} is not there") from None
    except (ValueError, OSError, EOFError) as problem:
        raise gate.UnreadableError(f"{file} is no array of NumPy (.npy)") from problem
    if getattr(stored, "ndim", 0) != 2 or stored.shape[0] != nodes:
        shape = getattr(stored, "shape", "several arrays")
        raise ValueError(f"scores must have shape ({nodes}, columns), got {shape}")
    return gate.number_array(np.array(stored[rows]), "scores", 2)


def record(result: BlockResult, values: np.ndarray, ranks: Alone | Ranks) -> BlockResult:
    """Write this rank's values; the record comes last, from the first rank."""
    result.path.mkdir(parents=True, exist_ok=True)
    with whole(result.part(ranks.rank)) as partial, partial.open("wb") as stream:
        np.save(stream, values)
    ranks.told("written")
    if ranks.rank == 0:
        content = {name: value for name, value in vars(result).items() if name != "path"}
        with whole(result.path / RESULT) as partial:
            partial.write_text(json.dumps(content, indent=1), encoding="utf-8")
    ranks.told("recorded")
    return result
