"""Training on a small graph: contract of every model, resuming, stopping, bad input."""

import re
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
import torch

from gdr_app.train.texts import MATHEMATICS
from gdr_core import datasets
from gdr_core.datasets.record import Dataset, Provenance, Split
from gdr_core.laplacians import WALKS
from gdr_core.neural import (
    MODELS,
    Diverged,
    Training,
    TrainingOptions,
    load_checkpoint,
    probabilities,
    recommended,
    save_checkpoint,
    train,
)
from gdr_core.neural.network import TwoLayerNetwork
from gdr_core.neural.options import DIFFUSING
from gdr_core.neural.products import SparseFeatures
from gdr_core.neural.propagation import Heat, Propagation
from gdr_core.progress import Cancelled

GROUP, CLASSES, WORDS = 15, 3, 12


def communities(directed: bool = True, seed: int = 0) -> Dataset:
    """Three groups that link mostly inside, and whose features name the group with noise."""
    random = np.random.default_rng(seed)
    nodes = GROUP * CLASSES
    labels = np.repeat(np.arange(CLASSES), GROUP)
    chance = np.where(labels[:, None] == labels[None, :], 0.25, 0.01)
    links = np.triu(random.random((nodes, nodes)) < chance, k=1)
    flip = random.random((nodes, nodes)) < 0.5
    edges = (links & flip) | (links & ~flip).T if directed else links | links.T
    words = random.random((nodes, WORDS)) < 0.15
    words |= (np.arange(WORDS)[None, :] % CLASSES == labels[:, None]) & (
        random.random((nodes, WORDS)) < 0.4
    )
    order = random.permutation(nodes)
    return Dataset(
        name="communities",
        adjacency=sp.csr_array(edges.astype(float)),
        features=sp.csr_array(words.astype(float)),
        labels=labels,
        class_names=("a", "b", "c"),
        node_names=tuple(map(str, range(nodes))),
        split=Split(
            np.array([0, 1, 15, 16, 30, 31]),
            order[~np.isin(order, [0, 1, 15, 16, 30, 31])][:15],
            order[~np.isin(order, [0, 1, 15, 16, 30, 31])][15:],
            "made",
        ),
        directed=directed,
        layout=np.zeros((nodes, 2)),
        provenance=Provenance("made", "none", "none"),
    )


COMBINATIONS = [
    (model, direction)
    for model in MODELS
    for direction in WALKS
    if model not in ("mlp", "appnp", "semi-embedding") or direction == "undirected"
]


def numbers(record: object) -> dict[str, object]:
    values = asdict(record)  # type: ignore[call-overload]
    del values["seconds"]
    return values


@pytest.mark.parametrize(("model", "direction"), COMBINATIONS)
def test_contract_of_every_model(model: str, direction: str) -> None:
    dataset = communities()
    options = recommended(model, direction, epochs=40, learning_rate=0.05)
    training = Training(dataset, options, seed=1)
    records = list(training.records())
    chances = training.probabilities()
    assert [record.epoch for record in records] == list(range(1, 41))
    assert records[-1].train_loss < records[0].train_loss
    assert chances.shape == (dataset.nodes, CLASSES)
    assert chances.dtype == np.float64
    assert np.allclose(chances.sum(axis=1), 1, atol=1e-12)
    assert (records[0].time is not None) == (model in DIFFUSING)
    best = min(records, key=lambda record: record.validation_loss)
    assert training.best == best
    test = dataset.split.test
    found = (chances.argmax(axis=1) == dataset.labels)[test].mean()
    assert found == pytest.approx(best.test_accuracy)


@pytest.mark.parametrize("kind", ["combinatorial", "symmetric", "random-walk", "max-entropy"])
def test_every_undirected_laplacian_trains(kind: str) -> None:
    options = TrainingOptions(laplacian=kind, epochs=3)
    records = list(Training(communities(), options).records())
    assert all(np.isfinite(record.train_loss) for record in records)


def test_graph_models_beat_chance_and_learn_t() -> None:
    options = TrainingOptions(epochs=150, learning_rate=0.05, time_learning_rate=0.01)
    training = Training(communities(directed=False), options)
    records = list(training.records())
    assert training.best is not None
    assert training.best.test_accuracy > 0.8
    assert records[0].time != records[-1].time
    assert all(record.time is not None and record.time > 0 for record in records)


