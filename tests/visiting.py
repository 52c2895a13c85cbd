"""A visit to the app without a browser: open a page by its link, and see that nothing failed."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from gdr_app.state.link import VISIT
from gdr_app.state.own import PREFIX, ROOM, Own, Room
from gdr_app.state.visit import Visit
from gdr_core.datasets import Dataset

# A link that has none of the defaults.
BACKWARD = {
    "dataset": "cora-directed",
    "split": "paper-directed",
    "prior": "projection-dot",
    "laplacian": "directed-normalised",
    "direction": "backward",
    "rule": "peak",
    "t_min": "0.25",
    "node": "35",
}


def open_app(page: str | None = None, *, state: dict | None = None, **query: str) -> AppTest:
    """Like a link: the parameters are there before anything runs; Home without a page."""
    app = AppTest.from_file("../app.py", default_timeout=60)
    if page:
        app.switch_page(f"pages/{page}.py")
    for key, value in (state or {}).items():
        app.session_state[key] = value
    for key, value in query.items():
        app.query_params[key] = value
    return app.run()


def with_own(data: Dataset) -> tuple[str, dict]:
    """The state of a session that has opened these data, and their name in its links."""
    visit, room, key = Visit(), Room(), f"{PREFIX}{0:012x}"
    room.open(Own(key, data))
    visit.own = room.opened
    return key, {VISIT: visit, ROOM: room}


def assert_fine(app: AppTest) -> None:
    """The page shows neither an exception nor an error."""
    assert not app.exception, [fault.value for fault in app.exception]
    assert not app.error, [fault.value for fault in app.error]


def assert_warns(app: AppTest, words: str) -> None:
    """Nothing failed, and a warning says the words."""
    assert_fine(app)
    assert any(words in warning.value for warning in app.warning)
