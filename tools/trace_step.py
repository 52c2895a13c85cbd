"""What one step of t_min on the Relabel page runs: distinct functions and files of ours.

    python tools/trace_step.py [dataset] [--node NAME] [--list]

The page is drawn by Streamlit's AppTest; then the slider moves by one step and only its fragment
runs again, as in the browser. Every Python function entered meanwhile whose file lies in this
checkout is counted once; comprehensions and lambdas belong to the function they stand in.
`tests/test_step.py` holds the counts to what they are.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType

ROOT = Path(__file__).parents[1]
_OURS = ("gdr_core", "gdr_tools", "gdr_app", "pages", "app.py")
sys.path.insert(0, str(ROOT))

from streamlit.testing.v1 import AppTest, local_script_runner  # noqa: E402


class Trace:
    """Counts the calls of our own functions in all threads, while it is on."""

    def __init__(self) -> None:
        self.calls: Counter[CodeType] = Counter()

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        """A profiler, as `sys.setprofile` wants it."""
        if event == "call" and is_ours(frame.f_code) and _is_named(frame.f_code):
            self.calls[frame.f_code] += 1

    def __enter__(self) -> Trace:
        threading.setprofile(self)
        return self

    def __exit__(self, *_: object) -> None:
        threading.setprofile(None)


def is_ours(code: CodeType) -> bool:
    """Whether the code was written in this checkout, rather than by Python for a dataclass."""
    path = Path(code.co_filename)
    return path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in _OURS


def _is_named(code: CodeType) -> bool:
    """Whether it is a function of its own, and no comprehension or lambda inside of one."""
    return not code.co_name.startswith("<")


def trace_step(dataset: str, node: str | None = None) -> Counter[CodeType]:
    """Calls during one step of the slider, twice stepped before so that caches are warm."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=300)
    app.switch_page("pages/4_Relabel.py")
    app.query_params["dataset"] = dataset
    if node is not None:
        app.query_params["node"] = node
    app.run()
    names = _bar_names(app)
    with _fragments_only(app):
        for _ in range(2):
            _step(app, names)
        with Trace() as trace:
            _step(app, names)
    assert not app.exception, app.exception
    return trace.calls


def files_of(calls: Iterable[CodeType]) -> set[str]:
    """The files that functions stand in."""
    return {str(Path(code.co_filename).relative_to(ROOT)) for code in calls}


def _step(app: AppTest, names: list[str]) -> None:
    """As the bar's callback does it: the next place of the grid."""
    visit = app.session_state["visit"]
    visit.put("t_min", names[names.index(visit.get("t_min") or names[99]) + 1])
    app.run()


def _bar_names(app: AppTest) -> list[str]:
    """The times of the grid, from the header of what the bar was sent."""
    sent = next(each.proto.bytes for each in app.get("bidi_component") if each.key == "t_min-sweep")
    length = int.from_bytes(sent[:4], "little")
    return json.loads(sent[4 : 4 + length])["names"]


@contextmanager
def _fragments_only(app: AppTest) -> Iterator[None]:
    """Meanwhile a run of the app is one of its fragments, as after a click inside of one."""
    whole = local_script_runner.RerunData

    def narrowed(**named: object) -> object:
        # After the first run AppTest's storage holds the fragments that the page registered.
        return whole(**named, fragment_id_queue=list(app._fragment_storage._fragments))

    local_script_runner.RerunData = narrowed  # type: ignore[assignment,misc]
    try:
        yield
    finally:
        local_script_runner.RerunData = whole  # type: ignore[misc]


def main() -> None:
    """Print the counts; with --list also every function, by file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dataset", nargs="?", default="cora")
    parser.add_argument("--node", help="the node whose card is open; the page's example if none")
    parser.add_argument("--list", action="store_true", help="print every function")
    options = parser.parse_args()
    calls = trace_step(options.dataset, options.node)
    total = sum(calls.values())
    print(f"{len(calls)} functions in {len(files_of(calls))} files, {total} calls")
    if options.list:
        for code, count in sorted(calls.items(), key=lambda entry: entry[0].co_filename):
            place = Path(code.co_filename).relative_to(ROOT)
            print(f"{place}:{code.co_firstlineno} {code.co_qualname} ×{count}")


if __name__ == "__main__":
    main()
