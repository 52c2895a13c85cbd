"""The lines of Python that repeat a method."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Final

from gdr_core.gdr import GDROptions
from gdr_core.priors import PRIORS

if TYPE_CHECKING:
    from gdr_core.method.record import Method


@dataclass(frozen=True)
class PriorLines:
    """Python lines for a prior that the registry does not know, or for a dataset that has no name.

    imports         lines of their own, each with its line end
    lines           that compute on `dataset`, each with its line end
    probabilities   an expression for the class probabilities, after these lines; where it is empty
                    the prior has a name
    dataset         lines that make `dataset`, where it is one's own
    """

    imports: str
    lines: str
    probabilities: str
    dataset: str = ""


_HEAD: Final = """\
from gdr_core.datasets import load_dataset
from gdr_core.gdr import GDROptions, {gdr}
from gdr_core.laplacians import {laplacians}
from gdr_core.priors import compute_prior
{imports}
dataset = load_dataset({load})
"""
_OWN_HEAD: Final = """\
from gdr_core.gdr import GDROptions, {gdr}
from gdr_core.laplacians import {laplacians}
from gdr_core.priors import compute_prior
{imports}
{dataset}"""
_OWN_DATASET: Final = "# dataset: a gdr_core.Dataset of your own, {name}\n"
_BODY: Final = """\
{before}prior = compute_prior({compute})
laplacian = make_laplacian({make})
options = GDROptions({options})
result = reclassify(laplacian, prior, dataset.labels, dataset.split, options)
"""
_AUTO_BODY: Final = """\
{before}prior = compute_prior({compute})
names = {names}
ways = {{name: make_laplacian(name, {make}) for name in names}}
options = GDROptions({options})
found = automatic(ways, prior, dataset.labels, dataset.split, options)
print(found.sentence)  # which rule and Laplacian, or the prior, and why
result = found.decided
"""
_CHOSEN: Final = """
now = result.at()  # at the t_min chosen on the validation nodes
"""
_ASKED: Final = """
now = result.at_time({t_min})  # the closest t_min of the grid; result.at() is GDR's own choice
"""
_SAID: Final = """\
predicted = now.predicted
print(result.prior_accuracy["{part}"], "->", result.accuracy["{part}"][now.t_min_index])
print(now.tally.relabelled, "nodes relabelled")
"""


_ALWAYS_TOLD: Final = ("rule", "stationary", "first", "last", "tolerance")


def head_of(method: Method, lines: PriorLines | None = None) -> str:
    """The imports, and the line that loads the dataset."""
    choice, imports = method.dataset, "" if lines is None else lines.imports
    used = (
        {"gdr": "automatic", "laplacians": "adjacency_for, make_laplacian"}
        if method.auto
        else {"gdr": "reclassify", "laplacians": "make_laplacian"}
    )
    if choice.own is not None:
        unknown = _OWN_DATASET.format(name=literal(choice.own.name))
        made = unknown if lines is None else lines.dataset or unknown
        return _OWN_HEAD.format(imports=imports, dataset=made, **used)
    load = call(literal(choice.name), **choice.keywords)
    return _HEAD.format(imports=imports, load=load, **used)


def body_of(method: Method, lines: PriorLines | None = None) -> str:
    """The lines from `dataset` to `result`."""
    before, compute = "" if lines is None else lines.lines, _compute_words(method, lines)
    options = call(**_told_options(method))
    if method.auto:
        names, walk = list(method.ways), _walk_words(method, method.dataset.spec.directed)
        make = call("adjacency_for(name, dataset)", **walk)
        return _AUTO_BODY.format(
            before=before, compute=compute, names=json.dumps(names), make=make, options=options
        )
    adjacency = "dataset.adjacency" if method.is_directed else "dataset.undirected"
    walk = _walk_words(method, method.is_directed)
    make = call(literal(method.laplacian), adjacency, **walk)
    return _BODY.format(before=before, compute=compute, make=make, options=options)


def closing(t_min: float | None, part: str) -> str:
    """The lines that print what holds at a t_min: None is the one that GDR chooses."""
    index = _CHOSEN if t_min is None else _ASKED.format(t_min=f"{t_min:.4g}")
    return index + _SAID.format(part=part)


def _walk_words(method: Method, directed: bool) -> dict[str, Any]:
    return {"direction": method.direction, "alpha": method.alpha} if directed else {}


def _compute_words(method: Method, lines: PriorLines | None) -> str:
    if lines is not None and lines.probabilities:
        return f'"external", dataset, probabilities={lines.probabilities}'
    random = method.prior in PRIORS and PRIORS[method.prior].random
    seed = {"seed": method.seed} if random and method.seed else {}
    return call(literal(method.prior), "dataset", **seed, **dict(method.prior_options))


def _told_options(method: Method) -> dict[str, Any]:
    """The options that the lines name: those that the app shows, and what is unusual.

    Where the Laplacian is chosen, each has its own horizon, and no rule is named.
    """
    last = method.last if method.auto else method.window[1]
    plain, told = GDROptions(), replace(method.options, last=last)
    names = [
        field.name for field in fields(GDROptions) if not (method.auto and field.name == "rule")
    ]
    return {
        name: getattr(told, name)
        for name in names
        if name in _ALWAYS_TOLD or getattr(told, name) != getattr(plain, name)
    }


def call(*positional: str, **named: Any) -> str:
    """What stands between the brackets of a call."""
    return ", ".join([*positional, *(f"{name}={literal(value)}" for name, value in named.items())])


def literal(value: Any) -> str:
    """A value as Python writes it, texts in double quotes."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)
