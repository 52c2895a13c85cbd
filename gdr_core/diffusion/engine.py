"""e^{−tL} H for many times from one Chebyshev recurrence, with a proved error bound."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.linalg.blas import dgemm

from gdr_core import gate
from gdr_core.diffusion import chebyshev, rounding
from gdr_core.diffusion.recurrence import PIECES, PRECISIONS, chebyshev_vectors
from gdr_core.diffusion.times import checked
from gdr_core.diffusion.trajectories import Trajectories
from gdr_core.laplacians.operator import Laplacian
from gdr_core.products import WIDE, in_parts
from gdr_core.progress import Progress, ignore

_BATCH_BYTES = 64 * 2**20
_CHUNK = 2**15


class UnprovableError(ValueError):
    """No proof holds for the tolerance asked for; `least` is one that can be proved, ∞ if none.

    >>> UnprovableError("ask for more", 1e-7).least
    1e-07
    """

    def __init__(self, sentence: str, least: float):
        super().__init__(sentence)
        self.least = least


def diffuse(
    laplacian: Laplacian,
    scores: np.ndarray,
    times: np.ndarray,
    *,
    nodes: np.ndarray | None = None,
    tolerance: float = 1e-6,
    dtype: type = np.float64,
    precision: str = "float64",
    progress: Progress = ignore,
) -> Trajectories:
    """Class scores at each time: H(t) = e^{−tL} H(0), equation (11) of the paper.

    scores      H(0), shape (nodes, classes)
    times       increasing, not negative; any spacing
    nodes       the nodes whose scores are wanted; all where None
    tolerance   no value is off by more than this times the largest |entry| of H(0)
    dtype       of the values kept, float64 or float32
    precision   of the sparse products, float64 or float32: the latter are faster on large graphs
                and have a proof of their own, for tolerances that it can hold

    The result states the bound that was proved, which is at most the tolerance asked for.

    Heat that starts on one of two nodes is (1 + e^{−2t})/2 there at time t:

    >>> import numpy as np
    >>> from gdr_core import diffuse, make_laplacian
    >>> pair = make_laplacian("combinatorial", [[0, 1], [1, 0]])
    >>> heat = diffuse(pair, np.array([[1.0], [0.0]]), np.array([0.0, 0.5, 1.0]))
    >>> heat.values()[:, 0, 0].round(4)
    array([1.    , 0.6839, 0.5677])
    >>> ((1 + np.exp(-2 * heat.times)) / 2).round(4)
    array([1.    , 0.6839, 0.5677])
    """
    gate.check_record(laplacian, "laplacian", Laplacian)
    gate.check_function(progress, "progress")
    start, grid, wanted = (
        _check_scores(laplacian, scores),
        checked(times),
        _check_nodes(laplacian, nodes),
    )
    kind = _check_dtype(dtype, gate.finite(tolerance, "tolerance"))
    gate.check_name(precision, "precision", PRECISIONS)
    size = float(np.abs(start).max(initial=0.0))
    level = laplacian.stationary(start)
    lifted = laplacian.scaling[:, None] * (start - level)
    norm = float(np.linalg.norm(lifted, axis=0).max(initial=0.0))
    lowering = float((1 / laplacian.scaling[wanted]).max(initial=0.0))
    drift = np.abs(laplacian.scaling[:, None] * level / laplacian.null[:, None]).max(initial=0.0)
    budget = Budget(laplacian, drift, norm, size, grid[-1], lowering, precision)
    basis = chebyshev.time_basis(grid, laplacian.upper_bound, budget.for_series(tolerance))
    fields = accumulate(laplacian, lifted, basis, wanted, kind, progress, budget.precision)
    if laplacian.similarity is not None:
        fields /= laplacian.scaling[wanted][None, :, None].astype(kind)
    bound = budget.total(basis, kind, largest_of(fields), wanted.size * start.shape[1])
    budget.check(tolerance, bound, kind)
    return Trajectories(
        times=grid,
        mixing=basis.mixing,
        fields=fields,
        level=level[wanted].astype(kind),
        start=start[wanted].astype(kind),
        nodes=wanted,
        error_bound=bound,
        products=basis.products,
    )


class Budget:
    """Where the permitted error goes: the series, its factorisation, and rounding.

    Where products in float64 cannot hold the tolerance, `precision` becomes `PIECES`.

    All parts are bounds in the 2-norm of one column of diag(s)·H, brought to a single entry of the
    result by `lowering`, the largest 1/s of the wanted nodes.

    drift      the largest share of the null vector that a column holds
    norm       the largest 2-norm of a column of diag(s)·(H − level)
    size       the largest |entry| of H
    last       the last time
    """

    def __init__(
        self,
        laplacian: Laplacian,
        drift: float,
        norm: float,
        size: float,
        last: float,
        lowering: float,
        precision: str,
    ):
        self.norm, self.size, self.lowering, self.precision = norm, size, lowering, precision
        self.laplacian, self.drift = laplacian, last * drift
        self.half = last * laplacian.upper_bound / 2
        self.rounding = self.rounding_in(precision)

    def rounding_in(self, precision: str) -> float:
        """What rounding can add with products of this precision."""
        recurrence = rounding.recurrence_bound(self.laplacian, self.half, precision)
        residual = rounding.null_residual(self.laplacian, precision)
        return self.norm * recurrence + self.drift * residual

    def for_series(self, tolerance: float) -> float:
        """What remains for cutting and factorising the series, for vectors of norm one."""
        allowed = tolerance * self.size / self.lowering if self.lowering else 1.0
        can_cut = self.precision == "float64" and sp.issparse(self.laplacian.weights)
        if can_cut and self.rounding > 0.9 * allowed:
            self.precision = PIECES
            self.rounding = self.rounding_in(PIECES)
        if self.size > 0 and self.rounding > 0.9 * allowed:
            raise _too_strict(
                tolerance, self.rounding * self.lowering / self.size / 0.9, self.precision[:7]
            )
        remaining = 0.98 * allowed - self.rounding
        return min(remaining / self.norm, 0.5) if self.norm > 0 else 0.5

    def total(
        self, basis: chebyshev.TimeBasis, dtype: np.dtype, largest: np.ndarray, numbers: int
    ) -> float:
        """The bound on a single entry of the result that all parts together prove.

        largest   the largest magnitude in the field of each mode
        numbers   how many each of them has
        """
        series = self.norm * (basis.truncation + basis.compression)
        unit = float(np.finfo(dtype).eps) / 2
        terms, modes = basis.products + 1, basis.mixing.shape[1]
        mixed = np.abs(basis.mixing)
        summing = terms * rounding.UNIT * (mixed @ np.abs(basis.modes).sum(axis=1)).max()
        storing = (modes + 4) * unit * ((mixed @ largest).max() + self.size)
        if dtype != np.float64:
            # every batch is added to what is kept in a smaller type
            batches = -(-terms // _batch_depth(numbers))
            summing += batches * unit * (mixed @ np.abs(basis.modes).sum(axis=1)).max()
        return self.lowering * (series + self.rounding + summing * self.norm) + storing

    def check(self, tolerance: float, bound: float, dtype: np.dtype) -> None:
        """Refuse a result whose bound is above what was asked for."""
        if bound > tolerance * self.size and self.size > 0:
            raise _too_strict(tolerance, bound / self.size, dtype)


def accumulate(
    laplacian: Laplacian,
    start: np.ndarray,
    basis: chebyshev.TimeBasis,
    wanted: np.ndarray,
    dtype: np.dtype,
    progress: Progress,
    precision: str = "float64",
) -> np.ndarray:
    """Σ_k modes[:, k] T_k(X) start, shape (modes, wanted nodes, columns).

    Basis vectors are gathered in batches so that the sum is a matrix product; a batch is sized to
    stay small beside the result, and enters only the modes that its first term is active in.
    """
    count, terms = basis.modes.shape
    columns = start.shape[1]
    everything = np.array_equal(wanted, np.arange(laplacian.nodes))
    fields = np.zeros((count, wanted.size * columns), dtype=dtype)
    depth = _batch_depth(wanted.size * columns)
    batch = np.empty((depth, wanted.size * columns))
    unit = _power_of_two(start) if precision == "float32" else 1.0
    modes, begun = (basis.modes, start) if unit == 1 else (unit * basis.modes, start / unit)
    filled = 0
    for k, vector in enumerate(chebyshev_vectors(laplacian, begun, terms, precision)):
        _copy(batch[filled], vector.ravel() if everything else vector[wanted].ravel())
        filled += 1
        if filled == depth or k == terms - 1:
            first = k + 1 - filled
            active = basis.active[first]
            _add_products(fields[:active], modes[:active, first : k + 1], batch[:filled])
            filled = 0
            progress((k + 1) / terms, f"diffusing: product {k + 1} of {terms}")
    return fields.reshape(count, wanted.size, columns)


def _power_of_two(start: np.ndarray) -> float:
    """A power of two that no column's norm exceeds: dividing by it is exact and saves float32."""
    norm = float(np.linalg.norm(start, axis=0).max(initial=0.0))
    return float(np.ldexp(1.0, np.frexp(norm)[1])) if norm > 0 else 1.0


