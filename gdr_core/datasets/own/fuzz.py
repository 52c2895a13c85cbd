"""Throw damaged files at every reader: each must give a dataset or one clear sentence.

    python -m gdr_core.datasets.own.fuzz --inputs 200000 --seed 0 --seconds 3600

Inputs are made from small valid files of every format: bytes flipped, cut, repeated, spliced with
another format, or replaced by hostile numbers. What crashes, takes longer than the limit or breaks
a cap is printed and kept in a folder, to become a test.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from gdr_core.datasets.own.files import File
from gdr_core.datasets.own.findings import ReadingError
from gdr_core.datasets.own.limits import Limits
from gdr_core.datasets.own.reading import Choices, read

SLOW = 10.0
LIMITS = Limits(file_bytes=2**20, slow_bytes=2**18, nodes=2000, edges=20_000, classes=50,
                columns=500, cells=100_000, name=2000)  # fmt: skip
HOSTILE = (b"0", b"-1", b"1e309", b"nan", b"9" * 30, b"\0", b'"', b"\n", b"\r", b",", b"<", b"&",
           b"]", b"{", b"\xff\xfe", b"\xf0\x9f")  # fmt: skip
_GRAPHML = (
    b'<?xml version="1.0"?><graphml><key id="d" for="node" attr.name="class"/>'
    b'<graph edgedefault="undirected"><node id="a"><data key="d">X</data></node><node id="b"/>'
    b'<edge source="a" target="b"/></graph></graphml>'
)
GEXF = (
    b'<gexf><graph defaultedgetype="directed"><nodes><node id="a" label="A"/><node id="b"/></nodes>'
    b'<edges><edge source="a" target="b" weight="2"/></edges></graph></gexf>'
)
GML = (
    b'graph [ directed 0 node [ id 0 label "a" ] node [ id 1 label "b" ] '
    b"edge [ source 0 target 1 ] ]"
)


def seeds() -> dict[str, bytes]:
    """A small valid file of every format."""
    matrix = sp.csr_array(np.array([[0, 1, 0], [1, 0, 2], [0, 2, 0.0]]))
    found = {
        "edges.csv": b"source,target,weight\na,b,1\nb,c,2.5\nc,a,1\n",
        "plain.txt": b"# graph\n1 2\n2 3\n3 1\n",
        "quoted.csv": b'"a ""x""","b,1"\n"b,1",c\n',
        "labels.tsv": b"id\tclass\na\tX\nb\tY\nc\t\n",
        "split.csv": b"id,part\na,train\nb,train\nc,test\n",
        "features.csv": b"id,f,g\na,1,0\nb,0,2\nc,1,1\n",
        "probabilities.csv": b"id,X,Y\na,1,0\nb,.5,.5\nc,.2,.8\n",
        "triplets.csv": b"a,0,1\nb,1,2\nc,1,1\n",
        "g.content": b"p1\t1\t0\tA\np2\t0\t1\tB\np3\t1\t1\tA\n",
        "g.cites": b"p1\tp2\np2\tp3\n",
        "g.graphml": _GRAPHML,
        "g.gexf": GEXF,
        "g.gml": GML,
        "g.net": b'*Vertices 3\n1 "a"\n2 "b"\n3 "c"\n*Edges\n1 2 1\n2 3\n',
        "g.json": json.dumps(
            {
                "directed": False,
                "nodes": [{"id": 1}, {"id": 2}],
                "links": [{"source": 1, "target": 2}],
            }
        ).encode(),
        "adjacency.npz": _saved(lambda stream: sp.save_npz(stream, matrix)),
        "features.npy": _saved(lambda stream: np.save(stream, matrix.toarray())),
        "bench.npz": _saved(_benchmark),
        "edges.parquet": _saved(_parquet),
    }
    if (cells := _h5ad()) is not None:
        found["cells.h5ad"] = cells
    return found | {"all.zip": _zip(found)}


def _saved(write: Callable[[io.BytesIO], object]) -> bytes:
    stream = io.BytesIO()
    write(stream)
    return stream.getvalue()


def _benchmark(stream: io.BytesIO) -> None:
    masks = np.eye(3, dtype=bool)[:1]
    np.savez(
        stream,
        edges=np.array([[0, 1], [1, 2]]),
        node_features=np.eye(3),
        node_labels=np.arange(3) % 2,
        train_masks=masks,
        val_masks=np.roll(masks, 1),
        test_masks=np.roll(masks, 2),
    )


