"""Your data: open files of your own, so that every page works on them."""

from __future__ import annotations

import streamlit as st

from gdr_app.widgets.glossary import introduce
from gdr_app.widgets.sidebar import sidebar_of
from gdr_app.wording import plain
from gdr_app.your_data.bringing import bring_files
from gdr_app.your_data.draft import draft, understand
from gdr_app.your_data.opening import choose_form, list_opened, offer_opening, show_outcome
from gdr_app.your_data.problems import show_problems
from gdr_app.your_data.recognised import show_file
from gdr_app.your_data.saving import offer_project
from gdr_app.your_data.texts import INTRODUCTION, NOTHING_YET
from gdr_tools.jobs.everybody import pool
from gdr_tools.own.requests import seen_from

with sidebar_of("Your data"):
    pass
st.title("Your data", anchor=False)
introduce(INTRODUCTION, "GDR", "split", "prior")
pool().expect()
list_opened()
offer_project()

now = draft()
bring_files(now)
if not now.files:
    st.info(NOTHING_YET, icon=":material/upload_file:")
    st.stop()

answer = understand(now)
seen = seen_from(answer)
st.header("What was recognised", anchor=False)
for file in seen.files:
    show_file(now, file)
st.header("What is odd, and what is done about it", anchor=False)
if seen.trouble:
    st.error(f"There is no dataset yet: {plain(seen.trouble)}.", icon=":material/error:")
show_problems(now, seen.findings)
st.header("The dataset", anchor=False)
choose_form(now, answer)
if answer["counts"] is not None:
    show_outcome(answer)
    offer_opening(now, answer)
