"""Long computations on a page: a bar that says what is being done, and a Cancel that works.

The computation runs in the page's own thread, or the thread waits for a worker process. Each
progress report moves the bar, and Streamlit ends a page at such a moment when its visitor has
clicked Cancel, has chosen something else or has left: the exception passes through the
computation, which releases what it holds.

A page ends where its value is refused. One that can do without says so:

    with without("svm"):
        results["svm"] = result_of(view)
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import Final, NoReturn, TypeVar

import streamlit as st

from gdr_app.computing.kept import store_for
from gdr_app.computing.store import Store
from gdr_app.wording import plain, told
from gdr_core.progress import Progress, ignore
from gdr_core.within import holding
from gdr_tools.jobs import TaskFailed, TooManyTasks

Value = TypeVar("Value")
CANCELLED: Final = "cancelled"
DONE_WITHOUT: Final = "done without"  # all keys that were cancelled where the page can go on
_optional: ContextVar[bool] = ContextVar("optional", default=False)
_unseen: ContextVar[bool] = ContextVar("unseen", default=False)


class Refused(Exception):
    """Raised inside `without` where a page would otherwise end: cancelled, or not possible."""


@contextmanager
def without(name: str) -> Iterator[None]:
    """Let the page go on without what is obtained in here, if it is refused, and say so."""
    try:
        with holding(_optional, True):
            yield
    except Refused:
        st.warning(f"**{plain(name)}** is left out.", icon=":material/person_off:")


def unseen() -> AbstractContextManager[None]:
    """Obtain things outside of any page: progress is not shown, and what fails is raised."""
    return holding(_unseen, True)


def outside() -> bool:
    """Whether this is outside of any page, see `unseen`: no visitor is known."""
    return _unseen.get()


def spinning(text: str) -> AbstractContextManager[None]:
    """A turning wheel beside a text, where there is a page to show it."""
    return nullcontext() if outside() else st.spinner(text)


def obtain(
    store: Store[Value],
    key: Hashable,
    title: str,
    compute: Callable[[Progress], Value],
    together: bool = False,
) -> Value:
    """The stored value, or a newly computed one; ends the page if that is refused or fails.

    Inside `without` it ends that block only.
    together   whether `compute` shares its work with others who ask for the same: then all of them
               see how far it is. Otherwise one computes, and the others wait.
    """
    store = store_for(store, key)
    if (known := store.get(key)) is not None:
        return known
    if outside():
        return store.fetch(key, lambda: compute(ignore), lambda: None)
    place = st.empty()
    if _is_cancelled(key):
        _offer_again(place, key, title)
        _give_up()
    report = _progress_box(place, key, title)
    try:
        if together:
            value = store.keep(key, compute(report))
        else:
            value = store.fetch(
                key,
                lambda: compute(report),
                lambda: report(0.0, "this is being computed already, waiting"),
            )
    except (ValueError, TooManyTasks) as error:
        place.error(f"{title} is not possible here: {told(error)}.", icon=":material/error:")
        _give_up()
    except TaskFailed as failure:
        place.error(f"{title}: there is no result. {plain(str(failure))}", icon=":material/error:")
        _give_up()
    place.empty()
    return value


def _progress_box(place, key: Hashable, title: str) -> Progress:  # type: ignore[no-untyped-def]
    optional = _optional.get()

    def cancel() -> None:
        if optional:
            st.session_state.setdefault(DONE_WITHOUT, set()).add(key)
        else:
            st.session_state[CANCELLED] = key

    box = place.container(border=True)
    bar = box.progress(0.0, title)
    box.button("Cancel", key=f"cancel {key!r}", icon=":material/stop_circle:", on_click=cancel)

    def report(share: float, text: str) -> None:
        bar.progress(min(max(share, 0.0), 1.0), f"**{title}** · {text}")

    return report


def _is_cancelled(key: Hashable) -> bool:
    if st.session_state.get(CANCELLED) == key:
        return True
    return _optional.get() and key in st.session_state.get(DONE_WITHOUT, ())


def _offer_again(place, key: Hashable, title: str) -> None:  # type: ignore[no-untyped-def]
    def resume() -> None:
        st.session_state.pop(CANCELLED, None)
        st.session_state.get(DONE_WITHOUT, set()).discard(key)

    box = place.container(border=True)
    otherwise = "" if _optional.get() else " Choose something else in the sidebar, or:"
    box.info(f"Cancelled: {title}.{otherwise}")
    box.button(
        "Compute it after all",
        key=f"resume {key!r}",
        icon=":material/play_arrow:",
        on_click=resume,
    )


def _give_up() -> NoReturn:
    if _optional.get():
        raise Refused
    st.stop()
