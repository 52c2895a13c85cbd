"""Diffusions in workers: the same numbers as here, shared, none of them in the web process."""

from __future__ import annotations

import os
import stat
import time
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from gdr_app.components.owner_key import OWNER
from gdr_app.computing import asking, budget, diffusing
from gdr_app.computing.kept import forget_everything
from gdr_app.computing.results import concealed
from gdr_core.datasets import load_dataset
from gdr_core.explanation.directions import study
from gdr_core.gdr import RULES, with_rule
from gdr_core.gdr.onward import onward
from gdr_core.gdr.packing import unpack_results, unpack_trajectories
from gdr_core.laplacians.packing import unpack_laplacian
from gdr_core.method import Method
from gdr_core.progress import ignore
from gdr_tools.jobs import Pool, Registry, Task, TaskFailed, TooManyTasks, handover
from gdr_tools.jobs.diffusions import pack_course, pack_graph, pack_problem
from gdr_tools.jobs.kinds import DIFFUSION, LAPLACIAN, ONWARD, PRIOR
from gdr_tools.jobs.process import Worker
from gdr_tools.jobs.report import LOST
from tests.staging import ME, SMALL, ended, eventually, wait
from tests.visiting import assert_fine, open_app

VIEWS = [
    Method.on("karate", prior="uniform"),
    Method.on("cora-directed", rule="peak", stationary="component"),
    Method.on("cora", precision="float32", tolerance=0.05),
]


@pytest.fixture(scope="module")
def real():
    pool = Pool(slots=1)
    yield pool
    pool.close()


def files_in_memory() -> set[Path]:
    return set(Path("/dev/shm").glob(f"{handover._PREFIX}{os.getpid()}-*"))


def asked(pool: Pool, kind: str, request: dict, **data: bytes) -> dict:
    named = {name: str(hash(content)) for name, content in data.items()}
    return pool.submit(ME, Task(kind, {**request, **named}), "", data).wait(ignore)


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: f"{view.dataset.name}-{view.precision}")
def test_a_worker_finds_what_is_found_here(real, view):
    dataset = view.load_dataset()
    prior = view.compute_prior(dataset)
    here = view.make_laplacian(dataset)
    adjacency = dataset.adjacency if view.is_directed else dataset.undirected
    request = {"name": view.laplacian, "direction": view.direction, "alpha": view.alpha}
    there = unpack_laplacian(asked(real, LAPLACIAN, request, graph=pack_graph(adjacency)))
    block = np.random.default_rng(0).random((dataset.nodes, 2))
    np.testing.assert_array_equal(there.apply(block), here.apply(block))
    np.testing.assert_allclose(there.gap, here.gap, rtol=1e-9)
    assert there.upper_bound == here.upper_bound

    problem = pack_problem(there, prior, dataset.labels, dataset.split)
    answer = asked(real, DIFFUSION, {"options": vars(view.options)}, problem=problem)
    unit = there.relaxation_time
    found = unpack_results(answer, view.options, dataset.labels, dataset.split, unit)
    result = view.reclassify(dataset, prior, here)
    assert set(found) == set(RULES)
    for rule in RULES:
        expected = with_rule(result, rule)
        assert found[rule].options == expected.options
        assert found[rule].chosen == expected.chosen
        np.testing.assert_array_equal(found[rule].scan.predicted, expected.scan.predicted)
        np.testing.assert_array_equal(found[rule].scan.relabelled, expected.scan.relabelled)
        np.testing.assert_array_equal(found[rule].accuracy["test"], expected.accuracy["test"])
    one, other = found[view.rule], result
    bound = 2 * max(one.error_bound, other.error_bound) + 1e-12
    some = np.arange(0, dataset.nodes, 7)
    curves = [each.trajectories.values(some) for each in (one, other)]
    np.testing.assert_allclose(*curves, rtol=0, atol=bound)
    np.testing.assert_allclose(one.limit, other.limit, atol=1e-12)
    assert one.trajectories.dtype == other.trajectories.dtype

    later = asked(real, ONWARD, {}, course=pack_course(there, one.start, one.times))
    expected_later = onward(here, result)
    assert bool(later) == (expected_later is not None)
    if expected_later is not None:
        after = unpack_trajectories(later, one.start)
        np.testing.assert_allclose(after.times, expected_later.times)
        values = [each.values(some) for each in (after, expected_later)]
        np.testing.assert_allclose(*values, rtol=0, atol=3e-4)
    assert not files_in_memory()


