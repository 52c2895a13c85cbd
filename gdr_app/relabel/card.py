"""The card that says why a node has its label."""

from __future__ import annotations

from functools import lru_cache, partial

import streamlit as st

from gdr_app.components.picture import show_picture
from gdr_app.relabel.story import Story, example, origin_of, story_of
from gdr_app.widgets.later import Continuation
from gdr_core.figures import svg
from gdr_core.method import Method


class WhyCard:
    """The card of a page, made outside of the fragment that draws it.

    It holds what it told last: a step of t_min tells of the same node, mostly from the same moment.
    """

    def __init__(self, view: Method, later: Continuation) -> None:
        def story(node: int) -> Story:
            return story_of(view, node, later)

        last = lru_cache(maxsize=1)
        self._example, self._story = last(partial(example, view)), last(story)
        self._origin = last(partial(origin_of, view))

    def subject(self, node: int | None) -> tuple[int, str]:
        """Whom it tells of: the chosen node, or else an example and a sentence on why this one."""
        return self._example() if node is None else (node, "")

    def draw(self, node: int, index: int, preface: str) -> None:
        """Curves, sentence, runner-up, history and the ten largest sources of a node."""
        story = self._story(node)
        told = story.told[index]
        st.markdown(told.headline)
        show_picture(story.frames[told.label] + told.marks + svg.END, key="why-curves")
        st.markdown(f"{told.verdict}\n\n{preface}")
        st.caption(story.lines)
        origin = self._origin(node, told.label, told.moment)
        st.markdown(f"{told.how}\n\n{story.history}\n\n{origin.said}")
        st.html(origin.table)
