"""`classify`: a dataset, a prior, and what reclassification makes of it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from gdr_core.gdr.reclassify import Stopwatch
from gdr_core.progress import ignore
from gdr_tools.cli import UsageError, own
from gdr_tools.cli.as_json import as_json

if TYPE_CHECKING:
    from gdr_core.gdr.result import GDRResult
    from gdr_core.method import Method

DESCRIPTION = """Compute a prior, let it diffuse over the graph, and relabel the nodes that
overshoot. The burn-in time t_min is chosen on the validation nodes; test accuracy is only
reported."""


def register(subparsers: argparse._SubParsersAction) -> None:
    """Add the sub-command."""
    from gdr_core.method import add_arguments

    parser = subparsers.add_parser(
        "classify", help="reclassify a dataset by diffusion", description=DESCRIPTION
    )
    add_arguments(parser, own=True)
    own.add_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Classify, print, and write what is asked for."""
    if arguments.auto and arguments.t_min is not None:
        raise UsageError("--auto chooses t_min on the validation nodes; leave out --t-min")
    watch = Stopwatch()
    reading = own.read_files(arguments)
    method = own.method_of(arguments, reading)
    dataset = method.load_dataset()
    watch.lap("data")
    prior = own.prior_of(method, dataset, reading, ignore)
    watch.lap("prior")
    progress = ignore if reading is None else own.bar("diffusion")
    said: dict[str, Any] = {}
    if arguments.auto:
        method, result, said = _automatic_choice(method, dataset, prior, progress)
    else:
        laplacian = method.make_laplacian(dataset)
        watch.lap("laplacian")
        result = method.reclassify(dataset, prior, laplacian, progress)
    result = own.at_t_min(arguments.t_min, result, reading)
    own.write(arguments, method, dataset, result)
    source = own.t_min_source(arguments.t_min, result)
    report = {
        **describe(method),
        **outcome(result),
        **said,
        "t_min_source": source,
        "seconds": {**watch.laps, **result.seconds},
    }
    print(as_json(report, indent=2) if arguments.json else as_text(report))
    return 0


def _automatic_choice(
    method: Method, dataset: Any, prior: Any, progress: Any
) -> tuple[Method, GDRResult, dict[str, Any]]:
    """The method with the Laplacian and rule that the validation nodes choose, and its result.

    Where the prior is kept, the labels of the result are the prior's.
    """
    from gdr_core.gdr import verdict

    found = method.choose(dataset, prior, progress)
    said = {
        "automatic": found.sentence,
        "verdict": verdict(found.gain),
        "keeps_prior": found.keeps_prior,
        "candidates": [vars(candidate) for candidate in found.candidates],
    }
    return method.decided(found.decision), found.decided, said


def describe(method: Method) -> dict[str, Any]:
    """What was asked for."""
    return {
        "dataset": method.dataset.name,
        "split": method.dataset.split,
        "seed": method.seed,
        "prior": method.prior,
        "laplacian": method.laplacian,
        "direction": method.direction if method.is_directed else None,
        "alpha": method.alpha if method.is_directed else None,
        "rule": method.rule,
        "stationary": method.stationary,
    }


def outcome(result: GDRResult) -> dict[str, Any]:
    """What came out, at the t_min that was chosen."""
    from gdr_core.gdr import verdict

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
        "still_wrong": int(changes.still_wrong.sum()),
        "unknown": int(changes.not_judged.sum()),
        "never_overshooting": int(result.never_overshooting().sum()),
        "verdict": verdict(result.at().gain),
        "confidence": sureness(result),
        "error_bound": result.error_bound,
        "products": result.trajectories.products,
    }


def sureness(result: GDRResult) -> dict[str, Any]:
    """Expected calibration error on the validation nodes, of raw shares and once calibrated.

    Calibrated, each half of the nodes is judged by the temperature fitted on the other half.
    None where there are too few nodes to say.
    """
    from gdr_core.gdr import confidence

    found = confidence(result)
    errors = [float(each.error) for each in (found.before, found.held_out)]
    before, after = (error if error == error else None for error in errors)
    return {
        "temperature": found.calibration.temperature if found.calibration.enough else None,
        "validation_nodes": found.calibration.nodes,
        "error_before": before,
        "error_after": after,
        "doubt": found.doubt,
    }


def as_text(report: dict[str, Any]) -> str:
    """The report for people."""
    direction = f" {report['direction']}, α = {report['alpha']:g}" if report["direction"] else ""
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
        if prior[part] == prior[part]  # not a number where no node of the part has a class
    ]
    lines += [
        "",
        f"t_min        {report['t_min']:.4g} = {report['t_min_relative']:.4g} relaxation times "
        f"(1/λ₂ = {report['relaxation_time']:.4g}), {report['t_min_source']}",
        f"relabelled   {report['relabelled']} nodes: {report['fixed']} fixed, "
        f"{report['broken']} broken, {report['still_wrong']} changed but still wrong{unknown}",
        f"verdict      {report.get('automatic', report['verdict'])}",
        f"overshoot    {report['never_overshooting']} nodes at which no class overshoots",
        f"confidence   {_sure_words(report['confidence'])}",
        f"error        every p_j(t) within {report['error_bound']:.1e} (proved), "
        f"{report['products']} sparse products",
        "seconds      " + ", ".join(f"{k} {v:.2f}" for k, v in report["seconds"].items()),
    ]
    return "\n".join(lines)


def _sure_words(found: dict[str, Any]) -> str:
    """How far confidence is from accuracy, before and after calibration."""
    if found["error_after"] is None:
        nodes = found["validation_nodes"]
        few = f"{nodes:,} validation node{'' if nodes == 1 else 's'} of known class"
        return f"not judged: {few} cannot fit a temperature and judge it"
    return (
        f"expected calibration error {100 * found['error_before']:.1f} points as raw shares, "
        f"{100 * found['error_after']:.1f} calibrated (temperature {found['temperature']:.3g}; "
        f"on {found['validation_nodes']:,} validation nodes, each half judged by the other's "
        f"temperature). {found['doubt']}"
    ).rstrip(" .")
