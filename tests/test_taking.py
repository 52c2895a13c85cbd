"""A choice is heard of although the next message of the browser is there already."""

from __future__ import annotations

import threading

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.exceptions import StopException
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.state.session_state import WStates

from gdr_app.serving import surroundings
from gdr_app.state import link
from gdr_app.state.visit import Visit
from tests.visiting import assert_fine, open_app


@pytest.fixture(autouse=True)
def served():
    """As the server does before it answers."""
    surroundings()


def box(app, label: str):
    [found] = [each for each in app.selectbox if each.label == label]
    return found


@pytest.mark.parametrize("label", ["Stationary state", "Prior"])
def test_a_run_that_is_to_stop_hears_of_a_choice_first(label, monkeypatch):
    """The next message arrives when Streamlit is about to call who hears of the choice."""
    app = open_app("4_Relabel", dataset="karate")
    choice = box(app, label)
    value = next(each for each in choice.options if each != choice.value)
    call = WStates.call_callback

    def interrupted(states, control):
        get_script_run_ctx().script_requests.request_stop()
        call(states, control)

    monkeypatch.setattr(WStates, "call_callback", interrupted)
    choice.set_value(value).run()
    monkeypatch.setattr(WStates, "call_callback", call)
    app.run()
    assert_fine(app)
    name = {"Stationary state": "stationary", "Prior": "prior"}[label]
    assert app.session_state["visit"].link() == {"dataset": "karate", name: value}
    assert box(app, label).value == value


def test_who_is_to_stop_before_it_takes_a_message_takes_nothing():
    """Its values are older than those that the next run has taken, or will take."""
    state, stopped = SessionState(), []

    def ask() -> None:
        if stopped:
            raise StopException

    older = SafeSessionState(state, ask)
    stopped.append(True)
    with pytest.raises(StopException):
        older.on_script_will_rerun(None)


def test_a_click_is_heard_although_its_run_is_to_stop_before_it_takes_it(monkeypatch):
    """A browser tells of a click once: the next message does not have it."""
    heard: list[dict[str, object]] = []

    def take(state, values, **_):
        heard.append({each.id: getattr(each, each.WhichOneof("value")) for each in values.widgets})

    def stop() -> None:
        raise StopException

    monkeypatch.setattr(SessionState, "on_script_will_rerun", take)
    mine, other = SessionState(), SessionState()
    runs = [SafeSessionState(mine, act) for act in (stop, stop, lambda: None, lambda: None)]
    told: list[dict[str, object]] = [{"stop": True, "seed": 3}, {"seed": 4}, {"seed": 5}, {}]
    for run, values in zip(runs[:2], told[:2], strict=True):
        with pytest.raises(StopException):
            run.on_script_will_rerun(message(values))
    SafeSessionState(other, lambda: None).on_script_will_rerun(message({}))
    for run, values in zip(runs[2:], told[2:], strict=True):
        run.on_script_will_rerun(message(values))
    assert heard == [{}, {"stop": True, "seed": 5}, {}]


def message(values: dict[str, object]) -> WidgetStates:
    """What a browser tells of its controls: clicks and numbers."""
    told = WidgetStates()
    for name, value in values.items():
        kind = "trigger_value" if value is True else "int_value"
        told.widgets.add(id=name, **{kind: value})
    return told


def test_runs_of_a_session_wait_for_each_other_and_for_no_other_session():
    mine, other = SessionState(), SessionState()
    ending, coming = (SafeSessionState(mine, lambda: None) for _ in range(2))
    stranger = SafeSessionState(other, lambda: None)
    taken = []

    def take(run, name) -> None:
        run.on_script_will_rerun(None)
        taken.append(name)

    with ending._lock:  # as while it clears away what it did not draw
        threads = [
            threading.Thread(target=take, args=each)
            for each in ((coming, "coming"), (stranger, "stranger"))
        ]
        for thread in threads:
            thread.start()
        threads[1].join()
        threads[0].join(0.2)
        assert taken == ["stranger"]
    threads[0].join()
    assert taken == ["stranger", "coming"]


def test_nothing_is_chosen_while_back_restores_a_view(monkeypatch):
    """Back would take the choice for a part of the view that was left, and undo it."""
    app = open_app("1_Dataset", dataset="karate")
    order, others = [], []

    def choose(state: SessionState) -> None:
        """As another run does with its message."""
        SafeSessionState(state, lambda: None).on_script_will_rerun(None)
        order.append("chosen")

    def at_once() -> bool:
        state = get_script_run_ctx().session_state._state
        others.append(threading.Thread(target=choose, args=(state,)))
        others[-1].start()
        others[-1].join(0.2)
        return True

    def arrive(*args, **more) -> None:
        restore(*args, **more)
        order.append("restored")

    restore = Visit.arrive
    monkeypatch.setattr(link, "_by_history", at_once)
    monkeypatch.setattr(Visit, "arrive", arrive)
    app.run()
    assert_fine(app)
    others[0].join()
    assert order == ["restored", "chosen"]
