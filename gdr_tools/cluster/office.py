"""The connection of a server to its cluster, and the pool whose workers are there.

$GDR_CLUSTER, or `gdr-explorer --cluster`, names the cluster. The queue, the owners of runs and all
limits stay with the server; only processes are elsewhere. A cluster that cannot be used is said to
whoever asks for work, and nothing is computed on the server instead.
"""

from __future__ import annotations

import logging
from collections import Counter
from contextlib import ExitStack, suppress
from threading import Lock, Thread
from typing import Any

from gdr_tools.cluster.joining import LOCAL, Cluster, joined
from gdr_tools.cluster.remote import RemoteWorker, sentence
from gdr_tools.jobs.pool import Pool, cores

LOG = logging.getLogger(__name__)


class Office:
    """Who is in the cluster, and how many of our processes each has.

    address   of a scheduler, or `local`: workers within this process, one a core
    """

    def __init__(self, address: str):
        self.address = address
        self.cluster: Cluster | None = None
        self.staff: Counter[str] = Counter()  # processes by the address of their worker
        self.slots = 1  # threads of all workers, as far as is known
        self._open, self._lock = ExitStack(), Lock()

    def client(self) -> Any:
        """The client of Dask, which connects when it is first needed and when it was lost.

        Raises ClusterError, or MissingExtraError where Dask is not installed.
        """
        with self._lock:
            if self.cluster is None or self.cluster.client.status != "running":
                self._join()
            assert self.cluster is not None
            return self.cluster.client

    def _join(self) -> None:
        self.cluster = None
        with suppress(Exception):  # what is left of a connection that was lost
            self._open.close()
        self._open = ExitStack()
        workers = cores() if self.address == LOCAL else None
        self.cluster = self._open.enter_context(joined(self.address, workers, processes=False))
        self._count()
        seen = f"; dashboard: {self.cluster.dashboard}" if self.cluster.dashboard else ""
        LOG.info("computing on the cluster at %s, %d threads%s", self.address, self.slots, seen)

    def _count(self) -> dict[str, int]:
        assert self.cluster is not None
        workers = self.cluster.client.scheduler_info(n_workers=-1)["workers"]
        found = {name: int(worker["nthreads"]) for name, worker in workers.items()}
        self.slots = max(sum(found.values()), 1)
        return found

    def quietest(self) -> list[str] | None:
        """The worker with the fewest of our processes for each of its threads."""
        with self._lock:
            found = self._count()
            return min(
                ([n] for n in found), key=lambda n: self.staff[n[0]] / found[n[0]], default=None
            )

    def came(self, machine: str) -> None:
        """A process has begun on a worker."""
        with self._lock:
            self.staff[machine] += 1

    def left(self, machine: str) -> None:
        """A process has ended there; an empty name where it had never begun."""
        with self._lock:
            self.staff[machine] -= bool(machine)

    def greet(self) -> None:
        """Connect before the first visitor asks, and tell the log if that fails."""
        try:
            self.client()
        except Exception as error:
            sentence(error)

    def close(self) -> None:
        """Leave the cluster."""
        with suppress(Exception):
            self._open.close()


def pool_on(address: str) -> Pool:
    """A pool whose workers are in a cluster: as many at once as it has threads, and none in
    reserve, for others may use it too."""
    office = Office(address)
    pool = Pool(slots=1, spare_for=0.0, hire=lambda: RemoteWorker(office))

    def keep_count() -> None:
        pool.slots = pool.room_to_rest = office.slots

    pool.keepers.insert(0, keep_count)
    pool.closers.append(lambda: Thread(target=office.close, daemon=True).start())
    Thread(target=office.greet, daemon=True).start()
    return pool
