"""The Train page without a browser: settings, runs, hand-over to the other pages."""

from __future__ import annotations

import errno
import io
import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block

from gdr_app.components.owner_key import MOUNT, OWNER
from gdr_app.components.training_canvas.panels import MOST_POINTS, message_of, thinned
from gdr_app.computing import runs as training_jobs
from gdr_app.computing.lines.training import python_of
from gdr_app.computing.runs import (
    TROUBLE,
    fits,
    in_file_names,
    network_name,
    prior_label,
    prior_name,
)
from gdr_app.train import replay
from gdr_app.train import watch as training_watch
from gdr_app.train.charts import colours_of_runs, panels, training_looks
from gdr_app.train.end import weights_file
from gdr_app.train.texts import LOADING, WEIGHTS_GONE
from gdr_app.widgets.export import python_for
from gdr_app.wording import plain
from gdr_core import datasets, priors
from gdr_core.datasets import DatasetChoice
from gdr_core.laplacians import WALKS
from gdr_core.method import Method
from gdr_core.neural import MODELS, recommended, use_one_thread
from gdr_core.neural.options import DIFFUSING
from gdr_tools.jobs import Job, Report
from gdr_tools.jobs.everybody import pool, registry
from gdr_tools.jobs.report import COLUMNS, History, Picture, Result, Scan
from tests.visiting import assert_fine, open_app

pytestmark = pytest.mark.processes  # its workers train in processes of their own

PATIENCE = 60.0
SIGNAL = (("feature_signal", 0.6),)
KARATE = DatasetChoice("karate", "teaching", options=SIGNAL)
ME = "m" * 43


@pytest.fixture(scope="module", autouse=True)
def _registry() -> Iterator[None]:
    """The workers end with the tests."""
    yield
    registry().close()


@pytest.fixture(autouse=True)
def _no_runs() -> Iterator[None]:
    """Every test begins without runs, and with a worker that is ready."""
    pool().expect()
    yield
    for run in list(registry().runs.values()):
        registry().remove(run.id, run.owner)


def open_page(page: str = "6_Train", owner: str = ME, **query: str) -> AppTest:
    link = {key.replace("_", "-"): value for key, value in query.items()}
    return open_app(page, state={OWNER: owner}, **link)


def text_of(app: AppTest) -> str:
    return " ".join(block.value for block in app.markdown)


def trained(job: Job, until: Callable[[Report], bool] = lambda report: report.ended) -> Report:
    """A run of the visitor ME, as far as wanted."""
    return wait(registry().submit(ME, job), until)


def wait(run: str, until: Callable[[Report], bool] = lambda report: report.ended) -> Report:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        report = registry().poll(run)
        if until(report):
            return report
        time.sleep(0.02)
    raise AssertionError(f"still {report.state} at epoch {report.epoch}")


def job_of(model: str = "gcn", epochs: int = 8, name: str = "karate", **changes) -> Job:
    spec = datasets.spec_of(name)
    shape = tuple((key, option.default) for key, option in spec.options.items())
    options = recommended(model, dataset=name, epochs=epochs, **changes)
    return Job(name, options, spec.splits[0], dataset_options=shape)


def run_in(app: AppTest) -> str:
    return parameter(app, "run")


def parameter(app: AppTest, key: str) -> str:
    return app.session_state["visit"].link()[key]


# ---------------------------------------------------------------- settings


def test_defaults_are_the_recommended_ones_for_every_network():
    app = open_page(dataset="cora")
    assert_fine(app)
    for model in MODELS:
        app.selectbox(key="model").set_value(model).run()
        assert_fine(app)
        options = recommended(model, dataset="cora")
        shown = {box.label: box.value for box in app.number_input}
        assert shown["Epochs"] == options.epochs
        assert shown["Learning rate"] == options.learning_rate
        assert shown["Dropout"] == options.dropout
        assert ("Initial t·r̄" in shown) == (model in DIFFUSING)


def test_pubmed_has_its_own_initial_time():
    app = open_page(dataset="pubmed")
    assert {box.label: box.value for box in app.number_input}["Initial t·r̄"] == 22.0


