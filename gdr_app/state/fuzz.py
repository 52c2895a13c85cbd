"""Links that nobody would follow: each must lead to a visit that its own link leads back to.

A link is read as the app reads it, without a browser: by the visit, by the pickers' checks and by
the record of a method. See `gdr_tools.fuzz` for how inputs are run.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Final
from urllib.parse import parse_qs, quote_plus

from gdr_app.state import pickers
from gdr_app.state.visit import FAMILIES, PAGES, TABLE, Visit
from gdr_core import datasets
from gdr_core.datasets import names
from gdr_core.laplacians import LAPLACIANS
from gdr_core.method import Method
from gdr_core.priors import PRIORS
from gdr_tools.fuzz.judging import outcome_of
from gdr_tools.fuzz.odd_values import word

_TEXTS: Final = ("", "cora", "sbm", "two-moons", "karate", "directed-ring", "projection",
                 "directed", "peak", "0.1",
                 "shown", "automatic", "forward", "random", "teaching", "![p](http://h/x.png)",
                 "<script>",
                 "%00", "../..", "a" * 3000, "\u202e", "\ud800".encode("utf-8", "replace").decode(),
                 "http://host/x", "0.50", "-0", "-0.0", "1e400", "seed", "7", "1.5")  # fmt: skip


def make(draw: random.Random) -> bytes:
    """A page and the parameters of its link."""
    named = _names()
    pairs = [
        f"{quote_plus(draw.choice(named))}={quote_plus(_text(draw))}"
        for _ in range(draw.choice((0, 1, 2, 3, 5, 9)))
    ]
    return f"{draw.choice(sorted(PAGES))}?{'&'.join(pairs)}".encode(errors="replace")


def attempt(case: bytes) -> str:
    """Arrive by the link, look at every number and choice, and arrive again by what comes out."""
    page, _, query = case.decode(errors="replace").partition("?")
    page = page if page in PAGES else "Relabel"
    said = parse_qs(query, keep_blank_values=True, errors="replace", max_num_fields=None)
    outcome = outcome_of(lambda: _followed(page, said))
    if outcome != "result":
        return outcome if outcome.startswith("wrong") else f"wrong: a link was {outcome}"
    return outcome_of(lambda: Method.from_link({name: texts[-1] for name, texts in said.items()}))


@cache
def _names() -> list[str]:
    families = [
        f"{family}undirected-{field}" for family in FAMILIES for field in ("epochs", "seed", "x")
    ]
    return sorted({p.name for p in TABLE} | {"x", "", "dataset"}) + families


def _text(draw: random.Random) -> str:
    return draw.choice(_TEXTS) if draw.random() < 0.7 else word(draw)


def _followed(page: str, said: dict[str, list[str]]) -> None:
    visit = Visit()
    visit.arrive(page, said, whole=True)
    _looked_at(visit)
    shown = _listed(visit)
    again = Visit()
    again.arrive(page, shown, whole=True)
    if _listed(again) != shown:
        raise AssertionError(f"the link {shown} leads to {_listed(again)}")


def _listed(visit: Visit) -> dict[str, list[str]]:
    return {
        name: [value] if isinstance(value, str) else list(value) or [""]
        for name, value in visit.link().items()
    }


def _looked_at(visit: Visit) -> None:
    """What the sidebar does with a link: names that do not exist and numbers that are none go."""
    before, warn = pickers.link, pickers._warn
    pickers.link, pickers._warn = _Standing(visit), lambda text: None  # type: ignore[assignment]
    try:
        pickers.chosen_of("Dataset", "dataset", tuple(names()), names()[0])
        spec = visit.spec
        pickers.chosen_of("Split", "split", spec.splits, spec.splits[0])
        pickers.number_of("Seed", "seed", 0, 9999, 0)
        pickers.chosen_of("Prior", "prior", tuple(PRIORS), "projection")
        pickers.chosen_of("Laplacian", "laplacian", tuple(LAPLACIANS), "combinatorial")
        pickers.number_of("α", "alpha", 0.05, 1.0, 0.85)
        for option, about in spec.options.items():
            key, low, high = f"{visit.dataset}-{option}", about.low, about.high
            value = pickers.number_of(option, key, low, high, about.default)
            datasets.checked_options(visit.dataset, spec.splits[0], {option: about.kind(value)})
        for family in FAMILIES:
            int(pickers.number_of("Epochs", f"{family}undirected-epochs", None, None, 200))
    finally:
        pickers.link, pickers._warn = before, warn


class _Standing:
    """What pickers ask of a link, for a visit without a browser."""

    def __init__(self, visit: Visit):
        self._visit = visit

    def visit(self) -> Visit:
        """The visit."""
        return self._visit

    def recall(self, key: str) -> str | None:
        """What was chosen, None for the default."""
        value = self._visit.get(key)
        return None if value is None else str(value)

    def correct(self, key: str, value: str | tuple[str, ...] | None) -> None:
        """Put a value right."""
        self._visit.put(key, value)
