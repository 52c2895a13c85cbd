"""A user's program is checked against our types, not against Any."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]

PROGRAM = """
import numpy as np

from gdr_core import GDRResult, compute_prior, diffuse, load_dataset, make_laplacian, reclassify

dataset = load_dataset("cora")
laplacian = make_laplacian("combinatorial", dataset.adjacency)
prior = compute_prior("projection", dataset)
result: GDRResult = reclassify(laplacian, prior, dataset.labels, dataset.split)
nodes: int = dataset.nodes
chosen: float = float(result.times[result.chosen])
heat = diffuse(laplacian, prior, np.array([0.0, chosen]))
bound: float = heat.error_bound
"""
MISTAKES = {
    'load_dataset("cora").nodes.upper()': 'has no attribute "upper"',
    'reclassify(1, prior, dataset.labels, dataset.split)': "incompatible type",
    'load_dataset(3)': "incompatible type",
    "result.no_such_thing": "has no attribute",
}  # fmt: skip


def complaints(folder: Path) -> dict[str, list[str]]:
    """What `mypy --strict` says of a program without mistakes, and of one with some."""
    (folder / "right.py").write_text(PROGRAM, encoding="utf-8")
    (folder / "wrong.py").write_text(PROGRAM + "\n".join(MISTAKES) + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent"]
    command += ["--config-file=", f"--cache-dir={folder / 'cache'}", "right.py", "wrong.py"]
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "MYPYPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert not done.stderr, done.stderr
    lines = done.stdout.splitlines()
    return {name: [x for x in lines if x.startswith(name)] for name in ("right", "wrong")}


def test_a_users_program_is_checked_strictly(tmp_path):
    said = complaints(tmp_path)
    assert said["right"] == []
    first = PROGRAM.count("\n") + 1
    for line, (mistake, meaning) in enumerate(MISTAKES.items(), first):
        found = [text for text in said["wrong"] if f":{line}:" in text]
        assert any(meaning in text for text in found), (mistake, said["wrong"])