def test_directions_and_laplacians_fit_the_graph():
    app = open_page(dataset="cora")
    assert not [box for box in app.selectbox if box.key == "walk"]
    [none] = [box for box in app.selectbox if box.label == "Direction"]
    assert list(none.options) == ["undirected"]
    assert "cora-directed" in none.help
    app = open_page(dataset="cora-directed")
    assert list(app.selectbox(key="walk").options) == list(WALKS)
    app.selectbox(key="walk").set_value("augmented").run()
    [generator] = [box for box in app.selectbox if box.label == "Laplacian"]
    assert generator.value == "directed-random-walk"
    assert_fine(app)


def test_alpha_is_a_choice_wherever_a_layer_has_a_directed_laplacian():
    def shown(app: AppTest) -> dict[str, float]:
        return {box.label: box.value for box in app.number_input}

    assert "α" not in shown(open_page(dataset="cora"))
    app = open_page(dataset="directed-ring", walk="forward")
    assert shown(app)["α"] == 0.85
    app.number_input(key="diff-gcn-forward-alpha").set_value(0.5).run()
    assert parameter(app, "diff-gcn-forward-alpha") == "0.5"
    app.button(key="start").click().run()
    assert_fine(app)
    report = wait(run_in(app), lambda report: True)
    assert report.job.options.alpha == 0.5
    assert network_name(report.job) == "diff-GCN, forward, directed-normalised, α = 0.5"
    assert "alpha=0.5," in python_of(report)
    for model, has in (("heat-net", True), ("gcn", False)):
        app.selectbox(key="model").set_value(model).run()
        assert ("α" in shown(app)) is has, model
    app = open_page(dataset="directed-ring", walk="forward", **{"diff-gcn-forward-alpha": "2"})
    assert "α must lie in (0, 1], got 2" in app.error[0].value.replace("\\", "")


def test_a_name_is_never_a_picture_or_a_link():
    first, _ = (registry().submit(ME, job_of(model)) for model in ("gcn", "mlp"))
    name = "![p](http://host/x.png) www.host.io me@host.io"
    registry().rename(first, ME, name)
    app = open_page(dataset="karate", run=first)
    assert_fine(app)
    pills = [option.content for option in app.get("button_group")[0].proto.options]
    seen = "\n".join([*pills, text_of(app)])
    assert seen.count("host/x") >= 2  # on its pill and above its charts
    for alive in ("http://", "www.host", "me@host", "![p]", "[p]("):
        assert alive not in seen


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("learning-rate", "0", "learning rate must be positive"),
        ("epochs", "0", "epochs must be a whole number from 1 to 100000, got 0"),
        ("epochs", "1000000", "epochs must be a whole number from 1 to 100000"),
        ("hidden", "-3", "hidden units must be a whole number from 1"),
        ("dropout", "1", "dropout must be a finite number from 0 to 0.99"),
        ("hidden", "4096", "4,096 hidden units on karate takes about"),
        ("seed", "-1", "random seed must be a whole number from 0"),
    ],
)
def test_settings_that_cannot_be_meant_are_refused_with_a_reason(name, value, words, monkeypatch):
    monkeypatch.setattr(pool(), "allowance", 480_500_000)
    app = open_page(dataset="karate", model="gcn", **{f"gcn-undirected-{name}": value})
    assert not app.exception
    [error] = app.error
    assert words in error.value.replace("\\", "")
    assert app.button(key="start").disabled
    assert not registry().owned(ME)


def test_a_number_in_the_link_that_is_none_is_reported():
    app = open_page(dataset="karate", model="gcn", **{"gcn-undirected-epochs": "many"})
    assert any("many" in warning.value for warning in app.warning)
    assert not app.button(key="start").disabled


def test_a_graph_that_a_network_cannot_learn_is_refused(monkeypatch):
    from dataclasses import replace

    import scipy.sparse as sp

    from gdr_app.computing import opening

    graph = datasets.load_dataset("karate")
    bare = replace(graph, features=sp.csr_array((graph.nodes, 0)))
    monkeypatch.setattr(opening.cached, "dataset", lambda choice: bare)
    app = open_page(dataset="karate")
    assert not app.exception
    assert "has none" in app.error[0].value
    assert app.button(key="start").disabled


