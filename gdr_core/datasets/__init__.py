"""Graphs with features, classes and splits: `load(name)` gives a checked, frozen `Dataset`."""

from gdr_core.datasets.embedded import DamagedFileError
from gdr_core.datasets.record import Dataset, Provenance, Split
from gdr_core.datasets.registry import (
    Description,
    Option,
    Spec,
    available,
    counts,
    describe,
    load,
    names,
    spec_of,
    splits_of,
)
from gdr_core.datasets.wikipedia import MissingFilesError

__all__ = [
    "DamagedFileError",
    "Dataset",
    "Description",
    "MissingFilesError",
    "Option",
    "Provenance",
    "Spec",
    "Split",
    "available",
    "counts",
    "describe",
    "load",
    "names",
    "spec_of",
    "splits_of",
]
