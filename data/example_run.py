"""Makes example_run.npz, the finished run that the Train page opens with.

python data/example_run.py          # trains a diff-GCN on Cora, about a minute
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from gdr_core.datasets import load_dataset  # noqa: E402
from gdr_core.neural import Training, recommended, use_one_thread  # noqa: E402
from gdr_tools.jobs import Job  # noqa: E402
from gdr_tools.jobs.recording import record  # noqa: E402

TARGET = HERE / "example_run.npz"


def main() -> None:
    """Train with the recommended settings and seed 0, and write the file."""
    use_one_thread()
    job = Job("cora", recommended("diff-gcn", dataset="cora"), "public")
    training = Training(load_dataset("cora", split="public"), job.options, job.seed)
    record(job, training).write(TARGET)
    print(f"{TARGET.name}: {TARGET.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
