"""Sparse products: the same numbers whichever library multiplies, and a proof for float32."""

import pickle
from contextvars import copy_context
from importlib import import_module

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from gdr_core.datasets import load_dataset
from gdr_core.diffusion import diffuse, logarithmic, rounding
from gdr_core.diffusion import engine as diffusion_engine
from gdr_core.diffusion.recurrence import PIECES
from gdr_core.gdr import GDROptions, reclassify
from gdr_core.graphs.walks import Walk
from gdr_core.laplacians import LAPLACIANS, make_laplacian, pagerank
from gdr_core.products import (
    LARGE,
    WIDE,
    CutProduct,
    Product,
    choice,
    cut,
    engine_for,
    in_parts,
    using,
)

torch = pytest.importorskip("torch", reason="torch is not installed")
sharing = import_module("gdr_core.products.threads")  # a function of the room has its name


def random_rows(rows, columns, density, seed):
    generator = np.random.default_rng(seed)
    dense = generator.standard_normal((rows, columns)) * (
        generator.random((rows, columns)) < density
    )
    return sp.csr_array(dense)


def hub_graph(leaves=300, seed=0):
    """A hub with many neighbours in a random graph: its row is far longer than a piece."""
    generator = np.random.default_rng(seed)
    dense = (generator.random((leaves + 1, leaves + 1)) < 0.02).astype(float)
    dense[0, 1:] = 1.0
    np.fill_diagonal(dense, 0)
    return np.maximum(dense, dense.T)


@pytest.mark.parametrize("shape", [(40,), (40, 1), (40, 5)])
def test_both_libraries_give_the_same_product(shape):
    matrix = random_rows(30, 40, 0.3, 1)
    block = np.random.default_rng(2).standard_normal(shape)
    for engine in ("scipy", "torch"):
        with using(engine):
            found = Product(matrix)(block)
        np.testing.assert_allclose(found, matrix.toarray() @ block, atol=1e-13)


def test_a_small_matrix_is_scipys_and_a_large_one_is_measured_once(monkeypatch):
    matrix = random_rows(30, 40, 0.3, 1)
    assert engine_for(matrix, 8) == "scipy"
    asked = []
    monkeypatch.setattr(choice, "LARGE", 10)
    monkeypatch.setattr(choice, "_found", {})
    monkeypatch.setattr(choice, "_faster", lambda *given: asked.append(given) or "torch")
    assert [engine_for(matrix, 8) for _ in range(3)] == ["torch"] * 3
    assert len(asked) == 1
    assert engine_for(matrix, 1) == "torch"
    assert len(asked) == 2


@pytest.mark.parametrize("kind", [np.int32, np.int64, np.uint32])
@pytest.mark.parametrize("form", ["csr", "csc", "coo", "bsr", "lil"])
def test_indices_of_any_width_reach_the_measurement(monkeypatch, kind, form):
    graph = sp.csr_array(hub_graph(40))
    given = sp.csr_array(
        (graph.data, graph.indices.astype(kind), graph.indptr.astype(kind)), graph.shape
    ).asformat(form)
    monkeypatch.setattr(choice, "LARGE", 10)
    monkeypatch.setattr(choice, "_found", {})
    monkeypatch.setattr(choice, "_faster", lambda *given: "torch")
    for name in LAPLACIANS:
        laplacian = make_laplacian(name, given)
        assert engine_for(laplacian.weights, 8) == "torch", name
        np.testing.assert_allclose(
            laplacian.dense(), make_laplacian(name, graph.toarray()).dense(), atol=1e-12
        )


def test_the_measurement_names_one_of_the_two():
    assert choice._faster(random_rows(30, 40, 0.3, 1), 4) in ("scipy", "torch")


def test_without_torch_large_matrices_are_scipys(monkeypatch):
    monkeypatch.setattr(choice, "LARGE", 10)
    monkeypatch.setattr(choice, "find_spec", lambda name: None)
    assert engine_for(random_rows(30, 40, 0.3, 1), 8) == "scipy"


