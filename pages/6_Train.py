"""Train: a network that learns before your eyes, in a process of its own."""

from __future__ import annotations

import streamlit as st

from gdr_app.components.owner_key import mount_owner_key
from gdr_app.computing.opening import open_dataset
from gdr_app.computing.runs import show_trouble, submit
from gdr_app.state.revealing import test_is_revealed
from gdr_app.train.choice import (
    choose_run,
    mention_others,
    offer_name,
    report_lost_link,
)
from gdr_app.train.end import show_ending
from gdr_app.train.form import choose_job
from gdr_app.train.replay import EXAMPLE
from gdr_app.train.texts import INTRODUCTION, MATHEMATICS, NOTHING_YET, OWNERSHIP, WHY_HIDDEN
from gdr_app.train.watch import WATCHED, reports_of, show_run, watch
from gdr_app.widgets.glossary import introduce
from gdr_app.widgets.heading import head_page
from gdr_app.widgets.narrow import picture_first
from gdr_app.widgets.sidebar import start_page, stop_without_classes
from gdr_tools.jobs.everybody import pool

choice = start_page("Train")
with st.sidebar:
    mount_owner_key()
head_page("A network learns", WHY_HIDDEN)
introduce(INTRODUCTION, "epoch", "diffusion time", "Laplacian", "dropout", "prior", "seed")
stop_without_classes(choice)
graph = open_dataset(choice)
pool().expect()

training = picture_first(
    "training", controls=("new-run",), leading=("choose-run", "run-state", "run-replay")
)
left, right = training.container(key="new-run").columns([1, 6], gap="small")
nothing = not reports_of(choice)  # then the form is what there is to see
with right, st.expander("Settings of a new run", expanded=nothing, icon=":material/tune:"):
    job = choose_job(choice, graph)


def start() -> None:
    """Put the job into the queue and show its run."""
    if job is not None and (run := submit(job, WATCHED)) is not None:
        show_run(run)


left.button(
    "**Start**",
    key="start",
    icon=":material/play_arrow:",
    disabled=job is None,
    on_click=start,
)
with training:
    report_lost_link(choice)
    reports = reports_of(choice)
    with st.container(key="choose-run"):
        shown = choose_run(reports)
    if shown is None:
        show_trouble()
        st.info(NOTHING_YET, icon=":material/model_training:")
    else:
        revealed = test_is_revealed()
        watch(choice, graph, reports, ("validation", "train", *(["test"] if revealed else [])))
if shown is not None and shown.id != EXAMPLE:
    if shown.ended and len(shown.history):
        show_ending(shown, revealed)
    offer_name(shown)
    st.markdown(OWNERSHIP)
mention_others(choice)
with st.expander("The mathematics", icon=":material/function:"):
    st.markdown(MATHEMATICS)
