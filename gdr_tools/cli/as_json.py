"""Reports as JSON that every program can read."""

from __future__ import annotations

import json
import math
from typing import Any


def as_json(report: Any, indent: int | None = None) -> str:
    """The report as JSON; a number that there is not, as the accuracy of no nodes, is null.

    JSON has no NaN, and most programs refuse what has one.

    >>> as_json({"accuracy": float("nan"), "losses": [0.5, float("nan")]})
    '{"accuracy": null, "losses": [0.5, null]}'
    """
    return json.dumps(_without_nan(report), indent=indent, allow_nan=False)


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_nan(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
