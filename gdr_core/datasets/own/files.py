"""Files as they come: from a path, an upload or an archive, checked before they are opened."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path, PurePosixPath

from gdr_core.datasets.own.findings import ReadingError, short
from gdr_core.datasets.own.limits import DEFAULT, Limits

ZIP = b"PK\x03\x04"
_EMPTY_ZIP = b"PK\x05\x06"
GZIP, BZIP, XZ, SEVEN, RAR, ZSTD = (
    b"\x1f\x8b",
    b"BZh",
    b"\xfd7zXZ",
    b"7z\xbc\xaf",
    b"Rar!",
    b"(\xb5/\xfd",
)
MOST_ENTRIES = 600
_LONGEST_ENTRY = 600  # bytes of the directory for each, on average
_END = struct.Struct("<4s4H2LH")  # the record at the end of a zip, which a comment may follow
_LOCATOR, _LONGEST_END = 20, 2**16 + _END.size
UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    RuntimeError,
    NotImplementedError,
    ValueError,
    OverflowError,
)


@dataclass(frozen=True, eq=False)
class File:
    """A named piece of own data: its bytes, or a path from which they are read when wanted."""

    name: str
    source: bytes | Path
    limits: Limits = DEFAULT

    @property
    def size(self) -> int:
        """Bytes, without reading them."""
        return len(self.source) if isinstance(self.source, bytes) else self.source.stat().st_size

    @property
    def suffix(self) -> str:
        """The end of the name from the last dot, in small letters."""
        return PurePosixPath(self.name).suffix.lower()

    @property
    def stem(self) -> str:
        """The name without folder and suffix, in small letters."""
        return PurePosixPath(self.name).stem.lower()

    @cached_property
    def content(self) -> bytes:
        """All bytes; refused if there are too many."""
        self.check_size(self.limits.file_bytes)
        return self.source if isinstance(self.source, bytes) else self.source.read_bytes()

    @cached_property
    def head(self) -> bytes:
        """The first bytes, enough to recognise a format."""
        if isinstance(self.source, bytes):
            return self.source[:4096]
        with self.source.open("rb") as stream:
            return stream.read(4096)

    def check_size(self, most: int) -> None:
        """Refuse a file that is empty or too large."""
        if self.size == 0:
            raise ReadingError("the file is empty", self.name)
        if self.size > most:
            raise ReadingError(
                f"the file has {self.size:,} bytes; at most {most:,} are read", self.name
            )

    def error(self, problem: str, line: int | None = None) -> ReadingError:
        """An error about this file."""
        return ReadingError(problem, self.name, line)


def as_files(given: Iterable[File | str | PathLike[str]], limits: Limits = DEFAULT) -> list[File]:
    """Files from paths or files, archives unpacked; names are unique afterwards."""
    files: list[File] = []
    for one in given:
        file = one if isinstance(one, File) else from_path(Path(one), limits)
        files += unpacked(file, limits) if _is_archive(file) else [file]
        if len(files) > limits.files:
            raise ReadingError(f"there are more than {limits.files} files")
    return _with_unique_names(files)


def from_path(path: Path, limits: Limits = DEFAULT) -> File:
    """A file on disk; its bytes are not read yet."""
    if not path.is_file():
        raise ReadingError("there is no such file", str(path))
    return File(path.name, path, limits)


def open_zip(file: File) -> zipfile.ZipFile:
    """A zip, once its end says that its directory is no longer than what is read at all: the
    directory is parsed whole when the zip is opened."""
    content = file.content
    at = content.rfind(_EMPTY_ZIP, max(len(content) - _LONGEST_END, 0))
    if at >= 0 and len(content) >= at + _END.size:
        entries, size = _END.unpack_from(content, at)[4:6]
        large = content[max(at - _LOCATOR, 0) : at].startswith(b"PK\x06\x07")  # longer than 4 GB
        if large or entries > MOST_ENTRIES or size > MOST_ENTRIES * _LONGEST_ENTRY:
            raise file.error(f"the archive holds more than {MOST_ENTRIES} files, or endless names")
    return zipfile.ZipFile(io.BytesIO(content))


def _is_archive(file: File) -> bool:
    """Whether this is a zip of files, not one of the formats that are zips inside."""
    return file.head.startswith((ZIP, _EMPTY_ZIP)) and file.suffix not in (".npz", ".npy")


def unpacked(file: File, limits: Limits) -> list[File]:
    """The files of a zip, read in memory with all limits checked against its directory first."""
    file.check_size(limits.file_bytes)
    try:
        with open_zip(file) as archive:
            entries = [entry for entry in archive.infolist() if _wanted(entry)]
            check_entries(file, entries, limits)
            members = [_member(file, archive, entry, limits) for entry in entries]
    except UNREADABLE as problem:
        if isinstance(problem, ReadingError):
            raise
        raise file.error(f"the archive cannot be unpacked ({short(str(problem))})") from problem
    if not members:
        raise file.error("the archive holds no files")
    return members


def check_entries(file: File, entries: list[zipfile.ZipInfo], limits: Limits) -> None:
    """Refuse what would unpack to too much, lie outside, or hide another archive."""
    if len(entries) > limits.files:
        raise file.error(f"the archive holds more than {limits.files} files")
    for entry in entries:
        path = PurePosixPath(entry.filename.replace("\\", "/"))
        if not path.parts:
            raise file.error("the archive holds a file without a name")
        if path.is_absolute() or ".." in path.parts or ":" in path.parts[0]:
            raise file.error(f"the archive names a path outside of itself: {short(entry.filename)}")
        if entry.flag_bits & 1:
            raise file.error(f"{short(entry.filename)} in the archive is encrypted")
        if entry.file_size > limits.ratio * max(entry.compress_size, 1):
            raise file.error(
                f"{short(entry.filename)} unpacks to more than {limits.ratio:,} times its size"
            )
    total = sum(entry.file_size for entry in entries)
    if total > limits.file_bytes:
        raise file.error(f"the archive unpacks to {total:,} bytes; at most {limits.file_bytes:,}")


def _wanted(entry: zipfile.ZipInfo) -> bool:
    hidden = entry.filename.startswith("__MACOSX/") or entry.filename.endswith("/.DS_Store")
    return not entry.filename.endswith("/") and not hidden


def _member(file: File, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, limits: Limits) -> File:
    with archive.open(entry) as stream:
        content = stream.read(entry.file_size + 1)
    if len(content) > entry.file_size:
        raise file.error(f"{short(entry.filename)} is larger than the archive says")
    member = File(PurePosixPath(entry.filename).name, content, limits)
    if _is_archive(member) or content.startswith((GZIP, BZIP, XZ, SEVEN, RAR, ZSTD)):
        raise file.error(f"{short(entry.filename)} is an archive inside of an archive")
    return member


def _with_unique_names(files: list[File]) -> list[File]:
    return list(_numbered(files))


def _numbered(files: list[File]) -> Iterator[File]:
    seen: set[str] = set()
    for file in files:
        name, again = file.name, 2
        while name in seen:
            name, again = f"{file.name} ({again})", again + 1
        seen.add(name)
        yield file if name == file.name else File(name, file.source, file.limits)
