"""What is tried for each number that falls short: hypotheses of what the authors may have run.

A setting has two parts. The first is what a run needs, one value of each of `axes`; the second is
how a run is read, one value of each of `readings`, which costs no new run. Every product of the two
is a setting, and validation nodes choose one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from gdr_core.gdr import RULES
from gdr_core.laplacians import SCOPES
from gdr_tools.paper import published

Setting = dict[str, Any]
Axes = dict[str, tuple[Any, ...]]
_FINAL_SEEDS = 10


@dataclass(frozen=True)
class Shortfall:
    """A number of the paper that ours does not reach, and the grid that is searched for it.

    places     where it stands, keys as in `notes.NOTES`
    paper      what the paper prints, in percent
    kind       which of `run.KINDS` computes a run
    tabled     what the committed tables have that is not the first value of its axis or reading
    seeds      runs of every setting while searching; the chosen one has `final` of them
    fixed      values of the axes with which nothing is random, so that one run is enough
    """

    key: str
    title: str
    places: tuple[tuple[str, str, str], ...]
    paper: float
    dataset: str
    kind: str
    axes: Axes
    readings: Axes
    seeds: int
    split: str = "public"
    tabled: Setting = field(default_factory=dict)
    final: int = _FINAL_SEEDS
    fixed: tuple[Any, ...] = ()

    @property
    def present(self) -> Setting:
        """The setting that the committed tables have."""
        return {name: values[0] for name, values in (self.axes | self.readings).items()} | (
            self.tabled
        )

    def seeds_of(self, setting: Setting, final: bool = False) -> range:
        """The seeds that a setting needs while searching, or when it is the chosen one."""
        if any(value in self.fixed for value in self.run_of(setting).values()):
            return range(1)
        return range(self.final if final else self.seeds)

    def runs(self) -> Iterator[Setting]:
        """Every combination of the axes."""
        return combinations(self.axes)

    def settings(self) -> Iterator[Setting]:
        """Every setting: a combination of the axes and a way to read it."""
        return combinations(self.axes | self.readings)

    def run_of(self, setting: Setting) -> Setting:
        """The part of a setting that a run needs."""
        return {name: setting[name] for name in self.axes}

    def reading_of(self, setting: Setting) -> Setting:
        """The part of a setting that says how a run is read."""
        return {name: setting[name] for name in self.readings}


def combinations(axes: Axes) -> Iterator[Setting]:
    """Every choice of one value of each axis, the last axis running fastest."""
    for values in product(*axes.values()):
        yield dict(zip(axes, values, strict=True))


def words(setting: Setting) -> str:
    """`features raw, kernel linear`: a setting as text, and as a key."""
    return ", ".join(f"{name} {value}" for name, value in setting.items())


_GDR: Axes = {
    "rule": tuple(RULES),
    "π": tuple(SCOPES),
    "times": ("logarithmic", "linear"),
}
_WEIGHTS: Axes = {"weights": ("best", "last")}
_FEATURES = ("row-normalised", "raw")

SVM = Shortfall(
    "svm-cora",
    "SVM, then GDR, on Cora",
    (("2 GDR", "svm", "cora"), ("4", "svm", "undirected, public split")),
    published.GDR["svm"][1] or 0.0,
    "cora",
    "svm",
    {
        "features": ("row-normalised", "raw", "unit-rows"),
        "kernel": ("rbf-scale", "rbf-auto", "linear", "cubic"),
        "probabilities": ("pairwise", "pairwise on plain folds", "softmax", "labels"),
    },
    _GDR,
    seeds=3,
    tabled={"rule": "reference"},
    fixed=("softmax", "labels"),
)
MLP = Shortfall(
    "mlp-citeseer",
    "MLP, then GDR, on Citeseer",
    (("2 GDR", "mlp", "citeseer"),),
    published.GDR["mlp"][0] or 0.0,
    "citeseer",
    "mlp",
    {
        "features": _FEATURES,
        "recipe": ("plain", "offsets"),
        "weight_decay": (5e-4, 1e-3),
        "stopping": ("200 epochs", "1,000 epochs with patience 10"),
    },
    _WEIGHTS | _GDR,
    seeds=2,
    tabled={"weight_decay": 1e-3},
)
GCN = Shortfall(
    "gcn-backward",
    "GCN backward on Cora",
    (("5", "gcn", "backward, paper-directed split"),),
    published.DIRECTED_NETWORKS["gcn"][2],
    "cora-directed",
    "gcn",
    {
        "normalisation": ("row sums", "column sums", "row and column sums", "rows alone"),
        "features": _FEATURES,
        "recipe": ("plain", "offsets"),
        "training": ("averaged", "Kipf's"),
    },
    _WEIGHTS,
    seeds=3,
    split="paper-directed",
)
_DIFFUSIVE = Shortfall(
    "diff-gcn-wikipedia",
    "diff-GCN on Wikipedia",
    (("3", "diff-gcn", "wikipedia"),),
    published.NETWORKS["diff-gcn"][3] or 0.0,
    "wikipedia",
    "diff-gcn",
    {"initial_time": (1.0, 6.5), "features": ("row-normalised",)},
    _WEIGHTS,
    seeds=2,
    final=2,
)
SHORTFALLS = {each.key: each for each in (SVM, MLP, GCN, _DIFFUSIVE)}
