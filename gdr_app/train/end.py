"""What a run leaves: a prior for the other pages, files, and the Python lines that repeat it."""

from __future__ import annotations

import io
import json
from typing import Any, Final

import numpy as np
import streamlit as st

from gdr_app.computing.lines.own import training_dataset, training_imports
from gdr_app.computing.lines.training import python_of
from gdr_app.computing.runs import PRIOR, in_file_names, prior_name
from gdr_app.state import link
from gdr_app.state.own import opened
from gdr_app.train.texts import LOADING, REPEATS, REPEATS_UNFINISHED, WEIGHTS_GONE
from gdr_app.widgets.export import offer_file
from gdr_app.wording import plain
from gdr_tools.jobs import Report

RELABEL: Final = "pages/4_Relabel.py"


def weights_file(report: Report) -> bytes:
    """The best weights and what is needed to use them, as .npz without pickled objects."""
    assert report.result is not None
    job = report.job
    run = {
        "dataset": job.dataset,
        "load": job.load_options(),
        "options": job.options.as_dict(),
        "seed": job.seed,
        "best": {k: v for k, v in report.result.best.items() if k != "test_accuracy"},
    }
    file = io.BytesIO()
    arrays: dict[str, Any] = {"run": np.array(json.dumps(run)), **report.result.weights}
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def show_ending(report: Report, revealed: bool) -> None:
    """Downloads and Python; with a result, also its weights and its use as a prior."""
    st.header("Use this run", anchor=False)
    with st.container(horizontal=True, vertical_alignment="center"):
        if report.result is not None:
            _offer_prior(report)
        if _has_weights(report):
            _offer_weights(report)
        _offer_history(report, revealed)
    if report.result is not None and not _has_weights(report):
        st.caption(WEIGHTS_GONE)
    if link.recall(PRIOR) == prior_name(report):
        st.success(
            f"**{plain(report.name)}** is now the prior of every page of this visit; the sidebar "
            "lists it among the others.",
            icon=":material/check_circle:",
        )
    with st.expander("Python for this run", icon=":material/code:"):
        st.markdown(REPEATS if report.result is not None else REPEATS_UNFINISHED)
        key = report.job.dataset
        lines = python_of(report, training_imports(key), training_dataset(key))
        st.code(lines, language="python")
        if _has_weights(report):
            st.markdown("And these put downloaded weights back into a network:")
            st.code(LOADING, language="python")


def _has_weights(report: Report) -> bool:
    return report.result is not None and bool(report.result.weights)


def _offer_prior(report: Report) -> None:
    st.button(
        "Use as prior",
        key="use as prior",
        icon=":material/psychology:",
        on_click=_use,
        args=(prior_name(report),),
    )
    st.page_link(
        RELABEL,
        label="GDR on top of it",
        icon=":material/published_with_changes:",
        query_params=_link_to(report),
    )


def _use(name: str) -> None:
    link.remember(PRIOR, name)


def _link_to(report: Report) -> dict[str, str]:
    job = report.job
    shape = {f"{job.dataset}-{name}": f"{value:g}" for name, value in job.dataset_options}
    seed = {"seed": str(job.dataset_seed)} if job.dataset_seed else {}
    split = {"split": job.split} if job.split else {}
    return {"dataset": job.dataset, **split, **seed, **shape, "prior": prior_name(report)}


def _offer_weights(report: Report) -> None:
    offer_file(
        "Weights (.npz)",
        f"{_file_name(report)}-weights.npz",
        lambda: weights_file(report),
        help="NumPy arrays without pickled objects; below is how to load them.",
    )


def _offer_history(report: Report, revealed: bool) -> None:
    offer_file(
        "History (.csv)",
        f"{_file_name(report)}-history.csv",
        lambda: report.history.to_csv(test=revealed),
        help="One row for each epoch. Test accuracy is in it only once it is revealed.",
    )


def _file_name(report: Report) -> str:
    own = opened().get(report.job.dataset)
    graph = report.job.dataset if own is None else in_file_names(own.dataset.name)
    return f"{graph}-{in_file_names(report.name)}"
