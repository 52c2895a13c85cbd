"""What a search came to: the setting that validation nodes chose, and what others would have given.

The choice is the highest mean validation accuracy over the seeds of the search; of equals, the
first of the grid. Test accuracies are read for the report alone. The best of them over the whole
grid is a bound: whoever chooses by test nodes gets it, and no honest choice does.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean, stdev

from gdr_tools.paper.attempts.grids import Setting, Shortfall
from gdr_tools.paper.attempts.search import Attempts, choose, column

_ROUNDING = 0.05  # points: the paper prints one digit


@dataclass(frozen=True, eq=False)
class Outcome:
    """The outcome for one number; accuracies in percent.

    settings            how many were tried
    chosen, validation  what validation nodes chose, and its accuracy there, mean over the search
    test, spread        its test accuracy: mean over all its seeds and standard deviation (0 for
                        one run)
    present, present_validation   the setting of the committed tables, and its accuracy there
    bound, bound_setting          the best mean test accuracy of any setting in the search
    single              the best test accuracy of any single run
    reaching            settings whose mean test accuracy reaches the paper's number
    nodes               test nodes
    tabled              test accuracies of the tables' own runs of their setting, by seed; these are
                        beside the search and choose nothing
    """

    shortfall: Shortfall
    settings: int
    chosen: Setting
    validation: float
    test: float
    spread: float
    seeds: int
    present: Setting
    present_validation: float
    bound: float
    bound_setting: Setting
    single: float
    reaching: int
    nodes: int
    tabled: tuple[float, ...] = ()

    @property
    def gap(self) -> float:
        """Points that the honest choice lies below the paper's number; negative: above it."""
        return self.shortfall.paper - self.test

    @property
    def error(self) -> float:
        """√(p(1 − p)/n) in points: the sampling error of the paper's p on n test nodes."""
        return sampling_error(self.shortfall.paper, self.nodes)

    @property
    def best_mean(self) -> float:
        """The best mean test accuracy of any setting, in the search or in the tables."""
        return max(self.bound, fmean(self.tabled)) if self.tabled else self.bound

    @property
    def best_single(self) -> float:
        """The best test accuracy of any single run, in the search or in the tables."""
        return max((self.single, *self.tabled))

    @property
    def reached(self) -> bool:
        """Whether the honest choice reaches the paper's number as it is printed."""
        return reaches(self.test, self.shortfall.paper)


def sampling_error(percent: float, nodes: int) -> float:
    """√(p(1 − p)/n) in points.

    >>> sampling_error(50, 2500)
    1.0
    """
    p = percent / 100
    return 100 * (p * (1 - p) / nodes) ** 0.5


def reaches(test: float, paper: float) -> bool:
    """Whether an accuracy in percent rounds to the paper's number or to more."""
    return test >= paper - _ROUNDING


def outcome(shortfall: Shortfall, attempts: Attempts, tabled: tuple[float, ...] = ()) -> Outcome:
    """Read the runs of a finished search, and what the tables' own runs reached."""
    settings = list(shortfall.settings())
    chosen = choose(shortfall, attempts.runs)
    searched = [column(shortfall, attempts.runs, each, 1) for each in settings]
    means = [fmean(values) for values in searched]
    best = max(range(len(settings)), key=means.__getitem__)
    tests = column(shortfall, attempts.runs, chosen, 1, final=True)
    return Outcome(
        shortfall,
        len(settings),
        chosen,
        fmean(column(shortfall, attempts.runs, chosen, 0)),
        fmean(tests),
        stdev(tests) if len(tests) > 1 else 0.0,
        len(tests),
        shortfall.present,
        fmean(column(shortfall, attempts.runs, shortfall.present, 0)),
        means[best],
        settings[best],
        max(max(values) for values in searched),
        sum(reaches(value, shortfall.paper) for value in means),
        attempts.nodes[shortfall.key]["test"],
        tabled,
    )


def mean_and_spread(tests: tuple[float, ...]) -> str:
    """Mean ± standard deviation of some runs; of one run its accuracy.

    >>> mean_and_spread((70.0, 72.0))
    '71.0 ± 1.4 over 2 seeds'
    """
    if len(tests) < 2:
        return f"{tests[0]:.1f}"
    return f"{fmean(tests):.1f} ± {stdev(tests):.1f} over {len(tests)} seeds"
