"""Room on the Overshoot page for what the browser draws only when its code has come."""

from __future__ import annotations

from typing import Final

from gdr_app.components.neighbourhood import TABLE_OPEN
from gdr_app.overshoot.examples import LIST

CURVES: Final = 438  # px of a canvas of 400 with what is read out above it
FILM: Final = 469  # px of a canvas of 400 with its player and one line of names
# An element without its code is a narrow grey bar, or nothing. It grows when the code has come, and
# all that stands below would jump. None of these is ever lower than what is kept for it here.
# The style itself needs code of Streamlit's that comes late, too: where the server is quicker than
# that, as it is once it has served somebody, a cold browser still sees the jump.
STYLE: Final = f"""
<style>
.st-key-node-search, .st-key-{LIST}, .st-key-hops, .st-key-overlay {{ min-height: 4.25rem; }}
.st-key-trajectories, .st-key-impulse-curves {{ min-height: {CURVES}px; }}
.st-key-around {{ min-height: {FILM}px; }}
.st-key-{TABLE_OPEN} {{ min-height: 2.5rem; }}
.st-key-overview {{ min-height: clamp(320px, min(60vh, 80cqi), 420px); }}
</style>
"""
