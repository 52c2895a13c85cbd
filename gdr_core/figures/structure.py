"""Figures of alignment, influence, smoothing and communities."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from gdr_core.figures.frame import LOG_AXIS, frame
from gdr_core.figures.palette import CLASS_COLOURS, UNKNOWN_COLOUR
from gdr_core.structure.alignment import Alignment
from gdr_core.structure.influence import Influence
from gdr_core.structure.smoothing import Smoothing

HEIGHT = 380
_BLUE, _ORANGE, _GREEN = CLASS_COLOURS[:3]
# Measured from the edge of the picture: on a phone the plot is too low for shares of its height.
_BELOW = {"yref": "container", "y": 0.0, "yanchor": "bottom", "x": 0, "xanchor": "left"}


def alignment_triangle(found: Alignment) -> go.Figure:
    """Features, graph and classes; the closer two are compared with chance, the thicker the side.

    The distances need not fit into one flat triangle, since they count different numbers of
    directions: so all sides are drawn equally long.
    """
    figure = go.Figure(layout=frame(None, None, None, 360))
    sides = zip(_SIDES, found.distances, found.random_distances, strict=True)
    for (a, b), distance, chance in sides:
        (x0, y0), (x1, y1) = _CORNERS[a], _CORNERS[b]
        closer = max(0.0, 1 - distance / chance) if chance else 0.0
        figure.add_scatter(
            x=[x0, x1],
            y=[y0, y1],
            mode="lines",
            line={"color": _BLUE, "width": 2 + 30 * closer},
            opacity=0.6,
            hoverinfo="skip",
            showlegend=False,
        )
        figure.add_annotation(
            x=(x0 + x1) / 2,
            y=(y0 + y1) / 2,
            text=f"<b>{distance:.2f}</b><br>chance {chance:.2f}",
            showarrow=False,
            **_LABELS[a, b],
        )
    figure.add_scatter(
        x=[x for x, _ in _CORNERS.values()],
        y=[y for _, y in _CORNERS.values()],
        mode="markers+text",
        text=[f"<b>{name}</b>" for name in _CORNERS],
        textposition=["bottom center", "bottom center", "top center"],
        marker={"size": 16, "color": _BLUE},
        hoverinfo="skip",
        cliponaxis=False,
        showlegend=False,
    )
    figure.update_xaxes(visible=False, range=[-0.45, 1.45])
    figure.update_yaxes(visible=False, range=[-0.2, 1.05], scaleanchor="x")
    return figure


_CORNERS = {"features": (0.0, 0.0), "graph": (1.0, 0.0), "classes": (0.5, 0.866)}
_SIDES = (("features", "graph"), ("features", "classes"), ("graph", "classes"))
_LABELS: dict[tuple[str, str], dict[str, Any]] = {
    _SIDES[0]: {"yshift": 26},
    _SIDES[1]: {"xshift": -62},
    _SIDES[2]: {"xshift": 62},
}


def randomised_curves(
    points: Sequence[dict[str, Any]],
    what: str,
    part: str,
    versions: Sequence[dict[str, Any]] = (),
) -> go.Figure:
    """Accuracies and alignment against the share that was randomised, both axes from zero.

    points     means over the draws, with their standard deviations as bars
    versions   single versions, drawn as diamonds over the lines
    """
    title = f"Accuracy and alignment as {what} are randomised"
    figure = go.Figure(
        layout=frame(title, f"share of {what} randomised", f"accuracy on {part} nodes", HEIGHT)
    )
    for key, name, colour in _RANDOMISED:
        if (points or versions)[0][key] is None:
            continue
        axis = {"yaxis": "y2"} if key == "gap" else {}
        line = {"color": colour, "dash": "dash" if key == "gap" else "solid"}
        hover = "%{y:.1f}%<extra>" + name + "</extra>"
        if points:
            figure.add_scatter(
                **_against_share(points, key),
                error_y={
                    "type": "data",
                    "array": [100 * point[f"{key}_spread"] for point in points],
                    "thickness": 1.2,
                    "width": 4,
                },
                name=name,
                mode="lines+markers",
                line=line,
                hovertemplate=hover,
                **axis,
            )
        if versions:
            figure.add_scatter(
                **_against_share(versions, key),
                name=name,
                showlegend=not points,
                mode="markers" if points else "lines+markers",
                line={**line, "width": 1},
                marker={"symbol": "diamond", "size": 12, "color": colour},
                hovertemplate=hover,
                **axis,
            )
    figure = _with_right_axis(figure, "S below chance")
    figure.update_layout(yaxis2={"ticksuffix": "%"}, legend=_BELOW, height=HEIGHT + 40)
    figure.update_xaxes(ticksuffix="%", range=[-4, 104])
    return figure.update_yaxes(ticksuffix="%", rangemode="tozero")


_RANDOMISED = (
    ("prior", "prior", UNKNOWN_COLOUR),
    ("gdr", "after GDR", _BLUE),
    ("network", "GCN", _GREEN),
    ("gap", "alignment below chance", _ORANGE),
)


def _against_share(points: Sequence[dict[str, Any]], key: str) -> dict[str, list[float]]:
    return {
        "x": [100 * point["share"] for point in points],
        "y": [100 * point[key] for point in points],
    }


def influence_map(
    found: Influence,
    order: np.ndarray,
    names: Sequence[str],
    blocks: Sequence[tuple[str, int]] = (),
    *,
    by_time: bool = False,
) -> go.Figure:
    """Heights of all pairs, or the times of their peaks, nodes ordered by class: row i lifts j.

    blocks    name and size of each class in that order, for the axes; lines part them
    by_time   colours tell when instead of how far; the text of a pair tells both
    """
    shown = [names[node] for node in order.tolist()]
    place = np.ix_(order, order)
    heights = np.where(found.overshoots, found.heights, np.nan)[place]
    times = found.peak_times[place]
    title = "When each source lifts each node" if by_time else "How far each source lifts each node"
    figure = go.Figure(layout=frame(title, "node that overshoots", "source", 520))
    figure.add_heatmap(
        z=np.log10(times) if by_time else heights,
        x=np.arange(order.size),
        y=np.arange(order.size),
        customdata=_told(shown, heights, times),
        colorscale="Viridis",
        colorbar=_powers(times) if by_time else {"title": {"text": "Ω"}},
        hovertemplate=(
            "%{customdata[0]} → %{customdata[1]}: Ω = %{customdata[2]:.3g}, highest at "
            "t = %{customdata[3]:.3g}<extra></extra>"
        ),
    )
    ends = np.cumsum([0, *(size for _, size in blocks)])
    ticks = {
        "tickvals": ((ends[1:] + ends[:-1] - 1) / 2).tolist(),
        "ticktext": [f"{name[:_LONGEST]}…" if len(name) > _LONGEST else name for name, _ in blocks],
        "showticklabels": bool(blocks),
        "showgrid": False,
    }
    figure.update_yaxes(autorange="reversed", **ticks)
    figure.update_xaxes(**ticks)
    for end in ends[1:-1].tolist():
        figure.add_hline(y=end - 0.5, line_width=1, line_color=UNKNOWN_COLOUR)
        figure.add_vline(x=end - 0.5, line_width=1, line_color=UNKNOWN_COLOUR)
    return figure


def _told(names: Sequence[str], heights: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Source, node, height and time of each pair."""
    told = np.empty((*heights.shape, 4), dtype=object)
    told[..., 0], told[..., 1] = np.array(names, dtype=object)[:, None], np.array(names, object)
    told[..., 2], told[..., 3] = heights, times
    return told


