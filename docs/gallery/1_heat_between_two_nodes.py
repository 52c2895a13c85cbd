"""
Heat between two nodes
======================

The smallest graph that diffuses: two nodes and one edge. Its Laplacian has the eigenvalues 0 and 2,
so the difference between the nodes shrinks like :math:`e^{-2t}`.
"""

import numpy as np
import plotly.graph_objects as go

from gdr_core import diffuse, make_laplacian

pair = make_laplacian("combinatorial", [[0, 1], [1, 0]])
print("relaxation time 1/λ₂ =", pair.relaxation_time)

# %%
# All heat starts on the first node. One call gives every time at once, with a proved error bound.

times = np.linspace(0, 3, 61)
heat = diffuse(pair, np.array([[1.0], [0.0]]), times, tolerance=1e-10)
scores = heat.values()[:, :, 0]
exact = (1 + np.exp(-2 * times)) / 2
print("largest error:", np.abs(scores[:, 0] - exact).max(), "proved bound:", heat.error_bound)

# %%
# Both nodes end at the mean, and their sum never changes.

figure = go.Figure(
    [go.Scatter(x=times, y=scores[:, node], name=f"node {node}") for node in range(2)]
)
figure.update_layout(xaxis_title="t", yaxis_title="p(t)", height=360)
figure