def test_an_unknown_engine_is_refused():
    with pytest.raises(ValueError, match="unknown engine 'abacus'; there are scipy, torch"):
        using("abacus").__enter__()


def test_a_product_that_torch_has_seen_can_be_sent():
    product = Product(random_rows(30, 40, 0.3, 1))
    block = np.ones(40)
    with using("torch"):
        product(block)
    np.testing.assert_allclose(pickle.loads(pickle.dumps(product))(block), product(block))


@settings(max_examples=40, deadline=None)
@given(
    rows=st.integers(1, 8),
    columns=st.integers(1, 900),
    density=st.floats(0, 1),
    seed=st.integers(0, 99),
    engine=st.sampled_from(["scipy", "torch"]),
    kind=st.sampled_from([np.float32, np.float64]),
)
def test_rows_in_pieces_err_by_no_more_than_proved(rows, columns, density, seed, engine, kind):
    matrix = random_rows(rows, columns, density, seed)
    block = np.random.default_rng(seed).standard_normal((columns, 2))
    with using(engine):
        found = CutProduct(matrix, kind)(block)
    lengths = np.diff(matrix.indptr)
    units = np.finfo(kind).eps / 2 * cut.factors(lengths) + 2.0**-53 * cut.additions(lengths)
    allowed = units[:, None] * (abs(matrix) @ np.abs(block))
    truth = matrix.toarray().astype(np.longdouble) @ block.astype(np.longdouble)
    assert (np.abs(found - truth) <= 1.001 * allowed + 1e-30).all()


def exact(laplacian, scores, times):
    dense = laplacian.dense()
    return np.array([scipy.linalg.expm(-t * dense) @ scores for t in times])


@pytest.mark.parametrize("name", LAPLACIANS)
@pytest.mark.parametrize("engine", ["scipy", "torch"])
def test_errors_lie_below_the_bound_in_every_precision(name, engine):
    laplacian = make_laplacian(name, hub_graph())
    scores = np.random.default_rng(3).uniform(0, 2, (laplacian.nodes, 3))
    unit = laplacian.relaxation_time
    times = logarithmic(1e-3 * unit, 2 * unit, 12)
    truth = exact(laplacian, scores, times)
    for precision, tolerance in (("float64", 1e-9), ("float32", 1e-2)):
        with using(engine):
            record = diffuse(laplacian, scores, times, tolerance=tolerance, precision=precision)
        assert np.abs(record.values() - truth).max() <= record.error_bound <= tolerance * 2


@pytest.mark.parametrize("name", ["combinatorial", "directed"])
def test_what_cores_share_on_large_graphs_lies_below_the_bound(name, monkeypatch):
    laplacian = make_laplacian(name, hub_graph())
    scores = np.random.default_rng(3).uniform(0, 2, (laplacian.nodes, 3))
    times = logarithmic(1e-3 * laplacian.relaxation_time, laplacian.relaxation_time, 12)
    truth, some = exact(laplacian, scores, times), np.array([0, 7, 200])
    parts = []
    monkeypatch.setattr(diffusion_engine, "WIDE", 1)
    monkeypatch.setattr(sharing, "WIDE", 1)
    monkeypatch.setattr(sharing, "threads", lambda: 3)
    monkeypatch.setattr(sharing, "copy_context", lambda: parts.append(0) or copy_context())
    for precision, tolerance in (("float64", 1e-9), ("float32", 1e-2)):
        with using("torch"):
            record = diffuse(laplacian, scores, times, tolerance=tolerance, precision=precision)
            few = diffuse(
                laplacian, scores, times, nodes=some, tolerance=tolerance, precision=precision
            )
        assert np.abs(record.values() - truth).max() <= record.error_bound <= tolerance * 2
        assert np.abs(few.values() - truth[:, some]).max() <= few.error_bound <= tolerance * 2
    assert len(parts) > 3 * record.products


@pytest.mark.parametrize("rows", [0, 1, 2, 10])
def test_every_row_is_in_one_part(rows, monkeypatch):
    monkeypatch.setattr(sharing, "threads", lambda: 3)
    done = np.zeros(rows, dtype=int)

    def work(part):
        done[part] += 1

    in_parts(work, rows, WIDE)
    assert (done == 1).all()


