"""The report beside the results: protocol, tables with the paper's numbers, differences."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gdr_core.experiments import cells, comparison, paper
from gdr_core.experiments.comparison import SHOWN_RULES, Entry
from gdr_core.experiments.notes import VISIBLE, note_for
from gdr_core.experiments.store import Store

PROTOCOL = """# Results

Written by `python -m gdr_core reproduce`; do not edit by hand. Numbers are test accuracy in
percent, ours as mean ± standard deviation over the seeds 0, 1, 2, … (10 where training is random,
one run where it is not). The JSON files beside this one hold every run with its settings, seeds,
versions, t_min and time.

## Protocol

- **Training labels** enter priors, networks and the start of the diffusion.
- **Validation labels** choose t_min, for networks the epoch whose weights are kept (lowest
  validation loss), for Planetoid the round (highest validation accuracy). Settings that the paper
  leaves open were compared on validation data; they are stored with each result. One set serves all
  datasets, but for diff-GCN: its initial diffusion time on Pubmed, and initial time, learning rate,
  weight decay and number of epochs on Wikipedia, were set by the validation loss of that dataset.
- **Test labels** are compared with and choose nothing.
- t_min is chosen from 200 times, spaced evenly in log t up to one relaxation time (twenty for
  directed graphs): the one with the best validation accuracy, averaged over t_min up to a factor √2
  away.
- All three decision rules were run; the tables show `overshoot` (the paper's equations) and
  `reference` (what the published code does). π is the mean over the whole graph. The Laplacian is
  the combinatorial one, for directed graphs Chung's with α = 0.85.
- Tables 4 and 5: the paper's directed numbers belong to a split by row order (`paper-directed`);
  the public split is given beside it.
"""


def write_report(store: Store) -> Path:
    """Write README.md beside the results and return its path."""
    store.folder.mkdir(parents=True, exist_ok=True)
    path = store.folder / "README.md"
    path.write_text("\n".join(sections(store)) + "\n", encoding="utf-8")
    return path


def sections(store: Store) -> list[str]:
    """The report, part by part."""
    everything = comparison.entries(store)
    return [
        PROTOCOL,
        *sizes(store),
        "## Table 2: priors, before GDR\n",
        *grid(chosen(everything, "2 prior"), single),
        "\n## Table 2: after GDR\n",
        "Each cell: the paper's number | rule `overshoot` | rule `reference`.\n",
        *grid(chosen(everything, "2 GDR"), by_rule),
        "\n## Table 3: networks\n",
        *grid(chosen(everything, "3"), single),
        "\n## Table 4: GDR on Cora with directions\n",
        "Each cell: the paper's number | rule `overshoot` | rule `reference`.\n",
        *grid(chosen(everything, "4"), by_rule),
        "\n## Table 5: networks on Cora with directions\n",
        *grid(chosen(everything, "5"), single),
        "\n## In short\n",
        *counts(everything),
        "\n## Differences of a point or more\n",
        *differences(everything),
    ]


def chosen(everything: list[Entry], table: str) -> list[Entry]:
    """The entries of one table."""
    return [entry for entry in everything if entry.table == table]


def sizes(store: Store) -> list[str]:
    """Table 1. Edges are counted without loops and repetitions, so they are fewer."""
    lines = [
        "## Table 1: sizes\n",
        "Each cell: the paper's number | ours. The paper's edge counts include repeated edges and "
        "self-loops.\n",
        "| | nodes | edges | classes | features |",
        "|---|---|---|---|---|",
    ]
    for cell in cells.sizes():
        result = store.get(cell) or {}
        ours = [result.get(key) for key in ("nodes", "edges", "classes", "features")]
        pairs = zip(paper.SIZES[cell.dataset], ours, strict=True)
        cells_text = " | ".join(f"{a:,} \\| {'–' if b is None else f'{b:,}'}" for a, b in pairs)
        lines.append(f"| {cell.dataset} | {cells_text} |")
    return [*lines, ""]


def grid(table: list[Entry], show: Any) -> list[str]:
    """A Markdown table with one row for each method."""
    columns = list(dict.fromkeys(entry.column for entry in table))
    rows = list(dict.fromkeys(entry.row for entry in table))
    by_place = {(entry.row, entry.column): entry for entry in table}
    lines = ["| | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for row in rows:
        shown = [show(by_place[row, column]) for column in columns]
        lines.append(f"| {row} | " + " | ".join(shown) + " |")
    return lines


def single(entry: Entry) -> str:
    """The paper's number and our one reading."""
    readings = [reading(entry, name) for name in entry.ours] or ["–"]
    return " \\| ".join([number(entry.paper), *readings])


def by_rule(entry: Entry) -> str:
    """The paper's number and our two rules."""
    return " \\| ".join([number(entry.paper), *(reading(entry, rule) for rule in SHOWN_RULES)])


def number(value: float | None) -> str:
    """A number of the paper, or a dash."""
    return "–" if value is None else f"{value:.1f}"


def reading(entry: Entry, name: str) -> str:
    """Ours with its spread; bold where it is at or above the paper's."""
    if name not in entry.ours:
        return "–"
    spread = f" ± {entry.spread[name]:.1f}" if entry.spread[name] else ""
    text = f"{entry.ours[name]:.1f}{spread}"
    reached = entry.paper is not None and round(entry.ours[name], 1) >= entry.paper
    return f"**{text}**" if reached else text


def counts(everything: list[Entry]) -> list[str]:
    """How many cells reach the paper, by table."""
    lines = []
    for table in dict.fromkeys(entry.table for entry in everything):
        gaps = [e.difference for e in chosen(everything, table) if e.difference is not None]
        if gaps:
            reached = sum(gap >= -VISIBLE for gap in gaps)
            lines.append(
                f"- Table {table}: {reached} of {len(gaps)} cells within a point of the paper or "
                f"above it; mean difference {sum(gaps) / len(gaps):+.1f}."
            )
    return lines


def differences(everything: list[Entry]) -> list[str]:
    """One paragraph for each number that differs visibly from the paper's."""
    lines = []
    for entry in everything:
        if entry.difference is None or abs(entry.difference) < VISIBLE:
            continue
        place = (entry.table, entry.row, entry.column)
        note = note_for(place, entry.best_rule, entry.difference)
        lines.append(
            f"- **Table {entry.table}, {entry.row}, {entry.column}**: the paper "
            f"{entry.paper:.1f}, ours {entry.best:.1f} ({entry.difference:+.1f}). {note}".rstrip()
        )
    return lines or ["None."]
