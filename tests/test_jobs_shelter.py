"""Runs that outlive their server: another one that shares its folder goes on with them."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gdr_tools.jobs import Registry, UnknownRun, shelter
from gdr_tools.jobs import report as states
from gdr_tools.jobs.shelter import SILENCE, Shelter
from tests.staging import LONG, ME, YOU, Puppet

Server = Callable[[], Registry]


@pytest.fixture
def server(puppets, clock, tmp_path) -> Iterator[Server]:
    """Starts servers of puppets that share a folder."""
    made: list[Registry] = []

    def start() -> Registry:
        made.append(Registry(slots=1, clock=clock, shelter=Shelter(tmp_path / "runs")))
        return made[-1]

    yield start
    for registry in made:
        registry.close()


def trained(registry: Registry, epochs: int = 3) -> str:
    """A run with so many epochs, all of them saved."""
    run = registry.submit(ME, LONG)
    worker = registry.runs[run].worker
    assert isinstance(worker, Puppet)
    worker.says("ready", epoch=0)
    for epoch in range(1, epochs + 1):
        worker.trains(epoch)
    worker.says("saved", epoch=epochs)
    return run


def die(registry: Registry) -> None:
    """As when the process is killed: no sign of life any more, and nothing is tidied up."""
    holders = [run.folder / "holder" for run in registry.runs.values()]
    registry.shelter.shared = None
    for holder in holders:
        os.utime(holder, (time.time() - SILENCE - 1,) * 2)


def test_a_run_goes_on_where_its_visitor_comes_after_its_server_was_killed(server):
    first, second = server(), server()
    run = trained(first)
    die(first)
    report = second.poll(run)
    assert report.epoch == len(report.history) == 3
    assert (report.job, report.name) == (LONG, first.runs[run].name)
    assert report.state in (states.QUEUED, states.STARTING)  # it goes on by itself
    assert second.is_owner(run, ME)
    assert not second.is_owner(run, YOU)
    worker = second.runs[run].worker
    assert isinstance(worker, Puppet)
    assert Path(worker.requests[0]["folder"]).name == run


def test_the_owner_finds_all_runs_again_and_others_none(server):
    first, second = server(), server()
    runs = {trained(first), first.submit(ME, LONG)}
    die(first)
    assert second.owned(YOU) == []
    assert set(second.owned(ME)) == runs


def test_what_its_owner_has_paused_stays_paused(server):
    first, second = server(), server()
    run = trained(first)
    first.pause(run, ME)
    die(first)
    assert second.poll(run).state == states.PAUSED


def test_a_server_that_stops_hands_its_runs_over_at_once(server):
    first, second = server(), server()
    run = trained(first)
    first.close()
    assert second.poll(run).epoch == 3


def test_a_run_whose_server_lives_is_not_taken(server):
    first, second = server(), server()
    run = trained(first)
    with pytest.raises(UnknownRun):
        second.poll(run)
    assert first.poll(run).epoch == 3
    assert second.is_elsewhere(run)
    assert not first.is_elsewhere(run)
    assert not any(map(second.is_elsewhere, ("nobody", "..", "")))
    die(first)
    assert not second.is_elsewhere(run), "it can be had here now"


def test_only_one_server_takes_a_run_and_who_has_lost_it_lets_go(server):
    first, second, third = server(), server(), server()
    run = trained(first)
    os.utime(first.runs[run].folder / "holder", (1, 1))  # it was stopped for a while, say
    second.poll(run)
    first.shelter.next_beat = 0.0
    first.pool.tend()
    assert run not in first.runs
    with pytest.raises(UnknownRun):
        third.poll(run)


@pytest.mark.parametrize("name", ["..", "../runs", "", ".hidden", "nobody0", "a/b"])
def test_names_that_are_no_runs_lead_nowhere(server, name):
    with pytest.raises(UnknownRun):
        server().poll(name)


def test_damaged_files_of_a_run_are_no_run(server, tmp_path):
    first, second = server(), server()
    run = trained(first)
    (tmp_path / "runs" / run / "job.json").write_text("[]")
    die(first)
    with pytest.raises(UnknownRun):
        second.poll(run)


@pytest.mark.parametrize("words", [None, "", "[]", "{", '{"owner": 3}', b"\xff"])
def test_one_damaged_run_hides_no_other(server, tmp_path, words):
    first, second = server(), server()
    runs = [trained(first), first.submit(ME, LONG), first.submit(ME, LONG)]
    about = tmp_path / "runs" / runs[1] / "run.json"
    about.unlink()
    if words is not None:
        about.write_bytes(words if isinstance(words, bytes) else words.encode())
    die(first)
    assert set(second.owned(ME)) == {runs[0], runs[2]}


def test_a_server_that_dies_while_it_takes_a_run_takes_it_from_nobody(
    server, tmp_path, monkeypatch
):
    first, second, third = server(), server(), server()
    runs = [trained(first), first.submit(ME, LONG)]
    die(first)
    for run in runs:
        folder = tmp_path / "runs" / run
        folder.rename(folder.with_name(f".{run}-{second.shelter.token}"))
    assert third.owned(ME) == [], "it may be at it still"
    monkeypatch.setattr(shelter, "SILENCE", -1.0)
    assert third.poll(runs[0]).epoch == 3
    assert set(third.owned(ME)) == set(runs)


def test_a_volume_that_vanishes_costs_no_run_that_trains(server, tmp_path):
    registry = server()
    run = trained(registry)
    shutil.rmtree(tmp_path / "runs")
    registry.shelter.next_beat = 0.0
    registry.pool.tend()
    worker = registry.runs[run].worker
    assert isinstance(worker, Puppet)
    worker.trains(4)
    worker.says("saved", epoch=4)
    assert registry.poll(run).epoch == 4
    assert registry.submit(YOU, LONG)  # the folder is made anew


def test_what_nobody_takes_over_is_deleted_in_the_end(server, tmp_path):
    registry = server()
    run = trained(registry)
    die(registry)
    shelter = Shelter(tmp_path / "runs")
    shelter.sweep(age=3600)
    assert (tmp_path / "runs" / run).exists()
    os.utime(tmp_path / "runs" / run, (1, 1))
    shelter.sweep(age=3600)
    assert not (tmp_path / "runs" / run).exists()
