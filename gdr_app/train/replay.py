"""Going back and forth through the epochs of a run, and the stored run that the page opens with."""

from __future__ import annotations

import time
from typing import Final

import streamlit as st

from gdr_app.computing.kept import kept
from gdr_app.computing.runs import fits
from gdr_core.datasets import DatasetChoice
from gdr_core.places import data_folder
from gdr_tools.jobs import Report
from gdr_tools.jobs import report as states
from gdr_tools.jobs.recording import Recording

EXAMPLE: Final = "example"
FILE: Final = "example_run.npz"
PLACE: Final = "place in a run"
LOOK: Final = 0.4  # seconds between two pictures of a replay
PACES: Final = {f"{pace} epochs a second": float(pace) for pace in (2, 5, 10, 30)}
USUAL: Final = "10 epochs a second"
START: Final = 1  # the epoch at which a replay begins


@kept(most=1)
def _example() -> Report:
    return Recording.read(data_folder() / FILE).report()


def example_of(choice: DatasetChoice) -> Report | None:
    """The stored run, if it is about this dataset and split."""
    if not (data_folder() / FILE).is_file():
        return None
    found = _example()
    return found if fits(found.job, choice) else None


class Place:
    """Where in a run the visitor looks: an epoch, and whether it moves on by itself.

    run    the run that this is about; another run has its own place
    last   the run's last epoch when it was looked at; who looks at it follows it
    since  when the epoch was put there, by the clock of the server
    """

    def __init__(self, run: str, epoch: int) -> None:
        self.run, self.epoch, self.last = run, epoch, epoch
        self.playing, self.since, self.pace = False, 0.0, USUAL

    def follow(self, last: int) -> None:
        """The run has gone on: stay at its end if that is where one was."""
        if self.epoch >= self.last or self.epoch > last:
            self.epoch = last
        self.last = last

    def put(self, epoch: int) -> None:
        """Look at an epoch."""
        self.epoch, self.since = epoch, time.monotonic()

    def move(self, last: int) -> None:
        """Go on by as many epochs as the pace says; at the last one it rests."""
        due = int((time.monotonic() - self.since) * PACES[self.pace])
        if due > 0:
            self.put(min(self.epoch + due, last))
        self.playing = self.epoch < last


def place_of(report: Report) -> Place:
    """The visitor's place in a run: its end, until it is moved."""
    place = st.session_state.get(PLACE)
    if not isinstance(place, Place) or place.run != report.id:
        place = st.session_state[PLACE] = Place(report.id, report.epoch)
    if not can_be_scrubbed(report):
        place.playing, place.epoch, place.last = False, report.epoch, report.epoch
    place.follow(report.epoch)
    return place


def can_be_scrubbed(report: Report) -> bool:
    """Whether a run stands still and has epochs to go through."""
    return (report.ended or report.state == states.PAUSED) and len(report.history) > 1


def is_playing() -> bool:
    """Whether a replay runs."""
    place = st.session_state.get(PLACE)
    return isinstance(place, Place) and place.playing


def show_replay(report: Report) -> int:
    """Play, a slider over all epochs, the pace; the epoch to show."""
    place = place_of(report)
    if not can_be_scrubbed(report):
        return report.epoch
    if place.playing:
        place.move(report.epoch)
    slider = f"epoch of {report.id}"
    st.session_state[slider] = place.epoch
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.button(
            "**Pause replay**" if place.playing else "**Replay**",
            key="replay",
            icon=":material/pause:" if place.playing else ":material/play_arrow:",
            on_click=_toggle,
            args=(place, report.epoch),
        )
        with st.container():  # as long as there is room: an epoch is a fraction of it
            st.slider(
                "Epoch shown",
                1,
                report.epoch,
                key=slider,
                on_change=lambda: _go(place, st.session_state[slider]),
            )
        with st.container(width=190):
            st.selectbox(
                "Replayed at",
                list(PACES),
                list(PACES).index(place.pace),
                key="replay pace",
                on_change=lambda: setattr(place, "pace", st.session_state["replay pace"]),
            )
    return place.epoch


def _toggle(place: Place, last: int) -> None:
    place.playing = not place.playing
    place.put(START if place.playing and place.epoch >= last else place.epoch)


def _go(place: Place, epoch: int) -> None:
    place.playing = False
    place.put(epoch)
