"""Reading own data: a long edge list against pandas, with the memory that a process takes."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from gdr_core.progress import Progress, ignore

EDGES, NODES = 1_000_000, 200_000
QUICK_EDGES = 100_000
TURNS, ROUNDS = 3, 5
_GIGABYTE = 2**30

# Each side runs in processes of its own: the best of several rounds, and the largest memory.
_PREPARE = """
import json, resource, sys, time
path, rounds = sys.argv[1], int(sys.argv[2])
"""
_REPORT = """
call()
seconds = []
for _ in range(rounds):
    clock = time.perf_counter()
    call()
    seconds.append(time.perf_counter() - clock)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(json.dumps({"seconds": min(seconds), "peak_bytes": peak}))
"""
SIDES = {
    "pandas": """
import numpy as np, pandas as pd
def call():
    frame = pd.read_csv(path)
    return pd.factorize(np.concatenate([frame["source"].to_numpy(), frame["target"].to_numpy()]))
""",
    "edges": """
from gdr_core.datasets.own import recognise
def call():
    return recognise([path])[0].parts
""",
    "dataset": """
from gdr_core.datasets.own import Choices, read
def call():
    return read([path], Choices(draw_layout=False)).dataset
""",
}
_MEANINGS = {
    "pandas": "pandas.read_csv and factorize",
    "edges": "our reader: names, numbers, findings",
    "dataset": "our reader: a checked dataset",
}


def run(quick: bool = False, progress: Progress = ignore) -> dict[str, Any]:
    """Seconds, ratio to pandas and peak memory for each side."""
    edges = QUICK_EDGES if quick else EDGES
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "edges.csv"
        write_edges(path, edges, min(NODES, edges // 5))
        found = in_turn(path, progress)
        size = path.stat().st_size
    base = found["pandas"]["seconds"]
    rows = {side: {**one, "ratio": one["seconds"] / base} for side, one in found.items()}
    return {"edges": edges, "bytes": size, "rounds": TURNS * ROUNDS, "sides": rows}


def in_turn(path: Path, progress: Progress) -> dict[str, dict[str, float]]:
    """The sides one after the other, several times, so that all meet the same load; best of all."""
    found: dict[str, dict[str, float]] = {}
    for turn in range(TURNS):
        for i, (side, code) in enumerate(SIDES.items()):
            progress((turn + i / len(SIDES)) / TURNS, _MEANINGS[side])
            one = measured(code, path)
            before = found.get(side, one)
            found[side] = {
                "seconds": min(one["seconds"], before["seconds"]),
                "peak_bytes": max(one["peak_bytes"], before["peak_bytes"]),
            }
    return found


def write_edges(path: Path, edges: int, nodes: int, seed: int = 0) -> None:
    """A random edge list with a header."""
    import numpy as np
    import pandas as pd

    ends = np.random.default_rng(seed).integers(0, nodes, size=(edges, 2))
    pd.DataFrame(ends, columns=["source", "target"]).to_csv(path, index=False)


def measured(code: str, path: Path) -> dict[str, float]:
    """One side in a fresh process."""
    command = [sys.executable, "-c", _PREPARE + code + _REPORT, str(path), str(ROUNDS)]
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=root)
    return json.loads(done.stdout)


def table(result: dict[str, Any]) -> str:
    """The result for people."""
    lines = [
        f"{result['edges']:,} edges, {result['bytes']:,} bytes, best of {result['rounds']}",
        f"{'':<40}{'seconds':>9}{'ratio':>8}{'peak GB':>9}",
    ]
    lines += [
        f"{_MEANINGS[side]:<40}{one['seconds']:>9.3f}{one['ratio']:>8.2f}"
        f"{one['peak_bytes'] / _GIGABYTE:>9.2f}"
        for side, one in result["sides"].items()
    ]
    return "\n".join(lines)