class Guest:
    """What pages use of a session, without one."""

    def __init__(self, monkeypatch, pool: Pool):
        monkeypatch.setattr(asking, "pool", lambda: pool)
        monkeypatch.setattr(asking, "address", lambda: "")
        monkeypatch.setattr(asking, "owner_key", lambda: OWNER)
        monkeypatch.setattr(budget, "_LARGE", 0)
        monkeypatch.setattr(diffusing, "LONG", 0.0)


@pytest.mark.parametrize("reading", ["backward", "undirected"])
def test_a_reading_of_arrows_is_the_same_from_a_worker(real, monkeypatch, reading):
    Guest(monkeypatch, real)
    view = concealed(Method.on("cora-directed", rule="reference"))
    dataset = diffusing_dataset(view)
    prior = view.compute_prior(dataset)
    there = diffusing.studied(view, reading, dataset, prior, ignore)
    here = study(view, reading, dataset, prior)
    np.testing.assert_array_equal(there.visits, here.visits)
    np.testing.assert_array_equal(there.dangling, here.dangling)
    np.testing.assert_array_equal(there.result.scan.predicted, here.result.scan.predicted)
    assert there.result.options == here.result.options
    times = np.array([0.01, 1.0])
    np.testing.assert_allclose(there.curves(3, times), here.curves(3, times), atol=1e-7)


def diffusing_dataset(view: Method):
    from gdr_app.computing import cached

    return cached.dataset(view.dataset)


def never(*_: object, **__: object) -> None:
    raise AssertionError("this was computed in the process that draws pages")


HEAVY = (
    "method.record.reclassify",
    "laplacians.spectrum.gap",
    "gdr.onward.diffuse",
    "explanation.responses.impulse",
    "structure.influence.impulse",
    "structure.smoothing.diffuse",
)


@pytest.mark.parametrize(
    ("page", "query"),
    [
        ("4_Relabel", {"dataset": "two-moons", "rule": "peak", "node": "3"}),
        ("3_Overshoot", {"dataset": "two-moons", "node": "3"}),
        ("3_Overshoot", {"dataset": "two-moons", "node": "3", "mode": "delta impulse"}),
        ("9_Structure", {"dataset": "cora", "aspect": "influence", "node": "35"}),
        ("9_Structure", {"dataset": "two-moons", "aspect": "smoothing"}),
        ("7_Directed", {"dataset": "cora-directed"}),
    ],
)
@pytest.mark.usefixtures("workers_end")
def test_pages_of_large_graphs_compute_nothing_themselves(monkeypatch, page, query):
    forget_everything()
    plain = open_app(page, **query)
    assert_fine(plain)
    forget_everything()
    monkeypatch.setattr(budget, "_LARGE", 0)
    monkeypatch.setattr(diffusing, "LONG", 0.0)
    for name in HEAVY:
        monkeypatch.setattr(f"gdr_core.{name}", never)
    drawn = open_app(page, **query)
    assert_fine(drawn)
    assert [each.value for each in drawn.markdown] == [each.value for each in plain.markdown]
    forget_everything()


@pytest.mark.parametrize(("name", "handed"), [("cora", False), ("pubmed", True)])
def test_what_takes_long_is_handed_over(name, handed):
    view = concealed(Method.on(name))
    dataset = load_dataset(name)
    laplacian = view.make_laplacian(dataset)
    assert diffusing.laplacian_is_handed_over(view, dataset) is handed
    assert diffusing.diffusion_is_handed_over(view, dataset, laplacian) is handed


@pytest.mark.parametrize("tolerance", [1e-7, 1e-4])
@pytest.mark.parametrize("name", ["cora", "pubmed", "two-moons", "cora-directed"])
def test_the_work_that_is_expected_is_about_that_which_is_done(name, tolerance):
    view = concealed(Method.on(name, tolerance=tolerance))
    dataset = load_dataset(name)
    laplacian = view.make_laplacian(dataset)
    curves = view.reclassify(dataset, view.compute_prior(dataset), laplacian).trajectories
    size = laplacian.weights.nnz + 2 * laplacian.nodes
    done = curves.products * size * dataset.classes
    last = float(view.options.times(laplacian)[-1])
    expected = budget.multiplications(laplacian, dataset.classes, last, tolerance)
    assert done / 1.5 < expected < done * 1.5


def test_visitors_share_a_diffusion_of_a_graph_that_all_have_and_none_of_their_own(monkeypatch):
    tasks = []

    class Listening:
        def submit(self, owner, task, address, data):
            tasks.append(task)
            raise TaskFailed("not today")

    Guest(monkeypatch, Listening())  # type: ignore[arg-type]
    secrets = iter([b"one", b"two"] * 2)
    monkeypatch.setattr(asking.own, "room", lambda: type("Room", (), {"secret": next(secrets)})())
    for private in (False, False, True, True):
        with pytest.raises(TaskFailed):
            asking.ask_worker(DIFFUSION, {}, ignore, private, problem=b"the same")
    assert tasks[0] == tasks[1]
    assert len({task.arguments for task in tasks}) == 3


