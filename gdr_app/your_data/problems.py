"""Everything odd about the files, what is done about each kind, and the choice of another way."""

from __future__ import annotations

from typing import Final

import streamlit as st

from gdr_app.wording import plain
from gdr_app.your_data.draft import Draft
from gdr_app.your_data.recognised import choose
from gdr_core.datasets.own import TREATMENTS, Finding
from gdr_core.datasets.own.findings import short

# Each file has a control for its first line, the dataset one for its directions.
ELSEWHERE: Final = ("header", "first-line", "direction")


def show_problems(now: Draft, findings: tuple[Finding, ...]) -> None:
    """One row for each finding: how many, where, and what is done about it."""
    findings = tuple(found for found in findings if found.code not in ELSEWHERE)
    chosen = [code for code in now.choices.treatments if code not in {f.code for f in findings}]
    if not findings and not chosen:
        st.markdown(":material/check_circle: Nothing odd was found.")
        return
    offered: set[str] = set()
    for finding in findings:
        _row(now, finding, offered)
        offered.add(finding.code)
    for code in chosen:  # what is refused is in no list of findings: the way back must stay
        _treatment(now, code, now.choices.treatments[code])


def _row(now: Draft, finding: Finding, offered: set[str]) -> None:
    words, treatment = st.columns([3, 2], gap="small", vertical_alignment="center")
    file = f"**{plain(short(finding.file))}**: " if finding.file else ""
    words.markdown(f"{file}{plain(finding.text)}{plain(finding.places)}")
    with treatment:
        if len(finding.choices) > 1 and finding.code not in offered:
            _treatment(now, finding.code, finding.treatment)
        else:
            st.markdown(f"→ {plain(finding.choices[finding.treatment])}")


def _treatment(now: Draft, code: str, value: str) -> None:
    ways = TREATMENTS[code]
    choose(
        f"What is done about: {code.replace('-', ' ')}",
        list(ways),
        value,
        lambda how: now.treat(code, how),
        key=f"treatment of {code}",
        names=ways.__getitem__,
        label_visibility="visible" if code in now.choices.treatments else "collapsed",
    )
