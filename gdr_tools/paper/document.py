"""All tables as one document, Markdown or HTML, with settings, versions and checksums."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from gdr_core.datasets import embedded, spec_of
from gdr_tools.paper import published, report
from gdr_tools.paper.board import Number, Table, tables
from gdr_tools.paper.gains import Gain, gains, standing
from gdr_tools.paper.markdown import grid
from gdr_tools.paper.notes import VISIBLE
from gdr_tools.paper.remarks import attempt_of, note_of, settings_of, signed_points, versions_line
from gdr_tools.paper.run import versions
from gdr_tools.paper.store import Snapshot

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 0.5rem 0 1.5rem; display: block; overflow-x: auto; }
th, td { border: 1px solid #8a8f98; padding: 0.3rem 0.6rem; text-align: left; }
td small { display: block; }
"""


SAME, DEEPEST = 0.2, 5.0  # points, or percent of a count: grey below, full colour from there on
_GAIN_HEADS = (
    "Prior",
    "Dataset",
    "Direction",
    "Split",
    "Prior accuracy",
    "Gain",
    "Gain in the paper",
)


def checksums(store: Snapshot) -> list[tuple[str, str]]:
    """SHA-256 of every file the numbers rest on: data as the manifest has it, results as they are.

    Data files are compared with the manifest whenever they are read.
    """
    specs = [spec_of(name) for name in published.DATASETS]
    stored = [str(spec.stored) for spec in specs if spec.download is None]
    found = [(f"data/{file}", embedded.manifest_entry(file)["sha256"]) for file in stored]
    for spec in specs:
        found += [] if spec.download is None else spec.download.checksums.items()
    return found + [(f"data/results/{file}", digest) for file, digest in store.digests.items()]


def markdown_document(store: Snapshot, rule: str) -> str:
    """The whole as Markdown."""
    lines = [f"# The paper's tables, computed again: rule {rule}\n"]
    found = tables(store, rule)
    lines += [f"- {text}" for text in _standing_lines(found)] + [""]
    lines += ["## Protocol\n", *(f"- {text}" for text in _protocol(rule)), ""]
    for table in found:
        lines += [
            f"## {table.title}\n",
            f"{table.caption}\n",
            *grid(table, _head, _in_one_line),
            "",
        ]
    lines += ["## Gain by GDR\n", *_markdown_gains(gains(store, rule)), ""]
    lines += ["## Differences of a point or more\n", *_difference_lines(found), ""]
    lines += ["## Settings of every number\n", *_settings_lines(found), ""]
    lines += ["## Versions of this program\n", versions_line(versions()), ""]
    lines += ["## Checksums, SHA-256\n", *(f"- {file}: `{sha}`" for file, sha in checksums(store))]
    return "\n".join(lines) + "\n"


def html_document(store: Snapshot, rule: str, charts: Sequence[Any] = ()) -> str:
    """The whole as one HTML page that needs nothing else; charts are plotly figures."""
    title = f"The paper's tables, computed again: rule {rule}"
    found = tables(store, rule)
    parts = [f"<h1>{escape(title)}</h1>", _html_list(_standing_lines(found))]
    for table in found:
        parts += [f"<h2>{escape(table.title)}</h2>", f"<p>{escape(table.caption)}</p>"]
        parts.append(_html_table(table))
    parts.append("<h2>Gain by GDR</h2>")
    for place, chart in enumerate(charts):
        parts.append(chart.to_html(full_html=False, include_plotlyjs=place == 0))
    parts.append(_html_gains(gains(store, rule)))
    parts += ["<h2>Differences of a point or more</h2>", _html_list(_difference_lines(found))]
    parts += ["<h2>Protocol</h2>", _html_list(_protocol(rule))]
    parts += ["<h2>Settings of every number</h2>", _html_list(_settings_lines(found))]
    parts += ["<h2>Versions of this program</h2>", f"<p>{escape(versions_line(versions()))}</p>"]
    sums = [f"- {file}: {sha}" for file, sha in checksums(store)]
    parts += ["<h2>Checksums, SHA-256</h2>", _html_list(sums)]
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>'
    return f"{head}<style>{STYLE}</style><body>{''.join(parts)}</body></html>"


def shown(number: Number) -> str:
    """Our number as text, with its spread."""
    if number.ours is None:
        return "not computed"
    if number.counted:
        return f"{number.ours:,.0f}"
    return f"{number.ours:.1f}" + ("" if number.spread is None else f" ± {number.spread:.1f}")


def printed(number: Number) -> str:
    """The paper's number as text."""
    if number.paper is None:
        return "none"
    return f"{number.paper:,.0f}" if number.counted else f"{number.paper:.1f}"


