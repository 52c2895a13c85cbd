"""The learnable heat operator against dense exponentials, finite differences and its own laws."""

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as sp
import torch

from gdr_core import laplacians
from gdr_core.neural.heat import HeatFunction, HeatKernel
from gdr_core.neural.propagation import Convolution, Heat, convolution_matrix

NODES, COLUMNS = 30, 4
KINDS = [
    ("combinatorial", "forward"),
    ("symmetric", "forward"),
    ("directed", "forward"),
    ("directed", "backward"),
    ("directed-normalised", "forward"),
    ("directed-normalised", "backward"),
]


def random_graph(directed: bool, seed: int = 3) -> sp.csr_array:
    random = np.random.default_rng(seed)
    edges = random.random((NODES, NODES)) * (random.random((NODES, NODES)) < 0.12)
    np.fill_diagonal(edges, 0)
    return sp.csr_array(edges if directed else edges + edges.T)


def laplacian_of(name: str, direction: str) -> laplacians.Laplacian:
    graph = random_graph(laplacians.LAPLACIANS[name].directed)
    return laplacians.make_laplacian(name, graph, direction=direction)


def block(seed: int = 0) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(NODES, COLUMNS, generator=generator, dtype=torch.float64)


def exact(laplacian: laplacians.Laplacian) -> HeatKernel:
    return HeatKernel(laplacian, tolerance=1e-13, dtype=torch.float64)


def some_time(laplacian: laplacians.Laplacian) -> float:
    return 1.7 / laplacian.rates.mean()


@pytest.mark.parametrize(("name", "direction"), KINDS)
def test_operator_equals_dense_exponential(name: str, direction: str) -> None:
    laplacian = laplacian_of(name, direction)
    time = some_time(laplacian)
    image = exact(laplacian)(block(), time).numpy()
    assert np.allclose(image, scipy.linalg.expm(-time * laplacian.dense()) @ block().numpy())


@pytest.mark.parametrize(("name", "direction"), KINDS)
def test_gradients_equal_finite_differences(name: str, direction: str) -> None:
    laplacian = laplacian_of(name, direction)
    time = torch.tensor(some_time(laplacian), dtype=torch.float64, requires_grad=True)
    values = block().requires_grad_()
    kernel = exact(laplacian)
    step = 1e-6 * float(time.detach())
    assert torch.autograd.gradcheck(
        lambda v: HeatFunction.apply(v, time.detach(), kernel), (values,), atol=1e-5, rtol=1e-5
    )
    weights = block(1)
    (HeatFunction.apply(values, time, kernel) * weights).sum().backward()
    above, below = (float(time.detach()) + sign * step for sign in (1, -1))
    change = (kernel(block(), above) - kernel(block(), below)) * weights
    assert time.grad is not None
    assert float(time.grad) == pytest.approx(float(change.sum()) / (2 * step), rel=1e-5)


@pytest.mark.parametrize(("name", "direction"), KINDS)
def test_gradients_equal_autograd_through_dense_matrix_exponential(
    name: str, direction: str
) -> None:
    laplacian = laplacian_of(name, direction)
    dense = torch.from_numpy(laplacian.dense())
    found = []
    for apply in (
        lambda v, t: HeatFunction.apply(v, t, exact(laplacian)),
        lambda v, t: torch.matrix_exp(-t * dense) @ v,
    ):
        values = block().requires_grad_()
        time = torch.tensor(some_time(laplacian), dtype=torch.float64, requires_grad=True)
        (apply(values, time) ** 3).sum().backward()
        assert values.grad is not None
        assert time.grad is not None
        found.append((values.grad.numpy(), float(time.grad)))
    assert np.allclose(found[0][0], found[1][0], rtol=1e-5, atol=1e-8)
    assert found[0][1] == pytest.approx(found[1][1], rel=1e-5)


@pytest.mark.parametrize(("name", "direction"), KINDS)
def test_time_zero_is_the_identity(name: str, direction: str) -> None:
    assert torch.equal(exact(laplacian_of(name, direction))(block(), 0.0), block())


