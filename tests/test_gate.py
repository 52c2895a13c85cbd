"""The gate: what it lets through is what its definition says, and nothing is guessed."""

import io
import zipfile
from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from gdr_core import gate, load_dataset, make_laplacian, reclassify
from gdr_core.gate import WrongTypeError
from gdr_core.priors import compute_prior
from gdr_tools.cli import main

HUGE = 12_000_000


def csr(data, indices, pointers, shape):
    """A matrix whose arrays nobody has looked at."""
    matrix = sp.csr_array((1, 1))
    matrix._shape = shape
    matrix.data = np.array(data, dtype=float)
    matrix.indices, matrix.indptr = np.array(indices, dtype=int), np.array(pointers, dtype=int)
    return matrix


def is_whole(size, entries, indices, pointers):
    """What the arrays of a CSR matrix must be, by their definition."""
    rising = all(a <= b for a, b in pairwise(pointers))
    fits = len(pointers) == size + 1 and pointers[0] == 0 and rising
    if not fits or pointers[-1] > min(entries, len(indices)):
        return False
    return all(0 <= index < size for index in indices[: pointers[-1]])


@settings(max_examples=300)
@given(
    st.integers(1, 4),
    st.lists(st.integers(-1, 5), max_size=6),
    st.lists(st.integers(-1, 7), min_size=1, max_size=6),
    st.integers(0, 1),
)
def test_a_sparse_matrix_is_taken_where_its_arrays_fit(size, indices, pointers, missing):
    matrix = csr([1.0] * (len(indices) - missing * bool(indices)), indices, pointers, (size, size))
    if not is_whole(size, matrix.data.size, indices, pointers):
        with pytest.raises(ValueError, match="the matrix is damaged"):
            gate.number_matrix(matrix, "the matrix")
        return
    dense = np.zeros((size, size))
    for row in range(size):
        for place in range(pointers[row], pointers[row + 1]):
            dense[row, indices[place]] += 1.0
    np.testing.assert_array_equal(gate.number_matrix(matrix, "the matrix").toarray(), dense)


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "bsr", "dia", "lil", "dok"])
@pytest.mark.parametrize("family", ["array", "matrix"])
def test_every_format_of_scipy_comes_through_the_same(kind, family):
    dense = np.array([[0, 1.5, 0], [2, 0, 0], [0, 3, 0]])
    given = getattr(sp, f"{kind}_{family}")(dense)
    np.testing.assert_array_equal(gate.number_matrix(given, "it").toarray(), dense)


def test_lists_and_graphs_are_matrices_too():
    nx = pytest.importorskip("networkx")
    expected = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0.0]])
    for given_ in (expected.tolist(), expected.astype(object), nx.path_graph(3)):
        np.testing.assert_array_equal(gate.adjacency_matrix(given_).toarray(), expected)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([[0, 1], [1]], "different lengths"),
        ("abc", "array of numbers, got 'abc'"),
        ([["a", "b"], ["c", "d"]], "real numbers"),
        (np.zeros(3), r"must be a matrix, got shape \(3,\)"),
        (np.array([[0, 1j], [1j, 0]]), "real numbers"),
        (np.broadcast_to(1.0, (10**7, 10**7)), "at most 400,000,000"),
        (sp.coo_array((10**12, 10**12)), "at most 100,000,000 rows"),
        ([[0, np.nan], [1, 0]], "not finite"),
        (load_dataset("karate"), "use its .adjacency"),
    ],
)
def test_what_is_no_matrix_is_refused_in_one_sentence(value, words):
    with pytest.raises(ValueError, match=words):
        make_laplacian("combinatorial", value)


def test_a_wrong_type_is_both_kinds_of_error():
    with pytest.raises(TypeError):
        make_laplacian(["combinatorial"], np.eye(2))
    with pytest.raises(ValueError, match="unknown Laplacian"):
        make_laplacian(["combinatorial"], np.eye(2))
    assert issubclass(WrongTypeError, TypeError)