def test_time_stands_still_with_learning_rate_zero() -> None:
    options = TrainingOptions(epochs=5, time_learning_rate=0, initial_time=1.5)
    records = list(Training(communities(), options).records())
    assert [record.relative_time for record in records] == pytest.approx([1.5] * 5)


def test_tiny_time_makes_the_mlp() -> None:
    dataset = communities()
    heat = TrainingOptions(epochs=10, initial_time=1e-12, time_learning_rate=0)
    found = [
        Training(dataset, options, seed=5).step().train_loss
        for options in (heat, TrainingOptions(model="mlp", epochs=10))
    ]
    assert found[0] == pytest.approx(found[1], rel=1e-6)


def test_augmented_network_is_the_sum_of_both_channels() -> None:
    """The paper's equation with the Kronecker product, written out densely."""
    from gdr_core.neural.propagation import Convolution, convolution_matrix

    dataset = communities()
    forward, backward = dataset.adjacency, sp.csr_array(dataset.adjacency.T)
    network = TwoLayerNetwork(
        SparseFeatures(dataset.features),
        Convolution([forward, backward]),
        5,
        CLASSES,
        0.0,
        torch.Generator().manual_seed(0),
    )
    features = dataset.features.toarray()
    spread = [convolution_matrix(graph).toarray() for graph in (forward, backward)]
    first = np.split(network.first.detach().numpy(), 2, axis=1)
    second = np.split(network.second.detach().numpy(), 2, axis=1)
    hidden = np.maximum(sum(P @ features @ W for P, W in zip(spread, first, strict=True)), 0)
    expected = sum(P @ hidden @ W for P, W in zip(spread, second, strict=True))
    assert np.allclose(network().detach().numpy(), expected, atol=1e-5)


def test_dropout_keeps_the_mean() -> None:
    features = SparseFeatures(sp.csr_array(np.ones((200, 300))))
    ones = torch.ones(300, 1)
    image = features.product(ones, 0.5, torch.Generator().manual_seed(0))
    assert float(image.mean()) == pytest.approx(300, rel=0.01)
    assert float(image.std()) > 1


def test_seeds_fix_everything() -> None:
    dataset, options = communities(), TrainingOptions(epochs=8)
    one, same, other = (
        [numbers(record) for record in Training(dataset, options, seed).records()]
        for seed in (3, 3, 4)
    )
    assert one == same
    assert one != other


def test_order_of_nodes_is_the_datasets_own() -> None:
    dataset = communities()
    training = Training(dataset, TrainingOptions(epochs=1))
    assert np.array_equal(
        training.arrangement.restore(training.arrangement.dataset.labels), dataset.labels
    )
    assert not np.array_equal(training.arrangement.order, np.arange(dataset.nodes))


@pytest.mark.parametrize("averaging", [0.0, 0.9])
def test_stop_at_77_and_resume_equals_the_uninterrupted_run(
    tmp_path: Path, averaging: float
) -> None:
    dataset, path = communities(), tmp_path / "run.pt"
    options = TrainingOptions(direction="augmented", epochs=120, averaging=averaging)
    whole = Training(dataset, options, seed=2)
    expected = [numbers(record) for record in whole.records()]
    stopped = train(dataset, options, seed=2, checkpoint=path)
    first = [numbers(next(stopped)) for _ in range(77)]
    stopped.close()
    rest = [numbers(record) for record in train(dataset, options, seed=2, checkpoint=path)]
    assert first + rest == expected
    ended = load_checkpoint(path, Training(dataset, options, seed=2))
    assert np.array_equal(ended.probabilities(), whole.probabilities())
    assert list(train(dataset, options, seed=2, checkpoint=path)) == []


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"model": "gcn", "laplacian": None}, "model 'diff-gcn', not 'gcn'"),
        ({"hidden": 8}, "hidden 16, not 8"),
        ({"laplacian": "symmetric"}, "laplacian 'combinatorial', not 'symmetric'"),
    ],
)
def test_checkpoint_of_another_model_is_refused_by_name(
    tmp_path: Path, change: dict, text: str
) -> None:
    dataset, path, options = communities(), tmp_path / "run.pt", TrainingOptions(epochs=2)
    save_checkpoint(path, Training(dataset, options))
    with pytest.raises(ValueError, match=text):
        load_checkpoint(path, Training(dataset, replace(options, **change)))


