"""What is said about one number: its settings, and why it differs from the paper's."""

from __future__ import annotations

from collections.abc import Iterator

from gdr_core.gdr import RULES
from gdr_tools.paper.attempts.outcome import reaches, sampling_error
from gdr_tools.paper.attempts.report import nodes_at, place_of, sentence_for
from gdr_tools.paper.board import Number
from gdr_tools.paper.gains import printed_pair
from gdr_tools.paper.notes import VISIBLE, note_for


def settings_of(number: Number) -> list[tuple[str, str]]:
    """What one must know to judge a number: reading, t_min, seeds, time, settings, versions."""
    result = number.result
    if result is None:
        return [("result", "none stored yet")]
    lines = [("data", f"{number.cell.dataset}, {number.cell.split} split")]
    if number.path[0] == "gdr":
        found = result["gdr"][number.path[1]]
        lines += [
            ("rule", number.path[1]),
            ("t_min", f"{found['t_min_relative']:.4g} relaxation times, t = {found['t_min']:.4g}"),
            ("relabelled", f"{found['relabelled']:,.0f} nodes"),
            ("Laplacian", f"{result['laplacian']}, {number.cell.direction}"),
        ]
    if seeds := number.seeds:
        lines.append(("seeds", _seeds(seeds)))
    if seconds := result.get("seconds"):
        spent = ", ".join(f"{value:.2g} s for the {name}" for name, value in seconds.items())
        lines.append(("time a seed", spent.replace("the gdr", "GDR")))
    if given := {k: v for k, v in result.get("settings", {}).items() if v is not None}:
        lines.append(("settings", ", ".join(f"{key} {value}" for key, value in given.items())))
    lines.append(("versions", versions_line(result["versions"])))
    return lines


def _seeds(seeds: list[int]) -> str:
    if len(seeds) == 1:
        return "one run, nothing is random"
    return f"{len(seeds)}: {seeds[0]} to {seeds[-1]}"


def note_of(number: Number) -> str:
    """What is known of a visible difference from the paper's number; see `notes`.

    Where nobody has written anything, what the stored results themselves tell: how far away the
    prior is, and the same run read by the other rules.
    """
    if number.counted or number.difference is None or abs(number.difference) < VISIBLE:
        return ""
    return written_note(number) or " ".join([*_prior_gap(number), *_other_rules(number)])


def written_note(number: Number) -> str:
    """What somebody has written about a visible difference, by the rule that it is read by."""
    return note_for((number.table, number.row, number.head), number.rule, number.difference)


def attempt_of(number: Number) -> str:
    """What one more search came to for a number that falls short of the paper's; see `attempts`.

    Where that search is not finished, how much the gap weighs beside sampling and seeds.
    """
    if number.counted or number.difference is None or number.difference >= 0:
        return ""
    return sentence_for(number) or _weight_of_gap(number, nodes_at(place_of(number)))


def _weight_of_gap(number: Number, nodes: int | None) -> str:
    """The gap in standard errors of the test nodes, and how many seeds reach the number."""
    if nodes is None or number.paper is None or number.difference is None:
        return ""
    gap, paper = -number.difference, number.paper
    tests = number.by_seed(number.result).values()
    return (
        f"The gap of {gap:.1f} points is {gap / sampling_error(paper, nodes):.1f} standard errors "
        f"of a set of {nodes:,} test nodes; {sum(reaches(test, paper) for test in tests)} of "
        f"{len(tests)} seeds reach the paper's {paper:.1f}."
    )


def _prior_gap(number: Number) -> Iterator[str]:
    """A sentence if the prior is visibly away from the paper's, to the same side."""
    printed = printed_pair(number.cell)[0]
    if number.rule is None or number.result is None or printed is None:
        return
    gap = 100 * number.result["prior"]["test"] - printed
    if abs(gap) >= VISIBLE and gap * (number.difference or 0.0) > 0:
        side = "above" if gap > 0 else "below"
        yield f"The prior is already {abs(gap):.1f} points {side} the paper's (see there)."


def _other_rules(number: Number) -> Iterator[str]:
    """The same run read by the other rules; where `reference` is closer, whose rule that is.

    That the paper's tables are closest to `reference` or `peak` is not said: over all stored
    numbers of table 2 the three rules are equally far away.
    """
    if number.rule is None or number.difference is None or number.paper is None:
        return
    others = {
        rule: gap
        for rule in RULES
        if rule != number.rule and (gap := number.with_rule(rule).difference) is not None
    }
    texts = [
        f"by `{rule}` {number.paper + gap:.1f} ({signed_points(gap)})"
        for rule, gap in others.items()
    ]
    yield f"The same run gives {' and '.join(texts)}."
    closer = abs(others.get("reference", number.difference)) < abs(number.difference)
    if number.rule == "overshoot" and closer:
        yield "The paper's equations are `overshoot`; its published code does `reference`."


def signed_points(value: float) -> str:
    """Points of accuracy with their sign, `same` where one digit shows none."""
    text = f"{value:+.1f}"
    return "same" if text in ("+0.0", "-0.0") else text.replace("-", "−")


def versions_line(versions: dict[str, str]) -> str:
    """`gdr_core 0.1.0, python 3.11.7, …`."""
    return ", ".join(f"{name} {number}" for name, number in versions.items())
