"""A visit to the app without a browser: open a page by its link, and see that nothing failed."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

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


def assert_fine(app: AppTest) -> None:
    """The page shows neither an exception nor an error."""
    assert not app.exception, [fault.value for fault in app.exception]
    assert not app.error, [fault.value for fault in app.error]


def assert_warns(app: AppTest, words: str) -> None:
    """Nothing failed, and a warning says the words."""
    assert_fine(app)
    assert any(words in warning.value for warning in app.warning)
