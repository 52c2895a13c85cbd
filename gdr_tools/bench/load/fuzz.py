"""Damaged and hostile websocket messages against a running server.

    python -m gdr_tools.bench.load.fuzz --inputs 20000 [--url http://localhost:8501]

Each frame is drawn from a seed, so that a finding can be repeated: a valid message with some of its
fields replaced, one with damaged bytes, or plain noise. After every few frames a visitor who means
well opens a page. The server must answer that visitor as ever, and the sender with a run, with
silence or by closing the connection: never with its own paths or a traceback.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
from collections import Counter
from contextlib import suppress
from typing import Any, Final

from gdr_tools.bench.load.visitor import Visitor, VisitorError, id_of

EACH: Final = 20  # frames between two looks at whether the server is well
PATIENCE: Final = 10.0  # seconds for an answer to a visitor who means well
_LEAKS: Final = ("Traceback", "site-packages", 'File "', ".py:")
_TEXTS: Final = ("string_value", "json_value", "json_trigger_value")
# Kinds of messages that say no more than that they are there, and operations that can be asked for.
FLAGS: Final = (
    *("clear_cache", "stop_script", "load_git_info", "app_heartbeat", "set_run_on_save"),
    *("debug_disconnect_websocket", "debug_shutdown_runtime"),
)
OPERATIONS: Final = ("deferred_file", "install_skills", "dismiss_skills_nudge", "dataframe_chunk")
# Names, numbers and texts that were trouble somewhere, or might be.
CORPUS: Final = (
    "",
    "\x00",
    "𝔘" * 50,
    "../../etc/passwd",
    "seed=inf",
    "dataset=sbm&seed=1e400",
    "t_min=nan",
    "dataset=two-moons&two-moons-noise=-0",
    "node=%00&dataset=cora",
    "dataset=cora&dataset=pubmed&dataset=",
    "prior=run-aaaaaaaaaaaaaaaaaaaaaa",
    "run=" + "a" * 5000,
    "&".join(f"x{number}={number}" for number in range(500)),
    "![p](http://host.invalid/x.png)",
    '{"selection": {"rows": [99999], "columns": [], "cells": []}}',
    '{"selection": {"rows": [-1], "columns": [], "cells": []}}',
    '{"selection": {}}',
    "[]",
    "null",
    '{"chosen": 1e309}',
    '{"selected": "0"}',
)


def frame(luck: random.Random, visitor: Visitor) -> bytes:
    """One message that no browser sends."""
    kind = luck.random()
    if kind < 0.15:
        return luck.randbytes(luck.randrange(600))
    data = _forged(luck, visitor) if kind < 0.75 else visitor._request("", "", {}, {})
    return _damaged(luck, data) if kind > 0.6 else data


def _forged(luck: random.Random, visitor: Visitor) -> bytes:
    from streamlit.proto.BackMsg_pb2 import BackMsg

    if luck.random() < 0.2:
        return asking(luck.choice(FLAGS + OPERATIONS), visitor.session)
    message = BackMsg()
    state = message.rerun_script
    state.query_string = luck.choice(CORPUS)
    state.page_script_hash = luck.choice([visitor.page, "", *visitor.pages.values(), "no page"])
    state.page_name = luck.choice(["", "Relabel", "../x", "Train"])
    known = [id_of(delta) for delta in visitor.elements.values()]
    for _ in range(luck.randrange(4)):
        name = luck.choice([each for each in known if each] or ["$$ID-none"])
        _set_value(luck, state.widget_states.widgets.add(id=name))
    return message.SerializeToString()


def asking(kind: str, session: str) -> bytes:
    """The shortest message of a kind, or that asks for an operation in a session."""
    from streamlit.proto.BackMsg_pb2 import BackMsg

    message = BackMsg()
    if kind in OPERATIONS:
        request = message.backend_operation_request
        request.request_id, request.session_id = kind, session
        getattr(request, kind).SetInParent()
    else:
        setattr(message, kind, True)
    return message.SerializeToString()


def _set_value(luck: random.Random, widget: Any) -> None:
    field = luck.choice(
        ["string_value", "json_value", "json_trigger_value", "int", "float", "list"]
    )
    if field == "int":
        widget.int_value = luck.choice([-1, 0, 2**62, -(2**62)])
    elif field == "float":
        widget.double_value = luck.choice([float("nan"), float("inf"), -0.0, 1e308])
    elif field == "list":
        widget.string_array_value.data.extend(luck.choices(CORPUS, k=luck.randrange(3)))
    else:
        setattr(widget, field, luck.choice(CORPUS))


def _damaged(luck: random.Random, data: bytes) -> bytes:
    damaged = bytearray(data)
    for _ in range(luck.randrange(1, 6)):
        if damaged:
            damaged[luck.randrange(len(damaged))] = luck.randrange(256)
    return bytes(damaged[: luck.randrange(len(damaged) + 1)] if luck.random() < 0.3 else damaged)


async def fuzz(address: str, inputs: int, seed: int = 0) -> dict[str, Any]:
    """Send so many frames; how connections took them, and what must not have happened."""
    outcomes: Counter[str] = Counter()
    troubles: list[str] = []
    for start in range(0, inputs, EACH):
        luck = random.Random(f"{seed} {start}")
        outcomes.update(await _burst(address, luck, min(EACH, inputs - start), troubles))
        try:
            async with asyncio.timeout(PATIENCE), Visitor(address) as honest:
                await honest.open("Relabel", "dataset=karate")
                troubles += [f"after {start}: {text}" for text in honest.errors]
        except (VisitorError, OSError, TimeoutError) as error:
            troubles.append(f"after {start}: {type(error).__name__}: {error}")
    return {"inputs": inputs, "outcomes": dict(outcomes), "troubles": troubles}


async def _burst(
    address: str, luck: random.Random, count: int, troubles: list[str]
) -> Counter[str]:
    outcomes: Counter[str] = Counter()
    visitor = Visitor(address)
    await visitor.connect()
    with suppress(VisitorError, TimeoutError):
        await visitor.open(luck.choice(["Relabel", "Dataset", "Train", ""]), "dataset=karate")
    for _ in range(count):
        try:
            await visitor.send_raw(frame(luck, visitor))
            async with asyncio.timeout(0.25):
                while not await visitor._ended():
                    pass
            outcomes["answered"] += 1
        except TimeoutError:
            outcomes["no answer yet"] += 1
        except VisitorError:
            outcomes["closed"] += 1
            await visitor.close()
            visitor = Visitor(address)
            await visitor.connect()
    troubles += [text for text in visitor.errors if any(leak in text for leak in _LEAKS)]
    await visitor.close()
    return outcomes


def main() -> int:
    """The command: 1 where something was found."""
    from gdr_tools.bench.load import _server

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--inputs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--url", help="of a running server; one is started if not given")
    options = parser.parse_args()
    with _server(options.url, None) as (address, _, _):
        found = asyncio.run(fuzz(address, options.inputs, options.seed))
    print(f"{found['inputs']} frames: {found['outcomes']}")
    print("\n".join(found["troubles"]) or "nothing found")
    return 1 if found["troubles"] else 0


if __name__ == "__main__":
    sys.exit(main())
