"""`train`: a network on a dataset, over several seeds."""

from __future__ import annotations

import argparse
import json
import sys
from time import perf_counter
from typing import TYPE_CHECKING, Any

from gdr_tools.cli.cluster import add_cluster, all_of

if TYPE_CHECKING:
    from gdr_core.neural import TrainingOptions

DESCRIPTION = """Train a two-layer network and report its accuracy as mean and spread over seeds.
The weights kept are those of the lowest validation loss; test accuracy is only reported."""


def register(subparsers: argparse._SubParsersAction) -> None:
    """Add the sub-command."""
    from gdr_core.laplacians import LAPLACIANS, WALKS
    from gdr_core.neural import MODELS

    parser = subparsers.add_parser("train", help="train a network", description=DESCRIPTION)
    add = parser.add_argument
    add("dataset", help="name of a dataset; `data` lists them")
    add("--model", choices=MODELS, default="diff-gcn", help="default: diff-gcn")
    add(
        "--direction",
        choices=WALKS,
        default=WALKS[0],
        help="edges that a layer walks; default: undirected",
    )
    add("--laplacian", choices=list(LAPLACIANS), help="of diff-gcn and heat-net; default: fits")
    add("--alpha", type=float, metavar="P", help="follow an edge with this probability (directed)")
    add("--split", help="default: the dataset's own")
    add("--seeds", type=int, default=1, metavar="N", help="train N times, seeds 0 … N−1")
    add("--epochs", type=int, metavar="N", help="default: found on validation data")
    add("--hidden", type=int, metavar="N", help="hidden units")
    add("--dropout", type=float, metavar="P")
    add("--learning-rate", type=float, metavar="R")
    add("--weight-decay", type=float, metavar="R")
    add("--patience", type=int, metavar="N", help="stop after N epochs without progress")
    add("--initial-time", type=float, metavar="T", help="in units of 1/typical rate")
    add("--time-learning-rate", type=float, metavar="R", help="of log t; 0 keeps t fixed")
    add("--json", action="store_true", help="print JSON")
    add_cluster(parser)
    parser.set_defaults(run=run)


_CHANGES = (
    "laplacian",
    "alpha",
    "epochs",
    "hidden",
    "dropout",
    "learning_rate",
    "weight_decay",
    "patience",
    "initial_time",
    "time_learning_rate",
)


def run(arguments: argparse.Namespace) -> int:
    """Train and print."""
    report = _train_seeds(arguments)
    print(json.dumps(report, indent=2) if arguments.json else as_text(report))
    return 0


def _train_seeds(arguments: argparse.Namespace) -> dict[str, Any]:
    """One run for each seed, as plain numbers."""
    from gdr_core.datasets import load_dataset
    from gdr_core.neural import use_one_thread

    use_one_thread()
    options = _options_of(arguments)
    dataset = load_dataset(arguments.dataset, split=arguments.split)
    if arguments.cluster:
        runs = _on_cluster(arguments, options)
    else:
        seeds = range(arguments.seeds)
        runs = [_one_run(dataset, options, seed, arguments.seeds) for seed in seeds]
    return {
        "dataset": dataset.name,
        "split": dataset.split.name,
        "options": options.as_dict(),
        "seeds": arguments.seeds,
        "validation_accuracy": spread(runs, "validation_accuracy"),
        "test_accuracy": spread(runs, "test_accuracy"),
        "time": spread(runs, "time"),
        "relative_time": spread(runs, "relative_time"),
        "runs": runs,
    }


def _options_of(arguments: argparse.Namespace) -> TrainingOptions:
    """What is found best for the model, with the changes asked for; nonsense is refused."""
    from gdr_core.laplacians import LAPLACIANS
    from gdr_core.neural import recommended
    from gdr_tools.cli import UsageError

    if not 1 <= arguments.seeds <= 1000:
        raise UsageError(f"--seeds must lie between 1 and 1000, got {arguments.seeds}")
    try:
        changes = {name: getattr(arguments, name) for name in _CHANGES}
        options = recommended(arguments.model, arguments.direction, arguments.dataset, **changes)
    except ValueError as error:
        raise UsageError(str(error)) from error
    if arguments.alpha is not None and not (
        options.laplacian and LAPLACIANS[options.laplacian].directed
    ):
        raise UsageError(
            "--alpha needs a directed Laplacian: use --model diff-gcn or heat-net with --direction "
            "forward, backward or augmented"
        )
    return options


