"""Who computes: one process alone, or the ranks that `torchrun` has started."""

from __future__ import annotations

import os
from secrets import token_hex
from time import sleep
from typing import Any

import numpy as np

_PAUSE = 0.02  # seconds between two looks


class Alone:
    """One process: there is nobody to ask and nothing to exchange."""

    rank, count = 0, 1

    def joined(self, part: np.ndarray, bounds: list[tuple[int, int]]) -> np.ndarray:
        """The rows of all ranks, one below the other."""
        return part

    def told(self, thing: Any) -> list[Any]:
        """Something small from every rank."""
        return [thing]

    def meet(self, columns: np.ndarray, bounds: list[tuple[int, int]]) -> None:
        """Agree on which rows are sent to whom; `columns` marks those that this rank needs."""

    def exchange(self, whole: np.ndarray) -> None:
        """Fill in the rows of others that this rank needs."""

    def close(self) -> None:
        """Leave."""


class Ranks:
    """The processes of `torch.distributed`, by gloo: blocks are arrays in main memory, which NCCL,
    made for those of GPUs, does not exchange.
    """

    def __init__(self) -> None:
        import torch.distributed as distributed

        self.distributed = distributed
        self.rank, self.count = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
        hosted = os.environ.get("TORCHELASTIC_USE_AGENT_STORE") == "True"
        address, port = os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"])
        store = distributed.TCPStore(address, port, is_master=not hosted and self.rank == 0)
        agreed = distributed.PrefixStore(_agreed(store, self.rank, self.count), store)
        distributed.init_process_group("gloo", store=agreed, rank=self.rank, world_size=self.count)

    def joined(self, part: np.ndarray, bounds: list[tuple[int, int]]) -> np.ndarray:
        """The rows of all ranks, one below the other, the same on every rank."""
        import torch

        pieces = [np.empty((last - first, *part.shape[1:])) for first, last in bounds]
        pieces[self.rank][...] = part
        for rank, piece in enumerate(pieces):
            self.distributed.broadcast(torch.from_numpy(piece), rank)
        return np.concatenate(pieces)

    def told(self, thing: Any) -> list[Any]:
        """Something small from every rank, in the order of ranks."""
        found: list[Any] = [None] * self.count
        self.distributed.all_gather_object(found, thing)
        return found

    def meet(self, columns: np.ndarray, bounds: list[tuple[int, int]]) -> None:
        """Agree on which rows are sent to whom; `columns` marks those that this rank needs."""
        import torch

        wanted = [first + np.flatnonzero(columns[first:last]) for first, last in bounds]
        wanted[self.rank] = np.empty(0, np.int64)
        self.incoming = np.concatenate(wanted).astype(np.int64)
        self.arriving = [int(one.size) for one in wanted]
        self.leaving = [sizes[self.rank] for sizes in self.told(self.arriving)]
        asked = torch.empty(sum(self.leaving), dtype=torch.int64)
        self.distributed.all_to_all_single(
            asked, torch.from_numpy(self.incoming), self.leaving, self.arriving
        )
        self.outgoing = asked.numpy()

    def exchange(self, whole: np.ndarray) -> None:
        """Fill in the rows of others that this rank needs, and send what others need."""
        import torch

        sent = torch.from_numpy(np.ascontiguousarray(whole[self.outgoing]))
        received = torch.empty((self.incoming.size, whole.shape[1]), dtype=sent.dtype)
        self.distributed.all_to_all_single(received, sent, self.arriving, self.leaving)
        whole[self.incoming] = received.numpy()

    def close(self) -> None:
        """Leave."""
        self.distributed.destroy_process_group()


def _agreed(store: Any, rank: int, count: int) -> str:
    """A name that the ranks of this start share, and none of an earlier one.

    The store of `torchrun` outlives a restart, and with it the addresses of ranks that are dead. So
    the first rank thinks of a word, and answers each of the others that has read it.
    """
    if rank == 0:
        word = f"gdr-{token_hex(8)}"
        store.set("gdr-word", word)
        for other in range(1, count):
            store.set(f"{word}-answer-{other}", store.get(f"{word}-hello-{other}"))
        return word
    word, hello = "", token_hex(8).encode()
    while True:
        if (heard := store.get("gdr-word").decode()) != word:
            word = heard
            store.set(f"{word}-hello-{rank}", hello)
        answer = f"{word}-answer-{rank}"
        if store.check([answer]) and store.get(answer) == hello:
            return word
        sleep(_PAUSE)


def ranks_here() -> Alone | Ranks:
    """The ranks that `torchrun` has started this process among, or nobody else.

    >>> ranks_here().count
    1
    """
    return Ranks() if int(os.environ.get("WORLD_SIZE", "1")) > 1 else Alone()
