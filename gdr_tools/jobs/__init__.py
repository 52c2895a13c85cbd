"""Heavy work in processes of their own: one queue, its workers, and who may do what with a run.

    registry = Registry()
    run = registry.submit(owner, Job("cora", recommended("gcn")))
    report = registry.poll(run)

    ticket = registry.pool.submit(owner, Task("prior", {...}))
    result = ticket.wait(progress)

A worker computes with torch and scikit-learn; this side imports neither.
"""

from gdr_tools.jobs.errand import Task, TaskFailed, TaskRefused, Ticket, TooManyTasks
from gdr_tools.jobs.job import Job
from gdr_tools.jobs.pool import Pool, cores
from gdr_tools.jobs.refusals import NoFreeCore, NotTheOwner, TooManyRuns, UnknownRun
from gdr_tools.jobs.registry import Registry
from gdr_tools.jobs.report import ENDED, History, Picture, Report, Result, Scan

__all__ = [
    "ENDED",
    "History",
    "Job",
    "NoFreeCore",
    "NotTheOwner",
    "Picture",
    "Pool",
    "Registry",
    "Report",
    "Result",
    "Scan",
    "Task",
    "TaskFailed",
    "TaskRefused",
    "Ticket",
    "TooManyRuns",
    "TooManyTasks",
    "UnknownRun",
    "cores",
]
