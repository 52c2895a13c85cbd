"""Training, one epoch at a time: it can be paused, stopped, saved and continued.

An epoch is one step of Adam on the cross-entropy of all training nodes, followed by a judgement of
the new weights, or of their moving average, without dropout. The weights with the lowest
validation loss are kept; no choice looks at test nodes, whose accuracy is reported only.
"""

from __future__ import annotations

import math
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from torch.nn.functional import cross_entropy

from gdr_core.datasets.features import row_normalised
from gdr_core.datasets.record import PARTS, Dataset
from gdr_core.neural.arrangement import Arrangement
from gdr_core.neural.network import TwoLayerNetwork, make_network
from gdr_core.neural.options import TrainingOptions, recommended
from gdr_core.neural.products import SparseFeatures
from gdr_core.neural.propagation import PROPAGATIONS
from gdr_core.progress import Progress, ignore


class Diverged(ValueError):
    """The loss of a run is no longer a finite number."""

    def __init__(self, epoch: int, loss: float):
        super().__init__(
            f"the training loss became {loss} at epoch {epoch}; "
            "use a smaller learning rate or raise the weight decay"
        )
        self.epoch = epoch


@dataclass(frozen=True)
class EpochRecord:
    """What one epoch left behind. Losses and accuracies are those of the weights after its step,
    without dropout; those of a part without nodes are NaN.

    time            t of a model that diffuses, in the units of its Laplacian; None for others
    relative_time   τ = t·r̄ with r̄ the typical rate of the Laplacian
    seconds         how long the epoch took
    """

    epoch: int
    train_loss: float
    validation_loss: float
    train_accuracy: float
    validation_accuracy: float
    test_accuracy: float
    time: float | None
    relative_time: float | None
    seconds: float


class Training:
    """A network on its dataset, its optimiser, and the best weights so far.

    `step` trains one epoch; `records` all that remain. `network` holds the current weights, `best`
    the record whose validation loss is lowest (the last record, where nothing validates).
    """

    def __init__(
        self, dataset: Dataset, options: TrainingOptions, seed: int = 0, device: str | None = None
    ):
        _check_dataset(dataset)
        self.dataset, self.options, self.seed = dataset, options, int(seed)
        self.device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        self.arrangement = Arrangement(dataset)
        arranged = self.arrangement.dataset
        generator = torch.Generator(self.device).manual_seed(self.seed)
        prepare = row_normalised if options.normalise_features else sp.csr_array
        self.network = make_network(
            options,
            SparseFeatures(prepare(arranged.features), device=self.device),
            PROPAGATIONS[options.model](arranged, options, self.device),
            dataset.classes,
            generator,
        )
        self.optimizer = torch.optim.Adam(parameter_groups(self.network, options), fused=True)
        self.judge = Judge(arranged, self.device)
        self.epoch = 0
        self.diverged = False
        self.best: EpochRecord | None = None
        self.best_weights = self._weights()
        self.average = self._weights()

    @property
    def finished(self) -> bool:
        """Whether all epochs are done, or patience has run out."""
        options, best = self.options, self.best
        waited = self.epoch - best.epoch if best else 0
        return self.epoch >= options.epochs or (
            options.patience is not None and waited >= options.patience
        )

    def step(self) -> EpochRecord:
        """One epoch."""
        start = time.perf_counter()
        self.network.train()
        self.optimizer.zero_grad()
        self.network.loss(self.judge, self.epoch).backward()
        self.optimizer.step()
        self.epoch += 1
        self._update_average()
        with self.judging():
            record = self._judged(start)
            self._keep_if_better(record)
        return record

    def records(self) -> Generator[EpochRecord, None, None]:
        """The epochs that remain, one at a time."""
        while not self.finished:
            yield self.step()

    def logits(self) -> torch.Tensor:
        """Scores of the current weights without dropout, nodes in the arrangement's order."""
        self.network.eval()
        with torch.no_grad():
            return self.network()

    @contextmanager
    def judging(self) -> Iterator[None]:
        """For a while the network has the weights that records judge: the current ones, or their
        moving average where `averaging` asks for it."""
        with self._holding(self.average if self.options.averaging else None):
            yield

    def probabilities(self, weights: str = "best") -> np.ndarray:
        """Class probabilities of all nodes, shape (nodes, classes), with the `best` weights (those
        of lowest validation loss) or the `current` ones. Rows sum to one."""
        if weights not in ("best", "current"):
            raise ValueError(f"weights must be 'best' or 'current', got {weights!r}")
        kept = self.best_weights if weights == "best" else None
        with self._holding(kept):
            logits = self.logits()
        return self.arrangement.restore(logits.double().softmax(dim=1).cpu().numpy())

    def _judged(self, start: float) -> EpochRecord:
        figures = self.judge(self.logits())
        if not math.isfinite(figures["train_loss"]):
            self.diverged = True
            raise Diverged(self.epoch, figures["train_loss"])
        propagation = self.network.propagation
        return EpochRecord(
            epoch=self.epoch,
            **figures,
            time=propagation.time,
            relative_time=propagation.relative_time,
            seconds=time.perf_counter() - start,
        )

    def _keep_if_better(self, record: EpochRecord) -> None:
        loss = record.validation_loss
        if self.best is None or math.isnan(loss) or loss < self.best.validation_loss:
            self.best = record
            self.best_weights = self._weights()

    def _update_average(self) -> None:
        """A ← βA + (1 − β)W, and the plain mean while fewer than 1/(1 − β) epochs are done."""
        if self.options.averaging:
            share = max(1 - self.options.averaging, 1 / self.epoch)
            for name, value in self.network.state_dict().items():
                self.average[name].lerp_(value, share)

    @contextmanager
    def _holding(self, weights: dict[str, torch.Tensor] | None) -> Iterator[None]:
        """For a while the network has these weights instead of its own."""
        if weights is None:
            yield
            return
        own = self._weights()
        self._put(weights)
        try:
            yield
        finally:
            self._put(own)

    def _put(self, weights: dict[str, torch.Tensor]) -> None:
        for name, value in self.network.state_dict().items():
            value.copy_(weights[name])

    def _weights(self) -> dict[str, torch.Tensor]:
        return {name: value.clone() for name, value in self.network.state_dict().items()}


