"""A run while it trains: what it is doing, its buttons, its charts, its graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from gdr_app.components.graph_canvas import SentGraph
from gdr_app.components.owner_key import owner_key
from gdr_app.components.training_canvas import training_canvas
from gdr_app.computing import cached
from gdr_app.computing.runs import (
    attempt,
    fits,
    network_name,
    registry,
    report_of,
    show_trouble,
    submit,
)
from gdr_app.state import link
from gdr_app.train.charts import legend, panels, styles, training_looks
from gdr_app.train.network import draw_network
from gdr_app.train.replay import (
    EXAMPLE,
    LOOK,
    can_be_scrubbed,
    example_of,
    is_playing,
    show_replay,
)
from gdr_app.train.texts import EXAMPLE_NOTE, GUEST, TIME_NOTE
from gdr_app.wording import percent, plain
from gdr_core.datasets import Dataset, DatasetChoice
from gdr_tools.jobs import Picture, Report
from gdr_tools.jobs import report as states
from gdr_tools.jobs.run import STARTING_WORKER

RUN: Final = "run"
QUICK, CROWDED, SLOW = 0.5, 1.5, 2.0  # seconds between two looks
FIRST, STEP = 0.4, 0.25  # seconds that a page waits for a first epoch, and for a step
PACES: Final = {
    "full speed": 0.0,
    "30 epochs a second": 30.0,
    "10 epochs a second": 10.0,
    "2 epochs a second": 2.0,
}
WATCHED: Final = 10.0  # epochs a second of a new run: slow enough to see it learn
SAID: Final = ("validation_accuracy", "time", "relative_time")
DRAWN: Final = "picture drawn"
GRAPH: Final = "training graph"
WORDS: Final = {
    states.QUEUED: "Waiting for a free core",
    states.STARTING: "Starting",
    states.RUNNING: "Training",
    states.PAUSED: "Paused",
    states.STOPPING: "Stopping",
    states.FINISHED: "Finished",
    states.STOPPED: "Stopped",
    states.DIVERGED: "Diverged",
    states.FAILED: "Failed",
    states.LOST: "Interrupted",
}


def reports_of(choice: DatasetChoice) -> list[Report]:
    """The visitor's runs on this dataset and the one that the link shows, oldest first."""
    ids = dict.fromkeys([*registry().owned(owner_key()), link.recall(RUN)])
    found = [report for run in ids if (report := report_of(run)) is not None]
    mine = sorted((r for r in found if fits(r.job, choice)), key=lambda report: report.number)
    example = None if mine else example_of(choice)
    return mine if example is None else [example]


def _shown_of(reports: Sequence[Report]) -> Report | None:
    """The run of the link, or the example where there is no other."""
    asked = link.recall(RUN)
    return next((r for r in reports if r.id == (EXAMPLE if asked is None else asked)), None)


def show_run(run: str | None) -> None:
    """Make a run the one that is shown; for callbacks."""
    link.remember(RUN, run)


def pace_of_looks(reports: Sequence[Report]) -> float | None:
    """Seconds between two looks: none when all runs have ended and none is replayed.

    Each look costs the server a few hundredths of a second. Where more runs are watched than there
    are cores, everybody looks less often, so that all other pages stay as quick as they were: the
    pause grows with the square of the crowd, up to where a death would be told too late.
    """
    if is_playing():
        return LOOK
    if all(report.ended for report in reports):
        return None
    moving = {states.STARTING, states.RUNNING, states.STOPPING}
    if not any(report.state in moving or report.stepping for report in reports):
        return SLOW
    return min(QUICK * max(1.0, registry().crowding) ** 2, CROWDED)


def watch(
    choice: DatasetChoice, graph: Dataset, reports: Sequence[Report], parts: Sequence[str]
) -> None:
    """Everything that moves, in a fragment that runs again by itself as long as something does."""
    canvas = SentGraph(cached.geometry(choice), key=GRAPH)
    every = pace_of_looks(reports)
    ended = {report.id: report.state for report in reports if report.ended}

    def look() -> None:
        _await_first_epoch(link.recall(RUN))
        now = reports_of(choice)
        shown = _shown_of(now)
        changed = {report.id: report.state for report in now if report.ended} != ended
        if shown is None or changed or pace_of_looks(now) != every:
            st.rerun()
        draw(canvas, choice, graph, now, shown, parts)

    st.fragment(look, run_every=every)()


