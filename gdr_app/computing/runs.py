"""The server's training runs, and runs as priors: `run-<id>` in the sidebar and in links.

Everybody who has a run's id may watch it and use its result; only the visitor who started it may
change it (see `owner_key`).
"""

from __future__ import annotations

import errno
import re
from collections.abc import Callable
from typing import Final

import numpy as np
import streamlit as st

from gdr_app.components.owner_key import owner_key
from gdr_app.network import network_of
from gdr_app.state import link, own
from gdr_app.wording import percent, plain
from gdr_core import priors
from gdr_core.datasets import Dataset, DatasetChoice
from gdr_core.datasets.own.packing import pack
from gdr_core.laplacians import ALPHA, LAPLACIANS
from gdr_tools.jobs import Job, NoFreeCore, NotTheOwner, Report, TooManyRuns, UnknownRun
from gdr_tools.jobs.everybody import registry

PREFIX: Final = "run-"
PRIOR: Final = "prior"
TROUBLE: Final = "training trouble"


def report_of(run: str | None) -> Report | None:
    """How a run stands, None if there is no such run. Asking counts as watching.

    Runs on somebody's own data are there for the session that has these data, and for nobody else.
    """
    try:
        found = None if run is None else registry().poll(run)
    except UnknownRun:
        return None
    hidden = found is not None and own.is_key(found.job.dataset)
    return None if hidden and run not in own.room().runs else found


def submit(job: Job, pace: float = 0.0) -> str | None:
    """Start a run of this visitor; its id, or None where it is refused."""
    mine = own.opened().get(job.dataset)
    data = None if mine is None else pack(mine.trainable)
    run = attempt(registry().submit, owner_key(), job, "", pace, address(), data)
    if isinstance(run, str) and data is not None:
        own.room().runs.add(run)
    return run if isinstance(run, str) else None


def address() -> str:
    """The network of the visitor's browser; empty for visitors on the same machine."""
    return network_of(str(st.context.ip_address or ""))


def attempt(act: Callable[..., object], *arguments: object) -> object:
    """Do something to a run from a callback; a refusal is shown by `show_trouble`."""
    try:
        return act(*arguments)
    except (UnknownRun, NotTheOwner, TooManyRuns, NoFreeCore) as error:
        st.session_state[TROUBLE] = str(error)
    except OSError as error:
        st.session_state[TROUBLE] = _of_disk(error)
    return None


def _of_disk(error: OSError) -> str:
    """Why the server could not write the files of a run, without saying where they are."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    why = "disk is full" if full else f"disk takes no files ({error.strerror or 'unknown reason'})"
    return f"the server's {why}, so no run can be started; your other runs are untouched"


def show_trouble() -> None:
    """What the last click could not do, once."""
    if trouble := st.session_state.pop(TROUBLE, None):
        st.error(
            f"{trouble[:1].upper()}{plain(trouble[1:])}.",
            icon=":material/error:",
        )


def fits(job: Job, choice: DatasetChoice) -> bool:
    """Whether a job is about the dataset that the sidebar shows."""
    if own.is_key(job.dataset):
        return job.dataset == choice.name and choice.own is not None
    about = DatasetChoice(job.dataset, job.split or "", job.dataset_seed, job.dataset_options)
    return about.concealed == choice.concealed


# ---------------------------------------------------------------- runs as priors


def is_run(prior: str) -> bool:
    """Whether a prior's name stands for a training run."""
    return prior.startswith(PREFIX)


def prior_name(report: Report) -> str:
    """What a run is called in links: its id cannot be guessed."""
    return PREFIX + report.id


def prior_label(prior: str) -> str:
    """What a prior is called on pages and in files: a run by the name that its owner gave it."""
    if prior == own.PROBABILITIES:
        return "your probabilities"
    run = run_behind(prior) if is_run(prior) else None
    return prior if run is None else run.name


def in_file_names(prior: str) -> str:
    """The same as a part of a file's name."""
    return re.sub(r"[^\w.-]+", "-", prior_label(prior)).strip("-.") or "run"


def run_behind(prior: str) -> Report | None:
    """The run behind a prior's name, if it is there and has a result."""
    found = report_of(prior.removeprefix(PREFIX)) if is_run(prior) else None
    return found if found is not None and found.result is not None else None


def run_priors(choice: DatasetChoice) -> dict[str, Report]:
    """Runs that can serve as priors of this dataset: the visitor's own, and the one asked for."""
    asked = str(_asked() or "")
    names = [PREFIX + run for run in registry().owned(owner_key())]
    found = {name: run_behind(name) for name in dict.fromkeys([*names, asked])}
    return {name: run for name, run in found.items() if run is not None and fits(run.job, choice)}


def report_missing_run(usable: dict[str, Report], default: str) -> None:
    """Say why the run that link or session ask for is no prior here, and forget it."""
    asked = _asked()
    if asked is None or not is_run(asked) or asked in usable:
        return
    run = run_behind(asked)
    name = asked if run is None else run.name
    if run is None:
        why = "is not on this server, or no longer: runs live as long as the server and their owner"
    else:
        why = f"was trained on {run.job.dataset} ({run.job.split} split), not on this graph"
    st.warning(f"The prior “{plain(name)}” {why}. Showing {default}.", icon=":material/link_off:")
    link.correct(PRIOR, None)


def describe_prior(report: Report) -> str:
    """One line on a run that serves as a prior."""
    best = report.result.best if report.result else {}
    return (
        f"**Training run “{plain(report.name)}”.** {network_name(report.job)}, "
        f"seed {report.job.seed}, weights of epoch {best['epoch']}, "
        f"{percent(best['validation_accuracy'])} on validation nodes."
    )


def prior_of_run(prior: str, dataset: Dataset) -> np.ndarray:
    """H from a run's probabilities; training rows are set to their class as for every prior."""
    run = run_behind(prior)
    if run is None or run.result is None:
        raise ValueError("the training run is no longer on this server")
    return priors.compute_prior("external", dataset, probabilities=run.result.probabilities)


def network_name(job: Job) -> str:
    """`diff-GCN, forward, directed-normalised`, and α where it is not the usual one."""
    options = job.options
    parts = [priors.PRIORS[options.model].label]
    if options.direction != "undirected":
        parts.append(options.direction)
    if options.laplacian:
        parts.append(options.laplacian)
        if LAPLACIANS[options.laplacian].directed and options.alpha != ALPHA:
            parts.append(f"α = {options.alpha:g}")
    return ", ".join(parts)


def _asked() -> str | None:
    return link.recall(PRIOR)
