"""One number of the tables: its settings, its seeds, and what a run here and now gives."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

import pandas as pd
import streamlit as st

from gdr_app.reproduce.live import offer_run, run_of
from gdr_app.state import link
from gdr_app.state.pickers import pick
from gdr_app.widgets.plots import draw_figure, draw_numbers, show_table
from gdr_app.widgets.tiles import tiles
from gdr_app.wording import plain
from gdr_tools.paper.board import Number
from gdr_tools.paper.document import printed, shown, signed
from gdr_tools.paper.figures import seeds_of_cell
from gdr_tools.paper.remarks import attempt_of, note_of, settings_of
from gdr_tools.paper.run import versions

CELL: Final = "cell"
FIRST: Final = "table 2 GDR: projection, cora"
_SEEDS_HEIGHT: Final = 230  # px
SAME: Final = 1e-9  # percent; the same computation gives the same bits, JSON keeps them all
LINES: Final = """\
from gdr_tools.paper.cells import Cell
from gdr_tools.paper.run import run_cell
from gdr_tools.paper.store import Store

cell = Cell({cell})
stored = Store().get(cell)
fresh = run_cell(cell, seeds=1)  # {what}
print(stored{path} if stored else "not stored", "->", fresh{path})
"""


def choose_number(numbers: Sequence[Number]) -> Number:
    """A searchable select box over all numbers."""
    by_name = {number.name: number for number in numbers}
    name = pick(
        "Cell",
        tuple(by_name),
        key=CELL,
        default=FIRST,
        filter_mode="contains",
        help="Every number of all tables; a click on one in the table chooses it here.",
    )
    return by_name[name]


def chosen_name() -> str:
    """The number that is chosen, before its select box is drawn."""
    return link.recall(CELL) or FIRST


def select_number(name: str) -> None:
    """Choose a number; for callbacks."""
    link.remember(CELL, None if name == FIRST else name)


def show_number(number: Number) -> None:
    """The number beside the paper's, all its settings, its seeds; run again."""
    tiles(
        [
            ("Ours", shown(number), "Mean ± standard deviation over the seeds."),
            ("Paper", printed(number), "What the paper prints."),
            ("Difference", signed(number) or "–", "Ours minus the paper's."),
        ]
    )
    for text in filter(None, (note_of(number), attempt_of(number))):
        st.markdown(text)
    offer_run(number)
    live = run_of(number)
    if live is not None:
        _show_comparison(number, live)
    if number.counted and number.result:
        st.markdown("A count: it has no seeds.")
    else:
        _show_all_readings(number)
    stored, again = number.by_seed(number.result), number.by_seed(live)
    if len({*stored, *again}) > 1:
        figure = seeds_of_cell(stored, again, number.paper).update_layout(height=_SEEDS_HEIGHT)
        alt = "Test accuracy of every seed, stored and run again, and the paper's number."
        draw_figure(figure, key="seeds", alt=alt)
    with st.expander("Settings of this number", icon=":material/tune:"):
        st.markdown("\n".join(f"- **{name}**: {plain(text)}" for name, text in settings_of(number)))


def _show_all_readings(number: Number) -> None:
    """The run read in every way: the prior and each rule, or the network, or the counts."""
    table = readings_table(number)
    if table.empty:
        st.markdown("**Not computed yet.** The table shows what is stored; run it here to see it.")
        return
    show_table(
        table,
        key="cell-readings",
        formats={name: "%.4g" if name == "t_min·λ₂" else "%.1f" for name in table.columns[1:]},
        alt="Table: accuracy of this run on validation and test nodes, by every rule.",
    )


def readings_table(number: Number) -> pd.DataFrame:
    """One row a reading: accuracy on validation and test nodes in percent, spread, t_min."""
    result = number.result or {}
    found = {name: result[name] for name in ("prior", "network") if name in result}
    found |= result.get("gdr", {})
    return pd.DataFrame(
        [
            {
                "Reading": name,
                "Validation": 100 * entry["validation"],
                "Test": 100 * entry["test"],
                "± test": 100 * entry["test_spread"] if len(number.seeds) > 1 else None,
                "t_min·λ₂": entry.get("t_min_relative"),
            }
            for name, entry in found.items()
        ]
    )


def _show_comparison(number: Number, live: dict[str, Any]) -> None:
    """The run beside the stored one, seed by seed, with a verdict."""
    table = comparison_table(number, live)
    if number.result is None:
        st.info("Nothing is stored for this cell, so there is nothing to compare with.")
    else:
        _judge(table, number.result["versions"])
    alt = "Table: stored number, number of this run and their difference, for each seed."
    draw_numbers(table, key="live-table", digits=2, alt=alt)


def comparison_table(number: Number, live: dict[str, Any]) -> pd.DataFrame:
    """One row a seed (or one for a count): stored, run again, difference."""
    if number.counted:
        pairs = [("count", number.ours, number.read(live))]
    else:
        stored = number.by_seed(number.result)
        pairs = [
            (str(seed), stored.get(seed), value) for seed, value in number.by_seed(live).items()
        ]
    table = pd.DataFrame(pairs, columns=["Seed", "Stored", "Run again"])
    table[["Stored", "Run again"]] = table[["Stored", "Run again"]].astype(float)
    table["Difference"] = table["Run again"] - table["Stored"]
    return table


def python_for(number: Number) -> str:
    """The lines of Python that repeat this number: a count, or the accuracy of the first seed."""
    cell = number.cell
    parts = [cell.group, cell.dataset, cell.split, cell.method, cell.direction]
    steps = number.path if number.counted else ("runs", 0, *number.path_in_run, "test")
    return LINES.format(
        cell=", ".join(map(json.dumps, parts)),
        path="".join(f"[{json.dumps(step)}]" for step in steps),
        what=_what_is_compared(number),
    )


def _what_is_compared(number: Number) -> str:
    if number.counted:
        return "a count"
    if len(number.seeds) > 1:
        return f"seed 0, beside the stored seed 0; the table shows the mean of {len(number.seeds)}"
    return "seed 0, beside the stored seed 0"


def _judge(table: pd.DataFrame, stored_versions: dict[str, str]) -> None:
    compared = table["Difference"].dropna()
    if len(compared) == 0:
        st.info("None of these seeds is stored, so there is nothing to compare with.")
        return
    largest = float(compared.abs().max())
    if largest <= SAME:
        runs = "the run" if len(compared) == 1 else f"all {len(compared)} runs"
        st.success(f"**The same number** in {runs}, to the last digit.", icon=":material/check:")
        return
    now = versions()
    other = [name for name, value in stored_versions.items() if now.get(name) != value]
    why = (
        f"Other versions here: {', '.join(f'{name} {now.get(name)}' for name in other)}."
        if other
        else "Networks sum in another order on another processor or number of threads."
    )
    st.warning(
        f"**Another number**: up to {largest:.2f} points away. {why}", icon=":material/difference:"
    )
