"""The outcome of the attempts in words: a report beside the runs, and a sentence for each number.

Every sentence is made from the stored runs; where a search is not finished the report says what of
it was run, and nothing of what came out.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import fmean

from gdr_tools.paper.attempts.grids import SHORTFALLS, Setting, Shortfall, words
from gdr_tools.paper.attempts.outcome import Outcome, mean_and_spread, outcome, reaches
from gdr_tools.paper.attempts.search import (
    Attempts,
    column,
    missing,
    own_path,
    run_key,
    stored_path,
)
from gdr_tools.paper.board import Number, tables
from gdr_tools.paper.store import Store

HEAD = """# Numbers that fall short of the paper's

Written by `python -m gdr_core attempts`; do not edit by hand. `attempts.json` beside this file
holds every run. For each number that ours do not reach, a grid of settings that the authors may
have had is searched; where the search is not finished, it says so. The setting with the highest
validation accuracy, mean over the seeds of the search, is chosen; its test accuracy is then read
over more seeds, mean ± standard deviation. A standard error is √(p(1 − p)/n) with p the paper's
number and n the test nodes. The tables have runs of their own, which are told beside those of the
search: of the same setting, but more of them, or by an earlier version of the program.

The bound is the best mean test accuracy of any setting in the grid. It is chosen by test nodes, so
no honest choice can count on it: it tells what the grid could give at the very most. Validation
accuracies of what was chosen are flattered, being the largest of many; most of all where t_min is
the plain maximum over many times (`linear`) instead of a smoothed one.
"""
_MEANINGS = {
    "kernel": "a Gaussian of width 1/(features · variance) or 1/features, a dot product, or its "
    "third power; C = 50",
    "probabilities": "a sigmoid for each pair of classes, fitted to stratified folds or to folds "
    "that ignore the classes; the softmax of the decision values; or the labels alone",
    "times": "t_min from 200 times spaced evenly in log t, by validation accuracy averaged over "
    "nearby times; or from the first 500 of 1,000 times spaced evenly over one relaxation time, by "
    "validation accuracy as it is",
    "π": "the mean over the whole graph, or over each component",
    "recipe": "plain: no offsets, dropout on both inputs, weight decay on the first layer; "
    "offsets: an offset after each layer, dropout between them, weight decay on everything",
    "weights": "those of the lowest validation loss, or those of the last epoch",
    "normalisation": "how Ā = A + I is divided: by roots of its row sums on both sides (the "
    "paper's formula), of its column sums, of one on each side, or by its row sums alone",
    "training": "averaged: ours, 300 epochs at a learning rate of 0.02 and averaged weights; "
    "Kipf's: 200 epochs at 0.01",
    "initial_time": "where the learned time of the diffusion starts, in units of the mean rate",
}


def write_report(attempts: Attempts) -> Path:
    """README.md beside the runs."""
    path = attempts.path.with_name("README.md")
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(f".{os.getpid()}.part")
    fresh.write_text(document(attempts), encoding="utf-8")
    fresh.replace(path)
    return path


def document(attempts: Attempts) -> str:
    """The whole report."""
    parts = [HEAD]
    for shortfall in SHORTFALLS.values():
        parts.append(f"## {shortfall.title}\n")
        parts += _section(shortfall, attempts)
    return "\n".join(parts).rstrip() + "\n"


def _section(shortfall: Shortfall, attempts: Attempts) -> Iterator[str]:
    if missing(shortfall, attempts.runs):
        yield from _unfinished(shortfall, attempts)
        return
    found = outcome(shortfall, attempts, tabled_runs(shortfall))
    yield f"{sentences(found)}\n"
    yield "| | validation | test | setting |"
    yield "|---|---|---|---|"
    yield from _rows(found, attempts)
    yield ""
    yield "What was tried, with the best validation accuracy of each value:\n"
    yield from _axes(shortfall, attempts)
    yield ""


def _unfinished(shortfall: Shortfall, attempts: Attempts) -> Iterator[str]:
    """What was run of a search that is not finished, and what was not."""
    made = [
        (setting, run_key(shortfall, setting, seed) in attempts.runs)
        for setting in shortfall.runs()
        for seed in shortfall.seeds_of(setting)
    ]
    done = sum(run for _, run in made)
    if done == len(made):
        left = len(missing(shortfall, attempts.runs))
        yield (
            f"All {done} runs of the grid were made; of the setting that validation nodes choose "
            f"{left} more were not run, so its test accuracy is not told.\n"
        )
        return
    yield (
        f"The search is not finished: {done} of {len(made)} runs of the grid were made. Before all "
        "are there nothing is chosen, and no test accuracy is told.\n"
    )
    for name, values in shortfall.axes.items():
        if len(values) < 2:
            continue
        said = []
        for value in values:
            runs = [run for setting, run in made if setting[name] == value]
            said.append(f"{value}: {sum(runs) or 'none'} of {len(runs)} runs")
        yield f"- **{name.replace('_', ' ')}**{_meaning(name)}: {'; '.join(said)}."
    yield ""


def _meaning(name: str) -> str:
    return f" ({_MEANINGS[name]})" if name in _MEANINGS else ""


def _rows(found: Outcome, attempts: Attempts) -> Iterator[str]:
    test = f"{found.test:.1f}" + (f" ± {found.spread:.1f}" if found.seeds > 1 else "")
    yield f"| chosen | {found.validation:.1f} | **{test}** | {shown(found.chosen)} |"
    others = {"as in the tables": found.present, "bound": found.bound_setting}
    for name, setting in others.items():
        judged, read = (
            fmean(column(found.shortfall, attempts.runs, setting, part)) for part in (0, 1)
        )
        yield f"| {name} | {judged:.1f} | {read:.1f} | {shown(setting)} |"
    if found.tabled:
        tests = mean_and_spread(found.tabled)
        yield f"| the tables' own runs | | {tests} | {shown(found.present)} |"
    yield f"| the paper | | {found.shortfall.paper:.1f} | |"


def _axes(shortfall: Shortfall, attempts: Attempts) -> Iterator[str]:
    judged = [
        (setting, fmean(column(shortfall, attempts.runs, setting, 0)))
        for setting in shortfall.settings()
    ]
    for name, values in (shortfall.axes | shortfall.readings).items():
        best = [
            f"{value} {max(right for setting, right in judged if setting[name] == value):.1f}"
            for value in values
        ]
        yield f"- **{name.replace('_', ' ')}**{_meaning(name)}: {'; '.join(best)}."


def shown(setting: Setting) -> str:
    """A setting for readers: names of options as words."""
    return words({name.replace("_", " "): value for name, value in setting.items()})


def sentences(found: Outcome) -> str:
    """What was tried, what came of it, and what the paper's number would need."""
    parts = [_tried(found), _came(found)]
    return " ".join(parts if found.reached else [*parts, _needed(found)])


