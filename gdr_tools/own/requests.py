"""What workers do with own data: read files, and find places in the plane for the nodes."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from gdr_core.datasets.own import File, Finding
from gdr_core.datasets.own.inspection import Inspection, Seen, inspect
from gdr_core.datasets.own.packing import pack, unpack
from gdr_core.datasets.registry import counts
from gdr_core.progress import Progress
from gdr_tools.jobs.handover import take
from gdr_tools.jobs.patience import processor_seconds
from gdr_tools.own.choices import WEB_LIMITS, choices_from_json

_HEAD = 8  # bytes that tell how long the list of names and sizes is


def pack_files(files: tuple[File, ...]) -> bytes:
    """Names and contents as one block."""
    listed = json.dumps([(file.name, file.size) for file in files]).encode()
    return b"".join([len(listed).to_bytes(_HEAD, "big"), listed, *map(bytes_of, files)])


def bytes_of(file: File) -> bytes:
    """What an upload holds, empty or too large as it may be: readers find fault with that."""
    return file.source if isinstance(file.source, bytes) else file.content


def _unpack_files(content: bytes) -> tuple[File, ...]:
    """The files that `pack_files` has packed."""
    start = _HEAD + int.from_bytes(content[:_HEAD], "big")
    files = []
    for name, size in json.loads(content[_HEAD:start]):
        files.append(File(name, content[start : start + size], WEB_LIMITS))
        start += size
    return tuple(files)


LONGEST = 120  # seconds of the processor for the files of one visitor, or for drawing their graph


def read_request(arguments: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """How files are understood, what is odd, and the dataset without places, packed.

    files     where they were handed over, see `handover`
    choices   what the user has decided, see `choices`
    """
    files = _unpack_files(take(arguments["files"]))
    with processor_seconds(LONGEST):
        found = inspect(files, choices_from_json(arguments["choices"]), progress=progress)
    reading = found.reading
    return {
        "files": [asdict(seen) for seen in found.files],
        "findings": [vars(finding) for finding in found.findings],
        "trouble": found.trouble,
        "counts": None if reading is None else counts(reading.dataset),
        "directed": None if reading is None else reading.dataset.directed,
        "classes": [] if reading is None else list(reading.dataset.class_names),
        "with_probabilities": reading is not None and reading.probabilities is not None,
        "data": None if reading is None else as_array(pack(reading.dataset, reading.probabilities)),
    }


def layout_request(arguments: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Places in the plane for the nodes of a dataset that was handed over."""
    from gdr_core.datasets.own.drawing import draw

    dataset, _ = unpack(take(arguments["data"]))
    with processor_seconds(LONGEST):
        return {"layout": draw(dataset.undirected, progress=progress)}


def as_array(content: bytes) -> np.ndarray:
    """Bytes in the form in which they travel."""
    return np.frombuffer(content, dtype=np.uint8)


def seen_from(result: dict[str, Any]) -> Inspection:
    """The answer to a `read_request` as a record again, without the dataset."""
    files = tuple(
        Seen(
            **{
                **one,
                "names": tuple(one["names"]),
                "rows": tuple(map(tuple, one["rows"])),
                "columns": {k: _column(v) for k, v in one["columns"].items()},
            }
        )
        for one in result["files"]
    )
    findings = tuple(Finding(**{**f, "lines": tuple(f["lines"])}) for f in result["findings"])
    return replace(Inspection(files, findings), trouble=result["trouble"])


def _column(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