def _batch_depth(numbers: int) -> int:
    """How many basis vectors of so many numbers are gathered before they are added up."""
    return int(np.clip(_BATCH_BYTES // max(8 * numbers, 1), 8, 64))


def largest_of(fields: np.ndarray) -> np.ndarray:
    """The largest magnitude of each field, without a copy of the fields."""
    found = [max(field.max(initial=0.0), -field.min(initial=0.0)) for field in fields]
    return np.array(found, dtype=np.float64)


def _copy(row: np.ndarray, vector: np.ndarray) -> None:
    """Put the numbers of a vector into a row of a batch."""

    def put(part: slice) -> None:
        row[part] = vector[part]

    in_parts(put, vector.size, vector.size)


def _add_products(fields: np.ndarray, modes: np.ndarray, batch: np.ndarray) -> None:
    """fields += modes @ batch, a stretch of columns at a time so that no second copy is needed.

    Wide ones in float64 are added to where they lie, by BLAS: C ← A B + C.
    """
    if batch.shape[1] >= WIDE and fields.dtype == batch.dtype:
        added = dgemm(1.0, batch.T, modes.T, 1.0, fields.T, overwrite_c=1)
        if not np.may_share_memory(added, fields):  # BLAS was given a copy
            fields[...] = added.T
        return
    for begin in range(0, batch.shape[1], _CHUNK):
        stretch = slice(begin, begin + _CHUNK)
        fields[:, stretch] += modes @ batch[:, stretch]


def _check_scores(laplacian: Laplacian, scores: np.ndarray) -> np.ndarray:
    """H(0) as a finite float64 matrix with one row per node."""
    start = gate.number_array(scores, "scores", 2)
    if start.shape[0] != laplacian.nodes:
        raise ValueError(f"scores must have shape ({laplacian.nodes}, classes), got {start.shape}")
    return start


def _check_nodes(laplacian: Laplacian, nodes: np.ndarray | None) -> np.ndarray:
    """The wanted nodes as indices within the graph."""
    if nodes is None:
        return np.arange(laplacian.nodes)
    return gate.node_numbers(gate.as_list(nodes), "nodes", laplacian.nodes)


def _check_dtype(dtype: type, tolerance: float) -> np.dtype:
    """float32 or float64, and a tolerance that it can hold."""
    names: dict[str, np.dtype] = {n: np.dtype(n) for n in ("float32", "float64")}
    name = (
        dtype if isinstance(dtype, str) else getattr(dtype, "__name__", getattr(dtype, "name", ""))
    )
    kind = names.get({"float": "float64"}.get(name, name)) if isinstance(name, str) else None
    if kind is None:
        raise gate.WrongTypeError(f"dtype must be float32 or float64, got {gate.shown(dtype)}")
    least = 16 * float(np.finfo(kind).eps)
    if not least <= tolerance < 1:
        raise ValueError(
            f"tolerance must lie between {least:.1e} and 1 for {kind}, got {tolerance}"
        )
    return kind


def _too_strict(tolerance: float, reached: float, dtype: str | np.dtype) -> UnprovableError:
    """The error for a tolerance that rounding makes impossible to prove here."""
    kind = np.dtype(dtype)
    advice = "use float64" if kind == np.float32 else "a shorter time window"
    if not reached * 1.1 < 1:
        return UnprovableError(
            f"no tolerance below 1 can be proved in {kind} for this graph and time window, got "
            f"{tolerance:.1e}; {advice if kind == np.float32 else f'try {advice}'}",
            np.inf,
        )
    return UnprovableError(
        f"a tolerance of {tolerance:.1e} cannot be proved in {kind} for this graph and "
        f"time window; ask for at least {reached * 1.1:.1e} or {advice}",
        reached * 1.1,
    )
