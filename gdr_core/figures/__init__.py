"""Figures: functions from a record to a `plotly.Figure`. They compute nothing and save nothing."""

from gdr_core.extras import need

need("plotly")
