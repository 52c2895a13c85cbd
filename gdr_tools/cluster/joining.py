"""A cluster as its client sees it: who is there, what they are asked, and what comes back.

A task that is lost because its worker died is given to another, `_DEATHS` times; after that it is
given up, since it is likelier to kill workers than to be unlucky. Everything else goes on.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any
from uuid import uuid4

from gdr_core.extras import need
from gdr_tools.cluster.parts import Parts
from gdr_tools.cluster.worker import do, versions

LOCAL = "local"  # instead of an address: workers on this machine
_DEATHS = 3  # of workers, that a task may outlive; a scheduler elsewhere has its own number
_PATIENCE = 10  # seconds for a scheduler to answer
OTHER_VERSIONS = "its workers run other versions than this server"
_REPORT = ("key", "share", "text")
_Heard = Callable[[str, float, str], None]  # key, share and text of a report


class ClusterError(ValueError):
    """A cluster that cannot be worked with; the message is one sentence.

    public   the reason in a few words, without addresses: what visitors of a server may know
    """

    def __init__(self, text: str, public: str = "it failed"):
        super().__init__(text)
        self.public = public


class Cluster:
    """A connection to workers that run the same versions as this process."""

    def __init__(self, client: Any, address: str):
        self.client, self.address = client, address
        self._check_workers()

    @property
    def dashboard(self) -> str:
        """Where a browser sees what the cluster does; empty if its scheduler has no page."""
        try:
            return str(self.client.dashboard_link or "")
        except KeyError:
            return ""

    @property
    def workers(self) -> int:
        """How many there are now."""
        return len(self.client.scheduler_info(n_workers=-1)["workers"])

    def each(
        self,
        kind: str,
        requests: dict[str, dict[str, Any]],
        parts: Parts,
        heard: _Heard = lambda key, share, text: None,
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """The results by their keys, in the order in which they come.

        requests   the arguments of each task, by a key that says all that its result depends on
        parts      where workers keep their results until the caller drops them
        heard      called with the reports of the workers

        What fails is told of at the end, when all others are there. Whoever stops listening, also
        by an interrupt, ends the work.
        """
        from distributed import as_completed

        topic = f"gdr-{uuid4().hex}"
        self.client.subscribe_topic(topic, lambda event: heard(*(event[1][k] for k in _REPORT)))
        futures = {
            self.client.submit(do, kind, asked, str(parts.folder), key, topic, pure=False): key
            for key, asked in requests.items()
        }
        failures: dict[str, BaseException] = {}
        try:
            for future in as_completed(futures):
                error = _trouble(future)
                if error is None:
                    yield futures[future], future.result()
                else:
                    failures[futures[future]] = error
        finally:
            self._stop(topic, list(futures))
        if failures:
            raise self._told(failures)

    def _stop(self, topic: str, futures: list[Any]) -> None:
        """Ask for nothing more; a task that still runs hears of it with its next report."""
        from distributed import Event

        with suppress(Exception):  # the cluster may be gone
            if any(not future.done() for future in futures):
                Event(topic, client=self.client).set()
            self.client.cancel(futures)
            self.client.unsubscribe_topic(topic)

    def _told(self, failures: dict[str, BaseException]) -> ClusterError:
        key, error = next(iter(failures.items()))
        others = f" (and {len(failures) - 1} more)" if len(failures) > 1 else ""
        return ClusterError(f"{key}{others} has no result: {self._why(error)}")

    def _why(self, error: BaseException) -> str:
        from concurrent.futures import CancelledError

        from distributed import KilledWorker

        if isinstance(error, KilledWorker):
            return "each worker that was given it died; everything else is kept"
        if isinstance(error, CancelledError):
            return (
                f"the connection to the cluster at {self.address} is lost; what was finished is "
                "kept, so start again"
            )
        return str(error) or type(error).__name__

    def _check_workers(self) -> None:
        """Results must not depend on who computed them: all have the versions of this process."""
        try:
            theirs = self.client.run(versions)
        except ModuleNotFoundError as error:
            raise ClusterError(
                f"a worker of the cluster at {self.address} has no {error.name}: install the same "
                "version of this package on all workers",
                OTHER_VERSIONS,
            ) from error
        for worker, found in theirs.items():
            check_versions(worker, found)


def check_versions(worker: str, found: dict[str, str]) -> None:
    """Refuse a worker whose versions are not those of this process."""
    other = [
        f"{k} {found.get(k)} instead of {v}" for k, v in versions().items() if found.get(k) != v
    ]
    if other:
        raise ClusterError(
            f"the worker {worker} runs other versions ({', '.join(other)}): install the "
            "same on all workers",
            OTHER_VERSIONS,
        )


def _trouble(future: Any) -> BaseException | None:
    if future.status == "finished":
        return None
    if future.status == "cancelled":
        from concurrent.futures import CancelledError

        return CancelledError()
    return future.exception()


@contextmanager
def joined(
    address: str, workers: int | None = None, *, processes: bool = True
) -> Iterator[Cluster]:
    """The cluster at an address, or one on this machine for as long as it is needed.

    address     of a scheduler (`tcp://host:8786`), or `local`
    workers     of a local cluster; two by default
    processes   whether these are processes; if not, threads of this one
    """
    need("distributed")
    import dask
    from distributed import Client, LocalCluster

    if address != LOCAL:
        if workers is not None:
            raise ClusterError("the number of workers is chosen only for the cluster `local`")
        with _reached(address) as client:
            yield Cluster(client, address)
        return
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": _DEATHS}),
        LocalCluster(
            n_workers=workers or 2,
            threads_per_worker=1,
            processes=processes,
            protocol="tcp://",
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
        ) as cluster,
        Client(cluster) as client,
    ):
        yield Cluster(client, "this machine")


@contextmanager
def _reached(address: str) -> Iterator[Any]:
    from distributed import Client

    try:
        client = Client(address, timeout=_PATIENCE)
    except (OSError, TimeoutError, ValueError) as error:
        raise ClusterError(
            f"no cluster answers at {address}: start one with `dask scheduler` and `dask worker`, "
            "or say `local`",
            "it does not answer",
        ) from error
    with client:
        if not client.scheduler_info(n_workers=-1)["workers"]:
            raise ClusterError(
                f"the cluster at {address} has no workers: start `dask worker {address}`",
                "it has no workers",
            )
        yield client
