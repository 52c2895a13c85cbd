"""Training in processes of their own: a queue, its workers, and who may do what with a run.

    registry = Registry()
    run = registry.submit(owner, Job("cora", recommended("gcn")))
    report = registry.poll(run)

A worker computes with torch; this side does not import it.
"""

from gdr_core.jobs.job import Job
from gdr_core.jobs.registry import NoFreeCore, NotTheOwner, Registry, TooManyRuns, UnknownRun
from gdr_core.jobs.report import ENDED, History, Picture, Report, Result, Scan

__all__ = [
    "ENDED",
    "History",
    "Job",
    "NoFreeCore",
    "NotTheOwner",
    "Picture",
    "Registry",
    "Report",
    "Result",
    "Scan",
    "TooManyRuns",
    "UnknownRun",
]