def _one_run(dataset: Any, options: Any, seed: int, seeds: int) -> dict[str, Any]:
    """Train with one seed, with a line on stderr that keeps moving."""
    from gdr_core.neural import Training
    from gdr_tools.jobs.seeds import report_of

    clock = perf_counter()
    training = Training(dataset, options, seed)
    for record in training.records():
        _progress_line(record, options.epochs, seed, seeds)
    if sys.stderr.isatty():
        print(file=sys.stderr, flush=True)
    return report_of(training, perf_counter() - clock, training.epoch)


def _on_cluster(arguments: argparse.Namespace, options: Any) -> list[dict[str, Any]]:
    """The seeds trained by the workers of a cluster, each from its last checkpoint."""
    from gdr_tools.jobs.kinds import SEED

    asked = {"dataset": arguments.dataset, "split": arguments.split, "options": options.as_dict()}
    requests = {
        f"seed {seed + 1} of {arguments.seeds}": {**asked, "seed": seed}
        for seed in range(arguments.seeds)
    }
    found = all_of(arguments, SEED, requests)
    return [found[key] for key in requests]


def _progress_line(record: Any, epochs: int, seed: int, seeds: int) -> None:
    """One line that is written over itself in a terminal; ten lines a run in a file."""
    live = sys.stderr.isatty()
    if record.epoch % max(epochs // (100 if live else 10), 1) and record.epoch != epochs:
        return
    time = "" if record.relative_time is None else f"  t·r̄ {record.relative_time:.3f}"
    line = (
        f"seed {seed + 1} of {seeds}  epoch {record.epoch:>5} of {epochs}  "
        f"loss {record.train_loss:.3f}  validation loss {record.validation_loss:.3f} "
        f"accuracy {record.validation_accuracy:.1%}{time}"
    )
    print(f"\r{line} " if live else line, end="" if live else "\n", file=sys.stderr, flush=True)


def spread(runs: list[dict[str, Any]], name: str) -> dict[str, float | None] | None:
    """Mean and standard deviation over the seeds, or None where the model has no such number.

    The deviation is that of a sample, √(Σ(x − x̄)²/(n − 1)), as in the tables; one seed has none.
    """
    import numpy as np

    values = [run[name] for run in runs]
    if any(value is None for value in values):
        return None
    sd = float(np.std(values, ddof=1)) if len(values) > 1 else None
    return {"mean": float(np.mean(values)), "sd": sd}


def _with_spread(figure: dict[str, Any], mean: str, sd: str) -> str:
    """`0.72 ± 0.01`, each by its format; the mean alone of one seed.

    >>> _with_spread({"mean": 0.72, "sd": None}, ".1%", ".1%")
    '72.0%'
    """
    text = format(figure["mean"], mean)
    return text if figure["sd"] is None else f"{text} ± {format(figure['sd'], sd)}"


def as_text(report: dict[str, Any]) -> str:
    """The report for people."""
    options, runs = report["options"], report["runs"]
    laplacian = f", {options['laplacian']} Laplacian" if options["laplacian"] else ""
    if laplacian and options["direction"] != "undirected":
        laplacian += f", α = {options['alpha']:g}"
    lines = [
        f"{options['model']} on {report['dataset']} ({report['split']} split), "
        f"{options['direction']}{laplacian}, {report['seeds']} seed(s)",
        "",
    ]
    for part in ("validation", "test"):
        figure = report[f"{part}_accuracy"]
        lines.append(f"{part:<12}{_with_spread(figure, '.2%', '.2%')}")
    if report["time"]:
        absolute, relative = report["time"], report["relative_time"]
        lines.append(
            f"learned t   {_with_spread(absolute, '.4g', '.2g')} "
            f"= {_with_spread(relative, '.3f', '.3f')} typical-rate units"
        )
    epochs = [run["best_epoch"] for run in runs]
    each = 1000 * sum(run["seconds_per_epoch"] for run in runs) / len(runs)
    lines += [
        f"best epoch  {min(epochs)} to {max(epochs)} of {runs[0]['epochs']}, by validation loss",
        f"seconds     {sum(run['seconds'] for run in runs):.1f}, {each:.1f} ms an epoch",
    ]
    return "\n".join(lines)