def _tried(found: Outcome) -> str:
    """What validation nodes chose of how many settings."""
    gain = found.validation - found.present_validation
    beside = (
        "the setting of the tables itself"
        if found.chosen == found.present
        else f"{shown(found.chosen)}; {found.validation:.1f} % there, {gain:.1f} points above the "
        "setting of the tables"
    )
    return (
        f"One more attempt: of {found.settings} settings that the authors may have had, validation "
        f"nodes choose {beside}."
    )


def _came(found: Outcome) -> str:
    """Its test accuracy beside the paper's number."""
    if found.tabled and found.chosen == found.present and not found.reached:
        return _came_twice(found)
    runs = f" ± {found.spread:.1f} over {found.seeds} seeds" if found.seeds > 1 else ""
    test = f"Its test accuracy is {found.test:.1f}{runs}"
    if found.reached:
        return f"{test}, which reaches the paper's {found.shortfall.paper:.1f}."
    return (
        f"{test}, {found.gap:.1f} points below the paper's {found.shortfall.paper:.1f}: "
        f"{found.gap / found.error:.1f} standard errors of a set of {found.nodes:,} test nodes."
    )


def _came_twice(found: Outcome) -> str:
    """The same where the tables have runs of the chosen setting, too."""
    runs = f" ± {found.spread:.1f} over {found.seeds} seeds" if found.seeds > 1 else ""
    gap, paper = found.shortfall.paper - fmean(found.tabled), found.shortfall.paper
    return (
        f"Its test accuracy is {found.test:.1f}{runs} in the search and "
        f"{mean_and_spread(found.tabled)} in the tables, {found.gap:.1f} and {gap:.1f} points "
        f"below the paper's {paper:.1f}: {found.gap / found.error:.1f} and "
        f"{gap / found.error:.1f} standard errors of a set of {found.nodes:,} test nodes."
    )


def _needed(found: Outcome) -> str:
    """What the grid could give at the very most, if test nodes chose."""
    paper = f"{found.shortfall.paper:.1f}"
    if found.reaching:
        some = "1 setting" if found.reaching == 1 else f"{found.reaching} settings"
        return (
            f"{some} of the grid would reach {paper} (at most {found.bound:.1f}), but only test "
            "nodes tell which, and they must not choose."
        )
    luckiest = f"{found.best_single:.1f}"
    alone = (
        f"but single runs do, the luckiest with {luckiest}"
        if reaches(found.best_single, found.shortfall.paper)
        else f"and the luckiest single run at {luckiest}"
    )
    return (
        f"No setting of the grid reaches {paper} in the mean: even the one that test nodes would "
        f"choose ends at {found.best_mean:.1f}, {alone}."
    )


def tabled_runs(shortfall: Shortfall) -> tuple[float, ...]:
    """Test accuracies of the tables' own runs of their setting, by seed; none if not stored."""
    for table in tables(Store()):
        for number in table.numbers:
            if place_of(number) in shortfall.places:
                return runs_of(number, shortfall)
    return ()


def runs_of(number: Number, shortfall: Shortfall) -> tuple[float, ...]:
    """The runs behind a number of the tables, by the rule that the shortfall names."""
    rule = shortfall.present.get("rule")
    return tuple((number.with_rule(rule) if rule else number).by_seed(number.result).values())


def sentence_for(number: Number) -> str:
    """What the attempts came to for a number of the tables, empty where there was none."""
    key = _key_at(place_of(number))
    return _stored_sentences(key, runs_of(number, SHORTFALLS[key])) if key else ""


def place_of(number: Number) -> tuple[str, str, str]:
    """Where a number stands, as `Shortfall.places` has it."""
    return (number.table, number.row, number.head)


def nodes_at(place: tuple[str, str, str]) -> int | None:
    """How many test nodes a number that was searched for is of; None for other numbers."""
    key = _key_at(place)
    return _stored().nodes.get(key, {}).get("test") if key else None


def _key_at(place: tuple[str, str, str]) -> str | None:
    return next((key for key, each in SHORTFALLS.items() if place in each.places), None)


@cache
def _stored() -> Attempts:
    return Attempts(own_path() if os.path.exists(own_path()) else stored_path())


@cache
def _stored_sentences(key: str, tabled: tuple[float, ...]) -> str:
    shortfall, attempts = SHORTFALLS[key], _stored()
    return (
        "" if missing(shortfall, attempts.runs) else sentences(outcome(shortfall, attempts, tabled))
    )
