"""Seconds per epoch of diff-GCN and GCN, against each other and against named baselines.

All networks of one dataset train in the same loop in one process, in turns (one epoch each, again
and again), on one thread. What is compared are medians of processor time, which is what an epoch
takes on the clock of an idle machine; on a busy one the clock also counts waiting.
"""

from __future__ import annotations

import platform
from importlib.util import find_spec
from statistics import median
from time import process_time
from typing import Any

import torch

from gdr_core.datasets import load_dataset
from gdr_core.datasets.record import Dataset
from gdr_core.laplacians import Laplacian, make_laplacian
from gdr_core.neural import Training, recommended
from gdr_core.neural.heat import HeatKernel
from gdr_core.neural.products import drop, from_parts
from gdr_core.neural.propagation import Heat, Propagation
from gdr_core.neural.training import parameter_groups
from gdr_core.progress import Progress, ignore

DATASETS = ("cora", "pubmed", "wikipedia")
_WARM_UP = 5


def run(quick: bool = False, progress: Progress = ignore) -> dict[str, Any]:
    """Measure. `quick` takes Cora only."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        names = DATASETS[:1] if quick else DATASETS
        result: dict[str, Any] = {"torch": torch.__version__, "machine": platform.machine()}
        result["datasets"] = {
            name: measure(name, 60 if name == "cora" else 15, progress, i / (len(names) + 1))
            for i, name in enumerate(names)
        }
        progress(len(names) / (len(names) + 1), "cora: dense matrix exponential, some seconds")
        result["dense"] = _dense_kernel(load_dataset("cora"))
    finally:
        torch.set_num_threads(threads)
    progress(1.0, "done")
    return result


def measure(name: str, rounds: int, progress: Progress, fraction: float) -> dict[str, Any]:
    """Seconds per epoch of each network on one dataset, or why there is none."""
    try:
        dataset = load_dataset(name)
    except OSError as error:
        return {"skipped": str(error)}
    runs = _compared_networks(dataset)
    times: dict[str, list[float]] = {key: [] for key in runs}
    for i in range(_WARM_UP + rounds):
        progress(fraction, f"{name}: round {i + 1} of {_WARM_UP + rounds}")
        for key, training in runs.items():
            seconds = _timed_step(training)
            if i >= _WARM_UP:
                times[key].append(seconds)
    result: dict[str, Any] = {"seconds": {key: median(values) for key, values in times.items()}}
    if "pyg" not in runs:
        result["pyg"] = "PyTorch Geometric is not installed"
    return result


def _timed_step(training: Training) -> float:
    """Processor seconds of one epoch."""
    start = process_time()
    training.step()
    return process_time() - start


def _compared_networks(dataset: Dataset) -> dict[str, Training]:
    """The networks that take turns, each with the options recommended for it."""
    runs = {
        "gcn": Training(dataset, recommended("gcn")),
        "diff-gcn": Training(dataset, recommended("diff-gcn", dataset=dataset.name)),
        "diff-gcn symmetric": Training(dataset, recommended("diff-gcn", laplacian="symmetric")),
    }
    if find_spec("torch_geometric") is not None:
        runs["pyg"] = geometric(dataset, dense=False)
        runs["pyg dense"] = geometric(dataset, dense=True)
    return runs


def geometric(dataset: Dataset, dense: bool) -> Training:
    """The same training with PyTorch Geometric's GCNConv in place of our layers."""
    training = Training(dataset, recommended("gcn"))
    training.network = _geometric_network(training, dense)
    training.optimizer = torch.optim.Adam(
        parameter_groups(training.network, training.options), fused=True
    )
    return training