def _await_first_epoch(run: str | None) -> None:
    """A worker that is ready trains the first epoch within a moment: rather than empty charts."""
    report = report_of(run)
    if report is not None and report.state == states.STARTING and report.stage != STARTING_WORKER:
        registry().await_epoch(report.id, 0, FIRST)


def draw(
    canvas: SentGraph,
    choice: DatasetChoice,
    graph: Dataset,
    reports: Sequence[Report],
    shown: Report,
    parts: Sequence[str],
) -> None:
    """One look at the runs.

    Every part has its place, whatever stands before it. Streamlit may drop what a page run has to
    say about a fragment when a look is already waiting, but not large messages that the browser
    knows: one of those must still find the container that it belongs to.
    """
    state, replay = st.container(key="run-state"), st.container(key="run-replay")
    beside, right = st.columns([3, 2], gap="medium")
    network, picture = right.container(), right.container()
    charts, note, table = beside.container(), st.container(), st.container()
    with replay:
        epoch = show_replay(shown)
    with state:
        _show_state(shown, epoch)
        _show_buttons(shown)
        show_trouble()
    with charts:
        training_canvas(
            panels(graph, reports, shown, parts, epoch if can_be_scrubbed(shown) else None),
            key="charts",
            legend=legend(reports),
            styles=styles(parts),
        )
    if shown.job.options.learns_time:
        note.markdown(TIME_NOTE)
    if shown.id != EXAMPLE:  # one run, of which the line above says all
        with table:
            show_table(reports, "test" in parts)
    with picture:
        show_picture(canvas, graph, shown, epoch)
    if len(shown.history):
        with network:
            draw_network(choice, graph, shown, epoch)


def _show_state(report: Report, epoch: int) -> None:
    """One line on the epoch that is looked at, one bar, and whatever is wrong."""
    history = report.history
    if report.id == EXAMPLE:
        words = [
            f"**Example**, {EXAMPLE_NOTE}",
            f"epoch **{epoch:,}**, the last is {report.epoch:,}",
        ]
    else:
        words = [f"**{plain(report.name)}: {WORDS[report.state]}**", *_progress(report, epoch)]
    if epoch:
        now = {name: float(history[name][epoch - 1]) for name in SAID}
        words.append(f"validation {percent(now['validation_accuracy'])}")
        if not np.isnan(now["time"]):
            words.append(f"t = {now['time']:.4g}, t·r̄ = {now['relative_time']:.3f}")
    if report.pid is not None and registry().is_owner(report.id, owner_key()):
        words.append(f"process {report.pid}")
    if report.reason and report.state in (states.PAUSED, states.FINISHED, states.STOPPED):
        words.append(plain(report.reason))
    st.markdown(" · ".join(words))
    if not can_be_scrubbed(report):
        st.progress(report.epoch / report.job.options.epochs)
    if report.state in (states.DIVERGED, states.FAILED, states.LOST):
        st.error(_trouble(report), icon=":material/error:")
    elif report.notice:
        st.warning(plain(report.notice), icon=":material/warning:")


def _progress(report: Report, epoch: int) -> list[str]:
    """How far a run is, and how fast it goes."""
    words = []
    if report.state == states.STARTING:
        words.append(f"{report.stage} …")
    if report.position is not None:
        words.append(f"place {report.position} in the queue")
    words.append(f"epoch **{epoch:,}** of {report.job.options.epochs:,}")
    if report.state == states.RUNNING and not np.isnan(report.history.rate):
        words.append(f"{report.history.rate:.0f} epochs a second")
    return words


def _trouble(report: Report) -> str:
    text = plain(report.reason)
    if report.state == states.DIVERGED:
        return f"{text} The charts show the run up to that epoch; it leaves no prior."
    if report.state == states.LOST:
        saved = f"epoch {report.saved}" if report.saved else "the beginning"
        return f"{text} Resume goes on from {saved}, to the same result."
    return text


def _show_buttons(report: Report) -> None:
    """What the owner can do to a run; a guest can start the same."""
    if report.id == EXAMPLE:
        return
    mine = registry().is_owner(report.id, owner_key())
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if mine:
            _run_buttons(report, partial(_act, report.id))
        st.button(
            "Restart" if mine else "Start the same",
            key="restart",
            icon=":material/replay:",
            help="A new run with the same settings and seed.",
            on_click=_restart,
            args=(report,),
        )
        if mine:
            st.button(
                "Remove",
                key="remove",
                icon=":material/delete:",
                on_click=_remove,
                args=(report.id,),
            )
            _pace_picker(report)
    if not mine:
        st.markdown(GUEST)


