"""The small language of numbers in lessons: {{p(b, 0.5)}}, `overshoot(c) > pi(c) / 2`.

Numbers, + − * / **, comparisons, `and`, `or`, `not`, and the functions that a figure offers (see
`facts`). Nothing else of Python is understood, so that a file can do no harm.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from gdr_core.explanation.quantities import shown

Functions = Mapping[str, Callable[..., float]]
PLACE: Final = re.compile(r"\{\{(?P<inside>[^{}\n]*)\}\}")
_LONGEST: Final = 400
_PLAIN: Final[dict[str, Callable[..., float]]] = {
    "exp": math.exp,
    "log": math.log,
    "sqrt": math.sqrt,
    "abs": abs,
    "min": min,
    "max": max,
}
_BINARY: Final = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_COMPARED: Final = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


class ExpressionError(ValueError):
    """An expression that cannot be computed; the sentence says why."""


def evaluate(text: str, functions: Functions, **names: str) -> float:
    """The value of an expression; `names` stand for nodes.

    >>> evaluate("(1 - exp(-2 * t())) / 2 > 0.3", {"t": lambda: 0.5})
    True
    """
    if len(text) > _LONGEST:
        raise ExpressionError(f"An expression has at most {_LONGEST} characters.")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError):
        raise ExpressionError(f"“{text.strip()[:40]}” is no expression.") from None
    try:
        return _value(tree, functions, names)
    except (ZeroDivisionError, OverflowError, TypeError) as error:
        raise ExpressionError(f"“{text.strip()[:40]}” cannot be computed: {error}.") from None


def fill(text: str, functions: Functions) -> str:
    """A text with every {{expression}} computed; `{{x | .1%}}` says how it is written.

    >>> fill("It is {{half()}}, or {{half() | .0%}}.", {"half": lambda: 0.5})
    'It is 0.5, or 50%.'
    """
    return PLACE.sub(lambda found: filled(found["inside"], functions), text)


def filled(inside: str, functions: Functions) -> str:
    """What stands for one expression."""
    expression, bar, form = inside.rpartition("|")
    value = evaluate(expression if bar else inside, functions)
    if not bar:
        return shown(float(value))
    try:
        return format(value, form.strip())
    except ValueError:
        raise ExpressionError(f"“{form.strip()[:20]}” is no way to write a number.") from None


def _value(node: ast.expr, functions: Functions, names: Mapping[str, str]) -> Any:
    match node:
        case ast.Constant(value=bool() | int() | float()):
            return node.value
        case ast.Name(id=name):
            return names.get(name, name)  # the name of a node, for a function
        case ast.UnaryOp(op=ast.USub()):
            return -_value(node.operand, functions, names)
        case ast.UnaryOp(op=ast.Not()):
            return not _value(node.operand, functions, names)
        case ast.BinOp() if type(node.op) in _BINARY:
            left, right = (_value(side, functions, names) for side in (node.left, node.right))
            if isinstance(node.op, ast.Pow) and abs(right) > 100:
                raise ExpressionError("A power of more than 100 is not computed.")
            return _BINARY[type(node.op)](left, right)
        case ast.BoolOp():
            every = isinstance(node.op, ast.And)
            parts = [bool(_value(part, functions, names)) for part in node.values]
            return all(parts) if every else any(parts)
        case ast.Compare():
            return _compared(node, functions, names)
        case ast.Call(func=ast.Name(id=name), keywords=[]):
            return _called(name, [_value(part, functions, names) for part in node.args], functions)
    raise ExpressionError(f"“{ast.unparse(node)[:40]}” is not understood.")


def _compared(node: ast.Compare, functions: Functions, names: Mapping[str, str]) -> bool:
    values = [_value(part, functions, names) for part in (node.left, *node.comparators)]
    for op, left, right in zip(node.ops, values[:-1], values[1:], strict=True):
        if type(op) not in _COMPARED:
            raise ExpressionError(f"“{ast.unparse(node)[:40]}” is not understood.")
        if not _COMPARED[type(op)](left, right):
            return False
    return True


def _called(name: str, arguments: list[Any], functions: Functions) -> float:
    function = functions.get(name) or _PLAIN.get(name)
    if function is None:
        known = ", ".join(sorted({*functions, *_PLAIN}))
        raise ExpressionError(f"There is no function “{name}” here; there are {known}.")
    return function(*arguments)
