"""How much visitors may upload: each session, each network address, and all together.

Streamlit limits one file and not their number, and keeps what was uploaded until its session ends.
Bytes count while they arrive, so that an upload that never ends is refused in the middle.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

MEGABYTE: Final = 2**20
_OF_SESSION: Final = 192 * MEGABYTE
_OF_ADDRESS: Final = 384 * MEGABYTE
_OF_ALL: Final = 1024 * MEGABYTE
LEAST: Final = 2**16  # bytes that each file counts at least: what the server notes about it
AFTERWARDS: Final = 180.0  # seconds for which Streamlit may keep what a session that has ended left
_PATH: Final = re.compile(r"/_stcore/upload_file/([^/]+)/([^/]+)/?$")


@dataclass(eq=False)
class Upload:
    """One file, on its way or there."""

    session: str
    file: str
    address: str
    size: int = 0
    last_active: float = field(default=0.0)


class Uploads:
    """What is there and on its way.

    is_active   whether a session goes on; what it has uploaded counts until it does no more
    """

    def __init__(
        self,
        is_active: Callable[[str], bool],
        of_session: int = _OF_SESSION,
        of_address: int = _OF_ADDRESS,
        of_all: int = _OF_ALL,
        least: int = LEAST,
        clock: Callable[[], float] = time.monotonic,
    ):
        self.is_active, self.clock = is_active, clock
        self.of_session, self.of_address, self.of_all = of_session, of_address, of_all
        self.least = least
        self.there: dict[tuple[str, str], Upload] = {}
        self.used: Counter[str] = Counter()  # by session, by address, and of all

    def begin(self, session: str, file: str, address: str, announced: int) -> Upload | None:
        """A further file; None if its size, as it is announced, is too much."""
        self._forget()
        upload = Upload(session, file, address)
        if not self._has_room(upload, max(announced, self.least)):
            return None
        self._count(upload, self.least)
        return upload

    def receive(self, upload: Upload, size: int) -> bool:
        """Count bytes that have arrived; whether there may be more."""
        self._count(upload, size)
        return self._has_room(upload, 0)

    def end(self, upload: Upload, stored: bool) -> None:
        """The file is there, or is not."""
        if stored:
            self.delete(upload.session, upload.file)  # the one that it replaces
            upload.last_active = self.clock()
            self.there[upload.session, upload.file] = upload
        else:
            self._count(upload, -upload.size)

    def delete(self, session: str, file: str) -> None:
        """The visitor has taken a file back."""
        if (upload := self.there.pop((session, file), None)) is not None:
            self._count(upload, -upload.size)

    def _count(self, upload: Upload, size: int) -> None:
        upload.size += size
        for name in _accounts(upload):
            self.used[name] += size
            if not self.used[name]:
                del self.used[name]

    def _has_room(self, upload: Upload, more: int) -> bool:
        budgets = (self.of_session, self.of_address, self.of_all)
        return all(
            self.used[name] + more <= budget
            for name, budget in zip(_accounts(upload), budgets, strict=True)
        )

    def _forget(self) -> None:
        """What ended sessions have left behind is gone after a while."""
        now = self.clock()
        for key, upload in list(self.there.items()):
            if self.is_active(upload.session):
                upload.last_active = now
            elif now - upload.last_active > AFTERWARDS:
                self.delete(*key)


def _accounts(upload: Upload) -> tuple[str, str, str]:
    return f"session {upload.session}", f"address {upload.address}", ""


def place_of(path: str) -> tuple[str, str] | None:
    """Session and file that a path speaks of; None where it is not about an upload.

    >>> place_of("/_stcore/upload_file/one/two"), place_of("/_stcore/health")
    (('one', 'two'), None)
    """
    found = _PATH.search(path)
    return None if found is None else (found[1], found[2])


def is_active(session: str) -> bool:
    """Whether a visitor is connected in a session."""
    from streamlit.runtime import get_instance

    return get_instance().is_active_session(session)
