"""What can be chosen about a training run, checked before anything is computed."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, fields
from typing import Any

from gdr_core.laplacians import LAPLACIANS, WALKS
from gdr_core.laplacians.directed import check_alpha

MODELS = ("mlp", "gcn", "diff-gcn")
LARGEST_EPOCHS = 100_000
FITTING = {
    "undirected": "combinatorial",
    "forward": "directed-normalised",
    "backward": "directed-normalised",
    "augmented": "directed-random-walk",
}


@dataclass(frozen=True)
class TrainingOptions:
    """One training run. Defaults are Kipf's settings where the paper names no others.

    model                mlp, gcn or diff-gcn
    direction            which edges a layer walks: the graph without directions, A, Aᵀ, or both
                         with weights of their own (augmented)
    laplacian            of diff-gcn only; None takes `combinatorial` for undirected walks,
                         `directed-normalised` for one direction, `directed-random-walk` for both
    hidden               number of hidden units
    dropout              probability that an input of either layer is dropped
    learning_rate        of Adam, for the weights
    weight_decay         L2 penalty on the first layer's weights
    averaging            β of the moving average of the weights that is judged and kept; 0: none
    epochs               passes over the training nodes
    patience             stop after so many epochs without a lower validation loss; None: never
    initial_time         of diff-gcn: τ = t·r̄, with r̄ the typical rate of the Laplacian: 1 for
                         normalised ones, the mean degree of a neighbour for D − A
    time_learning_rate   of Adam, for log t; 0 keeps t as it is
    alpha                probability of following an edge, for directed Laplacians
    tolerance            bound on the 2-norm of the error of the heat operator
    normalise_features   divide each row of X by the sum of its absolute values
    """

    model: str = "diff-gcn"
    direction: str = "undirected"
    laplacian: str | None = None
    hidden: int = 16
    dropout: float = 0.5
    learning_rate: float = 0.01
    weight_decay: float = 5e-4
    averaging: float = 0.0
    epochs: int = 200
    patience: int | None = None
    initial_time: float = 4.0
    time_learning_rate: float = 0.001
    alpha: float = 0.85
    tolerance: float = 1e-3
    normalise_features: bool = True

    def __post_init__(self) -> None:
        one_of("model", self.model, MODELS)
        one_of("direction", self.direction, WALKS)
        if self.model == "mlp" and self.direction != "undirected":
            raise ValueError(f"an mlp does not use the graph; direction {self.direction!r} is void")
        object.__setattr__(self, "laplacian", self._checked_laplacian())
        within("hidden", self.hidden, 1, 4096, whole=True)
        within("epochs", self.epochs, 1, LARGEST_EPOCHS, whole=True)
        if self.patience is not None:
            within("patience", self.patience, 1, LARGEST_EPOCHS, whole=True)
        within("dropout", self.dropout, 0, 0.99)
        within("averaging", self.averaging, 0, 0.9999)
        within("weight_decay", self.weight_decay, 0, 1e6)
        within("time_learning_rate", self.time_learning_rate, 0, 10)
        for name in ("learning_rate", "initial_time", "tolerance"):
            positive(name, getattr(self, name))
        within("tolerance", self.tolerance, 1e-14, 0.1)
        check_alpha(self.alpha)

    def _checked_laplacian(self) -> str | None:
        if self.model != "diff-gcn":
            if self.laplacian is not None:
                raise ValueError(f"a Laplacian is used by diff-gcn only, not by {self.model}")
            return None
        directed = self.direction != "undirected"
        name = FITTING[self.direction] if self.laplacian is None else self.laplacian
        one_of("laplacian", name, tuple(LAPLACIANS))
        if LAPLACIANS[name].directed != directed:
            fitting = [key for key, kind in LAPLACIANS.items() if kind.directed == directed]
            raise ValueError(
                f"direction {self.direction!r} does not go with the Laplacian {name!r}; "
                f"use {' or '.join(fitting)}"
            )
        return name

    def as_dict(self) -> dict[str, Any]:
        """The options as plain values, for JSON and for checkpoints."""
        return asdict(self)


_AVERAGED = {"averaging": 0.97, "learning_rate": 0.02, "epochs": 300}
ONE_WAY = {**_AVERAGED, "normalise_features": False, "weight_decay": 1e-3, "initial_time": 2.0}
SETTINGS: dict[tuple[str, str], dict[str, Any]] = {
    ("mlp", "undirected"): {"weight_decay": 1e-3},
    ("gcn", "forward"): _AVERAGED,
    ("gcn", "backward"): _AVERAGED,
    ("diff-gcn", "undirected"): _AVERAGED,
    ("diff-gcn", "forward"): ONE_WAY,
    ("diff-gcn", "backward"): ONE_WAY,
    ("diff-gcn", "augmented"): {
        "averaging": 0.97,
        "epochs": 400,
        "dropout": 0.7,
        "normalise_features": False,
        "weight_decay": 5e-3,
        "initial_time": 1.5,
    },
}


_FOR_DATASETS: dict[tuple[str, str, str], dict[str, Any]] = {
    ("diff-gcn", "undirected", "pubmed"): {"initial_time": 22.0},
    ("diff-gcn", "undirected", "wikipedia"): {
        "initial_time": 1.0,
        "learning_rate": 0.05,
        "weight_decay": 1e-4,
        "epochs": 600,
        "patience": 100,
    },
}


def recommended(
    model: str, direction: str = "undirected", dataset: str | None = None, **changes: Any
) -> TrainingOptions:
    """The options found best on validation loss for a model and a direction, with changes.

    dataset   a name; where the best options for it are others than usual, those are taken
    changes   options by name; None leaves the recommendation
    """
    settings = {
        "model": model,
        "direction": direction,
        **SETTINGS.get((model, direction), {}),
        **_FOR_DATASETS.get((model, direction, str(dataset)), {}),
        **{name: value for name, value in changes.items() if value is not None},
    }
    known = [field.name for field in fields(TrainingOptions)]
    if unknown := [name for name in settings if name not in known]:
        raise ValueError(f"unknown training option {unknown[0]!r}; there are {', '.join(known)}")
    return TrainingOptions(**settings)


def one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    """Refuse a choice that is not on the list."""
    if value not in allowed:
        raise ValueError(f"unknown {name} {value!r}; there are {', '.join(allowed)}")


def within(name: str, value: float, low: float, high: float, whole: bool = False) -> None:
    """Refuse a number outside [low, high], or one that should be whole and is not."""
    if whole and (isinstance(value, bool) or int(value) != value):
        raise ValueError(f"{name} must be a whole number, got {value!r}")
    if not low <= value <= high:
        raise ValueError(f"{name} must lie between {low} and {high}, got {value}")


def positive(name: str, value: float) -> None:
    """Refuse zero, negative numbers, NaN and infinity."""
    if not (value > 0 and math.isfinite(value)):
        raise ValueError(f"{name} must be positive and finite, got {value}")