class Judge:
    """Losses and accuracies of the parts of a split, from the logits of all nodes."""

    def __init__(self, dataset: Dataset, device: str):
        members = [getattr(dataset.split, part) for part in PARTS]
        self.sizes = [len(nodes) for nodes in members]
        self.nodes = torch.from_numpy(np.concatenate(members)).to(device)
        self.labels = torch.from_numpy(dataset.labels.copy()).to(device)[self.nodes]
        self.train = self.nodes[: self.sizes[0]]
        self.train_labels = self.labels[: self.sizes[0]]

    def training_loss(self, logits: torch.Tensor) -> torch.Tensor:
        """Mean cross-entropy of the training nodes."""
        return cross_entropy(logits[self.train], self.train_labels)

    def __call__(self, logits: torch.Tensor) -> dict[str, float]:
        """Losses of train and validation, accuracies of all three parts."""
        scores = logits[self.nodes]
        losses = cross_entropy(scores, self.labels, reduction="none").cpu().numpy()
        hits = (scores.argmax(dim=1) == self.labels).cpu().numpy()
        cuts = np.cumsum(self.sizes)[:-1]
        loss = [mean(part) for part in np.split(losses, cuts)]
        accuracy = [mean(part) for part in np.split(hits, cuts)]
        return {
            "train_loss": loss[0],
            "validation_loss": loss[1],
            "train_accuracy": accuracy[0],
            "validation_accuracy": accuracy[1],
            "test_accuracy": accuracy[2],
        }


def train(
    dataset: Dataset,
    options: TrainingOptions,
    seed: int = 0,
    checkpoint: str | Path | None = None,
) -> Generator[EpochRecord, None, Training]:
    """Train, yielding one record per epoch; the generator's return value is the `Training`.

    With `checkpoint` the run continues from that file if it exists, and writes it when it ends or
    is closed (not when it diverged). The records are then those of the remaining epochs, equal to
    those of a run that was never interrupted.
    """
    from gdr_core.neural.checkpoint import load_checkpoint, save_checkpoint

    path = None if checkpoint is None else Path(checkpoint)
    training = Training(dataset, options, seed)
    if path is not None and path.exists():
        load_checkpoint(path, training)
    try:
        yield from training.records()
    finally:
        if path is not None and not training.diverged:
            save_checkpoint(path, training)
    return training


def probabilities(
    model: str,
    dataset: Dataset,
    *,
    seed: int = 0,
    progress: Progress = ignore,
    **options: Any,
) -> np.ndarray:
    """Class probabilities of all nodes from a freshly trained network, shape (nodes, classes).

    model      one of MODELS, with the options recommended for it unless changed
    progress   hears of every epoch, and may raise `Cancelled`
    """
    chosen = recommended(model, **{"dataset": dataset.name, **options})
    training = Training(dataset, chosen, seed)
    for record in training.records():
        progress(
            record.epoch / chosen.epochs,
            f"{model}: epoch {record.epoch} of {chosen.epochs}, "
            f"validation {100 * record.validation_accuracy:.1f} %",
        )
    return training.probabilities()


def parameter_groups(network: TwoLayerNetwork, options: TrainingOptions) -> list[dict[str, Any]]:
    """What Adam optimises: weight decay where the model has it, a rate of its own for log t."""
    rate, held = options.learning_rate, network.penalised()
    times = list(network.propagation.parameters())
    known = {id(parameter) for parameter in (*held, *times)}
    free = [parameter for parameter in network.parameters() if id(parameter) not in known]
    groups: list[dict[str, Any]] = [
        {"params": held, "lr": rate, "weight_decay": options.weight_decay}
    ]
    if free:
        groups.append({"params": free, "lr": rate, "weight_decay": 0.0})
    for parameter in times:
        parameter.requires_grad_(options.time_learning_rate > 0)
    if times and options.time_learning_rate > 0:
        groups.append({"params": times, "lr": options.time_learning_rate, "weight_decay": 0.0})
    return groups


def _check_dataset(dataset: Dataset) -> None:
    """Refuse what cannot be learned from: no features, or a class without a training node."""
    if dataset.features.shape[1] == 0:
        raise ValueError(f"{dataset.name} has no features; a network needs some")
    seen = np.bincount(dataset.labels[dataset.split.train], minlength=dataset.classes)
    if missing := [dataset.class_names[i] for i in np.flatnonzero(seen == 0)]:
        raise ValueError(
            f"no training node has the class {', '.join(map(repr, missing))}: "
            "a network cannot learn it"
        )


def use_one_thread() -> None:
    """Let torch compute on one thread from now on, for a process that does nothing but train.

    Sums then do not depend on the number of cores, so a seed gives the same run everywhere; and
    on graphs this small a second thread costs more in waiting than it saves, above all when the
    machine is busy.
    """
    torch.set_num_threads(1)


def mean(values: np.ndarray) -> float:
    """The mean as a float, NaN of nothing."""
    return float(values.mean(dtype=np.float64)) if values.size else math.nan
