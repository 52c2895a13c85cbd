"""`classify`: a dataset, a prior, and what reclassification makes of it."""

from __future__ import annotations

import argparse
import json
from time import perf_counter
from typing import Any

from gdr_core.cli import own

DESCRIPTION = """Compute a prior, let it diffuse over the graph, and relabel the nodes that
overshoot. The burn-in time t_min is chosen on the validation nodes; test accuracy is only
reported."""


def register(subparsers: argparse._SubParsersAction) -> None:
    """Add the sub-command."""
    from gdr_core.gdr.options import SPACINGS
    from gdr_core.gdr.rules import RULES
    from gdr_core.laplacians import DIRECTIONS, LAPLACIANS, SCOPES
    from gdr_core.priors import PRIORS

    parser = subparsers.add_parser(
        "classify", help="reclassify a dataset by diffusion", description=DESCRIPTION
    )
    add = parser.add_argument
    add("dataset", nargs="?", help="name of a dataset; `data` lists them")
    add("--prior", choices=sorted(PRIORS), default="projection", help="default: %(default)s")
    add(
        "--probabilities", metavar="FILE", help="CSV or NPY of class probabilities (external prior)"
    )
    add("--rule", choices=list(RULES), default="overshoot", help="default: %(default)s")
    add("--laplacian", choices=list(LAPLACIANS), help="default: combinatorial, or directed")
    add("--direction", choices=DIRECTIONS, help="walk along A or its transpose (directed graphs)")
    add("--alpha", type=float, default=0.85, help="follow an edge with this probability (directed)")
    add("--stationary", choices=SCOPES, default="global", help="default: %(default)s")
    add("--split", help="default: the dataset's own")
    add("--seed", type=int, default=0, help="default: %(default)s")
    add("--times", type=int, default=200, metavar="N", help="size of the time grid")
    add(
        "--window",
        type=float,
        nargs=2,
        default=(1e-4, None),
        metavar=("FIRST", "LAST"),
        help="time window in relaxation times; default: 0.0001 1, with a later end if directed",
    )
    add("--spacing", choices=SPACINGS, default="logarithmic", help="default: %(default)s")
    add("--tolerance", type=float, default=1e-7, help="largest error, proved; default: %(default)s")
    add("--json", action="store_true", help="print JSON")
    own.add_arguments(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Classify and print."""
    report = classify(arguments)
    print(json.dumps(report, indent=2) if arguments.json else as_text(report))
    return 0


def classify(arguments: argparse.Namespace) -> dict[str, Any]:
    """Everything that the command prints, as plain numbers."""
    from gdr_core import priors
    from gdr_core.gdr import GDROptions, reclassify
    from gdr_core.laplacians import make

    seconds: dict[str, float] = {}
    clock = perf_counter()
    dataset = own.dataset_of(arguments)
    kind, adjacency = graph_of(dataset, arguments)
    seconds["data"] = perf_counter() - clock
    clock = perf_counter()
    options = own.prior_options(arguments)
    prior = priors.compute(arguments.prior, dataset, seed=arguments.seed, **options)
    seconds["prior"] = perf_counter() - clock
    clock = perf_counter()
    laplacian = make(
        kind, adjacency, direction=arguments.direction or "forward", alpha=arguments.alpha
    )
    seconds["laplacian"] = perf_counter() - clock
    result = reclassify(
        laplacian,
        prior,
        dataset.labels,
        dataset.split,
        GDROptions(
            rule=arguments.rule,
            stationary=arguments.stationary,
            first=arguments.window[0],
            last=arguments.window[1],
            count=arguments.times,
            spacing=arguments.spacing,
            tolerance=arguments.tolerance,
        ),
        progress=own.bar("diffusion"),
    )
    result = own.with_t_min(arguments, dataset, result)
    own.write(arguments, dataset, result, kind)
    seconds.update(result.seconds)
    source = {"t_min_source": own.t_min_source(arguments, dataset)}
    return {**describe(arguments, dataset, kind), **outcome(result), **source, "seconds": seconds}


def graph_of(dataset: Any, arguments: argparse.Namespace) -> tuple[str, Any]:
    """Which Laplacian to use and the adjacency it needs."""
    from gdr_core.cli import UsageError
    from gdr_core.laplacians import LAPLACIANS

    kind = arguments.laplacian or ("directed" if dataset.directed else "combinatorial")
    if arguments.direction and not LAPLACIANS[kind].directed:
        raise UsageError(
            f"--direction needs a directed Laplacian, but the {kind} one has no direction; use "
            "--laplacian directed or directed-normalized"
        )
    return kind, dataset.adjacency if LAPLACIANS[kind].directed else dataset.undirected


def describe(arguments: argparse.Namespace, dataset: Any, kind: str) -> dict[str, Any]:
    """What was asked for."""
    from gdr_core.laplacians import LAPLACIANS

    return {
        "dataset": dataset.name,
        "split": dataset.split.name,
        "seed": arguments.seed,
        "prior": arguments.prior,
        "laplacian": kind,
        "direction": (arguments.direction or "forward") if LAPLACIANS[kind].directed else None,
        "rule": arguments.rule,
        "stationary": arguments.stationary,
    }


def outcome(result: Any) -> dict[str, Any]:
    """What came out, at the t_min chosen on validation."""
    changes = result.changes()
    parts = ("validation", "test")
    return {
        "prior_accuracy": {part: result.prior_accuracy[part] for part in parts},
        "gdr_accuracy": {part: float(result.accuracy[part][result.chosen]) for part in parts},
        "t_min": float(result.times[result.chosen]),
        "t_min_relative": float(result.relative_times[result.chosen]),
        "relaxation_time": result.relaxation_time,
        "relabelled": int(result.scan.relabelled[result.chosen]),
        "fixed": int(changes.fixed.sum()),
        "broken": int(changes.broken.sum()),
        "still_wrong": int(changes.shifted.sum()),
        "unknown": int(changes.unknown.sum()),
        "never_overshooting": int(result.never_overshooting().sum()),
        "error_bound": result.error_bound,
        "products": result.trajectories.products,
    }


def as_text(report: dict[str, Any]) -> str:
    """The report for people."""
    direction = f" {report['direction']}" if report["direction"] else ""
    prior, gdr = report["prior_accuracy"], report["gdr_accuracy"]
    unknown = f", {report['unknown']} of unknown class" if report["unknown"] else ""
    lines = [
        f"{report['dataset']} ({report['split']} split), prior {report['prior']}, "
        f"{report['laplacian']} Laplacian{direction}, rule {report['rule']}, "
        f"stationary state {report['stationary']}, seed {report['seed']}",
        "",
        f"{'accuracy':<12}{'prior':>9}{'GDR':>9}{'gain':>9}",
    ]
    lines += [
        f"{part:<12}{prior[part]:>9.1%}{gdr[part]:>9.1%}{100 * (gdr[part] - prior[part]):>+9.1f}"
        for part in prior
        if prior[part] == prior[part]
    ]
    lines += [
        "",
        f"t_min        {report['t_min']:.4g} = {report['t_min_relative']:.4g} relaxation times "
        f"(1/λ₂ = {report['relaxation_time']:.4g}), {report['t_min_source']}",
        f"relabelled   {report['relabelled']} nodes: {report['fixed']} fixed, "
        f"{report['broken']} broken, {report['still_wrong']} changed but still wrong{unknown}",
        f"overshoot    {report['never_overshooting']} nodes never overshoot",
        f"error        every p_j(t) within {report['error_bound']:.1e} (proved), "
        f"{report['products']} sparse products",
        "seconds      " + ", ".join(f"{k} {v:.2f}" for k, v in report["seconds"].items()),
    ]
    return "\n".join(lines)
