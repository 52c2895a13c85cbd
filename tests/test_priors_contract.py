"""What every prior promises, checked on every prior."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

from gdr_core.datasets import Dataset, Provenance, Split, load_dataset
from gdr_core.priors import PRIORS, compute_prior
from gdr_core.progress import Cancelled

QUICK = {
    "random-forest": {"trees": 15},
    "correct-and-smooth": {"base": "random-forest"},
    "heat-net": {"epochs": 5},
    "ensemble": {"members": "label-propagation,random-forest*2"},
    "appnp": {"epochs": 5},
    "semi-embedding": {"epochs": 5},
    "deepwalk": {"rounds": 1, "dimensions": 8},
    "mlp": {"epochs": 5},
    "gcn": {"epochs": 5},
    "diff-gcn": {"epochs": 3},
    "planetoid": {"rounds": 2, "dimensions": 8, "hidden": 8, "label_steps": 3},
}
EVERY = pytest.mark.parametrize("name", PRIORS)
LEARNING = pytest.mark.parametrize("name", [n for n, s in PRIORS.items() if s.needs_training])
BY_FEATURES = pytest.mark.parametrize("name", [n for n, s in PRIORS.items() if s.needs_features])


def small(seed: int = 0, nodes: int = 30, classes: int = 3, spread: float = 0.5) -> Dataset:
    """Classes with their own features and mostly inner edges; node 28 is empty, 29 is alone."""
    generator = np.random.default_rng(seed)
    labels = np.arange(nodes) % classes
    chance = np.where(labels[:, None] == labels[None, :], 0.4, 0.05)
    half = np.triu(generator.random((nodes, nodes)) < chance, 1)
    half[:, nodes - 1] = False
    features = np.eye(classes)[labels] + spread * generator.random((nodes, classes))
    features[nodes - 2] = 0.0
    third = nodes // 3
    return Dataset(
        name="small",
        adjacency=sp.csr_array((half | half.T).astype(float)),
        features=sp.csr_array(features),
        labels=labels,
        class_names=tuple("abcdefgh"[:classes]),
        node_names=tuple(map(str, range(nodes))),
        split=Split(
            np.arange(third), np.arange(third, 2 * third), np.arange(2 * third, nodes), "made"
        ),
        directed=False,
        layout=np.zeros((nodes, 2)),
        provenance=Provenance("made for tests", "none", "none"),
    )


def given(name: str, dataset: Dataset) -> dict:
    if name == "external":
        generator = np.random.default_rng(1)
        return {"probabilities": generator.dirichlet(np.ones(dataset.classes), size=dataset.nodes)}
    if name == "ensemble" and not dataset.features.shape[1]:
        return {"members": "uniform,label-propagation"}
    return QUICK.get(name, {})


def run(name: str, dataset: Dataset, seed: int = 0, **more) -> np.ndarray:
    return compute_prior(
        name, dataset, seed=seed, **{"cache": False, **given(name, dataset), **more}
    )


def with_labels(dataset: Dataset, part: np.ndarray, seed: int = 3) -> Dataset:
    """The dataset with other labels on the nodes of `part`."""
    labels = dataset.labels.copy()
    shift = np.random.default_rng(seed).integers(1, dataset.classes, size=len(part))
    labels[part] = (labels[part] + shift) % dataset.classes
    return replace(dataset, labels=labels)


@EVERY
@pytest.mark.parametrize("source", ["small", "karate", "sbm"])
def test_rows_are_probabilities_and_training_rows_are_known(name, source):
    dataset = small() if source == "small" else load_dataset(source)
    if PRIORS[name].needs_features and dataset.features.shape[1] == 0:
        with pytest.raises(ValueError, match="has none"):
            run(name, dataset)
        return
    prior = run(name, dataset)
    assert prior.shape == (dataset.nodes, dataset.classes)
    assert prior.dtype == np.float64
    assert prior.min() >= 0
    np.testing.assert_allclose(prior.sum(axis=1), 1.0, atol=1e-12)
    train = dataset.split.train
    np.testing.assert_array_equal(prior[train], np.eye(dataset.classes)[dataset.labels[train]])


@EVERY
def test_same_seed_same_result(name):
    np.testing.assert_array_equal(run(name, small(), seed=5), run(name, small(), seed=5))


@pytest.mark.parametrize("name", [n for n, s in PRIORS.items() if s.random])
def test_another_seed_another_result(name):
    noisy = small(spread=3.0)
    results = [run(name, noisy, seed=seed) for seed in range(3)]
    assert any((result != results[0]).any() for result in results[1:])


@pytest.mark.parametrize("name", [n for n, s in PRIORS.items() if not s.random])
def test_the_seed_does_not_matter_where_it_should_not(name):
    np.testing.assert_array_equal(run(name, small(), seed=1), run(name, small(), seed=2))


@EVERY
def test_the_dataset_is_left_as_it_was(name):
    dataset = small()
    arrays = [dataset.adjacency.data, dataset.features.data, dataset.labels, dataset.split.train]
    before = [array.copy() for array in arrays]
    options = given(name, dataset)
    matrix = options.get("probabilities", np.zeros(1))
    matrix_before = matrix.copy()
    compute_prior(name, dataset, cache=False, **options)
    for array, copy in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(array, copy)
    np.testing.assert_array_equal(matrix, matrix_before)


@EVERY
def test_test_labels_never_matter(name):
    dataset = small(spread=2.0)
    other = with_labels(dataset, dataset.split.test)
    np.testing.assert_array_equal(run(name, dataset), run(name, other))


@pytest.mark.parametrize("name", [n for n, s in PRIORS.items() if not s.reads_validation])
def test_validation_labels_do_not_matter_to_priors_that_say_so(name):
    dataset = small(spread=2.0)
    other = with_labels(dataset, dataset.split.validation)
    np.testing.assert_array_equal(run(name, dataset), run(name, other))


@LEARNING
def test_training_labels_do_matter(name):
    dataset = small(spread=2.0)
    other = with_labels(dataset, dataset.split.train)
    rest = np.concatenate([dataset.split.validation, dataset.split.test])
    assert (run(name, dataset)[rest] != run(name, other)[rest]).any()


@pytest.mark.parametrize("name", [n for n, s in PRIORS.items() if not s.random])
def test_renumbering_the_nodes_renumbers_the_result(name):
    dataset = small(spread=2.0)
    order = np.random.default_rng(8).permutation(dataset.nodes)
    place = np.argsort(order)
    renumbered = replace(
        dataset,
        adjacency=dataset.adjacency[order][:, order],
        features=dataset.features[order],
        labels=dataset.labels[order],
        split=Split(*(place[getattr(dataset.split, p)] for p in ("train", "validation", "test"))),
    )
    options = given(name, dataset)
    if name == "external":
        options["probabilities"] = options["probabilities"][order]
    result = compute_prior(name, renumbered, cache=False, **options)
    np.testing.assert_allclose(result, run(name, dataset)[order], atol=1e-9)


@EVERY
def test_progress_goes_forward_and_ends(name):
    heard: list[float] = []
    run(name, small(), progress=lambda fraction, message: heard.append(fraction))
    assert heard[0] == 0.0
    assert heard[-1] == 1.0
    assert heard == sorted(heard)


@EVERY
def test_cancelling_leaves_nothing_behind(name, tmp_path, monkeypatch):
    monkeypatch.setenv("GDR_CACHE_DIR", str(tmp_path))
    reports = 0

    def stop_at_second(fraction: float, message: str) -> None:
        nonlocal reports
        reports += 1
        if reports == 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        run(name, small(), progress=stop_at_second, cache=True)
    assert not list(tmp_path.rglob("*.npz"))
    assert not list(tmp_path.rglob(".writing-*"))


@LEARNING
def test_a_class_without_training_node_is_named(name):
    dataset = small()
    split = Split(np.array([0, 1, 3, 4]), dataset.split.validation, dataset.split.test, "made")
    with pytest.raises(ValueError, match=r"made split: c"):
        run(name, dataset.with_split(split))


@pytest.mark.parametrize("name", [n for n, s in PRIORS.items() if not s.needs_training])
def test_priors_that_learn_nothing_need_no_training_nodes(name):
    dataset = small()
    nobody = Split(np.empty(0, int), dataset.split.validation, dataset.split.test)
    np.testing.assert_allclose(run(name, dataset.with_split(nobody)).sum(axis=1), 1.0)


@EVERY
def test_one_class_only_is_refused(name):
    dataset = small(classes=1)
    with pytest.raises(ValueError, match="at least two classes"):
        run(name, dataset)


def test_features_that_are_not_numbers_never_reach_a_prior():
    dataset = small()
    spoiled = dataset.features.toarray()
    spoiled[3, 1] = np.nan
    with pytest.raises(ValueError, match="features has entries that are not finite"):
        replace(dataset, features=sp.csr_array(spoiled))


@BY_FEATURES
def test_no_features_at_all_is_refused(name):
    dataset = small()
    bare = replace(dataset, features=sp.csr_array((dataset.nodes, 0)))
    with pytest.raises(ValueError, match="by features, but small has none"):
        run(name, bare)


@BY_FEATURES
@pytest.mark.parametrize("value", [0.0, 1.0, -2.0])
def test_constant_features_still_give_probabilities(name, value):
    dataset = small()
    constant = replace(dataset, features=sp.csr_array(np.full((dataset.nodes, 4), value)))
    prior = run(name, constant)
    np.testing.assert_allclose(prior.sum(axis=1), 1.0)
    if name.startswith("projection"):
        rest = np.concatenate([dataset.split.validation, dataset.split.test])
        np.testing.assert_allclose(prior[rest], 1 / dataset.classes)


@pytest.mark.parametrize("name", ["projection", "projection-dot"])
def test_empty_documents_become_uniform(name):
    dataset = small()
    np.testing.assert_allclose(run(name, dataset)[dataset.nodes - 2], 1 / dataset.classes)


@BY_FEATURES
def test_negative_features_and_one_training_node_per_class_are_fine(name):
    dataset = load_dataset("two-moons")
    first = [np.flatnonzero(dataset.labels == k)[0] for k in range(dataset.classes)]
    rest = np.setdiff1d(np.arange(dataset.nodes), first)
    scarce = dataset.with_split(Split(np.array(first), rest[::2], rest[1::2]))
    np.testing.assert_allclose(run(name, scarce).sum(axis=1), 1.0)


@EVERY
def test_directed_graphs_are_fine(name):
    dataset = small()
    arrows = sp.csr_array(sp.triu(dataset.adjacency))
    directed = replace(dataset, adjacency=arrows, directed=True)
    np.testing.assert_allclose(run(name, directed).sum(axis=1), 1.0)


def test_unknown_names_and_options_are_answered_with_the_known_ones():
    with pytest.raises(ValueError, match=r"unknown prior 'nonsense'; there are uniform, proj"):
        compute_prior("nonsense", small())
    with pytest.raises(ValueError, match=r"svm has no option trees; its options are: features"):
        compute_prior("svm", small(), trees=3)


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("trees", 0, "from 1 to"),
        ("trees", 2.5, "a whole number"),
        ("trees", True, "a whole number"),
        ("trees", None, "a whole number"),
        ("max_depth", "deep", "a whole number"),
        ("features", "squared", "one of"),
    ],
)
def test_bad_options_are_refused(option, value, message):
    with pytest.raises(ValueError, match=f"{option} must .*{message}"):
        compute_prior("random-forest", small(), **{option: value})


@pytest.mark.parametrize("value", [float("nan"), -1.0, "50", float("inf")])
def test_bad_penalties_are_refused(value):
    with pytest.raises(ValueError, match="penalty must"):
        compute_prior("svm", small(), penalty=value)


@pytest.mark.parametrize("seed", [-1, 2**32, 1.5, True])
def test_bad_seeds_are_refused(seed):
    with pytest.raises(ValueError, match="seed must be a whole number"):
        compute_prior("uniform", small(), seed=seed)


@pytest.mark.parametrize("model", ["mlp", "gcn", "diff-gcn", "heat-net", "appnp", "semi-embedding"])
def test_every_option_of_a_network_reaches_its_training(model):
    """None leaves the choice to the recommendation; everything else is used as it is given."""
    from gdr_core.neural import recommended

    spec = PRIORS[model]
    given = {"epochs": 7, "hidden": 3, "dropout": 0.1, "learning_rate": 0.2, "weight_decay": 0.3}
    used = spec.resolved(spec.checked(given))
    assert {name: used[name] for name in given} == given
    assert used["normalise_features"] is True
    usual = recommended(model).as_dict()
    for name, value in spec.resolved(spec.checked({})).items():
        assert value == spec.defaults.get(name, usual[name]) or spec.defaults[name] is None


def test_every_option_is_explained():
    for spec in PRIORS.values():
        assert spec.label
        assert spec.explanation.endswith(".")
        assert all(len(option.meaning) > 5 for option in spec.options)
