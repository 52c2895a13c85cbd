"""Graphs with features, classes and splits: `load_dataset(name)` gives a frozen `Dataset`."""

from gdr_core.datasets.catalogue import Spec
from gdr_core.datasets.choice import DatasetChoice
from gdr_core.datasets.download import Download, MissingFilesError
from gdr_core.datasets.embedded import DamagedFileError
from gdr_core.datasets.record import Dataset, Provenance, Split
from gdr_core.datasets.registry import (
    Description,
    available,
    checked_options,
    counts,
    describe,
    load_dataset,
    names,
    own_spec,
    spec_of,
    splits_of,
)
from gdr_core.option import Option

__all__ = [
    "DamagedFileError",
    "Dataset",
    "DatasetChoice",
    "Description",
    "Download",
    "MissingFilesError",
    "Option",
    "Provenance",
    "Spec",
    "Split",
    "available",
    "checked_options",
    "counts",
    "describe",
    "load_dataset",
    "names",
    "own_spec",
    "spec_of",
    "splits_of",
]
