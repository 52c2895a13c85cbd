"""What a page has computed with, for machines: an element that nobody sees.

Tests compare it with what the controls show and what the address says.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from html import escape
from typing import TYPE_CHECKING, Final

import streamlit as st

if TYPE_CHECKING:
    from gdr_core.datasets import DatasetChoice
    from gdr_core.method import Method

MARK: Final = '<span hidden class="gdr-used" data-used="{facts}"></span>'


def tell_used(place: str, **facts: object) -> None:
    """Leave a note; a later one of the same place takes its room."""
    with st.container(key=f"sent-used-{place}"):
        st.html(MARK.format(facts=escape(json.dumps(facts, default=str), quote=True)))


def tell_dataset(choice: DatasetChoice) -> None:
    """Leave a note on the graph that was opened."""
    tell_used("graph", **_graph(choice))


def tell_view(view: Method, t_min: str, part: str) -> None:
    """Leave a note on the view whose outcome is shown."""
    method = {name: value for name, value in asdict(view).items() if name != "dataset"}
    tell_used("view", **_graph(view.dataset), **method, t_min=t_min, part=part)


def _graph(choice: DatasetChoice) -> dict[str, object]:
    shape = {f"{choice.name}-{name}": value for name, value in choice.options}
    return {"dataset": choice.name, "split": choice.split, "seed": choice.seed, **shape}
