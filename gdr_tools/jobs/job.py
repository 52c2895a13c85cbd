"""What a worker is asked to do, as plain values that travel as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from gdr_core.gate import check_seed
from gdr_core.neural.options import TrainingOptions

JOB, CHECKPOINT = "job.json", "checkpoint.pt"  # files in the folder of a run


@dataclass(frozen=True)
class Job:
    """One training run: a dataset by name and split, the training options, and its random seed.

    dataset_seed and dataset_options draw and shape the dataset, where it has such choices.
    """

    dataset: str
    options: TrainingOptions
    split: str | None = None
    seed: int = 0
    dataset_seed: int = 0
    dataset_options: tuple[tuple[str, float], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "seed", check_seed(self.seed))

    def to_json(self) -> str:
        """The job as one line."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Job:
        """The job that `to_json` wrote."""
        fields: dict[str, Any] = json.loads(text)
        options = TrainingOptions(**fields.pop("options"))
        shape = tuple((str(key), value) for key, value in fields.pop("dataset_options"))
        return cls(options=options, dataset_options=shape, **fields)

    def load_options(self) -> dict[str, Any]:
        """Arguments of `datasets.load_dataset` beside the name; defaults are left out."""
        seed = {"seed": self.dataset_seed} if self.dataset_seed else {}
        split = {"split": self.split} if self.split else {}
        return {**split, **seed, **dict(self.dataset_options)}
