"""
Overshoot on a small graph
==========================

Heat that starts on one node reaches the others in two ways. At nodes close to the source the score
rises above its final value π before it falls back: it overshoots. At nodes far away it rises
towards π without getting above it.
"""

import numpy as np
import plotly.graph_objects as go

from gdr_core import diffuse, load_dataset, make_laplacian

path = load_dataset("path", size=8)
laplacian = make_laplacian("combinatorial", path.adjacency)
times = np.linspace(0, 3 * laplacian.relaxation_time, 300)

source = np.zeros((path.nodes, 1))
source[0] = 1.0
scores = diffuse(laplacian, source, times).values()[:, :, 0]
stationary = 1 / path.nodes

# %%
# The height of the overshoot, max p − π, falls with the distance from the source.

for node, height in enumerate(scores.max(axis=0) - stationary):
    print(f"node {node}:", f"overshoots by {height:.4f}" if height > 0 else "stays below π")

# %%
# GDR reads this the other way round: of all classes, the one that overshoots most at a node has
# the strongest support near it.

figure = go.Figure(
    [go.Scatter(x=times, y=scores[:, node], name=f"node {node}") for node in range(1, path.nodes)]
)
figure.add_hline(stationary, line_dash="dot", annotation_text="π")
figure.update_layout(xaxis_title="t", yaxis_title="p(t)", height=400)
figure
