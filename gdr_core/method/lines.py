"""The lines of Python that repeat a method."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final


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


HEAD: Final = """\
from gdr_core.datasets import load_dataset
from gdr_core.gdr import GDROptions, reclassify
from gdr_core.laplacians import make_laplacian
from gdr_core.priors import compute_prior
{imports}
dataset = load_dataset({load})
"""
OWN_HEAD: Final = """\
from gdr_core.gdr import GDROptions, reclassify
from gdr_core.laplacians import make_laplacian
from gdr_core.priors import compute_prior
{imports}
{dataset}"""
OWN_DATASET: Final = "# dataset: a gdr_core.Dataset of your own, {name}\n"
BODY: Final = """\
{before}prior = compute_prior({compute})
laplacian = make_laplacian({make})
options = GDROptions({options})
result = reclassify(laplacian, prior, dataset.labels, dataset.split, options)
"""
CHOSEN: Final = """
now = result.at()  # at the t_min chosen on the validation nodes
"""
ASKED: Final = """
now = result.at_time({t_min})  # the closest t_min of the grid; result.at() is GDR's own choice
"""
SAID: Final = """\
predicted = now.predicted
print(result.prior_accuracy["{part}"], "->", result.accuracy["{part}"][now.t_min_index])
print(now.tally.relabelled, "nodes relabelled")
"""


def call(*positional: str, **named: Any) -> str:
    """What stands between the brackets of a call."""
    return ", ".join([*positional, *(f"{name}={literal(value)}" for name, value in named.items())])


def literal(value: Any) -> str:
    """A value as Python writes it, texts in double quotes."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)