def _parquet(stream: io.BytesIO) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    parquet.write_table(pa.table({"source": ["a", "b"], "target": ["b", "c"]}), stream)


def _h5ad() -> bytes | None:
    try:
        import h5py
    except ModuleNotFoundError:
        return None
    stream = io.BytesIO()
    with h5py.File(stream, "w") as file:
        file["X"] = np.eye(3)
        file["obs/index"] = ["a", "b", "c"]
        file["obs/kind"] = ["T", "B", "T"]
    return stream.getvalue()


def _zip(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in ("edges.csv", "labels.tsv"):
            archive.writestr(name, files[name])
    return stream.getvalue()


def damaged(content: bytes, others: list[bytes], draw: random.Random) -> bytes:
    """The content after one to six random accidents."""
    data = bytearray(content)
    for _ in range(draw.randint(1, 6)):
        place = draw.randrange(len(data) + 1)
        stop = min(len(data), place + draw.randint(0, 12))
        match draw.randrange(6):
            case 0 if data:
                data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
            case 1:
                del data[place:stop]
            case 2:
                data[place:place] = data[place:stop] * draw.randint(1, 50)
            case 3:
                data[place:stop] = draw.choice(HOSTILE)
            case 4:
                data = data[:place]
            case _:
                other = draw.choice(others)
                data[place:stop] = other[: draw.randrange(len(other) + 1)]
    return bytes(data)


def attempt(name: str, content: bytes) -> str:
    """`read`, `refused`, or what went wrong."""
    clock = time.process_time()  # work, not waiting for a busy machine
    try:
        dataset = read([File(name, content, LIMITS)], Choices(limits=LIMITS)).dataset
    except ReadingError as error:
        outcome = "refused" if _is_sentence(str(error)) else f"unclear: {str(error)[:200]!r}"
    except Exception as error:
        return f"crash: {type(error).__name__}: {str(error)[:200]}"
    else:
        sizes = (dataset.nodes, dataset.edges, dataset.classes)
        caps = (LIMITS.nodes, LIMITS.edges, LIMITS.classes)
        outcome = "read" if all(a <= b for a, b in zip(sizes, caps, strict=True)) else "over a cap"
    return outcome if time.process_time() - clock < SLOW else f"slow: {outcome}"


def _is_sentence(text: str) -> bool:
    return 0 < len(text) < 600 and "\n" not in text and "Traceback" not in text


def run(
    inputs: int, seed: int = 0, seconds: float = 1e9, keep: Path | None = None
) -> tuple[Counter[str], list[tuple[str, str, bytes]]]:
    """Count outcomes over many inputs; what went wrong comes back with its input."""
    draw = random.Random(seed)
    originals = seeds()
    for name, content in originals.items():
        attempt(name, content)  # so that no input waits for imports
    outcomes: Counter[str] = Counter()
    wrong: list[tuple[str, str, bytes]] = []
    start = time.monotonic()
    for i in range(inputs):
        name = draw.choice(list(originals))
        content = damaged(originals[name], list(originals.values()), draw)
        outcome = attempt(name, content)
        if outcome not in ("read", "refused"):
            wrong.append((name, outcome, content))
            _keep(keep, i, name, content)
        outcomes[outcome.partition(":")[0]] += 1
        if time.monotonic() - start > seconds:
            break
        if i % 5000 == 4999:
            print(f"{i + 1:,} inputs: {dict(outcomes)}", file=sys.stderr, flush=True)
    return outcomes, wrong


def _keep(folder: Path | None, number: int, name: str, content: bytes) -> None:
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number}-{name}").write_bytes(content)


def main(argv: list[str] | None = None) -> int:
    """The command; exit code 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description="Throw damaged files at every reader.")
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after this time")
    parser.add_argument("--keep", type=Path, help="folder for inputs that went wrong")
    arguments = parser.parse_args(argv)
    outcomes, wrong = run(arguments.inputs, arguments.seed, arguments.seconds, arguments.keep)
    for name, outcome, content in wrong[:50]:
        print(f"{name}: {outcome}: {content[:80]!r}")
    print(f"{sum(outcomes.values()):,} inputs: {dict(outcomes)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
