"""Why a list of example nodes is empty, and from which t_min on it is."""

from __future__ import annotations

from typing import Final

import numpy as np

from gdr_app.wording import counted
from gdr_core.explanation.quantities import shown
from gdr_core.gdr import GDRResult

_LEFT_OUT: Final = " Training nodes are left out."


def why_empty(result: GDRResult, name: str, index: int) -> str:
    """Why none of the nodes is on a list at a t_min of the grid; training nodes are on no list.

    name   of a list that is empty there, one of HIGHLIGHTS
    """
    free = np.setdiff1d(np.arange(result.prior_labels.size), result.split.train)
    if not free.size:
        return "This list is empty: all nodes are training nodes, whose labels are given."
    if name == "no overshoot":
        return f"This list is empty: at every node some class gets above its π.{_LEFT_OUT}"
    if name == "clear overshoots":
        return (
            "This list is empty: at no node does a class rise above p(0) and π and fall back to "
            f"where it ends.{_LEFT_OUT}"
        )
    if name in ("fixed by GDR", "broken by GDR"):
        return _unmoved(result, free, name.split()[0], index)
    last = int(result.outlook.last_overshoots[free].max())
    if last < index:
        since = f" from t_min = {shown(float(result.relative_times[last + 1]))} on"
        when = ", at any t_min" if last < 0 else since
        return f"This list is empty: no class gets above its π at any node{when}.{_LEFT_OUT}"
    return (
        "This list is empty: where classes get above π, the one that gets furthest does not peak "
        f"between t_min and the end of the time window and fall back.{_LEFT_OUT}"
    )


def _unmoved(result: GDRResult, free: np.ndarray, outcome: str, index: int) -> str:
    """Nobody changes label, or nobody who does is known to be fixed or broken."""
    moved = (result.scan.predicted[:, free] != result.prior_labels[free]).sum(axis=1)
    if now := int(moved[index]):
        verb = "changes its" if now == 1 else "change their"
        return (
            f"This list is empty: {counted(now, 'node')} {verb} label at this t_min, but no node "
            f"whose class is shown is {outcome}."
        )
    if not moved.any():
        return "This list is empty: no node changes its label, at any t_min."
    before, after = np.flatnonzero(moved[:index]), np.flatnonzero(moved[index:])
    first = int(before[-1]) + 1 if before.size else 0
    span = f"from t_min = {shown(float(result.relative_times[first]))} "
    until = index + int(after[0]) - 1 if after.size else -1
    span += f"to {shown(float(result.relative_times[until]))}" if after.size else "on"
    return f"This list is empty: no node changes its label {span}."