def test_rows_in_pieces_prove_what_whole_rows_cannot():
    laplacian = make_laplacian("combinatorial", hub_graph(2000))
    half = laplacian.upper_bound / 2
    whole = rounding.recurrence_bound(laplacian, half)
    assert rounding.recurrence_bound(laplacian, half, PIECES) < whole / 4
    scores = np.random.default_rng(3).uniform(0, 1, (laplacian.nodes, 2))
    norm = np.linalg.norm(scores - scores.mean(axis=0), axis=0).max()
    record = diffuse(laplacian, scores, np.array([1.0]), tolerance=0.6 * whole * norm)
    assert record.error_bound <= 0.6 * whole * norm


def test_float32_does_not_depend_on_the_scale_of_the_scores():
    laplacian = make_laplacian("combinatorial", hub_graph())
    scores = np.random.default_rng(3).uniform(0, 1, (laplacian.nodes, 2))
    times = np.array([0.1, 1.0])
    plain = diffuse(laplacian, scores, times, tolerance=1e-2, precision="float32")
    tiny = diffuse(laplacian, 2.0**-200 * scores, times, tolerance=1e-2, precision="float32")
    np.testing.assert_array_equal(2.0**-200 * plain.values(), tiny.values())


def test_float32_refuses_what_it_cannot_prove():
    laplacian = make_laplacian("combinatorial", hub_graph())
    scores = np.random.default_rng(3).uniform(0, 1, (laplacian.nodes, 2))
    with pytest.raises(ValueError, match=r"cannot be proved in float32 .* or use float64"):
        diffuse(laplacian, scores, np.array([1.0]), tolerance=1e-8, precision="float32")
    with pytest.raises(ValueError, match="no tolerance below 1 can be proved in float32"):
        diffuse(laplacian, scores, np.array([1e9]), tolerance=1e-2, precision="float32")
    with pytest.raises(ValueError, match="unknown precision 'float16'"):
        diffuse(laplacian, scores, np.array([1.0]), precision="float16")


def test_the_relaxation_time_and_pagerank_agree_between_libraries():
    graph = sp.csr_array(hub_graph(600))
    arrows = sp.csr_array(np.triu(graph.toarray()))
    found = {}
    for engine in ("scipy", "torch"):
        with using(engine):
            found[engine] = make_laplacian("combinatorial", graph).gap, pagerank(arrows)
    assert found["torch"][0] == pytest.approx(found["scipy"][0], rel=1e-7)
    np.testing.assert_allclose(found["torch"][1], found["scipy"][1], rtol=1e-12)
    walk = Walk(arrows)
    with using("torch"):
        step = walk.step(found["scipy"][1])
    np.testing.assert_allclose(step, found["scipy"][1], rtol=1e-10)


def test_labels_in_float32_are_those_of_float64_where_both_are_proved():
    dataset = load_dataset("ring-of-cliques")
    laplacian = make_laplacian("combinatorial", dataset.adjacency)
    prior = np.full((dataset.nodes, dataset.classes), 1 / dataset.classes)
    results = {
        precision: reclassify(
            laplacian,
            prior,
            dataset.labels,
            dataset.split,
            GDROptions(precision=precision, tolerance=tolerance),
        )
        for precision, tolerance in (("float64", 1e-7), ("float32", 1e-2))
    }
    small, large = results["float32"], results["float64"]
    assert small.trajectories.dtype == np.float32
    difference = np.abs(small.trajectories.values() - large.trajectories.values()).max()
    assert difference <= small.error_bound + large.error_bound
    margin = large.outlook.margins[0]
    sure = margin > 4 * (small.error_bound + large.error_bound)
    assert sure.any()
    np.testing.assert_array_equal(small.scan.predicted[0][sure], large.scan.predicted[0][sure])


def test_the_threshold_is_far_above_the_graphs_of_the_paper():
    assert LARGE > 10 * 88_651
