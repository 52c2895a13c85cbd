"""Processor time and memory of a server and of its workers, taken again and again."""

from __future__ import annotations

import asyncio
import os
import re
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

EVERY: Final = 1.0  # seconds between two readings
_FLAT: Final = 1.05  # how much more memory the end may have than the middle


@dataclass(frozen=True)
class Reading:
    """What was so at one moment: seconds since the start, used processor time, resident bytes."""

    at: float
    processor: float
    memory: int
    workers: int


@dataclass
class Meter:
    """Reads a process as long as it is on; nothing where the system does not tell (no Linux)."""

    pid: int | None
    readings: list[Reading] = field(default_factory=list)

    async def watch(self) -> None:
        """Take readings until cancelled."""
        began = time.perf_counter()
        while self.pid is not None:
            with suppress(OSError, ValueError, IndexError):
                self.readings.append(_read(self.pid, time.perf_counter() - began))
            await asyncio.sleep(EVERY)

    def summary(self, moves: int) -> dict[str, Any]:
        """Share of a core that the server used, seconds of it a move, and its memory over time."""
        if len(self.readings) < 4:
            return {}
        first, last = self.readings[0], self.readings[-1]
        middle = self.readings[len(self.readings) // 2]
        used = (last.processor - first.processor) / (last.at - first.at)
        return {
            "processor_share": used,
            "processor_each": (last.processor - first.processor) / max(moves, 1),
            "memory_start": first.memory,
            "memory_middle": middle.memory,
            "memory_end": last.memory,
            "memory_most": max(reading.memory for reading in self.readings),
            "memory_flat": last.memory <= _FLAT * middle.memory,
            "workers_most": max(reading.workers for reading in self.readings),
            "over_time": [
                [round(r.at, 1), round(r.processor, 2), r.memory, r.workers] for r in self.readings
            ],
        }


def _read(pid: int, at: float) -> Reading:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
    processor = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return Reading(at, processor, _resident(pid), sum(map(_resident, _children(pid))))


def _resident(pid: int) -> int:
    with suppress(OSError):
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        return int(found[1]) * 1024 if found else 0
    return 0


def _children(pid: int) -> list[int]:
    with suppress(OSError):
        tasks = Path(f"/proc/{pid}/task").glob("*/children")
        return [int(child) for task in tasks for child in task.read_text().split()]
    return []