def _geometric_network(training: Training, dense: bool) -> Any:
    """Two GCNConv layers without bias, their normalised adjacency cached.

    GCNConv multiplies features and weights first, as we do. Its documentation has dense features;
    it also takes sparse ones, where dropout acts on the stored entries as in ours.
    """
    from torch_geometric.nn import GCNConv
    from torch_geometric.utils import from_scipy_sparse_matrix

    dataset, options = training.arrangement.dataset, training.options
    rows = training.network.features.rows

    class Geometric(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.generator = training.network.generator
            self.propagation = Propagation()
            self.edges = from_scipy_sparse_matrix(dataset.adjacency.tocoo())[0]
            self.one = GCNConv(rows.shape[1], options.hidden, cached=True, bias=False)
            self.two = GCNConv(options.hidden, dataset.classes, cached=True, bias=False)
            self.first, self.second = self.one.lin.weight, self.two.lin.weight
            self.table = rows.to_dense() if dense else rows.values()

        def forward(self) -> torch.Tensor:
            dropout = options.dropout if self.training else 0.0
            values = drop(self.table, dropout, self.generator)
            inputs = (
                values
                if dense
                else from_parts(rows.crow_indices(), rows.col_indices(), values, tuple(rows.shape))
            )
            hidden = self.one(inputs, self.edges).relu()
            return self.two(drop(hidden, dropout, self.generator), self.edges)

    return Geometric()


class _DenseKernel(HeatKernel):
    """e^{−tS} as a dense matrix, computed anew whenever t has changed.

    The kindest form of this baseline: one exponential per change of t serves all products, and
    the gradient in t uses our formula instead of differentiating through the exponential.
    """

    def __init__(self, laplacian: Laplacian):
        super().__init__(laplacian)
        self.dense = torch.from_numpy(laplacian.dense()).float()
        self.computed: tuple[float, torch.Tensor] | None = None

    def __call__(
        self, block: torch.Tensor, time: float, first: torch.Tensor | None = None
    ) -> torch.Tensor:
        """e^{−tS} V."""
        if self.computed is None or self.computed[0] != time:
            self.computed = (time, torch.matrix_exp(-time * self.dense))
        return self.computed[1] @ block


def _dense_kernel(dataset: Dataset) -> dict[str, float]:
    """Seconds per epoch with the dense kernel; one epoch is long enough to be measured."""
    training = Training(dataset, recommended("diff-gcn"))
    propagation = training.network.propagation
    assert isinstance(propagation, Heat)
    adjacency = training.arrangement.dataset.adjacency
    propagation.kernels = [_DenseKernel(make_laplacian("combinatorial", adjacency))]
    training.step()
    return {"seconds": _timed_step(training)}


COLUMNS = {
    "GCN": "gcn",
    "diff-GCN": "diff-gcn",
    "symmetric": "diff-gcn symmetric",
    "PyG sparse": "pyg",
    "PyG dense": "pyg dense",
}


def ratios(result: dict[str, Any]) -> dict[str, float]:
    """The ratios that matter, each in words; larger than one means the first is slower."""
    found: dict[str, float] = {}
    for name, entry in result["datasets"].items():
        seconds = entry.get("seconds", {})
        if seconds:
            found[f"{name}: diff-GCN / GCN"] = seconds["diff-gcn"] / seconds["gcn"]
            found[f"{name}: diff-GCN (symmetric L) / GCN"] = (
                seconds["diff-gcn symmetric"] / seconds["gcn"]
            )
        if "pyg" in seconds:
            fastest = min(seconds["pyg"], seconds["pyg dense"])
            found[f"{name}: GCN / PyG's GCNConv, its faster form"] = seconds["gcn"] / fastest
    heat = result["datasets"]["cora"]["seconds"]["diff-gcn"]
    found["cora: dense matrix_exp kernel / diff-GCN"] = result["dense"]["seconds"] / heat
    return found


def table(result: dict[str, Any]) -> str:
    """The result for people: milliseconds of each network, then the ratios."""
    lines = [f"{'milliseconds per epoch':<24}" + "".join(f"{name:>12}" for name in COLUMNS)]
    for name, entry in result["datasets"].items():
        lines += _dataset_lines(name, entry)
    lines += [f"dense kernel on cora: {result['dense']['seconds']:.1f} s per epoch", ""]
    lines += [f"{text:<52}{value:>10.2f}" for text, value in ratios(result).items()]
    return "\n".join(lines)


def _dataset_lines(name: str, entry: dict[str, Any]) -> list[str]:
    """A dataset's row of the table, and what could not be measured."""
    if "skipped" in entry:
        return [f"{name:<24}skipped: {entry['skipped']}"]
    cells = [entry["seconds"].get(key) for key in COLUMNS.values()]
    shown = ["—" if value is None else f"{1000 * value:.2f}" for value in cells]
    row = f"{name:<24}" + "".join(f"{text:>12}" for text in shown)
    return [row, f"{'':<24}{entry['pyg']}"] if "pyg" in entry else [row]