@given(st.lists(st.one_of(st.integers(-1, 9), st.just(np.nan), st.none()), max_size=20))
def test_nan_and_none_are_unlabelled_and_whole_floats_are_classes(labels):
    expected = [-1 if label is None or label != label else label for label in labels]
    for kind in (object, float):
        array = np.array(labels, dtype=object).astype(kind)
        assert gate.class_numbers(array, "labels").tolist() == expected


@pytest.mark.parametrize(
    ("labels", "kind"),
    [([0.5], ValueError), ([np.inf], ValueError), (["a"], TypeError), ([True], TypeError),
     ([[0]], ValueError), ([2**63], ValueError), (None, TypeError)],
)  # fmt: skip
def test_labels_that_are_no_classes_are_refused(labels, kind):
    with pytest.raises(kind, match="labels"):
        gate.class_numbers(labels, "labels")


def claiming(rows, columns):
    """A .npy file whose header promises more than follows."""
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({rows}, {columns}), }}"
    text = header.ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode() + bytes(72)


def test_a_header_that_claims_87_tebibytes_takes_no_memory(tmp_path):
    content = claiming(10**6, HUGE)
    with pytest.raises(gate.UnreadableError, match="promises more than there is"):
        gate.read_array(content)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.npy", content)
    with pytest.raises(gate.UnreadableError, match="promises more than there is"):
        gate.read_archive(packed.getvalue())
    (tmp_path / "p.npy").write_bytes(content)
    with pytest.raises(ValueError, match="promises more than there is"):
        compute_prior("external", load_dataset("karate"), probabilities=tmp_path / "p.npy")


def test_an_archive_that_unpacks_to_too_much_is_refused_by_its_directory():
    packed = io.BytesIO()
    np.savez_compressed(packed, a=np.zeros(10**6))
    with pytest.raises(gate.UnreadableError, match="at most 100,000 are read"):
        gate.read_archive(packed.getvalue(), "zeros.npz", most=100_000)
    assert gate.read_archive(packed.getvalue())["a"].size == 10**6


def test_an_archive_named_as_an_array_is_told_apart(tmp_path):
    path = tmp_path / "p.npy"
    with path.open("wb") as file:
        np.savez(file, a=np.zeros(3))
    with pytest.raises(ValueError, match=r"is an archive of arrays \(\.npz\)"):
        gate.read_array(path)


@pytest.fixture(scope="module")
def result():
    club = load_dataset("karate")
    laplacian = make_laplacian("combinatorial", club.adjacency)
    return reclassify(laplacian, compute_prior("uniform", club), club.labels, club.split)


@pytest.mark.parametrize("t_min", [np.nan, -5, 1e300, np.inf, "0.1", None, True])
def test_a_t_min_outside_the_window_is_refused(result, t_min):
    with pytest.raises(ValueError, match="t_min must"):
        result.at_time(t_min)


def test_a_t_min_of_the_window_is_the_nearest_of_the_grid(result):
    for index in (0, 57, 199):
        assert result.index(float(result.time_names[index])) == index


@pytest.mark.parametrize("t_min", ["nan", "-5", "1e300"])
def test_the_command_line_refuses_it_as_bad_usage(capsys, t_min):
    assert main(["classify", "karate", "--prior", "uniform", f"--t-min={t_min}"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: t_min must")
    assert len(said.splitlines()) == 1


def test_the_estimator_refuses_it_before_it_computes():
    from gdr_core.estimator import GraphDiffusionReclassifier

    for t_min in (np.nan, -5, 1e300):
        with pytest.raises(ValueError, match="t_min must"):
            GraphDiffusionReclassifier(t_min=t_min).fit(np.eye(4), [0, 1, 0, 1])


def test_any_object_can_be_shown():
    class Silent:
        def __repr__(self):
            raise RuntimeError

    assert gate.shown(Silent()) == "a Silent"
    for value in ("x" * 10**6, list(range(10**6)), 10**5000, "a\nb\u202e"):
        assert gate.shown(value).isprintable()
        assert len(gate.shown(value)) <= 60