# ---------------------------------------------------------------- runs


def test_start_pause_step_resume_stop_and_remove():
    app = open_page(dataset="karate", model="gcn", **{"gcn-undirected-epochs": "100000"})
    assert_fine(app)
    app.button(key="start").click().run()
    assert_fine(app)
    run = run_in(app)
    assert registry().is_owner(run, ME)
    wait(run, lambda r: r.epoch > 3)
    app.run()
    app.button(key="pause").click().run()
    resting = wait(run, lambda r: r.saved == r.epoch)
    app.run()
    assert f"epoch **{resting.epoch:,}** of 100,000" in text_of(app)
    app.button(key="step").click().run()
    stepped = wait(run, lambda r: r.epoch > resting.epoch and r.saved == r.epoch)
    assert stepped.epoch == resting.epoch + 1
    app.run()
    app.button(key="resume").click().run()
    wait(run, lambda r: r.epoch > stepped.epoch + 2)
    app.button(key="stop").click().run()
    wait(run)
    app.run()
    assert_fine(app)
    assert ": Stopped**" in text_of(app)
    assert app.button(key="use as prior")
    app.button(key="remove").click().run()
    assert_fine(app)
    assert not registry().owned(ME)
    assert "run" not in app.session_state["visit"].link()


def test_runs_are_kept_named_and_laid_over_each_other():
    first, second = trained(job_of("gcn")), trained(job_of("diff-gcn"))
    app = open_page(dataset="karate", run=first.id)
    assert_fine(app)
    assert list(app.get("button_group")[0].proto.options)
    registry().rename(second.id, ME, "with *diffusion*")
    app.run()
    assert "with \\*diffusion\\*" in text_of(app)
    shown = message_of(
        panels(datasets.load_dataset("karate"), [first, second], second, ("validation", "train")),
        [],
        [],
    )
    assert [panel["title"] for panel in shown["panels"]][:3] == [
        "Loss",
        "Accuracy",
        "Learned time t·r̄",
    ]
    assert len(shown["panels"][0]["lines"]) == 4


@pytest.mark.parametrize(
    ("state", "crowding", "every"),
    [("running", 0.5, 0.5), ("running", 1.5, 1.125), ("running", 40, 1.5), ("queued", 2, 2.0)],
)
def test_the_more_look_the_less_often_and_a_death_is_still_seen_within_two_seconds(
    monkeypatch, state, crowding, every
):
    run = registry().submit(ME, job_of(epochs=100_000))
    reports = [replace(registry().poll(run), state=state)]
    monkeypatch.setattr(type(registry()), "crowding", crowding)
    assert training_watch.pace_of_looks(reports) == every


def test_restart_is_a_new_run_with_the_same_settings():
    run = trained(job_of())
    app = open_page(dataset="karate", run=run.id)
    app.button(key="restart").click().run()
    again = run_in(app)
    assert again != run.id
    found = wait(again)
    assert found.job == run.job
    np.testing.assert_array_equal(found.result.probabilities, run.result.probabilities)


def test_a_guest_watches_but_has_no_buttons_and_cannot_forge_them():
    run = trained(job_of(epochs=100_000), lambda r: r.epoch > 0)
    app = open_page(dataset="karate", owner="g" * 43, run=run.id)
    assert_fine(app)
    assert "somebody else's run" in text_of(app)
    keys = {button.key for button in app.button}
    assert not keys & {"pause", "resume", "step", "stop", "remove"}
    app.button(key="restart").click().run()
    assert registry().is_owner(run_in(app), "g" * 43)
    assert not registry().poll(run.id).ended