def _run_buttons(report: Report, act: Callable[[str], None]) -> None:
    state = report.state
    if state in (states.LOST, states.FAILED):
        st.button(
            "Resume from checkpoint",
            key="resume from checkpoint",
            icon=":material/play_arrow:",
            on_click=act,
            args=("resume_from_checkpoint",),
        )
        return
    paused, over = state == states.PAUSED, report.ended or state == states.STOPPING
    st.button(
        "Resume" if paused else "Pause",
        key="resume" if paused else "pause",
        icon=":material/play_arrow:" if paused else ":material/pause:",
        disabled=over,
        on_click=act,
        args=("resume" if paused else "pause",),
    )
    st.button(
        "Step",
        key="step",
        icon=":material/skip_next:",
        disabled=over or state == states.QUEUED,
        help="Train one epoch and pause; it needs a free core.",
        on_click=act,
        args=("step",),
    )
    st.button(
        "Stop",
        key="stop",
        icon=":material/stop:",
        disabled=over,
        help="End the run here; the best weights so far are kept.",
        on_click=act,
        args=("stop",),
    )


def _pace_picker(report: Report) -> None:
    if report.ended:
        return
    names: list[str] = list(PACES)
    current = next((name for name in names if PACES[name] == report.pace), names[0])
    key = f"pace of {report.id}"
    with st.container(width=190):
        st.selectbox(
            "Pace",
            names,
            names.index(current),
            key=key,
            on_change=lambda: _set_pace(report.id, st.session_state[key]),
        )


def _set_pace(run: str, name: str) -> None:
    attempt(registry().set_pace, run, owner_key(), PACES[name])


def _act(run: str, what: str) -> None:
    before = report_of(run)
    attempt(getattr(registry(), what), run, owner_key())
    if what == "step" and before is not None:  # so that the answer to the click shows the epoch
        registry().await_epoch(run, before.epoch, STEP)


def _restart(report: Report) -> None:
    if (run := submit(report.job, report.pace)) is not None:
        show_run(run)


def _remove(run: str) -> None:
    attempt(registry().remove, run, owner_key())
    show_run(None)


def show_table(reports: Sequence[Report], revealed: bool) -> None:
    """All runs as a table, for comparing and for those who cannot see the charts."""
    heads = ["Run", "Network", "State", "Epoch", "Best validation", "t·r̄"]
    heads += ["Test"] if revealed else []
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    lines += [f"| {' | '.join(_row(report, revealed))} |" for report in reports]
    st.markdown("\n".join(lines))


def _row(report: Report, revealed: bool) -> list[str]:
    history, best = report.history, report.history.best
    cells = [plain(report.name), plain(network_name(report.job)), WORDS[report.state]]
    cells.append(f"{report.epoch:,} of {report.job.options.epochs:,}")
    if best is None:
        return [*cells, *["–"] * (3 if revealed else 2)]
    time = history["relative_time"][best]
    accuracy = percent(float(history["validation_accuracy"][best]))
    cells.append(f"{accuracy} at {best + 1:,}")
    cells.append("–" if np.isnan(time) else f"{time:.3f}")
    if revealed:
        cells.append(percent(float(history["test_accuracy"][best])))
    return cells


def show_picture(canvas: SentGraph, graph: Dataset, report: Report, epoch: int) -> None:
    """The graph in the colours of the predictions at an epoch, or shortly before."""
    picture = report.picture_at(epoch)
    if picture is None or len(picture.labels) != graph.nodes:
        return
    changed = _changed(report.id, picture)
    st.markdown(
        f"**Predictions at epoch {picture.epoch:,}**, {int(changed.sum()):,} new since the last "
        "picture"
    )
    canvas.draw(
        training_looks(graph, picture, changed),
        key=GRAPH,
        label=f"{graph.name}: {graph.nodes:,} nodes in the colour of their predicted class.",
        height=300,
    )


def _changed(run: str, picture: Picture) -> np.ndarray:
    """Nodes whose class is another one than in the picture that this visitor saw before."""
    before: tuple[str, int, np.ndarray, np.ndarray] | None = st.session_state.get(DRAWN)
    if before is not None and before[:2] == (run, picture.epoch):
        return before[3]
    if before is not None and before[0] == run:
        changed = picture.labels != before[2]
    else:
        changed = np.zeros(len(picture.labels), dtype=bool)
    st.session_state[DRAWN] = (run, picture.epoch, picture.labels, changed)
    return changed
