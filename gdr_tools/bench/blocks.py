"""Benchmark of graphs in blocks: building, diffusing, memory, and what ranks would exchange.

An edge list in Parquet is written, turned into blocks and diffused, each in a process of its own
whose peak memory is read from the system. Then, for several numbers of ranks, the rows that each
rank needs of others are counted: what one term of the recurrence moves over the network.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

from gdr_core.blocks import build_blocks, diffuse_blocks, open_blocks
from gdr_core.blocks.folder import BlockFolder
from gdr_core.blocks.laplacian import shares
from gdr_core.progress import Progress, ignore
from gdr_tools.bench.floor import peak_memory

EDGES = 10_000_000
QUICK = 100_000
COLUMNS = 8
TIMES = (0.01, 0.1, 1.0)
RANKS = (2, 8, 64)
_BATCH = 2**20


def run(quick: bool = False, progress: Progress = ignore) -> dict[str, Any]:
    """All measurements as plain numbers; `quick` takes a hundredth of the edges."""
    edges = QUICK if quick else EDGES
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        progress(0.0, f"writing {edges:,} edges")
        write_edges(folder / "edges.parquet", edges // 10, edges)
        result: dict[str, Any] = {"edges": edges, "nodes": edges // 10, "columns": COLUMNS}
        for i, step in enumerate(("build", "diffuse")):
            progress(0.2 + 0.4 * i, step)
            result[step] = _apart(step, folder)
        progress(0.9, "counting what ranks exchange")
        blocks = open_blocks(folder / "blocks")
        size = sum(file.stat().st_size for file in blocks.path.iterdir())
        result |= {"bytes": size, "entries": blocks.entries}
        result["exchange"] = {str(count): exchanged(blocks, count) for count in RANKS}
    progress(1.0, "done")
    return result


def write_edges(file: Path, nodes: int, edges: int, seed: int = 0) -> None:
    """Random pairs between nodes whose degrees follow a power law, a million at a time."""
    import pyarrow as pa
    from pyarrow import parquet

    generator = np.random.default_rng(seed)
    weights = np.minimum(generator.pareto(1.5, nodes) + 1, np.sqrt(nodes))
    places = np.cumsum(weights) / weights.sum()
    schema = pa.schema([("source", pa.int32()), ("target", pa.int32())])
    with parquet.ParquetWriter(file, schema) as writer:
        for begin in range(0, edges, _BATCH):
            count = min(_BATCH, edges - begin)
            ends = np.searchsorted(places, generator.random((2, count)))
            ends = np.minimum(ends, nodes - 1).astype(np.int32)
            table = pa.table({"source": ends[0], "target": ends[1]}, schema=schema)
            writer.write_table(table)


def exchanged(folder: BlockFolder, count: int) -> dict[str, float]:
    """Rows of others that all ranks together need, for each node of the graph, and the most.

    total   sum over ranks, divided by the number of nodes
    most    of one rank, divided by the number of nodes
    """
    needs = []
    for share in shares(folder, count):
        needed = np.zeros(folder.nodes, dtype=bool)
        for number in share:
            needed[folder.rows(number).indices] = True
        needed[folder.blocks[share[0]].first : folder.blocks[share[-1]].last] = False
        needs.append(int(needed.sum()))
    return {"total": sum(needs) / folder.nodes, "most": max(needs) / folder.nodes}


def _apart(step: str, folder: Path) -> dict[str, Any]:
    """One step in a process of its own."""
    command = [sys.executable, "-m", "gdr_tools.bench.blocks", step, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(f"the step {step!r} failed: {done.stderr.strip()[-300:]}")
    return json.loads(done.stdout)


def measured(step: str, folder: Path) -> dict[str, Any]:
    """Do one step here, and say what it took."""
    clock, worked = perf_counter(), process_time()
    more = _build(folder) if step == "build" else _diffuse(folder)
    return {
        "seconds": perf_counter() - clock,
        "processor_seconds": process_time() - worked,
        "peak_bytes": peak_memory(),
        **more,
    }


def _build(folder: Path) -> dict[str, Any]:
    from pyarrow import parquet

    rows = parquet.ParquetFile(folder / "edges.parquet").metadata.num_rows
    entries = -(-2 * rows // (RANKS[-1] + 8))
    blocks = build_blocks(folder / "edges.parquet", folder / "blocks", entries=entries)
    return {"blocks": len(blocks.blocks)}


def _diffuse(folder: Path) -> dict[str, Any]:
    nodes = open_blocks(folder / "blocks").nodes
    np.save(folder / "scores.npy", np.random.default_rng(1).random((nodes, COLUMNS)))
    result = diffuse_blocks(
        folder / "blocks", folder / "scores.npy", np.array(TIMES), folder / "out"
    )
    return {"products": result.products, "error_bound": result.error_bound}


def table(result: dict[str, Any]) -> str:
    """The measurements for people."""
    build, diffuse = result["build"], result["diffuse"]
    each = diffuse["processor_seconds"] / diffuse["products"] / result["entries"] / COLUMNS
    lines = [
        f"{result['edges']:,} edges in Parquet, {result['nodes']:,} nodes, {COLUMNS} columns",
        f"build     {build['seconds']:.1f} s ({build['processor_seconds']:.1f} s processor), "
        f"{1e6 * build['processor_seconds'] / result['edges']:.2f} µs an edge, peak "
        f"{build['peak_bytes'] / 1e9:.2f} GB, {build['blocks']} blocks, "
        f"{result['bytes'] / result['entries']:.2f} bytes an entry",
        f"diffuse   {diffuse['seconds']:.1f} s ({diffuse['processor_seconds']:.1f} s processor), "
        f"{diffuse['products']} products, {1e9 * each:.2f} ns an entry and column, peak "
        f"{diffuse['peak_bytes'] / 1e9:.2f} GB, proved {diffuse['error_bound']:.1e}",
        "rows fetched for one term, in parts of all nodes:",
    ]
    lines += [
        f"{count:>4} ranks: {one['total']:.2f} in all, at most {one['most']:.3f} by one rank"
        for count, one in result["exchange"].items()
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    print(json.dumps(measured(sys.argv[1], Path(sys.argv[2]))))
