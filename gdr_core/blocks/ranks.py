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


def backend_here() -> tuple[str, str]:
    """What ranks exchange by, and through which device: NCCL where each has a GPU, else gloo.

    Blocks and vectors lie in main memory in both cases, and products are taken there. By NCCL what
    is sent goes through the memory of the GPU, since NCCL exchanges nothing else.
    """
    import torch

    own, count = int(os.environ.get("LOCAL_RANK", "0")), int(os.environ.get("LOCAL_WORLD_SIZE", 1))
    there = torch.cuda.is_available() and torch.distributed.is_nccl_available()
    if there and torch.cuda.device_count() >= count:
        return "nccl", f"cuda:{own}"
    return "gloo", "cpu"


class Ranks:
    """The processes of `torch.distributed`, by `backend_here`."""

    def __init__(self) -> None:
        import torch
        import torch.distributed as distributed

        self.distributed = distributed
        backend, self.device = backend_here()
        if backend == "nccl":
            torch.cuda.set_device(self.device)
        self.rank, self.count = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
        hosted = os.environ.get("TORCHELASTIC_USE_AGENT_STORE") == "True"
        address, port = os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"])
        store = distributed.TCPStore(address, port, is_master=not hosted and self.rank == 0)
        agreed = distributed.PrefixStore(_agreed(store, self.rank, self.count), store)
        distributed.init_process_group(backend, store=agreed, rank=self.rank, world_size=self.count)

    def joined(self, part: np.ndarray, bounds: list[tuple[int, int]]) -> np.ndarray:
        """The rows of all ranks, one below the other, the same on every rank."""
        import torch

        pieces = []
        for rank, (first, last) in enumerate(bounds):
            piece = np.empty((last - first, *part.shape[1:]))
            if rank == self.rank:
                piece[...] = part
            sent = torch.from_numpy(piece).to(self.device)
            self.distributed.broadcast(sent, rank)
            pieces.append(sent.cpu().numpy())
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
        asked = torch.empty(sum(self.leaving), dtype=torch.int64, device=self.device)
        wanting = torch.from_numpy(self.incoming).to(self.device)
        self.distributed.all_to_all_single(asked, wanting, self.leaving, self.arriving)
        self.outgoing = asked.cpu().numpy()

    def exchange(self, whole: np.ndarray) -> None:
        """Fill in the rows of others that this rank needs, and send what others need."""
        import torch

        sent = torch.from_numpy(np.ascontiguousarray(whole[self.outgoing])).to(self.device)
        shape = (self.incoming.size, whole.shape[1])
        received = torch.empty(shape, dtype=sent.dtype, device=self.device)
        self.distributed.all_to_all_single(received, sent, self.arriving, self.leaving)
        whole[self.incoming] = received.cpu().numpy()

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
