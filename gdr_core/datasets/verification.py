"""Check what lies on this machine: its checksums, and its sizes against the manifest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gdr_core.datasets import embedded
from gdr_core.datasets.catalogue import DATASETS
from gdr_core.datasets.download import MissingFilesError
from gdr_core.datasets.registry import counts, describe, load_dataset


@dataclass(frozen=True)
class Finding:
    """What was seen of a file or a dataset; a failure says what is wrong and how to repair it."""

    subject: str
    summary: str
    failure: str | None = None


def findings() -> Iterator[Finding]:
    """One finding for every stored file, then one for every stored or downloaded dataset."""
    damaged = set()
    for file in embedded.manifest():
        finding = _stored_file(file)
        if finding.failure:
            damaged.add(file)
        yield finding
    for name, spec in DATASETS.items():
        if (spec.stored or spec.download) and spec.stored not in damaged:
            yield _dataset(name)


def _stored_file(file: str) -> Finding:
    try:
        embedded.verified_bytes(file)
    except embedded.DamagedFileError as error:
        return Finding(file, "damaged or missing", str(error))
    return Finding(file, "checksum as expected")


def _dataset(name: str) -> Finding:
    try:
        found = counts(load_dataset(name))
    except MissingFilesError:
        download = DATASETS[name].download
        hint = f"; fetch it with `{download.command}`" if download else ""
        return Finding(name, f"not on this machine{hint}")
    except ValueError as error:
        return Finding(name, "cannot be loaded", str(error))
    promised = {key: getattr(describe(name), key) for key in found}
    if found != promised:
        return Finding(name, "wrong sizes", f"{name} has {found}, the manifest says {promised}")
    return Finding(name, f"{found['nodes']:,} nodes and {found['edges']:,} edges as expected")
