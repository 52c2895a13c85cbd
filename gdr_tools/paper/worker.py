"""What a worker of `gdr_tools.jobs` does when it is asked for a cell."""

from __future__ import annotations

from typing import Any

from gdr_core.progress import Progress
from gdr_tools.paper.cells import Cell


def request_of(cell: Cell, seeds: int) -> dict[str, Any]:
    """The arguments that ask for a cell."""
    return {"cell": vars(cell), "seeds": seeds}


def run_request(arguments: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """The result of the cell that is asked for."""
    from gdr_tools.paper.run import run_cell

    cell, seeds = Cell(**arguments["cell"]), int(arguments["seeds"])
    progress(0.0, f"loading {cell.dataset}")
    return run_cell(cell, seeds, progress)
