"""Own data: any common graph format, features, labels, splits and class probabilities.

`read(files)` gives a dataset together with everything odd that was found; `recognise(files)` only
tells how the files are understood, so that it can be shown and corrected before.
"""

from gdr_core.datasets.own.files import File
from gdr_core.datasets.own.findings import TREATMENTS, Finding, ReadingError
from gdr_core.datasets.own.limits import Limits
from gdr_core.datasets.own.opening import FORMATS, FileChoice, Opened, summary
from gdr_core.datasets.own.reading import Choices, Reading, read, recognise
from gdr_core.datasets.own.roles import COLUMNS, ROLES
from gdr_core.datasets.own.text import SEPARATORS

__all__ = [
    "COLUMNS",
    "FORMATS",
    "ROLES",
    "SEPARATORS",
    "TREATMENTS",
    "Choices",
    "File",
    "FileChoice",
    "Finding",
    "Limits",
    "Opened",
    "Reading",
    "ReadingError",
    "read",
    "recognise",
    "summary",
]