def test_checkpoint_of_another_dataset_or_seed_is_refused(tmp_path: Path) -> None:
    path, options = tmp_path / "run.pt", TrainingOptions(epochs=2)
    save_checkpoint(path, Training(communities(), options))
    renamed = replace(communities(), name="elsewhere")
    with pytest.raises(ValueError, match=r"communities.*dataset 'communities', not 'elsewhere'"):
        load_checkpoint(path, Training(renamed, options))
    with pytest.raises(ValueError, match="data"):
        load_checkpoint(path, Training(communities(seed=1), options))
    with pytest.raises(ValueError, match="seed 0, not 1"):
        load_checkpoint(path, Training(communities(), options, seed=1))


@pytest.mark.parametrize("content", [b"", b"hello", b"\x80\x02cos\nsystem\n(S'true'\ntR."])
def test_damaged_or_foreign_checkpoint_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "run.pt"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="not a checkpoint"):
        load_checkpoint(path, Training(communities(), TrainingOptions(epochs=2)))


def test_failing_disk_leaves_the_old_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, training = tmp_path / "run.pt", Training(communities(), TrainingOptions(epochs=2))
    save_checkpoint(path, training)
    before = path.read_bytes()

    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(torch, "save", full)
    with pytest.raises(OSError, match=r"could not be written.*No space left"):
        save_checkpoint(path, training)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_progress_is_reported_and_cancels() -> None:
    heard: list[float] = []

    def listen(fraction: float, message: str) -> None:
        heard.append(fraction)
        if len(heard) == 4:
            raise Cancelled

    with pytest.raises(Cancelled):
        probabilities("gcn", communities(), epochs=10, progress=listen)
    assert heard == pytest.approx([0.1, 0.2, 0.3, 0.4])


def test_patience_ends_a_run() -> None:
    options = TrainingOptions(model="mlp", epochs=2000, patience=5, learning_rate=0.1)
    training = Training(communities(), options)
    last = list(training.records())[-1]
    assert training.best is not None
    assert last.epoch == training.best.epoch + 5 < 2000


def test_young_average_is_the_mean_of_all_weights() -> None:
    training = Training(communities(), TrainingOptions(model="gcn", epochs=8, averaging=0.9))
    seen = []
    for _ in training.records():
        seen.append(training.network.first.detach().clone())
    assert torch.allclose(training.average["first"], torch.stack(seen).mean(dim=0), atol=1e-6)
    assert not torch.allclose(training.average["first"], seen[-1], atol=1e-6)


