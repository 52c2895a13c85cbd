"""The command: see `tools.check_sentences`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from gdr_core import datasets
from tools.check_sentences import __doc__ as about
from tools.check_sentences import (
    auto,
    curves,
    directed,
    edges,
    examples,
    home,
    layers,
    pairs,
    prior,
    regions,
    structure,
    sureness,
    trust,
)
from tools.check_sentences.oracle import small_graphs
from tools.check_sentences.report import Report

CITATIONS = ("cora", "citeseer")
# For each subject what checks one small graph, and what is checked once.
_OF_GRAPHS: dict[str, Callable[[str], Report]] = {
    "edges": edges.check,
    "examples": examples.check,
    "prior": prior.check,
    "regions": regions.check,
    "structure": structure.check,
    "trust": trust.check,
    "pairs": pairs.check,
    "layers": layers.check,
    "sureness": sureness.check,
    "auto": auto.check,
}
ONCE: dict[str, Sequence[Callable[[], Report]]] = {
    "structure": (structure.check_randomised, structure.check_aligned, structure.check_stored),
    "directed": (directed.check_films,),
    "trust": (trust.every_gain, trust.check_table_6, trust.check_guard),
    "pairs": (pairs.check_shared, pairs.check_runs),
    "home": (home.check,),
}
SUBJECTS = ("curves", *dict.fromkeys([*_OF_GRAPHS, *ONCE]))
Job = tuple[str, str, Callable[[], Report]]


def options(given: Sequence[str] | None = None) -> argparse.Namespace:
    """What is asked for on the command line."""
    parser = argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--citations", action="store_true", help="Cora and Citeseer too")
    parser.add_argument("--step", type=int, default=1, help="every how many t_min, for curves")
    parser.add_argument("--full", action="store_true", help="all t_min by all methods, for curves")
    parser.add_argument("--only", choices=SUBJECTS, nargs="*", default=SUBJECTS)
    parser.add_argument("names", nargs="*", help="small graphs; all of them by default")
    return parser.parse_args(given)


def jobs(given: argparse.Namespace) -> Iterator[Job]:
    """What is checked: subject, name, and the check."""
    names = given.names or small_graphs()
    for name in names:
        if "curves" in given.only:
            yield "curves", name, partial(curves.check_small, name, given.step, full=given.full)
        for subject, check in _OF_GRAPHS.items():
            if subject in given.only:
                yield subject, name, lambda name=name, check=check: check(name)
        if "directed" in given.only and datasets.load_dataset(name).directed:
            yield "directed", name, lambda name=name: directed.check(name)
    for subject, checks in ONCE.items():
        for check in checks if subject in given.only else ():
            yield subject, check.__name__, check
    if given.citations:
        yield from _of_citations(given.only)


def _of_citations(only: Sequence[str]) -> Iterator[Job]:
    for name in CITATIONS:
        if "curves" in only:
            yield "curves", name, lambda name=name: curves.check_citations(name)
        if "prior" in only:
            yield "prior", name, lambda name=name: prior.check(name)
        if "trust" in only:
            yield "trust", name, lambda name=name: trust.check(name, 4)
        if "auto" in only:
            yield "auto", name, lambda name=name: auto.check(name)
        if "pairs" in only:
            yield "pairs", name, lambda name=name: pairs.check(name)
        if "structure" in only:
            yield "structure", name, lambda name=name: structure.check_homophily(name)
            yield "structure", name, lambda name=name: structure.check_sources(name, (0, 100))
            yield "structure", name, lambda name=name: structure.check_smoothing(name, "projection")
    if "directed" in only:
        yield "directed", "cora-directed", lambda: directed.check("cora-directed")


def main() -> int:
    """Run the checks and print what was found."""
    total = Report()
    for subject, name, job in jobs(options()):
        found = job()
        total += found
        print(_line(f"{subject} {name}", found), flush=True)
        for line in found.false[:5]:
            print("    ", line)
    print(_line("all", total))
    for kind, number in sorted(total.kinds.items()):
        print(f"     {kind:32s}{number:12,}")
    return int(bool(total.false))


def _line(name: str, found: Report) -> str:
    return (
        f"{name:30s} {found.sentences:9,} sentences {found.claims:11,} claims "
        f"{len(found.false):6,} false"
    )


if __name__ == "__main__":
    raise SystemExit(main())
