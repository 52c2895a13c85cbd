"""Test accuracy on the public splits: exact where nothing is random."""

from __future__ import annotations

from time import process_time

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from gdr_core.datasets import available, load_dataset
from gdr_core.priors import compute_prior

WIKIPEDIA = pytest.param(
    "wikipedia",
    marks=pytest.mark.skipif(
        not available("wikipedia"), reason="the Wikipedia files are not on this machine"
    ),
)


def correct(name: str, dataset, **options) -> int:
    labels = compute_prior(name, dataset, cache=False, **options).argmax(axis=1)
    return int((labels == dataset.labels)[dataset.split.test].sum())


def exactly(*counts: int):
    """Parametrise by dataset and the number of test nodes that come out right."""
    names = ("cora", "citeseer", "pubmed", WIKIPEDIA)
    cases = [
        pytest.param(*(getattr(name, "values", (name,))), count, marks=getattr(name, "marks", ()))
        for name, count in zip(names, counts, strict=True)
    ]
    return pytest.mark.parametrize(("name", "expected"), cases)


@exactly(130, 77, 180, 1181)
def test_uniform_finds_the_first_class(name, expected):
    dataset = load_dataset(name)
    assert correct("uniform", dataset) == expected
    assert expected == np.count_nonzero(dataset.labels[dataset.split.test] == 0)


@exactly(590, 618, 720, 1336)
def test_projection_gives_the_papers_numbers(name, expected):
    assert correct("projection", load_dataset(name)) == expected


@pytest.mark.parametrize(("name", "expected"), [("cora", 833), ("citeseer", 725), ("pubmed", 801)])
def test_heat_linear_gives_the_numbers_of_table_6_twice_and_at_once(name, expected):
    """Deterministic, and under a second of one core; the quicker of two runs is judged."""
    dataset, found, spent = load_dataset(name), [], []
    for _ in range(2):
        with threadpool_limits(1):
            clock = process_time()
            found.append(compute_prior("heat-linear", dataset, cache=False))
            spent.append(process_time() - clock)
    np.testing.assert_array_equal(found[0], found[1])
    right = found[0].argmax(axis=1) == dataset.labels
    # other processors round otherwise, and a node on the edge of two classes may fall to either
    assert abs(int(right[dataset.split.test].sum()) - expected) <= 1
    assert min(spent) < 1.0


@pytest.mark.parametrize(
    ("prior", "name", "paper", "seeds"),
    [
        ("random-forest", "cora", 0.589, 1),
        ("svm", "cora", 0.580, 1),
        ("svm", "citeseer", 0.611, 1),
        ("svm", "pubmed", 0.499, 1),
        pytest.param("mlp", "cora", 0.560, 5, marks=pytest.mark.slow),
        pytest.param("planetoid", "cora", 0.757, 1, marks=pytest.mark.slow),
    ],
)
def test_others_are_at_most_two_points_below_the_paper(prior, name, paper, seeds):
    """The mean over some seeds where one seed alone says little."""
    dataset = load_dataset(name)
    right = np.mean([correct(prior, dataset, seed=seed) for seed in range(seeds)])
    assert right / len(dataset.split.test) >= paper - 0.02


@pytest.mark.parametrize("name", ["cora", "pubmed"])
def test_mass_normalisation_saves_label_propagation(name):
    dataset = load_dataset(name)
    plain = correct("label-propagation", dataset, mass_normalisation=False)
    normalised = correct("label-propagation", dataset)
    assert normalised > max(plain, 0.7 * len(dataset.split.test))
