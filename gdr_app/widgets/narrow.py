"""Where a page is narrow, as on a phone, its picture comes before the controls that stand above it
elsewhere: what a page is about is seen first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import streamlit as st

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

WIDEST: Final = "46rem"  # of a page whose columns stand below each other, see the sidebar's style
# A fragment stands in a container of its own, which has no key: what is inside counts as outside.
_STYLE: Final = """<style>
@container (max-width: {widest}) {{
  {fragment}, .st-key-{block} > :has(> .stVerticalBlock:not([class*="st-key-"])) {{
    display: contents;
  }}
  {inside} > * {{ order: 3; }}
  {leading} {{ order: 0; }}
  {controls} {{ order: 2; }}
  {inside} > :has(> .stHorizontalBlock > .stColumn),
  {inside} > * > .stHorizontalBlock:has(> .stColumn) {{ display: contents; }}
  {inside} > * > .stHorizontalBlock > .stColumn {{ order: 3; flex: none; }}
  {inside} > * > .stHorizontalBlock > .stColumn:first-child {{ order: 1; }}
}}
</style>"""


def picture_first(
    block: str, *, controls: tuple[str, ...], leading: tuple[str, ...] = ()
) -> DeltaGenerator:
    """A container for controls and columns; where the page is narrow, the first column comes first.

    controls   keys of containers inside, which then follow the first column, before all others
    leading    keys of those that stay above it
    """

    st.html(_style_of(block, controls, leading))
    return st.container(key=block)


def _style_of(block: str, controls: tuple[str, ...], leading: tuple[str, ...]) -> str:
    fragment = f'.st-key-{block} > * > .stVerticalBlock:not([class*="st-key-"])'
    inside = f":is(.st-key-{block}, {fragment})"

    def among(keys: tuple[str, ...]) -> str:
        return f"{inside} > :is({', '.join(f':has(> .st-key-{key})' for key in keys)})"

    return _STYLE.format(
        widest=WIDEST,
        block=block,
        fragment=fragment,
        inside=inside,
        leading=among(leading),
        controls=among(controls),
    )
