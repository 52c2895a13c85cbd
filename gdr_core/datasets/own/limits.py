"""How much is read at most. Every limit is checked before the memory is taken."""

from __future__ import annotations

from dataclasses import dataclass

MEGABYTE = 2**20


@dataclass(frozen=True)
class Limits:
    """Caps on what own data may hold.

    file_bytes    bytes of one file, and of everything that an archive unpacks to
    slow_bytes    the same for formats that are parsed piece by piece in Python (XML, GML, JSON)
    files         files in one reading, those of an archive included
    ratio         how many times larger than its archive an unpacked file may be
    columns       columns of a table
    cells         cells of a dense table or matrix
    name          characters of a node or class name
    """

    file_bytes: int = 512 * MEGABYTE
    slow_bytes: int = 128 * MEGABYTE
    files: int = 50
    ratio: int = 1000
    nodes: int = 1_000_000
    edges: int = 20_000_000
    classes: int = 1_000
    columns: int = 50_000
    cells: int = 100_000_000
    name: int = 100_000


DEFAULT = Limits()