def test_who_has_as_much_under_way_as_allowed_waits_and_is_not_turned_away(real, monkeypatch):
    refusals = iter([TooManyTasks("four are under way"), TooManyTasks("four are under way")])

    class Crowded:
        def submit(self, *asked):
            for refusal in refusals:
                raise refusal
            return real.submit(*asked)

    Guest(monkeypatch, Crowded())  # type: ignore[arg-type]
    monkeypatch.setattr(asking, "_AGAIN", 0.01)
    view = Method.on("karate", prior="uniform")
    told = []
    found = diffusing.laplacian_for(
        view, view.load_dataset(), lambda share, text: told.append(text)
    )
    assert found.gap > 0
    assert told[:2] == ["waiting until other computations of yours have ended"] * 2

    refusals = iter([TooManyTasks("four are under way")])
    with pytest.raises(TooManyTasks, match="four"):
        asking.ask_worker(PRIOR, {}, ignore)


# ---------------------------------------------------------------- how answers travel


def test_large_arrays_come_through_a_file_for_this_user_alone_that_is_gone_at_once():
    place = handover.hand_over(b"")
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    whole = {
        "numbers": np.arange(30_000.0).reshape(3, -1).T,  # not in the order of memory
        "flags": np.ones(70_000, dtype=bool),
        "small": np.arange(3),
        "share": 0.5,
    }
    said = handover.lay_aside(whole, place)
    assert isinstance(said["small"], np.ndarray)
    assert not isinstance(said["numbers"], np.ndarray)
    again = handover.pick_up(said, place)
    for name, value in whole.items():
        np.testing.assert_array_equal(again[name], value)
    assert again["flags"].dtype == bool
    place.write_bytes(place.read_bytes()[:1000])
    with pytest.raises((OSError, ValueError)):
        handover.pick_up(said, place)
    place.unlink()


def test_without_a_file_the_answer_comes_over_the_pipe(tmp_path):
    whole = {"numbers": np.arange(30_000.0)}
    assert handover.lay_aside(whole, tmp_path / "vanished") is whole
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("end", ["closed", "killed"])
def test_a_worker_that_ends_leaves_no_file_behind(end):
    ended = []
    worker = Worker(on_exit=lambda worker, how: ended.append(how))
    request = {"dataset": "karate", "load": {}, "prior": "uniform", "seed": 0}
    worker.begin({"kind": PRIOR, "arguments": request, "memory": 1 << 30})
    assert files_in_memory()
    if end == "closed":
        worker.close()
    else:
        worker.process.kill()
    eventually(lambda: bool(ended))
    assert not files_in_memory()


@pytest.mark.parametrize("moment", [0.0, 0.1])
def test_own_data_of_a_run_leave_with_the_run(moment):
    """Whether its worker has read them by then or not."""
    with closing(Registry(slots=1)) as registry:
        run = registry.submit(ME, SMALL, data=b"no dataset")
        assert files_in_memory()
        time.sleep(moment)
        registry.remove(run, ME)
        assert not files_in_memory()


def test_own_data_of_a_run_without_a_process_are_in_no_file(monkeypatch):
    def none() -> Worker:
        raise OSError(11, "Resource temporarily unavailable")

    with closing(Registry(Pool(slots=1, spare_for=0.0, hire=none))) as registry:
        registry.submit(ME, SMALL, data=b"no dataset")
        assert not files_in_memory()


def test_how_a_worker_ended_tells_nothing_of_the_server_or_of_earlier_work(caplog):
    """Its complaints are in the log, for whoever runs the server."""
    with closing(Registry(slots=1)) as registry:
        run = registry.submit(ME, SMALL, data=b"no dataset")
        [handed] = files_in_memory()
        handed.unlink()
        report = wait(registry, run, ended)
    assert report.state == LOST
    assert report.reason == "The worker ended by itself with exit code 1."
    assert "FileNotFoundError" in caplog.text


def test_an_answer_that_is_lost_is_told(real, monkeypatch):
    monkeypatch.setattr("gdr_tools.jobs.process.pick_up", lost)
    request = {"dataset": "karate", "load": {}, "prior": "uniform", "seed": 0}
    with pytest.raises(TaskFailed, match="its answer is lost: No such file"):
        asked(real, PRIOR, request)


def lost(said: object, place: object) -> None:
    raise FileNotFoundError(2, "No such file or directory")
