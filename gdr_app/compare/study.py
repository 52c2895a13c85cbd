"""The study on the Compare page: runs of every method, stored or made here, compared in pairs."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import streamlit as st

from gdr_app.compare.stored import stored_trials
from gdr_app.computing.asking import ask_worker
from gdr_app.computing.kept import kept, store_for
from gdr_app.computing.results import called
from gdr_app.computing.runs import is_run
from gdr_app.computing.slow_priors import request_of
from gdr_app.computing.store import Store
from gdr_app.computing.working import DONE_WITHOUT, obtain, without
from gdr_app.state import link
from gdr_app.state.pickers import pick, pick_number
from gdr_core.datasets import Dataset
from gdr_core.datasets.own.packing import pack
from gdr_core.gdr import GDRResult
from gdr_core.gdr.trials import Trial, trials_of
from gdr_core.method import Method
from gdr_core.progress import Progress
from gdr_tools.jobs.kinds import TRIALS
from gdr_tools.studies.trials import RANDOM

KNOWN: Final = "known runs"
SEEDS: Final = "seeds"
WANTED: Final = "study wanted"
_BUDGET: Final = 8 << 20
_WORDS: Final = (
    *("laplacian", "direction", "rule", "stationary", "tolerance"),
    *("first", "last", "alpha", "count", "spacing", "normalise"),
)
_HELP: Final = (
    "**known runs**: what is stored with the project, run over several seeds, and one run here of "
    "what is not. **random splits**: every method on the same random splits 0, 1, …. **seeds**: on "
    "the split of the sidebar with the seeds 0, 1, …; only methods with something random differ."
)


@kept(most=1)
def _found() -> Store[list[Trial]]:
    return Store(_BUDGET, lambda trials: 400 * len(trials))


def choose_runs() -> str:
    """Which runs are compared."""
    random = (RANDOM,) if "random" in link.visit().spec.splits else ()
    return pick("Runs", (KNOWN, *random, SEEDS), key="runs", help=_HELP)


def choose_times(kind: str) -> int:
    """How many runs of each method there are; 0 where that is known already."""
    if kind == KNOWN:
        return 0
    with st.container(width=150):
        return int(pick_number("How many", 2, 20, 5, key="times", step=1))


def choose_count(kind: str, methods: int) -> int:
    """How many runs there are, and a button that starts those that are not there yet."""
    if kind == KNOWN:
        return 0
    row = st.container(horizontal=True, vertical_alignment="bottom", gap="small")
    with row:
        count = choose_times(kind)
    row.button(
        f"**Run {methods} methods {count} times**",
        key="run-study",
        icon=":material/play_arrow:",
        on_click=lambda: st.session_state.update({WANTED: (kind, count)}),
    )
    return count


def trials_for(
    views: dict[str, Method], results: dict[str, GDRResult], graph: Dataset, kind: str, count: int
) -> list[Trial]:
    """The trials of all methods, in their order, as far as they are there or asked for."""
    found = []
    for name, view in views.items():
        if kind == KNOWN:
            stored = stored_trials(name, view, graph)
            found += stored or here({name: view}, results, graph)
        else:
            with without(name):
                found += _repeated(name, view, kind, count)
    return found


def here(views: dict[str, Method], results: dict[str, GDRResult], graph: Dataset) -> list[Trial]:
    """The one run of each method that the rest of the page is about."""
    return [
        trial
        for name, view in views.items()
        if name in results
        for trial in trials_of(results[name], graph, method=name, source="here", seed=view.seed)
    ]


def _repeated(name: str, view: Method, kind: str, count: int) -> list[Trial]:
    """Trials made by a worker, if they are kept or wanted."""
    if is_run(view.prior):
        return []
    known = recalled(view, kind, count)
    if known is None and st.session_state.get(WANTED) != (kind, count):
        return []
    return computed(name, view, kind, count) if known is None else known


def recalled(view: Method, kind: str, count: int) -> list[Trial] | None:
    """The trials of a method if a worker has made them; None if not."""
    key = ("trials", _hidden(view, kind), kind, count)
    return store_for(_found(), key).get(key)


def is_cancelled(view: Method, kind: str, count: int) -> bool:
    """Whether the visitor has cancelled these trials."""
    return ("trials", _hidden(view, kind), kind, count) in st.session_state.get(DONE_WITHOUT, ())


def _hidden(view: Method, kind: str) -> Method:
    """The method as a worker is asked for it: without test classes, on split 0 if these vary."""
    hidden = replace(view, dataset=view.dataset.concealed)
    if kind == RANDOM:
        hidden = replace(hidden, dataset=replace(hidden.dataset, split="random", seed=0))
    return hidden


def computed(name: str, view: Method, kind: str, count: int) -> list[Trial]:
    """The trials of a method, made by a worker unless they are kept, with a bar and Cancel."""
    hidden = _hidden(view, kind)

    def compute(progress: Progress) -> list[Trial]:
        asked = {
            "kind": kind,
            "count": count,
            "method": {
                "prior": view.prior,
                "prior_options": dict(view.prior_options),
                **{word: getattr(view, word) for word in _WORDS},
            },
        }
        if view.dataset.own is None:
            found = ask_worker(TRIALS, {**request_of("", hidden.dataset), **asked}, progress)
        else:
            found = ask_worker(TRIALS, asked, progress, own=pack(view.dataset.own))
        return [Trial(**{**row, "method": name}) for row in found["rows"]]

    key = ("trials", hidden, kind, count)
    return obtain(_found(), key, f"{name}, {kind} on {called(view.dataset)}", compute, True)
