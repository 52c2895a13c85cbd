"""Figures as one HTML page that needs nothing else, not even a connection."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import plotly.graph_objects as go


def page_of(figures: Sequence[go.Figure | str], title: str) -> str:
    """The figures one below the other, SVG as it is; plotly's script is inside, once.

    The same figures give the same page, byte for byte.
    """
    parts = [figure for figure in figures if isinstance(figure, str)]
    charts = [figure for figure in figures if not isinstance(figure, str)]
    parts += [
        chart.to_html(full_html=False, include_plotlyjs=number == 0, div_id=f"figure-{number}")
        for number, chart in enumerate(charts)
    ]
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>'
    return head + "".join(parts) + "</html>"
