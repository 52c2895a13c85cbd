"""Files that are not shipped: fetched when first wanted, verified by checksum.

They are looked for in the folder that the environment variable GDR_DATA_DIR names, then in the
user's cache folder.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from gdr_core import places
from gdr_core.datasets.embedded import DamagedFileError
from gdr_core.progress import Progress, ignore

_FOLDER_VARIABLE = "GDR_DATA_DIR"


class MissingFilesError(OSError):
    """The files are neither here nor can they be fetched."""


def cache_folder() -> Path:
    """Where downloads are kept."""
    return places.cache_folder()


@dataclass(frozen=True, eq=False)
class Download:
    """The files of one dataset, and where they are to be had.

    dataset     its name, as `load` takes it
    address     of the folder on the web that holds the files
    checksums   SHA-256 of each file, by its name there
    size        of all files together, for people: "8 MB"
    origin      whose files they are, for people: "the authors' repository"
    folder      within the data and cache folders, so that files of two sources do not meet
    """

    dataset: str
    address: str
    checksums: Mapping[str, str]
    size: str
    origin: str
    folder: str = ""

    @property
    def command(self) -> str:
        """The command that fetches the files."""
        return f"python -m gdr_core data fetch {self.dataset}"

    def available(self) -> bool:
        """Whether all files are on this machine and whole."""
        return all(
            (path := self._find(file)) is not None and _digest(path.read_bytes()) == expected
            for file, expected in self.checksums.items()
        )

    def read(self) -> dict[str, bytes]:
        """The content of every file, verified; the first folder that has a file decides."""
        found = {file: self._find(file) for file in self.checksums}
        if missing := [file for file, path in found.items() if path is None]:
            raise MissingFilesError(self._missing_message(missing))
        return {file: self._verified(path) for file, path in found.items() if path}

    def fetch(self, progress: Progress = ignore) -> list[Path]:
        """Download what is not here yet; returns where the files lie.

        Pooch writes under a temporary name, verifies the checksum and only then moves the file to
        its place, so that neither a broken download nor two at once can leave half a file behind.
        A damaged file in the cache is replaced; one in the user's own folder is only reported.
        """
        paths = []
        for done, file in enumerate(self.checksums):
            progress(done / len(self.checksums), f"Fetching {file}")
            paths.append(self._given(file) or self._retrieved(file))
        progress(1.0, "All files are here")
        return paths

    def _given(self, file: str) -> Path | None:
        """The file in the folder that the user named, verified; None where it is not there."""
        given = _given_folder()
        path = None if given is None else given / self.folder / file
        if path is None or not path.is_file():
            return None
        self._verified(path)
        return path

    def _retrieved(self, file: str) -> Path:
        import pooch

        pooch.get_logger().setLevel("WARNING")
        address, checksum = self.address + file, f"sha256:{self.checksums[file]}"
        try:
            place = places.made(cache_folder() / self.folder)
            return Path(pooch.retrieve(address, checksum, fname=file, path=place))
        except Exception as error:
            raise MissingFilesError(
                f"could not fetch {file} from {address}: {_reason(error)}; try again with "
                f"`{self.command}`, or set {_FOLDER_VARIABLE} to a folder that holds the file"
            ) from error

    def _folders(self) -> Iterator[Path]:
        if given := _given_folder():
            yield given / self.folder
        yield cache_folder() / self.folder

    def _find(self, file: str) -> Path | None:
        paths = (folder / file for folder in self._folders())
        return next((path for path in paths if os.path.isfile(path)), None)

    def _verified(self, path: Path) -> bytes:
        content = path.read_bytes()
        expected, found = self.checksums[path.name], _digest(content)
        if found != expected:
            raise DamagedFileError(
                f"{path} is damaged: expected SHA-256 {expected}, found {found}; "
                f"delete it and run `{self.command}`",
                path,
            )
        return content

    def _missing_message(self, missing: list[str]) -> str:
        looked = [str(folder) for folder in self._folders()]
        given = "" if _given_folder() else f" ({_FOLDER_VARIABLE} is not set)"
        return (
            f"{self.dataset} is not on this machine: {', '.join(missing)} not found in "
            f"{' or '.join(looked)}{given}; fetch it with `{self.command}`"
        )


def _given_folder() -> Path | None:
    given = os.environ.get(_FOLDER_VARIABLE)
    return Path(given) if given else None


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _reason(error: Exception) -> str:
    """Connection errors print a page of addresses; their kind says enough."""
    import requests

    if isinstance(error, requests.exceptions.HTTPError):
        return str(error)
    if isinstance(error, requests.exceptions.RequestException):
        return f"the connection failed ({type(error).__name__})"
    return str(error)