def signed(number: Number) -> str:
    """The difference with its sign, empty where there is none to tell."""
    if number.difference is None:
        return ""
    if number.counted:
        text = f"{number.difference:+,.0f}"
        return "same" if number.difference == 0 else text.replace("-", "−")
    return signed_points(number.difference)


def _standing_lines(found: Sequence[Table]) -> list[str]:
    """How the numbers stand beside the paper's, as the tiles of the page say it."""
    stands = standing([number for table in found for number in table.numbers])
    mean = stands.mean_difference
    lines = [
        f"Computed: {stands.stored} of {stands.total} accuracies of tables 2 to 5.",
        f"Reach the paper: {stands.reached} of {stands.compared}, within a point of its number or "
        "above it.",
    ]
    if mean is not None:
        lines.append(f"Mean difference, ours minus the paper's: {signed_points(mean)} points.")
    return lines


def _difference_lines(found: Sequence[Table]) -> list[str]:
    """A line for every visible difference, with what is known of it."""
    lines = [
        f"- **{number.name}**: ours {shown(number)}, paper {printed(number)} ({signed(number)}). "
        f"{note_of(number)} {attempt_of(number)}".rstrip()
        for table in found
        for number in table.numbers
        if not number.counted and number.difference and abs(number.difference) >= VISIBLE
    ]
    return lines or ["- None."]


def _gain_row(gain: Gain) -> list[str]:
    cell = gain.cell
    printed_gain = "–" if gain.paper_gain is None else signed_points(gain.paper_gain)
    names = [cell.method, cell.dataset, cell.direction, cell.split]
    return [*names, f"{gain.before:.1f}", signed_points(gain.gain), printed_gain]


def _markdown_gains(found: Sequence[Gain]) -> list[str]:
    rows = [_GAIN_HEADS, ["---"] * len(_GAIN_HEADS), *map(_gain_row, found)]
    return [f"| {' | '.join(row)} |" for row in rows]


def _html_gains(found: Sequence[Gain]) -> str:
    heads = "".join(f'<th scope="col">{head}</th>' for head in _GAIN_HEADS)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(text)}</td>" for text in _gain_row(gain)) + "</tr>"
        for gain in found
    )
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _head(number: Number) -> str:
    return " ".join(part for part in (number.column, number.group) if part)


def _in_one_line(number: Number) -> str:
    difference = f", {signed(number)}" if signed(number) else ""
    return f"**{shown(number)}** (paper {printed(number)}{difference})"


def _settings_lines(found: list[Table]) -> list[str]:
    return [
        f"- **{number.name}**: " + "; ".join(f"{name} {text}" for name, text in settings_of(number))
        for table in found
        for number in table.numbers
    ]


def _html_table(table: Table) -> str:
    first = [table.at(table.rows[0], column) for column in table.columns]
    heads = "".join(f'<th scope="col">{escape(_head(number))}</th>' for number in first)
    rows = []
    for row in table.rows:
        texts = "".join(_html_number(table.at(row, column)) for column in table.columns)
        rows.append(f'<tr><th scope="row">{escape(row)}</th>{texts}</tr>')
    return f"<table><thead><tr><td></td>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _html_number(number: Number) -> str:
    title = "; ".join(f"{name}: {text}" for name, text in settings_of(number))
    difference = f", {signed(number)}" if signed(number) else ""
    return (
        f'<td title="{escape(title, quote=True)}" style="background:{shade(number)}">'
        f"<strong>{escape(shown(number))}</strong>"
        f"<small>paper {printed(number)}{difference}</small></td>"
    )


def shade(number: Number) -> str:
    """Blue above the paper, orange below, deeper with the difference; nothing without one.

    Accuracies differ in points, counts in percent of the paper's.
    """
    if number.difference is None or number.paper is None:
        return "transparent"
    gap = abs(number.difference) * (100 / number.paper if number.counted else 1)
    if gap < SAME:
        return "rgba(138, 143, 152, 0.12)"
    strength = min(gap, DEEPEST) / DEEPEST
    colour = "0, 114, 178" if number.difference > 0 else "213, 94, 0"
    return f"rgba({colour}, {0.08 + 0.32 * strength:.2f})"


def _protocol(rule: str) -> list[str]:
    """The protocol of the stored results, with the rule that this document shows."""
    body = report.PROTOCOL.split("## Protocol", 1)[1]
    items = [" ".join(item.split()) for item in body.split("\n- ")[1:]]
    own = (
        f"Reclassifications are read by the rule `{rule}`. π is the mean over the whole graph. The "
        "Laplacian is the combinatorial one, for directed graphs Chung's with α = 0.85."
    )
    return [own if item.startswith("All three decision rules") else item for item in items]


def _html_list(lines: Sequence[str]) -> str:
    items = (escape(line.removeprefix("- ").replace("**", "").replace("`", "")) for line in lines)
    return "<ul>" + "".join(f"<li>{item}</li>" for item in items) + "</ul>"