def test_diverging_run_names_its_epoch(tmp_path: Path) -> None:
    options = TrainingOptions(model="gcn", epochs=50, learning_rate=1e30)
    path = tmp_path / "run.pt"
    with pytest.raises(Diverged, match=r"at epoch \d") as caught:
        list(train(communities(), options, checkpoint=path))
    assert 1 <= caught.value.epoch <= 50
    assert not path.exists()


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"learning_rate": 0}, "learning_rate must be positive, got 0"),
        ({"learning_rate": float("nan")}, "learning_rate"),
        ({"learning_rate": float("inf")}, "learning_rate"),
        ({"epochs": 0}, "epochs must be a whole number from 1 to 100000, got 0"),
        ({"epochs": 1_000_000}, "epochs must be a whole number from 1 to 100000"),
        ({"epochs": 1.5}, "whole number"),
        ({"dropout": 1.0}, "dropout"),
        ({"dropout": -0.1}, "dropout"),
        ({"hidden": 0}, "hidden"),
        ({"weight_decay": -1}, "weight_decay"),
        ({"initial_time": 0}, "initial_time"),
        ({"time_learning_rate": -1}, "time_learning_rate"),
        ({"tolerance": 0}, "tolerance"),
        ({"alpha": 0}, "alpha"),
        ({"patience": 0}, "patience"),
        ({"averaging": 1}, "averaging"),
        ({"model": "gat"}, "unknown model 'gat'; there are mlp, gcn, diff-gcn"),
        ({"direction": "up"}, "unknown direction 'up'"),
        ({"laplacian": "round"}, "unknown laplacian 'round'"),
        ({"laplacian": "directed"}, "direction 'undirected' does not go with"),
        ({"laplacian": "symmetric", "direction": "forward"}, "directed or directed-normalised"),
        ({"model": "gcn", "laplacian": "symmetric"}, "used by diff-gcn only"),
        ({"model": "mlp", "direction": "forward"}, "does not use the graph"),
    ],
)
def test_bad_options_are_refused(change: dict, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        TrainingOptions(**change)


def test_unknown_option_is_refused() -> None:
    with pytest.raises(ValueError, match=r"unknown training option.*layers"):
        recommended("gcn", layers=3)


def test_class_without_training_node_is_refused() -> None:
    dataset = communities()
    lonely = dataset.with_split(Split(np.array([0, 1, 15]), dataset.split.validation, np.array([])))
    with pytest.raises(ValueError, match="no training node has the class 'c'"):
        Training(lonely, TrainingOptions())


def test_dataset_without_features_is_refused() -> None:
    bare = replace(communities(), features=sp.csr_array((GROUP * CLASSES, 0)))
    with pytest.raises(ValueError, match="has no features"):
        Training(bare, TrainingOptions())


@pytest.mark.parametrize("fill", [0.0, 1.0])
def test_empty_rows_and_constant_features_train(fill: float) -> None:
    words = np.full((GROUP * CLASSES, 4), fill)
    words[: GROUP // 2] = 1 - fill
    dataset = replace(communities(), features=sp.csr_array(words))
    chances = probabilities("diff-gcn", dataset, epochs=3)
    assert np.isfinite(chances).all()


def test_one_class_is_certain() -> None:
    dataset = communities()
    alone = replace(dataset, labels=np.zeros(dataset.nodes, dtype=int), class_names=("only",))
    assert np.array_equal(probabilities("gcn", alone, epochs=2), np.ones((dataset.nodes, 1)))


def test_without_validation_nodes_the_last_weights_are_kept() -> None:
    dataset = communities()
    blind = dataset.with_split(Split(dataset.split.train, np.array([], dtype=int), np.array([])))
    training = Training(blind, TrainingOptions(model="gcn", epochs=4))
    records = list(training.records())
    assert np.isnan(records[-1].validation_loss)
    assert training.best == records[-1] or training.best.epoch == 4
    assert np.array_equal(training.probabilities(), training.probabilities("current"))


def test_base_propagation_has_no_time() -> None:
    assert Propagation().time is None
    assert Heat.time.fget is not None


def test_dataset_is_left_alone() -> None:
    dataset = communities()
    before = dataset.adjacency.copy(), dataset.features.copy()
    probabilities("diff-gcn", dataset, epochs=2)
    assert (before[0] != dataset.adjacency).nnz == 0
    assert (before[1] != dataset.features).nnz == 0


def test_the_mathematics_of_each_model_are_its_own():
    """Each formula in its text against the network itself: a dense P for the one that it has."""
    generator = torch.Generator().manual_seed(0)
    data = datasets.load_dataset("karate")
    formulas = {
        "mlp": r"P\,\mathrm{ReLU}(P X W^0)\,W^1",
        "gcn": r"P\,\mathrm{ReLU}(P X W^0)\,W^1",
        "diff-gcn": r"P\,\mathrm{ReLU}(P X W^0)\,W^1",
        "heat-net": r"\mathrm{ReLU}(P M X W^0 + b^0)\,W^1 + b^1",
        "appnp": r"P\,\mathrm{ReLU}(X W^0)\,W^1",
        "semi-embedding": r"\mathrm{ReLU}(X W^0)\,W^1",
    }
    assert set(formulas) == set(MODELS)
    for model, formula in formulas.items():
        training = Training(data, TrainingOptions(model=model, epochs=1), seed=0)
        net, eye = training.network.eval(), torch.eye(data.nodes)
        features = net.features.product(torch.eye(net.first.shape[0]), 0.0, generator)
        p = eye if model == "semi-embedding" else net.propagation(eye)
        first, second = features @ net.first, net.second
        with torch.no_grad():
            inner = first if model in ("appnp", "semi-embedding") else p @ first
            outer = eye if model in ("heat-net", "semi-embedding") else p
            bias, offset = (net.bias, net.offset) if model == "heat-net" else (0.0, 0.0)
            expected = outer @ (inner + bias).relu() @ second + offset
            torch.testing.assert_close(net(), expected, atol=1e-4, rtol=1e-3)
        lines = re.split(r"\n- |\n\n(?:- )?", MATHEMATICS.strip())
        line = next(line for line in lines if line.startswith(f"**{model}**"))
        assert formula in (lines[0] if model in ("mlp", "gcn", "diff-gcn") else line)
