"""Messages between a worker and its registry: one JSON object a line, arrays as base64."""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np

ARRAY = "__array__"


def encode(message: dict[str, Any]) -> bytes:
    """A message as one line."""
    return (json.dumps(message, default=_packed) + "\n").encode()


def decode(line: bytes) -> dict[str, Any]:
    """The message on a line; ValueError for what is none."""
    message = json.loads(line, object_hook=_unpacked)
    if not isinstance(message, dict) or "kind" not in message:
        raise ValueError("not a message")
    return message


def _packed(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        data = base64.b64encode(value.tobytes()).decode()
        return {ARRAY: data, "dtype": value.dtype.str, "shape": value.shape}
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} cannot travel as JSON")


def _unpacked(fields: dict[str, Any]) -> Any:
    if ARRAY not in fields:
        return fields
    block = np.frombuffer(base64.b64decode(fields[ARRAY]), dtype=np.dtype(fields["dtype"]))
    return block.reshape(fields["shape"])