def test_input_is_left_alone() -> None:
    laplacian, values = laplacian_of("combinatorial", "forward"), block()
    exact(laplacian)(values, 1.0)
    assert torch.equal(values, block())


@pytest.mark.parametrize("tolerance", [1e-1, 1e-2, 1e-3, 1e-4])
def test_error_stays_below_the_tolerance(tolerance: float) -> None:
    laplacian = laplacian_of("combinatorial", "forward")
    for time in (0.01, 0.3, 2.0, 40.0):
        kernel = HeatKernel(laplacian, tolerance, torch.float64)
        operator = kernel(torch.eye(NODES, dtype=torch.float64), time).numpy()
        error = np.linalg.norm(operator - scipy.linalg.expm(-time * laplacian.dense()), 2)
        assert error <= tolerance


def test_time_out_of_range_is_refused() -> None:
    kernel = exact(laplacian_of("combinatorial", "forward"))
    for time in (1e12, np.inf, np.nan):
        with pytest.raises(ValueError, match="out of range"):
            kernel(block(), time)


def test_graph_without_edges_does_not_diffuse() -> None:
    laplacian = laplacians.make_laplacian("combinatorial", sp.csr_array((NODES, NODES)))
    assert torch.allclose(exact(laplacian)(block(), 3.0), block())


def test_random_walk_is_applied_through_its_similarity() -> None:
    laplacian = laplacians.make_laplacian("random-walk", random_graph(directed=False))
    heat = Heat([laplacian], initial_time=1.3, tolerance=1e-13, dtype=torch.float64)
    values = block().requires_grad_()
    (heat(values) ** 2).sum().backward()
    dense = scipy.linalg.expm(-heat.time * laplacian.dense())
    assert values.grad is not None
    assert np.allclose(heat(block()).detach().numpy(), dense @ block().numpy())
    assert np.allclose(values.grad.numpy(), 2 * dense.T @ dense @ block().numpy())


def test_units_of_time_do_not_depend_on_the_scale_of_the_graph() -> None:
    graph = random_graph(directed=False)
    images = [
        Heat(
            [laplacians.make_laplacian("combinatorial", scale * graph)], 2.0, 1e-13, torch.float64
        )(block())
        for scale in (1, 1000)
    ]
    assert torch.allclose(images[0], images[1])


@pytest.mark.parametrize("directed", [False, True])
def test_convolution_gradient_is_the_transpose(directed: bool) -> None:
    graph = random_graph(directed)
    values = block().requires_grad_()
    image = Convolution([graph], dtype=torch.float64)(values)
    (image * block(1)).sum().backward()
    dense = convolution_matrix(graph).toarray()
    assert values.grad is not None
    assert np.allclose(image.detach().numpy(), dense @ block().numpy())
    assert np.allclose(values.grad.numpy(), dense.T @ block(1).numpy())


def test_backward_convolution_uses_in_degrees() -> None:
    graph = random_graph(directed=True)
    looped = graph.toarray() + np.eye(NODES)
    root = np.sqrt(looped.sum(axis=0))
    expected = looped.T / root[:, None] / root[None, :]
    assert np.allclose(convolution_matrix(sp.csr_array(graph.T)).toarray(), expected)


def test_convolution_equals_geometric_normalisation() -> None:
    pytest.importorskip("torch_geometric", reason="PyTorch Geometric is a development dependency")
    from torch_geometric.nn.conv.gcn_conv import gcn_norm
    from torch_geometric.utils import from_scipy_sparse_matrix, to_dense_adj

    graph = random_graph(directed=False)
    edges, weights = from_scipy_sparse_matrix(sp.coo_matrix(graph))
    edges, weights = gcn_norm(edges, weights.double(), num_nodes=NODES)
    dense = to_dense_adj(edges, edge_attr=weights, max_num_nodes=NODES)[0].numpy()
    assert np.allclose(convolution_matrix(graph).toarray(), dense.T, atol=1e-6)
