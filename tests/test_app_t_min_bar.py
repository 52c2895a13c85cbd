"""What the bar of t_min sends: labels, counts and accuracies for every t_min, in few bytes."""

from __future__ import annotations

import numpy as np
import pytest

from gdr_app.components.t_min_bar import Count, Line, Sweep, pack_sweep
from gdr_core import datasets, priors
from gdr_core.datasets.hiding import hide_test
from gdr_core.gdr import OUTCOMES, reclassify
from gdr_core.gdr.tallies import tallies
from gdr_core.laplacians import make_laplacian
from tests.bars import bar_of, read_sweep
from tests.visiting import assert_fine, open_app


def result_for(name: str, hidden: bool = True):
    dataset = datasets.load_dataset(name)
    dataset = hide_test(dataset) if hidden else dataset
    prior = priors.compute_prior("projection", dataset)
    laplacian = make_laplacian("combinatorial", dataset.undirected)
    return dataset, reclassify(laplacian, prior, dataset.labels, dataset.split)


def sweep(labels: np.ndarray, **other) -> Sweep:
    times, nodes = labels.shape
    whole = {
        "names": [f"{0.1 * i:.4g}" for i in range(times)],
        "ticks": [(1, "0.1")],
        "chosen": 0,
        "labels": labels,
        "prior": labels[0],
        "truth": np.zeros(nodes, dtype=int),
        "classes": ["a", "b", "c"],
        "truths": ["a", "b", "c", "unknown", "hidden"],
        "lines": [Line("validation", "#0072B2", np.linspace(0.5, 0.7, times), 0.5)],
        "counts": [Count("Relabelled", "…", np.arange(times))],
    }
    return Sweep(**{**whole, **other})


def test_the_changes_give_back_the_labels_at_every_t_min():
    labels = np.random.default_rng(4).integers(0, 3, (17, 40))
    read = read_sweep(pack_sweep(sweep(labels)).payload)
    np.testing.assert_array_equal(read.labels, labels)
    np.testing.assert_allclose(read.lines["validation"], np.linspace(0.5, 0.7, 17), rtol=1e-6)
    assert read.counts["Relabelled"].tolist() == list(range(17))


def test_what_does_not_change_costs_nothing():
    still, one = np.zeros((200, 5000), dtype=int), np.zeros((200, 5000), dtype=int)
    one[100:, 7] = 2
    sizes = [len(pack_sweep(sweep(labels)).payload) for labels in (still, one)]
    assert sizes[0] < 4 * 5000 + 10_000
    assert sizes[1] - sizes[0] in range(4, 12)  # a node, a label, a digit in the header


def test_a_sweep_that_does_not_fit_is_refused():
    labels = np.zeros((4, 3), dtype=int)
    with pytest.raises(ValueError, match="names for labels at 4 times"):
        sweep(labels, names=["0"])
    with pytest.raises(ValueError, match="truth must have one entry for each of 3 nodes"):
        sweep(labels, truth=np.zeros(2))
    with pytest.raises(ValueError, match="Fixed must have one value for each of 4 times"):
        sweep(labels, counts=[Count("Fixed", "", np.zeros(5))])


@pytest.mark.parametrize("hidden", [True, False])
@pytest.mark.parametrize("name", ["karate", "cora"])
def test_the_tallies_are_those_of_every_single_t_min(name, hidden):
    _, result = result_for(name, hidden)
    counts = tallies(result)
    for index in (0, 1, result.chosen, result.times.size - 1):
        expected = result.at(index).tally
        for field, values in vars(counts).items():
            assert values[index] == getattr(expected, field), (field, index)


def test_a_page_sends_what_the_library_finds():
    app = open_app("4_Relabel", dataset="karate")
    assert_fine(app)
    dataset, result = result_for("karate")
    bar = bar_of(app)
    np.testing.assert_array_equal(bar.labels, result.scan.predicted)
    np.testing.assert_array_equal(bar.prior, result.prior_labels)
    assert bar.t_min == result.time_names[result.chosen]
    known = bar.truth < dataset.classes
    np.testing.assert_array_equal(bar.truth[known], dataset.labels[known])
    assert not known[dataset.split.test].any()
    assert "test" not in bar.lines
    shown = bar_of(open_app("4_Relabel", dataset="karate", test="shown"))
    assert set(shown.lines) == {"validation", "test"}
    np.testing.assert_array_equal(shown.truth, datasets.load_dataset("karate").labels)


def test_the_browser_can_tell_every_outcome_from_what_it_is_sent():
    """The rule of `outcomesAt` in labels.js, written again, against the library's."""
    app = open_app("4_Relabel", dataset="cora", t_min="0.3")
    bar = bar_of(app)
    _, result = result_for("cora")
    for index in (0, bar.index, len(bar.labels) - 1):
        new, classes = bar.labels[index], len(bar.head["classes"])
        codes = np.select(
            [new == bar.prior, bar.truth >= classes, new == bar.truth, bar.prior == bar.truth],
            [OUTCOMES.index(word) for word in ("kept", "not judged", "fixed", "broken")],
            OUTCOMES.index("still wrong"),
        )
        np.testing.assert_array_equal(codes, result.at(index).outcomes)
