"""Values as Python writes them: ordinary ones, and those that code forgets about."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

Draw = random.Random

_VALUES = ("None", "True", "False", "0", "-1", "1", "2.5", "nan", "inf", "-inf", "1e300", "-1e300",
           "10**400", "2**63", "-(2**63)", "1e-320", "-0.0", "''", "'x'", "'é\\u202e\\n'",
           "'x' * 5000",
           "b'x'", "[]", "[1]", "[[]]", "{}", "()", "{'a': 1}", "{1: 2}", "set()", "object()", "1j",
           "np.float32(0.5)", "np.int64(3)", "np.bool_(True)", "Fraction(1, 2)", "Decimal('0.5')",
           "np.array(3)", "np.array([])", "np.zeros((2, 2))", "lambda *a: None", "print", "int",
           "range(10**10)", "(i for i in range(3))", "np.datetime64('2020-01-01')", "Evil()",
           "np.array(['a', 'b'])", "float", "D", "S", "L", "R", "[nan]", "'nan'", "'1'", "...",
           "np.ma.masked_array([1, 2], [0, 1])")  # fmt: skip
_NUMBERS = ("0", "1", "-1", "0.5", "1e-4", "0.02", "1e-7", "3", "nan", "inf", "-5", "1e300",
            "1e-300",
            "1e-9", "np.float64(0.1)", "10**400", "True", "None", "'1'", "0.999999999")  # fmt: skip
_SHARES = ("0.85", "0.99", "0.5", "0", "1", "1.0", "0.999999", "1e-9", "nan", "-0.5", "2", "'0.5'",
           "None", "np.float32(0.3)", "0.9999999999999999", "inf")  # fmt: skip
_COUNTS = ("0", "1", "2", "3", "5", "33", "34", "-1", "1.5", "2.0", "10**9", "10**20", "True",
           "None",
           "np.int8(4)", "nan", "inf", "'3'", "[1]", "200")  # fmt: skip
_WORDS = ("", "0", "1", "-0", "-1", "1e400", "inf", "nan", "true", "automatic", "0x10", "1_0",
          "½", "9" * 5000,
          " 1", "1 ", "x", "\x00", "١", "1e-400", "+1")  # fmt: skip
_NAMES = ("NAMES", "['a'] * 34", "('a', 'b')", "[]", "'ab'", "[1, 2]", "[None] * 34", "5", "('x',)")
_LABELS = ("Y", "Y.astype(float)", "np.where(Y < 0, nan, Y)", "Y + 0.5", "Y.astype(str)",
           "[None] * 34",
           "np.full(34, inf)", "np.full(34, 10**6)", "Y.astype(bool)", "Y[:3]", "Y[:, None]", "[]",
           "list(Y)", "[0, 1, nan, None]", "np.full(34, -1)", "np.zeros(34)", "['a', 'b', None]",
           "Y.astype(object)", "np.array([1, 'a'], dtype=object)", "Y * 1j", "Y.astype(np.uint64)",
           "np.full(34, 2**63, dtype=np.uint64)", "np.arange(34)", "None", "'abc'")  # fmt: skip
_NODES = ("[0, 1]", "[2, 3]", "[4]", "[]", "np.arange(5)", "[5, 6, 7]", "[-1]", "[10**9]",
          "[0, 0]", "[0.5]",
          "['a']", "3", "None", "[[1]]", "np.array([33])", "[34]", "[True]", "range(10, 20)",
          "np.array([1, 2], dtype=np.uint8)", "[2**63]", "np.ones(34, dtype=bool)")  # fmt: skip
_SCORES = ("H", "H", "H", "H[:5]", "H.T", "H * 2", "H - 1", "H[:, 0]", "np.full((34, 2), nan)",
           "H.astype(str)",
           "np.zeros((34, 2))", "np.zeros((34, 0))", "np.zeros((0, 2))", "H[:, :, None]",
           "H.tolist()",
           "[[1], [1, 2]]", "H * 1e308", "H * 5e-324", "H.astype(np.float32)", "H.astype(object)",
           "np.broadcast_to(0.5, (10**7, 10**7))", "sp.csr_array(H)", "H > 0", "None", "'x'",
           "H + 1j", "np.ones((34, 3)) / 3", "np.ones((34, 1))")  # fmt: skip
_TIMES = ("[0, 1]", "np.linspace(0, 3, 5)", "[0.1]", "5", "[]", "[1, 0]", "[0, 0]", "[-1, 1]",
          "[nan]",
          "[1e300]", "[0, 1e9]", "['a']", "None", "[[1]]", "[0, 1e-300]", "range(10**10)",
          "np.geomspace(1e-4, 1, 50)", "[inf]")  # fmt: skip


def value(draw: Draw) -> str:
    """Anything."""
    return draw.choice(_VALUES)


def _mostly(usual: Sequence[str], how_often: float) -> Callable[[Draw], str]:
    """Draws one of the usual values, and now and then anything."""
    return lambda draw: draw.choice(usual) if draw.random() < how_often else value(draw)


number, share, count = (_mostly(each, 0.85) for each in (_NUMBERS, _SHARES, _COUNTS))
labels, nodes, scores, times = (_mostly(each, 0.9) for each in (_LABELS, _NODES, _SCORES, _TIMES))


def word(draw: Draw) -> str:
    """A word of a link or a command line."""
    return draw.choice(_WORDS)


def names(draw: Draw) -> str:
    """Names of nodes or classes."""
    return draw.choice(_NAMES)


def mapping(draw: Draw) -> str:
    """Options by name."""
    return draw.choice(("None", "{}", f"{{'size': {count(draw)}}}",
                       f"{{'tolerance': {number(draw)}}}",
                        f"{{'per_class': {count(draw)}}}", f"{{'probabilities': {scores(draw)}}}",
                        f"[({value(draw)}, 1)]", f"(('size', {count(draw)}),)",
                        value(draw)))  # fmt: skip


def matrix(draw: Draw) -> str:
    """A matrix: dense or sparse, whole or damaged."""
    make = draw.choice((_dense, _dense, _dense, _lists, _damaged_rows, _damaged_rows, _entries,
                        _other_format, _special))  # fmt: skip
    return make(draw)


def _entry(draw: Draw) -> str:
    if draw.random() < 0.04:
        return draw.choice(("nan", "inf", "-1", "1e308", "5e-324", "1e-200", "-inf"))
    return draw.choice(("0", "0", "1", "1", "2", "0.5"))


def _rows(draw: Draw, symmetric: bool) -> list[list[str]]:
    size = draw.choice((0, 1, 2, 3, 4, 5, 6, 34)) if draw.random() < 0.95 else 60
    rows = [[_entry(draw) for _ in range(size)] for _ in range(size)]
    if symmetric:
        for i in range(size):
            for j in range(i):
                rows[i][j] = rows[j][i]
    if draw.random() < 0.08:
        rows = rows[1:]
    return rows


def _text(rows: list[list[str]]) -> str:
    return "[" + ", ".join("[" + ", ".join(row) + "]" for row in rows) + "]"


def _dense(draw: Draw) -> str:
    if draw.random() < 0.2:
        return draw.choice(("A", "A.toarray()"))
    kind = draw.choice(("float", "float", "float", "int", "bool", "complex", "object", "str",
                        "np.float16", "np.longdouble", "np.uint8"))  # fmt: skip
    text = _text(_rows(draw, draw.random() < 0.8))
    plain = (
        "[nan" in text
        or "nan" in text
        or "inf" in text
        or "." in text
        or "e" in text
        or "-" in text
    )
    return f"np.array({text}, dtype={'float' if plain and kind in ('int', 'np.uint8') else kind})"


def _lists(draw: Draw) -> str:
    rows = _rows(draw, True)
    if rows and draw.random() < 0.2:
        rows[-1] = rows[-1][:-1]
    return _text(rows)


def _damaged_rows(draw: Draw) -> str:
    """CSR or CSC, its arrays put in after the constructor has looked."""
    size = draw.choice((1, 2, 3, 5, 34))
    counts = [draw.choice((0, 1, 2)) for _ in range(size)]
    pointers = [sum(counts[:i]) for i in range(size + 1)]
    indices = [draw.randrange(size) for _ in range(pointers[-1])]
    data = [_entry(draw) for _ in indices]
    for _ in range(draw.choice((0, 1, 1, 2))):
        damage = draw.randrange(6)
        if damage == 0 and indices:
            bad = draw.choice((-1, size, 10**6, 2**31 - 1, -(2**31)))
            indices[draw.randrange(len(indices))] = bad
        elif damage == 1:
            pointers[draw.randrange(len(pointers))] = draw.choice((-1, 0, 10**6, 2**31 - 1))
        elif damage == 2:
            pointers = pointers[: max(1, len(pointers) - 1)]
        elif damage == 3:
            indices = indices[:-1]
        elif damage == 4:
            data = data[:-1]
        else:
            size = draw.choice((0, 1, size + 3, 10**9))
    kind = draw.choice(("csr", "csr", "csc", "bsr"))
    types = draw.choice(("int", "int", "np.int32", "float", "np.uint8", "str")) if max(
        [0, *(abs(i) + 999 * (i < 0) for i in (*indices, *pointers))]) < 200 else "int"  # fmt: skip
    return (
        f"forced({kind!r}, [{', '.join(data)}], {indices}, {pointers}, ({size}, {size}), {types})"
    )


def _entries(draw: Draw) -> str:
    size = draw.choice((1, 2, 5, 34))
    count = draw.choice((0, 1, 4, 9))
    far = (size, -1, 10**9) if draw.random() < 0.3 else (0,)
    rows, columns = (
        [
            draw.choice((draw.randrange(size), draw.randrange(size), draw.choice(far)))
            for _ in range(count)
        ]
        for _ in range(2)
    )
    data = ", ".join(_entry(draw) for _ in range(count if draw.random() < 0.9 else count + 1))
    shape = draw.choice((f"({size}, {size})", f"({size}, {size})", "(10**12, 10**12)", "(2, 3)"))
    return f"forced_entries([{data}], {rows}, {columns}, {shape})"


def _other_format(draw: Draw) -> str:
    kind = draw.choice(("lil", "dok", "dia", "bsr", "coo", "csc"))
    return f"sparse('{kind}_{draw.choice(('array', 'matrix'))}', {_dense(draw)})"


def _special(draw: Draw) -> str:
    return draw.choice(("nx.path_graph(4)", "nx.Graph()", "nx.DiGraph([(0, 1)])", "GRAPH", "EDGES",
                        "np.broadcast_to(1.0, (10**7, 10**7))", "np.zeros((2, 2, 2))",
                        "np.zeros(5)",
                        "sp.csr_array((0, 0))", "sp.csr_array((0, 5))", "sp.coo_array([1, 2])",
                        "np.matrix([[0, 1], [1, 0]])", "D", value(draw),
                        "np.zeros((0, 0))",
                        "sp.csr_array(np.array([[0, 1j], [1j, 0]]))"))  # fmt: skip
