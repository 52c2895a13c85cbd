"""The diffusion engine: exact against dense exponentials, certified, and true to its properties."""

import networkx as nx
import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as sp
import scipy.sparse.linalg as spla
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ive

from gdr_core.datasets import load_dataset
from gdr_core.diffusion import diffuse, impulse, kernel_row, linear, logarithmic
from gdr_core.diffusion.chebyshev import coefficients, tail_bounds, terms_needed, time_basis
from gdr_core.laplacians import LAPLACIANS, make_laplacian
from gdr_core.progress import Cancelled


def random_laplacian(name, nodes, density, seed, weighted=False):
    generator = np.random.default_rng(seed)
    matrix = (generator.random((nodes, nodes)) < density).astype(float)
    if weighted:
        matrix *= generator.uniform(0.1, 3.0, matrix.shape)
    np.fill_diagonal(matrix, 0)
    return make_laplacian(
        name, matrix if LAPLACIANS[name].directed else np.maximum(matrix, matrix.T)
    )


def window(laplacian, last=3.0, count=25):
    unit = laplacian.relaxation_time if np.isfinite(laplacian.relaxation_time) else 1.0
    return logarithmic(1e-3 * unit, last * unit, count)


def exact(laplacian, scores, times):
    dense = laplacian.dense()
    return np.array([scipy.linalg.expm(-t * dense) @ scores for t in times])


laplacians = st.builds(
    random_laplacian,
    name=st.sampled_from(list(LAPLACIANS)),
    nodes=st.integers(2, 25),
    density=st.floats(0.0, 0.5),
    seed=st.integers(0, 10_000),
    weighted=st.booleans(),
)


@settings(max_examples=80)
@given(laplacians, st.sampled_from([1e-2, 1e-5, 1e-8, 1e-10]), st.integers(0, 100))
def test_the_true_error_is_below_the_certified_bound_and_that_below_the_tolerance(
    laplacian, tolerance, seed
):
    scores = np.random.default_rng(seed).uniform(-1, 3, (laplacian.nodes, 3))
    times = window(laplacian)
    record = diffuse(laplacian, scores, times, tolerance=tolerance)
    error = np.abs(record.values() - exact(laplacian, scores, times)).max()
    assert error <= record.error_bound + 1e-13
    assert record.error_bound <= tolerance * np.abs(scores).max()


@pytest.mark.parametrize("name", list(LAPLACIANS))
def test_certified_on_cora_against_expm_multiply(name):
    dataset = load_dataset("cora-directed")
    directed = LAPLACIANS[name].directed
    laplacian = make_laplacian(name, dataset.adjacency if directed else dataset.undirected)
    stop = 0.1 * laplacian.relaxation_time
    scores = np.random.default_rng(0).random((laplacian.nodes, 2))
    # Intervals start at 0: expm_multiply is unstable where they do not.
    matrix = laplacian.dense() if directed else sp.csc_array(laplacian.dense())
    expected = spla.expm_multiply(-matrix, scores, start=0, stop=stop, num=5)
    record = diffuse(laplacian, scores, linear(stop, 5), tolerance=1e-8)
    assert np.abs(record.values() - expected).max() <= record.error_bound + 1e-12


@settings(max_examples=60)
@given(laplacians)
def test_mass_is_conserved(laplacian):
    scores = np.random.default_rng(1).random((laplacian.nodes, 2))
    record = diffuse(laplacian, scores, window(laplacian), tolerance=1e-9)
    left = laplacian.null * laplacian.scaling
    kept = np.einsum("n,tnc->tc", left, record.values())
    np.testing.assert_allclose(kept, np.tile(left @ scores, (25, 1)), rtol=1e-6, atol=1e-6)


@settings(max_examples=60)
@given(laplacians)
def test_long_times_reach_the_stationary_state_of_each_component(laplacian):
    scores = np.random.default_rng(2).random((laplacian.nodes, 2))
    values = np.linalg.eigvals(laplacian.dense()).real
    moving = values[values > 1e-9 * max(laplacian.upper_bound, 1e-300)]
    last = 40 / moving.min() if moving.size else 1.0
    record = diffuse(laplacian, scores, np.array([last]), tolerance=1e-7)
    expected = laplacian.stationary(scores, "component")
    np.testing.assert_allclose(record.at(0), expected, atol=1e-6)


@settings(max_examples=30)
@given(laplacians, st.integers(0, 1000))
def test_linear_in_the_scores(laplacian, seed):
    generator = np.random.default_rng(seed)
    one, two = generator.random((2, laplacian.nodes, 2))
    times = window(laplacian)

    def values(scores):
        return diffuse(laplacian, scores, times, tolerance=1e-10).values()

    np.testing.assert_allclose(
        values(2 * one - 3 * two), 2 * values(one) - 3 * values(two), atol=1e-8
    )


