"""Messages between a worker and its registry: one JSON object a line, arrays as base64."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Callable
from typing import Any, BinaryIO

import numpy as np

_ARRAY = "__array__"

Send = Callable[[dict[str, Any]], None]


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
        return {_ARRAY: data, "dtype": value.dtype.str, "shape": value.shape}
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} cannot travel as JSON")


def _unpacked(fields: dict[str, Any]) -> Any:
    if _ARRAY not in fields:
        return fields
    block = np.frombuffer(base64.b64decode(fields[_ARRAY]), dtype=np.dtype(fields["dtype"]))
    return block.reshape(fields["shape"])


def take_stdout() -> BinaryIO:
    """A worker's pipe to its server; what others print goes to standard error from now on."""
    pipe = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    return pipe


def sender(pipe: BinaryIO) -> Send:
    """A function that writes one message; the process ends if nobody listens any more."""

    def send(message: dict[str, Any]) -> None:
        line = memoryview(encode(message))
        try:
            while line:
                line = line[pipe.write(line) :]
        except BrokenPipeError:
            os._exit(0)

    return send
