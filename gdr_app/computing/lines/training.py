"""A training run as Python: the lines that repeat it, bit by bit on the same kind of machine."""

from __future__ import annotations

from dataclasses import fields
from typing import Final

from gdr_app.computing.runs import run_behind
from gdr_core.method.lines import PriorLines
from gdr_core.neural import TrainingOptions
from gdr_tools.jobs import Report
from gdr_tools.jobs.report import FINISHED

IMPORTS: Final = "from gdr_core.neural import Training, TrainingOptions, use_one_thread\n"
TRAINING: Final = """\
use_one_thread()  # sums in the same order as in the worker
training = Training(
    dataset,
    TrainingOptions(
{options}
    ),
    seed={seed},
    device="cpu",
)
for record in training.records():
{body}
"""
LINES: Final = """\
{imports}
{dataset}{training}
print(training.best)  # the epoch of the lowest validation loss
probabilities = training.probabilities()
"""


def _training_lines(report: Report) -> str:
    """The lines that train again on `dataset`, to where the run ended."""
    defaults = {field.name: field.default for field in fields(TrainingOptions)}
    chosen = {
        name: value
        for name, value in report.job.options.as_dict().items()
        if name == "model" or value != defaults[name]
    }
    stop = f"    if record.epoch == {report.epoch}:\n        break"
    return TRAINING.format(
        options="\n".join(f"        {name}={value!r}," for name, value in chosen.items()),
        seed=report.job.seed,
        body="    pass" if report.state == FINISHED else stop,
    ).rstrip()


def python_of(report: Report, own_imports: str = "", own_dataset: str = "") -> str:
    """All lines that repeat a run.

    own_imports, own_dataset   lines that make `dataset` where it is the visitor's own
    """
    job = report.job
    arguments = [repr(job.dataset)] + [f"{k}={v!r}" for k, v in job.load_options().items()]
    loading = "from gdr_core.datasets import load_dataset\n"
    return LINES.format(
        imports=(own_imports or loading) + IMPORTS,
        dataset=own_dataset or f"dataset = load_dataset({', '.join(arguments)})\n",
        training=_training_lines(report),
    )


def lines_of_run(prior: str) -> PriorLines | None:
    """The lines for a prior that is a training run; None for all others."""
    run = run_behind(prior)
    if run is None:
        return None
    return PriorLines(IMPORTS, f"{_training_lines(run)}\n", "training.probabilities()")
