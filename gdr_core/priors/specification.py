"""What a prior is, said once: the same record fills the menu, the command line and the errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from gdr_core.gate import shown
from gdr_core.option import Option

COSTS = ("instant", "seconds", "minutes")


def _as_given(options: dict[str, Any], dataset: str | None = None) -> dict[str, Any]:
    """Options that leave nothing to a recommendation."""
    return options


@dataclass(frozen=True)
class PriorSpec:
    """A prior: the function that computes it and what people and programs must know of it.

    function          (dataset, *, seed, progress, **options) -> non-negative scores, one row per
                      node and one column per class; `compute` turns them into probabilities
    random            whether the result depends on the seed
    needs_training    whether every class must have a training node
    reads_validation  whether the labels of validation nodes are used, to stop training early
    cost              "instant", "seconds" or "minutes" on a graph of 20,000 nodes
    resolved          (options, name of the dataset) -> options with every recommendation filled
                      in, so that a stored result is not taken for that of another recommendation
    revision          raised when the numbers change, so that older stored results are left aside
    """

    name: str
    label: str
    explanation: str
    function: Callable[..., np.ndarray]
    cost: str
    options: tuple[Option, ...] = ()
    random: bool = False
    needs_features: bool = False
    needs_graph: bool = False
    needs_training: bool = True
    reads_validation: bool = False
    resolved: Callable[..., dict[str, Any]] = _as_given
    revision: int = 1

    def __post_init__(self) -> None:
        if self.cost not in COSTS:
            raise ValueError(f"cost must be one of {COSTS}, got {self.cost!r}")

    @property
    def defaults(self) -> Mapping[str, Any]:
        """The default of every option, by name."""
        return MappingProxyType({option.name: option.default for option in self.options})

    def checked(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All options, the given ones checked and the others at their default."""
        if unknown := sorted(set(given) - set(self.defaults)):
            allowed = ", ".join(self.defaults) or "none"
            raise ValueError(
                f"{self.name} has no option {_named(unknown)}; its options are: {allowed}"
            )
        return {
            option.name: option.checked(given.get(option.name, option.default))
            for option in self.options
        }


def _named(names: list[str]) -> str:
    """Names as the error tells them: only the first, where they are many or long."""
    text = ", ".join(names)
    return text if len(text) <= 60 and text.isprintable() else shown(text)
