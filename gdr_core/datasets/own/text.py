"""Text files: their encoding, their lines, and how their columns are separated."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from gdr_core.datasets.own.files import File
from gdr_core.datasets.own.findings import Notebook, counted

BLANKS = " "
SEPARATORS = {"\t": "tab", ",": "comma", ";": "semicolon", "|": "bar", BLANKS: "blanks"}
_SAMPLE_BYTES = 2**16
_SAMPLE_LINES = 50
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_HEADER_WORDS = frozenset(
    word
    for line in (
        "source target from to src dst start end head tail weight cited citing u v node1 node2",
        "id ids node nodes name paper vertex key index class label labels y category type cluster",
        "group part split set fold mask feature word value count column row i j node_id paper_id",
        "user item",
    )
    for word in line.split()
)
NUMBER = re.compile(r"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*")
# csv refuses longer fields than this; names are limited elsewhere.
csv.field_size_limit(2**31 - 1)


@dataclass(frozen=True)
class Dialect:
    """How a text is cut into cells.

    separator  one of SEPARATORS; BLANKS stands for any number of spaces and tabs
    header     whether the first line names the columns
    skipped    comment lines before it
    columns    cells of a line
    quoted     whether cells may be in double quotes
    """

    separator: str
    header: bool
    skipped: int
    columns: int
    quoted: bool


def text_bytes(file: File, notebook: Notebook) -> bytes:
    """The text as UTF-8 without a byte-order mark; line ends of old Macs become ordinary ones."""
    content = file.content
    for mark, encoding in _BOMS:
        if content.startswith(mark):
            content = _decoded(file, content, encoding).encode()
            break
    if (zero := content.find(b"\0")) >= 0:
        line = content.count(b"\n", 0, zero) + 1
        raise file.error("this is not a text file: it holds a zero byte", line)
    if not content.isascii():
        content = _as_utf8(file, content, notebook)
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n")
    if b"\r" in content and (b'"' not in content or b"\n" not in content):
        content = content.replace(b"\r", b"\n")
    if not content or content.isspace():
        raise file.error("the file is empty")
    return content


def _decoded(file: File, content: bytes, encoding: str) -> str:
    try:
        return content.decode("utf-8-sig" if encoding == "utf-8" else encoding)
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise file.error(f"the file begins as {encoding} but is not", line) from problem


def _as_utf8(file: File, content: bytes, notebook: Notebook) -> bytes:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        notebook.note("encoding", "this is no UTF-8 text", 1, file.name, [line])
        return content.decode("cp1252", errors="replace").encode()
    return content


def sample_rows(content: bytes, separator: str, skipped: int = 0) -> list[list[str]]:
    """The first lines cut into cells, blank ones left out; a last line that is cut off as well."""
    head = content[:_SAMPLE_BYTES]
    whole = head if len(content) <= _SAMPLE_BYTES else head[: head.rfind(b"\n") + 1] or head
    lines = whole.decode("utf-8", errors="replace").split("\n")[skipped:]
    if separator == BLANKS:
        return [line.split() for line in lines if line.strip()][:_SAMPLE_LINES]
    rows = readable(csv.reader(io.StringIO("\n".join(lines), newline=""), delimiter=separator))
    cells = ([cell.strip() for cell in row] for row in rows)
    return list(islice((row for row in cells if any(row)), _SAMPLE_LINES))


def readable(rows: Iterator[list[str]]) -> Iterator[list[str]]:
    """Rows up to the first that the csv module cannot cut; Arrow judges that one."""
    try:
        yield from rows
    except csv.Error:
        return


def sniff(
    file: File,
    content: bytes,
    notebook: Notebook,
    separator: str | None = None,
    header: bool | None = None,
) -> Dialect:
    """The dialect of a table; what is given is taken, the rest is guessed from the first lines."""
    if separator is not None and separator not in SEPARATORS:
        allowed = ", ".join(SEPARATORS.values())
        raise file.error(f"the separator must be one of {allowed}, got {separator!r}")
    skipped = _comment_lines(content)
    if skipped:
        text = f"{counted(skipped, 'comment line')} at the top"
        notebook.note("comments", text, skipped, file.name, range(1, skipped + 1))
    chosen = separator or _guess_separator(content, skipped)
    rows = sample_rows(content, chosen, skipped)
    if not rows:
        raise file.error("the file holds no rows")
    columns = Counter(map(len, rows)).most_common(1)[0][0]
    columns = max(columns, _cells_of_long_line(content, chosen))
    if columns > file.limits.columns:
        raise file.error(
            f"there are {columns:,} columns; at most {file.limits.columns:,} are read", skipped + 1
        )
    named = _looks_like_header(rows) if header is None else header
    return Dialect(chosen, named and len(rows) > 1, skipped, columns, b'"' in content)


def _cells_of_long_line(content: bytes, separator: str) -> int:
    """Cells of a first line that is longer than the sample; zero for shorter ones."""
    end = content.find(b"\n")
    end = len(content) if end < 0 else end
    return content.count(separator.encode(), 0, end) + 1 if end > _SAMPLE_BYTES else 0


def _comment_lines(content: bytes) -> int:
    """How many lines at the top begin with # or % and are followed by a space or nothing."""
    lines = content[:_SAMPLE_BYTES].split(b"\n")[:_SAMPLE_LINES]
    count = 0
    for line in lines:
        if not re.match(rb"\s*[#%](\s|[#%]|$)", line):
            break
        count += 1
    return 0 if count == len(lines) else count


def _guess_separator(content: bytes, skipped: int) -> str:
    """The separator that cuts the first lines into the same number of cells, at least two."""
    best, score = ",", 0.0
    for separator in SEPARATORS:
        rows = sample_rows(content, separator, skipped)
        sizes = Counter(map(len, rows))
        sizes.pop(1, None)
        if not rows or not sizes:
            continue
        _, agreeing = sizes.most_common(1)[0]
        share = agreeing / len(rows)
        if share > score + 0.1:
            best, score = separator, share
    return best


def _looks_like_header(rows: list[list[str]]) -> bool:
    """Whether the first line names columns: words over numbers, or words that headers use."""
    first, rest = rows[0], rows[1:]
    if not rest or any(is_number(cell) for cell in first):
        return False
    if sum(cell.strip().lower() in _HEADER_WORDS for cell in first) >= max(1, len(first) // 2):
        return True
    over_numbers = [
        all(is_number(row[i]) for row in rest if len(row) > i and row[i].strip())
        for i in range(len(first))
    ]
    return any(over_numbers)


def is_number(text: str) -> bool:
    """Whether the text is written like a finite decimal number."""
    return NUMBER.fullmatch(text) is not None