def _powers(times: np.ndarray) -> dict[str, Any]:
    """A colour bar over logarithms that tells times."""
    known = times[np.isfinite(times)]
    ticks = np.geomspace(known.min(), known.max(), 5) if known.size else known
    return {
        "title": {"text": "t"},
        "tickvals": np.log10(ticks).tolist(),
        "ticktext": [f"{tick:.2g}" for tick in ticks],
    }


_LONGEST = 14  # characters of a class on an axis


def centrality_curves(found: Influence, chosen: Sequence[int], names: Sequence[str]) -> go.Figure:
    """Share of the others that a node has made peak, against time."""
    shares = found.centrality()
    figure = go.Figure(
        layout=frame(
            "Nodes made to overshoot by time t", "time t", "share of the others, %", HEIGHT
        )
    )
    for k, node in enumerate(chosen):
        figure.add_scatter(
            x=found.times,
            y=100 * shares[node],
            name=names[node],
            mode="lines",
            line={"color": CLASS_COLOURS[k % len(CLASS_COLOURS)], "shape": "hv"},
            hovertemplate="%{y:.0f}%<extra>%{fullData.name}</extra>",
        )
    figure.update_xaxes(**LOG_AXIS)
    figure.update_layout(legend=_BELOW, height=HEIGHT + 60)
    return figure