def places(block: Block, kind: str, path: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
    """Where elements of a kind stand below a block."""
    found = []
    for index, child in block.children.items():
        if isinstance(child, Block):
            found += places(child, kind, (*path, index))
        elif child.type == kind:
            found.append((*path, index))
    return found


def test_what_travels_by_reference_stands_in_the_same_place_for_owner_and_guest():
    """Streamlit can drop the containers around a message that the browser already has."""
    run = trained(job_of(epochs=100_000), lambda r: r.picture is not None)
    pages = [open_page(dataset="karate", owner=owner, run=run.id) for owner in (ME, "g" * 43)]
    mine, theirs = (
        [places(part, "bidi_component") for part in (page.sidebar, page.main)] for page in pages
    )
    assert sum(map(len, mine)) >= 4  # the owner's key, the geometry, the charts, the graph
    assert mine == theirs


@pytest.mark.parametrize(("kept", "owner"), [("k" * 43, "k" * 43), ("too short", ME), (7, ME)])
def test_the_browsers_own_key_makes_its_visitor_the_owner_again(kept, owner):
    run = registry().submit(owner, job_of(epochs=100_000))
    app = open_page(dataset="karate", run=run)
    app.session_state[MOUNT] = {"kept": kept}
    app.run()
    assert_fine(app)
    assert app.session_state[OWNER] == owner
    assert any(button.label == "Stop" for button in app.button)


def test_a_run_that_is_gone_is_reported_and_others_are_untouched():
    kept = trained(job_of())
    app = open_page(dataset="karate", run="nonsense")
    assert_fine(app)
    assert any("There is no run “nonsense”" in warning.value for warning in app.warning)
    assert run_in(app) == kept.id


def test_a_run_on_another_server_is_said_to_be_there_and_its_link_stays(monkeypatch):
    monkeypatch.setattr(registry(), "is_elsewhere", lambda run: run == "abc234")
    app = open_page(dataset="karate", run="abc234")
    assert any("is on another server of this group" in each.value for each in app.info)
    assert not app.warning
    assert app.session_state["visit"].current("run") == "abc234"


def test_a_run_on_another_graph_says_which():
    run = trained(job_of())
    app = open_page(dataset="star", run=run.id)
    assert_fine(app)
    assert any("karate" in note.value for note in app.caption)
    assert "run" not in app.session_state["visit"].link()
    guest = open_page(dataset="star", owner="g" * 43, run=run.id)
    assert any("is about karate" in info.value for info in guest.info)


def test_a_loss_that_is_no_number_is_told_at_its_epoch_and_the_charts_stay():
    other = trained(job_of())
    run = trained(job_of(learning_rate=1e38))
    app = open_page(dataset="karate", run=run.id)
    assert not app.exception
    [error] = app.error
    assert f"at epoch {run.epoch + 1}" in error.value
    assert "no prior" in error.value
    assert run.epoch == len(run.history)
    labels = [button.label for button in app.get("download_button")]
    assert labels == ["History (.csv)"] * bool(run.epoch)
    assert registry().poll(other.id).result is not None


def test_too_many_runs_are_refused_in_words(monkeypatch):
    monkeypatch.setattr(registry().places, "most_of_one", 1)
    trained(job_of())
    app = open_page(dataset="karate")
    app.button(key="start").click().run()
    assert any("remove one" in error.value.replace("\\", "") for error in app.error)
    assert TROUBLE not in app.session_state


@pytest.mark.parametrize("state", ["lost", "failed", "diverged"])
def test_a_run_without_a_result_leaves_its_history_and_its_python(state):
    run = trained(job_of())
    inner = registry().runs[run.id]
    inner.result, inner.state = None, state
    app = open_page(dataset="karate", run=run.id)
    assert not app.exception
    assert [button.label for button in app.get("download_button")] == ["History (.csv)"]
    assert [block.value for block in app.code if "Training(" in block.value]
    assert not [button for button in app.button if button.key == "use as prior"]


def test_why_a_run_ended_early_is_shown():
    run = trained(job_of())
    registry().runs[run.id].reason = "No lower validation loss for 3 epochs."
    app = open_page(dataset="karate", run=run.id)
    assert "No lower validation loss for 3 epochs" in text_of(app)


def test_a_run_in_the_queue_has_no_step(monkeypatch):
    monkeypatch.setattr(pool(), "slots", 0)
    run = registry().submit(ME, job_of())
    app = open_page(dataset="karate", run=run)
    assert_fine(app)
    assert app.button(key="step").disabled
    assert not app.button(key="stop").disabled


def test_a_full_disk_is_told_without_the_servers_paths(monkeypatch):
    app = open_page(dataset="karate")

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/tmp/secret")

    monkeypatch.setattr(registry(), "submit", refuse)
    app.button(key="start").click().run()
    [error] = app.error
    assert error.value.startswith("The server's disk is full, so no run can be started")
    assert "secret" not in error.value
    assert "Errno" not in error.value


def test_test_accuracy_is_hidden_until_revealed():
    run = trained(job_of())
    app = open_page(dataset="karate", run=run.id)
    assert "| Test |" not in text_of(app)
    app.toggle[0].set_value(True).run()
    assert_fine(app)
    assert "| Test |" in text_of(app)
    assert parameter(app, "test") == "shown"


# ---------------------------------------------------------------- what a run leaves


def test_a_run_becomes_the_prior_of_the_other_pages():
    run = trained(job_of("diff-gcn", 20))
    app = open_page(dataset="karate", run=run.id)
    app.button(key="use as prior").click().run()
    assert any(f"**{plain(run.name)}** is now" in box.value for box in app.success)
    for page in ("4_Relabel", "2_Prior", "3_Overshoot", "5_Compare"):
        app.switch_page(f"pages/{page}.py").run()
        assert_fine(app)
        assert app.sidebar.selectbox(key="prior").value == prior_name(run)
        assert any(plain(run.name) in note.value for note in app.sidebar.caption)
    assert parameter(app, "prior") == prior_name(run)
    drawn = [chart.proto.spec for chart in app.get("plotly_chart")]
    assert run.name in drawn[0], "a run has its name on the Compare page …"
    assert not any(run.id in spec for spec in drawn), "… and its id only in links"


def test_files_are_called_by_the_name_of_the_run():
    run = trained(job_of("diff-gcn", 8))
    registry().rename(run.id, ME, "../first try: 2")
    assert prior_label(prior_name(run)) == "../first try: 2"
    assert in_file_names(prior_name(run)) == "first-try-2"
    assert in_file_names("svm") == prior_label("svm") == "svm"
    assert prior_label("run-nonsense") == "run-nonsense"


def test_the_prior_is_the_runs_probabilities_with_training_rows_known():
    run, graph = trained(job_of("gcn", 20)), datasets.load_dataset("karate")
    found = training_jobs.prior_of_run(prior_name(run), graph)
    others = np.setdiff1d(np.arange(graph.nodes), graph.split.train)
    np.testing.assert_allclose(found[others], run.result.probabilities[others], atol=1e-12)
    train = graph.split.train
    np.testing.assert_array_equal(found[train].argmax(1), graph.labels[train])
    with pytest.raises(ValueError, match="no longer"):
        training_jobs.prior_of_run("run-nonsense", graph)


@pytest.mark.parametrize("case", ["vanished", "other graph", "still training"])
def test_a_link_to_a_run_that_is_no_prior_here_falls_back_with_a_message(case):
    if case == "vanished":
        name, words = "run-nonsense", "is not on this server"
    elif case == "other graph":
        name, words = prior_name(trained(job_of(name="star"))), "was trained on star"
    else:
        name = prior_name(trained(job_of(epochs=100_000), lambda r: r.epoch > 0))
        words = "is not on this server"
    app = open_page("4_Relabel", dataset="karate", prior=name)
    assert_fine(app)
    [warning] = app.warning
    assert words in warning.value
    assert app.sidebar.selectbox(key="prior").value == "projection"


def test_a_foreign_run_with_a_result_is_a_prior_for_whoever_has_its_link():
    run = trained(job_of())
    app = open_page("4_Relabel", owner="g" * 43, dataset="karate", prior=prior_name(run))
    assert_fine(app)
    assert not app.warning
    assert app.sidebar.selectbox(key="prior").value == prior_name(run)


@pytest.mark.parametrize("stopped", [False, True])
def test_the_python_lines_repeat_the_run(stopped):
    if stopped:
        run = registry().submit(ME, job_of("diff-gcn", 100_000, hidden=5))
        wait(run, lambda r: r.epoch > 3)
        registry().stop(run, ME)
        report = wait(run)
    else:
        report = trained(job_of("diff-gcn", 12, hidden=5, dropout=0.3))
    space: dict = {}
    exec(python_of(report), space)
    np.testing.assert_array_equal(space["probabilities"], report.result.probabilities)


def test_the_python_lines_of_a_view_on_a_run_give_the_same_prior():
    report = trained(job_of("gcn", 12))
    view = Method(KARATE, prior_name(report), "combinatorial")
    space: dict = {}
    exec(python_for(view, 0.1), space)
    expected = priors.compute_prior(
        "external", datasets.load_dataset("karate"), probabilities=report.result.probabilities
    )
    np.testing.assert_array_equal(space["prior"], expected)


def test_downloaded_weights_load_without_pickle(tmp_path, monkeypatch):
    use_one_thread()
    report = trained(job_of("diff-gcn", 12))
    (tmp_path / "weights.npz").write_bytes(weights_file(report))
    monkeypatch.chdir(tmp_path)
    space: dict = {}
    exec(LOADING, space)
    np.testing.assert_array_equal(space["probabilities"], report.result.probabilities)
    with np.load(io.BytesIO(weights_file(report)), allow_pickle=False) as file:
        assert json.loads(str(file["run"]))["seed"] == 0


def test_a_run_whose_weights_made_room_for_others_says_so_and_is_a_prior_still():
    report = trained(job_of("gcn", 4))
    run = registry().runs[report.id]
    run.result = replace(run.result, weights={})
    app = open_page(run=report.id, dataset="karate")
    assert_fine(app)
    assert WEIGHTS_GONE in [caption.value for caption in app.caption]
    assert app.button(key="use as prior")
    assert LOADING not in [block.value for block in app.code]


# ---------------------------------------------------------------- the example and replays


def test_the_page_opens_on_a_finished_run():
    app = open_page(dataset="cora")
    assert_fine(app)
    assert "a stored run" in text_of(app)
    assert "run" not in app.session_state["visit"].link()
    last = app.slider(key="epoch of example").value
    assert last == 300
    app.slider(key="epoch of example").set_value(40).run()
    assert_fine(app)
    assert "Predictions at epoch 40" in text_of(app)
    app.button(key="replay").click().run()
    assert_fine(app)
    assert app.button(key="replay").label == "**Pause replay**"


def test_other_graphs_have_no_example():
    app = open_page(dataset="citeseer")
    assert_fine(app)
    assert "Press" in app.info[0].value
    assert not [slider for slider in app.slider if slider.label == "Epoch shown"]


def test_a_finished_run_of_one_s_own_can_be_gone_through():
    report = trained(job_of("diff-gcn", 12))
    app = open_page(dataset="karate", run=report.id)
    assert_fine(app)
    app.slider(key=f"epoch of {report.id}").set_value(3).run()
    assert_fine(app)
    shown = next(c for c in app.get("bidi_component") if c.key == "charts")
    assert {panel.get("cursor", 3) for panel in json.loads(shown.proto.json)["panels"]} == {3}


def test_a_replay_moves_at_its_pace_and_rests_at_the_end(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(replay.time, "monotonic", lambda: now[0])
    place = replay.Place("x", 1)
    place.playing = True
    place.put(1)
    now[0] += 2.05
    place.move(300)
    assert (place.epoch, place.playing) == (21, True)
    now[0] += 100
    place.move(300)
    assert (place.epoch, place.playing) == (300, False)


# ---------------------------------------------------------------- parts


def a_report(epochs: int = 4, model: str = "diff-gcn", picture: Picture | None = None) -> Report:
    rows = np.tile(np.arange(1.0, epochs + 1)[:, None], (1, len(COLUMNS)))
    rows[:, COLUMNS.index("validation_loss")] = math.nan
    scan = Scan(1, np.array([1.0, 2.0, 4.0]), np.array([0.1, math.nan, 0.3]))
    return Report(
        id="x",
        name="one",
        number=1,
        job=job_of(model, epochs),
        pace=0.0,
        state="running",
        reason="",
        stage="",
        stepping=False,
        notice="",
        position=None,
        history=History(rows),
        picture=picture,
        scans=(scan,),
        result=Result(np.ones((1, 1)), {}, {}),
        saved=None,
        pid=None,
    )


def test_charts_travel_as_json_without_nan_and_with_few_points():
    graph = datasets.load_dataset("karate")
    report = a_report(5000)
    text = json.dumps(
        message_of(panels(graph, [report], report, ("validation", "train")), [], []),
        allow_nan=False,
    )
    assert len(text) < 60_000
    assert thinned(5000)[[0, -1]].tolist() == [0, 4999]
    assert len(thinned(5000)) <= MOST_POINTS
    assert thinned(0).size == 0 or thinned(0).tolist() == [0]


def test_runs_with_the_same_number_have_colours_of_their_own():
    own, foreign, second, late = (
        replace(a_report(), id=name, number=number)
        for name, number in (("own", 1), ("foreign", 1), ("second", 2), ("late", 13))
    )
    alone = colours_of_runs([own, second])
    together = colours_of_runs([own, foreign, second, late])
    assert len(set(together.values())) == 4
    assert {name: together[name] for name in alone} == alone


def test_a_run_without_any_epoch_can_be_drawn():
    graph = datasets.load_dataset("karate")
    empty = a_report(1)
    empty = Report(**{**vars(empty), "history": History(np.empty((0, len(COLUMNS)))), "scans": ()})
    assert message_of(panels(graph, [empty], empty, ("validation",)), [], [])


def test_confidence_counts_every_node_outside_the_training_set():
    graph = datasets.load_dataset("karate")
    labels = np.zeros(graph.nodes, dtype=np.uint8)
    labels[10:] = 1
    picture = Picture(3, labels, np.full(graph.nodes, 0.7, dtype=np.float16))
    report = a_report(picture=picture)
    bars = panels(graph, [report], report, ("validation",))[-1]
    others = np.setdiff1d(np.arange(graph.nodes), graph.split.train)
    assert bars.counts.sum() == others.size
    assert bars.counts[0].sum() == (labels[others] == 0).sum()
    looks = training_looks(graph, picture, labels == 1)
    assert set(looks.marks[graph.split.train]) == {3}


def test_a_job_fits_only_its_own_dataset():
    job = job_of()
    assert fits(job, KARATE)
    for other in (
        DatasetChoice("star", "teaching", options=SIGNAL),
        DatasetChoice("karate", "random", options=SIGNAL),
        DatasetChoice("karate", "teaching", 1, SIGNAL),
        DatasetChoice("karate", "teaching", options=(("feature_signal", 0.5),)),
    ):
        assert not fits(job, other)


def test_the_server_does_not_import_torch_for_this_page():
    code = "import gdr_app.train.watch, gdr_app.train.form, sys\nprint('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split()[-1] == "False"


def test_clearing_the_caches_ends_nobodys_run():
    """A client may ask the server to clear its caches; a hand-made message is enough."""
    run = registry().submit(ME, job_of(epochs=100_000))
    wait(run, lambda report: report.epoch > 0)
    before, pid = registry(), registry().poll(run).pid
    st.cache_resource.clear()
    st.cache_data.clear()
    assert registry() is before
    seen = registry().poll(run)
    assert (seen.state, seen.pid) == ("running", pid)
    wait(run, lambda report: report.epoch > seen.epoch)
    app = open_page(dataset="karate", run=run)
    assert_fine(app)
    assert "Training**" in text_of(app)


PRIOR_PAGE = """
import sys
from streamlit.testing.v1 import AppTest
app = AppTest.from_file("app.py", default_timeout=200)
app.switch_page("pages/2_Prior.py")
app.query_params["dataset"], app.query_params["prior"] = "cora", sys.argv[1]
app.run()
assert not app.exception, app.exception
assert not app.error, app.error
assert app.sidebar.selectbox(key="prior").value == sys.argv[1]
from gdr_tools.jobs.everybody import pool
pool().close()
print(*(name for name in ("torch", "sklearn") if name in sys.modules), "end")
"""


@pytest.mark.parametrize("prior", ["mlp", "svm"])
def test_a_prior_computed_through_a_page_imports_nothing_heavy_into_the_server(prior, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", PRIOR_PAGE, prior],
        capture_output=True,
        text=True,
        env={**os.environ, "GDR_CACHE_DIR": str(tmp_path)},
        cwd=Path(__file__).parents[1],
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split()[-1] == done.stdout.split()[0] == "end"
    assert list(tmp_path.rglob(f"{prior}-*.npz")), "kept for the next time"