@settings(max_examples=30)
@given(st.sampled_from(list(LAPLACIANS)), st.integers(0, 1000))
def test_permuting_nodes_permutes_the_result(name, seed):
    generator = np.random.default_rng(seed)
    matrix = (generator.random((15, 15)) < 0.25).astype(float)
    np.fill_diagonal(matrix, 0)
    if not LAPLACIANS[name].directed:
        matrix = np.maximum(matrix, matrix.T)
    order = generator.permutation(15)
    scores = generator.random((15, 2))
    plain, moved = make_laplacian(name, matrix), make_laplacian(name, matrix[np.ix_(order, order)])
    times = window(plain)
    left = diffuse(plain, scores, times, tolerance=1e-9).values()[:, order]
    right = diffuse(moved, scores[order], times, tolerance=1e-9).values()
    np.testing.assert_allclose(left, right, atol=1e-8)


def test_two_nodes_relax_at_rate_two():
    laplacian = make_laplacian("combinatorial", [[0, 1], [1, 0]])
    times = linear(2.0, 9)
    record = diffuse(laplacian, np.array([[1.0], [0.0]]), times, tolerance=1e-10)
    np.testing.assert_allclose(record.values()[:, 0, 0], (1 + np.exp(-2 * times)) / 2, atol=1e-10)


def test_inputs_stay_as_they_were():
    laplacian = random_laplacian("random-walk", 12, 0.3, 0)
    scores, times = np.random.default_rng(0).random((12, 2)), window(laplacian)
    copies = scores.copy(), times.copy(), laplacian.weights.copy(), laplacian.null.copy()
    diffuse(laplacian, scores, times)
    np.testing.assert_array_equal(scores, copies[0])
    np.testing.assert_array_equal(times, copies[1])
    assert (laplacian.weights != copies[2]).nnz == 0
    np.testing.assert_array_equal(laplacian.null, copies[3])


def test_chosen_nodes_equal_the_rows_of_all():
    laplacian = random_laplacian("combinatorial", 20, 0.2, 3)
    scores, times = np.random.default_rng(0).random((20, 3)), window(laplacian)
    everything = diffuse(laplacian, scores, times, tolerance=1e-9)
    some = diffuse(laplacian, scores, times, nodes=np.array([7, 2]), tolerance=1e-9)
    np.testing.assert_allclose(some.values(), everything.values()[:, [7, 2]], atol=1e-8)
    assert some.nodes.tolist() == [7, 2]
    order = np.random.default_rng(1).permutation(20)
    mixed = diffuse(laplacian, scores, times, nodes=order, tolerance=1e-9)
    np.testing.assert_allclose(mixed.values(), everything.values()[:, order], atol=1e-8)


def test_values_blocks_and_single_times_agree():
    laplacian = random_laplacian("combinatorial", 20, 0.2, 4)
    record = diffuse(laplacian, np.random.default_rng(0).random((20, 3)), window(laplacian))
    values = record.values()
    blocks = np.concatenate([p for _, p in record.blocks(bytes_each=1)], axis=2)
    np.testing.assert_allclose(blocks.transpose(0, 2, 1), values, atol=1e-12)
    np.testing.assert_allclose(record.at(7), values[7], atol=1e-12)
    np.testing.assert_allclose(record.values(np.array([3])), values[:, [3]], atol=1e-12)


def test_time_zero_gives_the_start_exactly():
    laplacian = random_laplacian("symmetric", 20, 0.2, 5)
    scores = np.random.default_rng(0).random((20, 3))
    record = diffuse(laplacian, scores, window(laplacian), tolerance=1e-2)
    np.testing.assert_array_equal(record.values()[0], scores)


def test_float32_keeps_float32_and_its_own_bound():
    laplacian = random_laplacian("combinatorial", 40, 0.1, 6)
    scores, times = np.random.default_rng(0).random((40, 3)), window(laplacian)
    record = diffuse(laplacian, scores, times, tolerance=1e-4, dtype=np.float32)
    assert record.values().dtype == np.float32
    error = np.abs(record.values() - exact(laplacian, scores, times)).max()
    assert error <= record.error_bound <= 1e-4


def test_impulse_columns_and_kernel_rows_are_those_of_the_dense_kernel():
    for name in LAPLACIANS:
        laplacian = random_laplacian(name, 18, 0.2, 7, weighted=True)
        time = 0.3 * min(laplacian.relaxation_time, 1e6)
        kernel = scipy.linalg.expm(-time * laplacian.dense())
        column = impulse(laplacian, 4, np.array([time]), tolerance=1e-10).at(0)[:, 0]
        np.testing.assert_allclose(column, kernel[:, 4], atol=1e-8)
        row = kernel_row(laplacian, 4, time, tolerance=1e-10)
        np.testing.assert_allclose(row, kernel[4], atol=1e-8)