def smoothing_curves(heat: Smoothing, depth: Smoothing, classes: int) -> go.Figure:
    """What is left of diffusion after t and of propagation after as many layers, on one axis.

    Most happens early, and both begin at 0: so the axis is that of square roots. The number of
    distinct labels has an axis of its own at the right.

    classes   of the dataset: there cannot be more labels
    """
    figure = go.Figure(
        layout=frame("What smoothing keeps", "time t, or depth k", "share", HEIGHT + 80)
    )
    for found, name, dash in ((heat, "diffusion", "solid"), (depth, "depth", "dot")):
        for values, what, colour in (
            (100 * found.energy, "energy", _ORANGE),
            (100 * found.accuracy, "accuracy", _BLUE),
            (found.labels, "labels", _GREEN),
        ):
            if not np.isnan(values).all():
                number = "%{y:.0f}" if what == "labels" else "%{y:.1f}%"
                figure.add_scatter(
                    x=np.sqrt(found.steps),
                    y=values,
                    customdata=found.steps,
                    name=f"{what}, {name}",
                    yaxis="y2" if what == "labels" else "y",
                    mode="lines",
                    line={"color": colour, "dash": dash},
                    hovertemplate="%{customdata:.3g}: " + number + f"<extra>{what}, {name}</extra>",
                )
    last = max(float(heat.steps[-1]), float(depth.steps[-1]))
    ticks = [tick for tick in _SQUARES if tick <= last]
    figure.update_xaxes(tickvals=np.sqrt(ticks).tolist(), ticktext=[f"{tick}" for tick in ticks])
    figure.update_yaxes(range=[0, 105], ticksuffix="%")
    figure = _with_right_axis(figure, "distinct labels")
    # A quarter higher than all classes: the labels do not lie on the line of 100 %.
    figure.update_layout(
        yaxis2={"range": [0, 1.25 * classes], "ticksuffix": "", "dtick": max(1, -(-classes // 8))},
        legend=_BELOW,
    )
    return figure


_SQUARES = (0, 1, 4, 9, 16, 25, 36, 49, 64)


def community_curves(times: np.ndarray, groups: np.ndarray, variation: np.ndarray) -> go.Figure:
    """Number of communities, and how far the runs disagree, against time."""
    figure = go.Figure(layout=frame("Communities across scales", "time t", "communities", HEIGHT))
    figure.add_scatter(
        x=times,
        y=groups,
        name="communities",
        mode="lines+markers",
        line={"color": _BLUE, "shape": "hv"},
    )
    figure.add_scatter(
        x=times,
        y=variation,
        name="variation of information",
        yaxis="y2",
        mode="lines",
        line={"color": _ORANGE, "dash": "dash"},
    )
    figure.update_xaxes(**LOG_AXIS)
    figure.update_yaxes(rangemode="tozero")
    return _with_right_axis(figure, "variation of information / ln N")


def _with_right_axis(figure: go.Figure, title: str) -> go.Figure:
    """The figure with an axis of its own, from zero, for what is drawn on `y2`."""
    right = {"overlaying": "y", "side": "right", "tickmode": "auto", "title": {"text": title}}
    axis = {**right, "automargin": True, "showgrid": False, "rangemode": "tozero"}
    return figure.update_layout(yaxis2=axis)


_PLACES = ("middle left", "middle right")


def gains_by_homophily(
    graphs: Sequence[dict[str, Any]], measure: str, here: float, part: str
) -> go.Figure:
    """GDR's gain against homophily, for block models and datasets; a line where this graph lies.

    part   whose nodes the gain is measured on
    """
    figure = go.Figure(
        layout=frame(
            "Where GDR gains", f"{measure} homophily", f"gain on {part} nodes, points", HEIGHT
        )
    )
    key = measure.replace("-", "_")
    for kind, colour, symbol in (
        ("block model", UNKNOWN_COLOUR, "circle-open"),
        ("dataset", _BLUE, "circle"),
    ):
        some = sorted((g for g in graphs if g["kind"] == kind), key=lambda g: float(g[key]))
        figure.add_scatter(
            x=[g[key] for g in some],
            y=[100 * (g["gdr"] - g["prior"]) for g in some],
            text=[g["name"] for g in some],
            name=f"{kind}s",
            mode="markers" if kind == "block model" else "markers+text",
            textposition=[_PLACES[k % 2] for k in range(len(some))],
            textfont={"size": 10},
            marker={"color": colour, "symbol": symbol, "size": 8},
            cliponaxis=False,
            hovertemplate="%{text}: %{y:+.1f} points<extra></extra>",
        )
    figure.add_hline(y=0, line_width=1, line_color=UNKNOWN_COLOUR)
    if here == here:
        figure.add_vline(x=here, line_color=_ORANGE, line_dash="dash", annotation_text="this graph")
    return figure


def gains_by_alignment(rows: Sequence[tuple[str, float, float]], part: str) -> go.Figure:
    """GDR's gain against the share by which S lies below chance: name, share and gain of each."""
    figure = go.Figure(
        layout=frame(None, "S below chance, %", f"mean gain on {part} nodes, points", 320)
    )
    ordered = sorted(rows, key=lambda row: row[1])
    figure.add_scatter(
        x=[100 * gap for _, gap, _ in ordered],
        y=[100 * gain for _, _, gain in ordered],
        text=[escape(name) for name, _, _ in ordered],
        mode="markers+text",
        textposition=[_PLACES[k % 2] for k in range(len(ordered))],
        marker={"color": _BLUE, "size": 9},
        cliponaxis=False,
        hovertemplate="%{text}: %{x:.1f}% below, %{y:+.1f} points<extra></extra>",
        showlegend=False,
    )
    figure.add_hline(y=0, line_width=1, line_color=UNKNOWN_COLOUR)
    return figure
