"""What other diffusion times would do for a network as it stands."""

from __future__ import annotations

import math

import numpy as np
import torch

from gdr_core.neural.propagation import Heat
from gdr_core.neural.training import Training


def validation_at(training: Training, relative_times: np.ndarray) -> np.ndarray:
    """Validation accuracy of the judged weights W with t replaced by each of the given values.

    relative_times are τ = t·r̄. The weights were learned along with the run's own t, so this
    tells where t would go next, not what a network trained at that t would reach. The run goes
    on as if nothing had been asked.
    """
    propagation = training.network.propagation
    if not isinstance(propagation, Heat):
        raise ValueError(f"{training.options.model} has no diffusion time")
    with training.judging(), torch.no_grad():
        own = propagation.log_time.clone()
        try:
            return np.array([_accuracy(training, propagation, tau) for tau in relative_times])
        finally:
            propagation.log_time.copy_(own)


def _accuracy(training: Training, propagation: Heat, relative_time: float) -> float:
    propagation.log_time.fill_(math.log(relative_time))
    return training.judge(training.logits())["validation_accuracy"]