def test_many_times_cost_few_modes():
    path = make_laplacian("combinatorial", nx.to_numpy_array(nx.path_graph(60)))
    record = diffuse(path, np.eye(60), linear(path.relaxation_time, 1000), tolerance=1e-8)
    assert record.mixing.shape[1] < 60
    assert record.shape == (1000, 60, 60)


def test_coefficients_equal_bessel_functions():
    times = np.array([0.0, 1e-6, 0.01, 1.0, 30.0])
    k = np.arange(60)
    expected = np.where(k == 0, 1, 2) * (-1.0) ** k * ive(k, times[:, None] * 7 / 2)
    np.testing.assert_allclose(coefficients(times, 7.0, 59), expected, atol=1e-15)


@settings(max_examples=50)
@given(st.floats(0, 3000), st.floats(1e-12, 0.5))
def test_the_tail_bound_covers_the_tail(half, tolerance):
    terms, bound = terms_needed(half, tolerance)
    beyond = 2 * ive(np.arange(terms + 1, terms + 400), half).sum()
    assert beyond <= bound + 1e-15
    assert bound <= tolerance
    assert tail_bounds(half, terms)[-1] == pytest.approx(bound, rel=1e-6, abs=1e-300)


def test_factorised_basis_keeps_its_word():
    times = np.geomspace(0.01, 60, 300)
    basis = time_basis(times, 20.0, 1e-8)
    full = coefficients(times, 20.0, basis.products)
    rows = np.abs(full - basis.mixing @ basis.modes).sum(axis=1)
    assert rows.max() <= basis.compression + 1e-14
    assert basis.truncation + basis.compression <= 1e-8
    assert basis.mixing.shape[1] < 60


def test_late_terms_enter_only_the_first_modes():
    basis = time_basis(np.geomspace(0.01, 60, 300), 200.0, 1e-8)
    rows = np.arange(basis.modes.shape[0])[:, None]
    assert not basis.modes[rows >= basis.active].any()
    assert (np.diff(basis.active) <= 0).all()
    assert basis.active.mean() < basis.modes.shape[0] / 2


def test_a_cancelled_call_stops_and_says_so():
    laplacian = random_laplacian("combinatorial", 30, 0.2, 8)
    heard = []

    def stop(fraction, message):
        heard.append(message)
        raise Cancelled

    with pytest.raises(Cancelled):
        diffuse(laplacian, np.ones((30, 2)), window(laplacian), progress=stop)
    assert len(heard) == 1
    assert "product" in heard[0]


@pytest.mark.parametrize(
    ("times", "message"),
    [
        ([], "at least one"),
        ([0.0, 2.0, 1.0], "increasing, got 2.0 followed by 1.0"),
        ([-1.0, 0.0], "negative"),
        ([0.0, np.nan], "finite"),
        ([0.0, np.inf], "finite"),
        ([1.0, 1.0], "increasing"),
    ],
)
def test_bad_times_are_refused(times, message):
    laplacian = make_laplacian("combinatorial", [[0, 1], [1, 0]])
    with pytest.raises(ValueError, match=message):
        diffuse(laplacian, np.ones((2, 1)), np.array(times))


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (np.ones((3, 1)), r"\(2, classes\), got \(3, 1\)"),
        (np.ones(2), "shape"),
        (np.array([[np.nan], [0]]), "NaN"),
    ],
)
def test_bad_scores_are_refused(scores, message):
    laplacian = make_laplacian("combinatorial", [[0, 1], [1, 0]])
    with pytest.raises(ValueError, match=message):
        diffuse(laplacian, scores, [1.0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tolerance": 0}, "tolerance must lie between"),
        ({"tolerance": 1e-9, "dtype": np.float32}, "tolerance must lie between"),
        ({"tolerance": np.nan}, "tolerance"),
        ({"dtype": np.int32}, "float32 or float64"),
        ({"nodes": [5]}, "between 0 and 1"),
        ({"nodes": [0.5]}, "node numbers"),
    ],
)
def test_bad_options_are_refused(options, message):
    laplacian = make_laplacian("combinatorial", [[0, 1], [1, 0]])
    with pytest.raises(ValueError, match=message):
        diffuse(laplacian, np.ones((2, 1)), [1.0], **options)


def test_a_tolerance_beyond_rounding_is_refused_with_the_one_that_can_be_had():
    star = make_laplacian("combinatorial", nx.to_numpy_array(nx.star_graph(300)))
    with pytest.raises(ValueError, match="cannot be proved") as caught:
        diffuse(star, np.eye(301), [5000.0], tolerance=1e-14)
    assert "ask for at least" in str(caught.value)


def test_grids_need_two_times_and_order():
    with pytest.raises(ValueError, match="whole number from 2"):
        linear(1.0, 1)
    with pytest.raises(ValueError, match="0 < start < stop"):
        logarithmic(0.0, 1.0, 5)
