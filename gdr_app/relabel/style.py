"""How the Relabel page fills one screen: a bar that stays, graph and card side by side."""

from __future__ import annotations

from typing import Final

from gdr_app.widgets.t_min import BAR

CARD: Final = "why-card"
HIGHEST: Final = 1000  # px of the graph, however tall the window
_FADE: Final = 40  # px at the card's lower edge
TAKEN: Final = 424  # px that the rest of the screen takes: title, words, bar, legend
# The card scrolls by itself where it stands beside the graph, and what goes on below fades; below
# the graph it is as long as it is.
STYLE: Final = f"""
<style>
[data-testid=stLayoutWrapper]:has(> .st-key-{BAR}) {{ position: sticky; top: 0; z-index: 100; }}
@media (min-width: 60rem) {{
  .st-key-{CARD} {{ overflow-y: auto; padding-right: 0.75rem; scrollbar-gutter: stable;
    max-height: clamp(400px, 100vh - {TAKEN - 82}px, {HIGHEST + 82}px); padding-bottom: {_FADE}px;
    mask-image: linear-gradient(to bottom, black calc(100% - {_FADE}px), transparent); }}
}}
</style>
"""
