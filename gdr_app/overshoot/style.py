"""Room on the Overshoot page for what the browser draws only when its code has come."""

from __future__ import annotations

from typing import Final

from gdr_app.components.neighbourhood import TABLE_OPEN
from gdr_app.overshoot.examples import LIST

CURVES: Final = 438  # px of a canvas of 400 with what is read out above it
FILM: Final = 469  # px of a canvas of 400 with its player and one line of names
# An element without its code is a narrow grey bar, or nothing. It grows when the code has come, and
# all that stands below would jump. None of these is ever lower than what is kept for it here, and
# what only brings numbers to a canvas has no height. It comes with the page itself
# (`gdr_app.serving.shell`), whichever page is opened first: a style that a page draws needs code of
# Streamlit's that comes late, too.
ROOM: Final = f"""[data-testid=stMain]:has(.st-key-mode) {{
.st-key-node-search, .st-key-{LIST}, .st-key-hops, .st-key-overlay {{ min-height: 4.25rem; }}
.st-key-trajectories, .st-key-impulse-curves {{ min-height: {CURVES}px; }}
.st-key-around {{ min-height: {FILM}px; }}
.st-key-{TABLE_OPEN} {{ min-height: 2.5rem; }}
.st-key-trajectories-data, .st-key-impulse-curves-data, .st-key-around-data {{
height: 0; overflow: hidden; }}
.st-key-overview {{ min-height: clamp(320px, min(60vh, 80cqi), 420px); }}
}}"""
