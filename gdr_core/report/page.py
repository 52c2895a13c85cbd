"""The report as HTML: everything inside, nothing asked of the net, every text escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.resources import files

from gdr_core.canvases.page import document, view_html
from gdr_core.datasets.record import Dataset
from gdr_core.gdr.relabelling import Relabelling
from gdr_core.gdr.result import GDRResult
from gdr_core.method import Method, PriorLines
from gdr_core.report import numbers


def report_page(
    method: Method,
    dataset: Dataset,
    result: GDRResult,
    *,
    lines: PriorLines | None = None,
    prior: str = "",
) -> str:
    """One HTML document: settings, data, accuracy, curve, relabelled nodes, graph, Python.

    It shows the t_min at `result.chosen`.
    lines   of Python for what has no name: a prior that the registry does not know, own data
    prior   what the prior is called, if not by its name
    """
    title = f"{dataset.name}: graph diffusion reclassification"
    sections = [
        ("Result", verdict(result) + _accuracy_table(result)),
        ("Accuracy for every t_min", _curve_svg(result)),
        ("Settings", _pairs_table(settings(method, result, prior))),
        ("Data", _pairs_table(numbers.data_summary(dataset))),
        ("The graph", view_html(dataset, result, most=numbers.NODES_DRAWN)),
        ("Relabelled nodes", _ledger_table(dataset, result)),
        ("The same in Python", f"<pre>{escape(_python_lines(method, result, lines))}</pre>"),
    ]
    body = "".join(f"<section><h2>{escape(head)}</h2>{html}</section>" for head, html in sections)
    return document(title, f'<h1 dir="auto">{escape(title)}</h1>{body}', _style())


def verdict(result: GDRResult) -> str:
    """What came of it, in a sentence."""
    if result.keeps_prior:
        return (
            "<p>The prior's labels are kept: the validation nodes do not show clearly that the "
            "graph helps. No node was relabelled.</p>"
        )
    return verdict_of(result.at())


def verdict_of(now: Relabelling) -> str:
    """The same for any t_min."""
    counts = now.tally
    known = f"{counts.fixed:,} fixed, {counts.broken:,} broken, {counts.still_wrong:,} still wrong"
    hidden = f", {counts.not_judged:,} whose class is not known here"
    unknown = hidden if counts.not_judged else ""
    if not counts.relabelled:
        return "<p>No node was relabelled.</p>"
    were = "1 node was" if counts.relabelled == 1 else f"{counts.relabelled:,} nodes were"
    return f"<p>{were} relabelled: {known}{unknown}.</p>"


def _accuracy_table(result: GDRResult) -> str:
    """Accuracy before and after with 95 % intervals."""
    rows = [
        [
            row["part"],
            f"{row['nodes']:,}",
            _with_interval(row["before"], row["before_interval"]),
            _with_interval(row["after"], row["after_interval"]),
            f"{100 * (row['after'] - row['before']):+.1f}",
        ]
        for row in numbers.accuracies(result)
    ]
    if not rows:
        return "<p>No node with a known class is left to measure the accuracy on.</p>"
    heads = ["part", "nodes", "prior (95 % interval)", "GDR (95 % interval)", "gain in points"]
    return table(heads, rows) + (
        "<p>The intervals (Wilson) say how far chance alone, in which nodes were drawn, can move "
        "an accuracy. Both are measured on the same nodes.</p>"
    )


def settings(method: Method, result: GDRResult, prior: str = "") -> list[tuple[str, str]]:
    """How it was computed."""
    chosen = result.chosen
    return [
        ("prior (class probabilities before diffusion)", prior or method.prior),
        ("Laplacian (generator of the diffusion)", _laplacian(method)),
        ("rule", result.options.rule),
        *([("rule and Laplacian", _AUTO)] if method.auto else []),
        ("π (stationary state)", result.options.stationary),
        (
            "t_min (burn-in time)",
            f"{result.times[chosen]:.4g} = {result.relative_times[chosen]:.4g} relaxation times",
        ),
        ("relaxation time 1/λ₂", f"{result.relaxation_time:.4g}"),
        ("largest error of any p(t), proved", f"{result.error_bound:.1e}"),
    ]


_AUTO = "left to the validation nodes where there are enough of them (auto)"


def _laplacian(method: Method) -> str:
    if not method.is_directed:
        return method.laplacian
    return f"{method.laplacian}, {method.direction}, α = {method.alpha:g}"


def _curve_svg(result: GDRResult) -> str:
    """Accuracy over t_min on a logarithmic axis, as inline SVG."""
    lines = numbers.curve(result)
    parts = [part for part in ("validation", "test") if part in lines]
    if not parts:
        return "<p>Without validation or test nodes there is no curve.</p>"
    return _svg_curve(
        lines, parts, float(result.relative_times[result.chosen]), result.prior_accuracy
    )


def _svg_curve(
    lines: dict[str, list[float]], parts: Sequence[str], chosen: float, prior: dict[str, float]
) -> str:
    """The drawing itself: one line a part, the prior dashed, the chosen t_min upright."""
    import math

    width, height, left, low = 640, 260, 50, 220
    first, last = math.log10(lines["t"][0]), math.log10(lines["t"][-1])
    values = [v for part in parts for v in (*lines[part], prior[part])]
    bottom, top = max(0.0, min(values) - 0.03), min(1.0, max(values) + 0.03)

    def x(t: float) -> float:
        return left + (width - left - 10) * (math.log10(t) - first) / ((last - first) or 1)

    def y(v: float) -> float:
        return low - (low - 15) * (v - bottom) / ((top - bottom) or 1)

    shapes = [
        f'<line class="axis" x1="{left}" y1="{low}" x2="{width - 10}" y2="{low}"/>',
        f'<text x="{left - 6}" y="{y(top) + 4:.1f}" text-anchor="end">{top:.0%}</text>',
        f'<text x="{left - 6}" y="{low}" text-anchor="end">{bottom:.0%}</text>',
        f'<text x="{width / 2}" y="{height - 4}" text-anchor="middle">'
        "t_min in relaxation times</text>",
    ]
    for power in range(math.ceil(first), math.floor(last) + 1):
        place = x(10.0**power)
        shapes.append(f'<text x="{place:.1f}" y="{low + 16}" text-anchor="middle">1e{power}</text>')
    if chosen > 0:
        shapes.append(
            f'<line class="chosen" x1="{x(chosen):.1f}" y1="15" x2="{x(chosen):.1f}" y2="{low}"/>'
        )
    for part in parts:
        points = " ".join(
            f"{x(t):.1f},{y(v):.1f}" for t, v in zip(lines["t"], lines[part], strict=True)
        )
        level = f"{y(prior[part]):.1f}"
        shapes.append(f'<polyline class="{part}" points="{points}"/>')
        shapes.append(
            f'<line class="{part} prior" x1="{left}" y1="{level}" x2="{width - 10}" y2="{level}"/>'
        )
    legend = ", ".join(f'<span class="{part}">{part}</span>' for part in parts)
    label = f"Accuracy on {' and '.join(parts)} nodes for every t_min"
    upright = "upright line: the t_min of this report."
    if chosen <= 0:
        upright = "the t_min of this report is 0, which a logarithmic axis does not show."
    return (
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{label}">'
        f"{''.join(shapes)}</svg>"
        f"<p>{legend}; dashed: the prior; {upright}</p>"
    )


def _ledger_table(dataset: Dataset, result: GDRResult) -> str:
    """The relabelled nodes, the clearest first."""
    rows = numbers.changes(dataset, result)
    if not rows:
        return "<p>No node was relabelled.</p>"
    total = result.at().tally.relabelled
    more = "" if total == len(rows) else f"<p>The {len(rows):,} clearest of {total:,}.</p>"
    heads = ["node", "true class", "before", "after", "outcome", "margin"]
    return more + f'<div class="scroll">{table(heads, rows)}</div>'


def _python_lines(method: Method, result: GDRResult, lines: PriorLines | None = None) -> str:
    """What to type to compute the same."""
    if lines is None and method.prior == "external" and not method.prior_options:
        lines = PriorLines("", "", "probabilities")
    text = method.python(t_min=result.at().t_min, lines=lines)
    if method.auto or not result.keeps_prior:
        return text
    body = method.python_body(lines)
    return text.replace(body, f"{body}result = result.keeping_prior()\n", 1)


def _pairs_table(pairs: list[tuple[str, str]]) -> str:
    """Names and values."""
    rows = "".join(f"<tr><th>{escape(k)}</th><td>{escape(v)}</td></tr>" for k, v in pairs)
    return f"<table>{rows}</table>"


def table(heads: list[str], rows: list[list[str]]) -> str:
    """A table whose every cell is text."""
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    body = "".join(
        "<tr>" + "".join(f'<td dir="auto">{escape(cell)}</td>' for cell in row) + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _with_interval(value: float, around: tuple[float, float]) -> str:
    return f"{value:.1%} ({around[0]:.1%} to {around[1]:.1%})"


def _style() -> str:
    return (files("gdr_core.report") / "report.css").read_text(encoding="utf-8")
