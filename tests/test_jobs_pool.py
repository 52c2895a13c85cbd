"""One queue for all heavy work: fair, shared, cancelled when nobody wants it. Workers are puppets
and time passes when a test says so, but for the last part."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from gdr_core import priors
from gdr_core.datasets import load_dataset
from gdr_core.neural import recommended
from gdr_core.progress import ignore
from gdr_tools.jobs import Pool, Registry, Task, TaskFailed, TaskRefused, TooManyTasks, memory
from gdr_tools.jobs import pool as pool_module
from gdr_tools.jobs import report as states
from gdr_tools.jobs import worker as worker_module
from gdr_tools.jobs.commands import Commands
from gdr_tools.jobs.errand import Ticket
from gdr_tools.jobs.memory import allowance, check, training_bytes
from gdr_tools.jobs.pool import CALM, COMING_BACK, RETIRING
from gdr_tools.jobs.turns import SLICE, in_order
from gdr_tools.jobs.worker import reason
from tests.staging import LONG, ME, PATIENCE, YOU, Puppet, alive, eventually

THEY = "they"


@pytest.fixture
def pool(puppets, clock) -> Iterator[Pool]:
    """A pool of puppets with two cores."""
    with closing(Pool(slots=2, clock=clock)) as made:
        yield made


def task(number: int = 0) -> Task:
    return Task("prior", {"number": number})


def puppet_of(ticket: Ticket) -> Puppet:
    worker = ticket._errand.worker
    assert isinstance(worker, Puppet)
    return worker


def finish(ticket: Ticket, **result: object) -> None:
    worker = puppet_of(ticket)
    worker.says("result", result=result)
    worker.says("idle")


def at_work(pool: Pool, *tickets: Ticket) -> list[bool]:
    return [ticket._errand.takes_a_core for ticket in tickets]


# ---------------------------------------------------------------- the queue


def test_a_core_goes_to_the_visitor_who_has_the_fewest(pool):
    greedy = [pool.submit(ME, task(i)) for i in range(4)]
    modest = pool.submit(YOU, task(9))
    assert at_work(pool, *greedy, modest) == [True, True, False, False, False]
    assert [t.state.ahead for t in (modest, *greedy[2:])] == [0, 1, 2]
    finish(greedy[0])
    assert at_work(pool, modest, *greedy[2:]) == [True, False, False]


def test_positions_are_the_order_in_which_work_really_begins(pool):
    owners = [ME, ME, ME, YOU, YOU, THEY]
    tickets = {i: pool.submit(owner, task(i)) for i, owner in enumerate(owners)}
    promised = [t._errand for t in sorted_by_place(tickets.values())]
    begun = []
    while waiting := [turn for turn in pool.turns.values() if turn.waits]:
        finish(next(t for t in tickets.values() if t._errand.takes_a_core))
        begun += [turn for turn in waiting if not turn.waits]
    assert begun == promised


def sorted_by_place(tickets) -> list[Ticket]:
    places = {ticket: ticket.state.ahead for ticket in tickets}
    return sorted((t for t, p in places.items() if p is not None), key=lambda t: places[t])


def test_who_asks_for_the_same_shares_one_computation_and_its_progress(pool):
    mine, yours = pool.submit(ME, task()), pool.submit(YOU, task())
    assert pool.at_work == 1
    puppet_of(mine).says("progress", share=0.5, text="half")
    assert mine.state.share == yours.state.share == 0.5
    mine.cancel()
    assert puppet_of(yours).alive
    finish(yours, answer=7)
    assert yours.wait(ignore) == {"answer": 7}
    again = pool.submit(ME, task())
    assert again.state.result is None, "what was asked for later is computed anew"


def test_without_anybody_who_wants_it_work_ends(pool, clock):
    ticket = pool.submit(ME, task())
    worker = puppet_of(ticket)
    ticket.leave()
    pool.tend()
    assert worker.alive, "a page that only runs again comes back at once"
    taken_up = pool.submit(ME, task())
    assert puppet_of(taken_up) is worker
    taken_up.leave()
    clock.now += COMING_BACK + 1
    pool.tend()
    assert not worker.alive
    assert not pool.turns


def test_a_worker_that_was_gone_before_it_was_asked_is_told_of(pool):
    """It looked alive, and ended before anybody listened."""
    ticket = pool.submit(ME, task())
    puppet_of(ticket).gone = "The worker was killed by SIGKILL."
    pool.tend()
    assert pool.at_work == 0
    with pytest.raises(TaskFailed, match="killed by SIGKILL"):
        ticket.wait(ignore)


def test_a_cancelled_task_ends_at_once_and_the_next_begins(pool):
    first, second, third = (pool.submit(ME, task(i)) for i in range(3))
    worker = puppet_of(first)
    first.cancel()
    assert not worker.alive
    assert at_work(pool, second, third) == [True, True]


def test_work_that_nobody_asks_about_ends_sooner_where_others_wait(pool, clock):
    forgotten = pool.submit(ME, task(1))
    clock.now += pool.patience + 1
    pool.tend()
    assert forgotten._errand.worker is not None
    others = [pool.submit(YOU, task(i)) for i in (2, 3)]
    pool.tend()
    assert all(at_work(pool, *others))
    with pytest.raises(TaskFailed, match="no longer knows this run"):
        _ = forgotten.state


def test_one_visitor_has_a_few_tasks_at_a_time(pool):
    for i in range(pool.most_of_one):
        pool.submit(ME, task(i))
    with pytest.raises(TooManyTasks, match="4 computations of yours"):
        pool.submit(ME, task(99))
    pool.submit(ME, task(0))  # shares
    pool.submit(YOU, task(99))


def test_one_network_address_has_a_dozen_tasks_at_a_time(pool):
    for i in range(pool.most_near):
        pool.submit(f"visitor {i}", task(i), "192.0.2.7")
    with pytest.raises(TooManyTasks, match="12 computations from your network address"):
        pool.submit("another", task(99), "192.0.2.7")
    pool.submit("another", task(0), "192.0.2.7")  # shares
    pool.submit(YOU, task(99), "192.0.2.8")
    pool.submit(THEY, task(100))  # not known where


def test_own_data_are_in_a_file_only_until_a_worker_has_read_them(pool):
    def ask(number: int) -> Ticket:
        return pool.submit(ME, Task("reading", {"files": f"mark {number}"}), data={"files": b"x"})

    first, _, queued = ask(1), ask(2), ask(3)
    [request] = puppet_of(first).requests
    handed = Path(request["arguments"]["files"])
    assert handed.read_bytes() == b"x"
    assert not queued._errand.handed
    again = ask(1)  # a page that runs again
    first.leave()
    assert again._errand is first._errand
    assert handed.exists()
    finish(again)
    assert not handed.exists()
    waiting = Path(puppet_of(queued).requests[-1]["arguments"]["files"])
    queued.cancel()
    assert not waiting.exists()


def test_no_room_for_own_data_is_told(pool, monkeypatch):
    def full(content: bytes) -> Path:
        raise OSError(28, "No space left on device", "/srv/secret")

    monkeypatch.setattr("gdr_tools.jobs.errand.hand_over", full)
    ticket = pool.submit(ME, Task("reading", {"files": "mark"}), data={"files": b"x"})
    with pytest.raises(TaskFailed) as told:
        ticket.wait(ignore)
    assert str(told.value) == "The server has no room for your data: No space left on device."


def test_an_error_of_the_system_tells_no_path_of_the_server():
    assert reason(FileNotFoundError(2, "No such file or directory", "/srv/x")) == (
        "No such file or directory"
    )
    assert reason(FileNotFoundError("there is no dataset atlantis")) == (
        "there is no dataset atlantis"
    )


def test_a_worker_does_one_task_after_another(pool):
    first = pool.submit(ME, task(1))
    worker = puppet_of(first)
    finish(first)
    second = pool.submit(ME, task(2))
    assert puppet_of(second) is worker
    assert [request["arguments"] for request in worker.requests] == [{"number": 1}, {"number": 2}]


def test_at_most_one_worker_waits_and_not_forever(pool, clock):
    tickets = [pool.submit(ME, task(i)) for i in range(2)]
    workers = [puppet_of(ticket) for ticket in tickets]
    for ticket in tickets:
        finish(ticket)
    assert [worker.alive for worker in workers] == [True, False]
    clock.now += pool.spare_for + 1
    pool.tend()
    assert not workers[0].alive
    assert pool.spare is None


def test_the_worker_of_a_removed_run_does_the_next_one(pool, clock):
    registry = Registry(pool)
    run = training(registry, ME)
    worker = registry.runs[run].worker
    registry.remove(run, ME)
    assert worker.told[-1] == "stop"
    worker.says("result", probabilities=np.ones((1, 1)), weights={}, best={})
    worker.says("idle")
    assert pool.spare is worker
    again = registry.submit(ME, LONG)
    assert registry.runs[again].worker is worker
    worker.says("ready", epoch=0)
    registry.remove(again, ME)
    clock.now += RETIRING + 1
    pool.tend()
    assert not worker.alive, "one that does not answer is ended"


def test_no_worker_starts_in_the_way_of_work_that_has_just_begun(pool, clock):
    pool.submit(ME, task())
    pool.expect()
    assert pool.spare is None
    clock.now += CALM + 0.1
    pool.tend()
    assert pool.spare is not None


def test_troubles_are_told(pool, monkeypatch):
    ticket = pool.submit(ME, task(1))
    puppet_of(ticket).dies("The worker was killed by SIGKILL.")
    with pytest.raises(TaskFailed, match="killed by SIGKILL"):
        ticket.wait(ignore)
    ticket = pool.submit(ME, task(2))
    puppet_of(ticket).says("error", text="it does not fit", refused=True)
    with pytest.raises(TaskRefused, match="it does not fit"):
        ticket.wait(ignore)
    monkeypatch.setattr(pool_module, "Worker", refuse)
    pool.spare = None
    with pytest.raises(TaskFailed, match="No process could be started"):
        pool.submit(ME, task(3)).wait(ignore)
    pool.close()
    with pytest.raises(TooManyTasks, match="stopping"):
        pool.submit(ME, task(4))


def refuse() -> None:
    raise OSError(12, "no memory")


# ---------------------------------------------------------------- training beside it


def training(registry: Registry, owner: str) -> str:
    run = registry.submit(owner, LONG)
    registry.runs[run].worker.says("ready", epoch=0)
    return run


def test_training_lets_short_work_go_first_and_goes_on_with_the_same_worker(pool):
    registry = Registry(pool)
    runs = [training(registry, owner) for owner in (ME, YOU)]
    workers = [registry.runs[run].worker for run in runs]
    ticket = pool.submit(THEY, task())
    assert at_work(pool, ticket) == [True]
    assert [registry.poll(run).state for run in runs] == [states.QUEUED, states.RUNNING]
    assert workers[0].told[-1] == "pause"
    finish(ticket)
    assert registry.poll(runs[0]).state == states.RUNNING
    assert registry.runs[runs[0]].worker is workers[0]
    assert workers[0].told[-1] == "resume"


def test_who_has_had_a_core_for_long_lets_another_visitor_train(pool, clock):
    registry = Registry(pool)
    long = [training(registry, ME) for _ in range(2)]
    waiting = registry.submit(YOU, LONG)
    assert registry.poll(waiting).position == 1
    for run in (*long, waiting):
        registry.poll(run)
    clock.now += SLICE + 1
    for run in (*long, waiting):
        registry.poll(run)
    pool.tend()
    assert registry.poll(waiting).state == states.STARTING
    assert [registry.poll(run).state for run in long] == [states.QUEUED, states.RUNNING]
    own = registry.submit(ME, LONG)
    clock.now += SLICE - 5
    pool.tend()
    assert registry.poll(own).state == states.QUEUED, "one's own runs wait for each other"


def test_a_run_in_the_queue_without_a_watcher_lets_all_others_pass(pool, clock):
    registry = Registry(pool)
    pool.slots = 0
    unwatched = registry.submit(ME, LONG)
    clock.now += registry.unwatched + 1
    watched = registry.submit(YOU, LONG)
    order = in_order(pool.turns.values())
    assert order == [registry.runs[watched], registry.runs[unwatched]]


# ---------------------------------------------------------------- memory


@pytest.mark.parametrize(("name", "hidden"), [("cora", 16), ("cora", 4096), ("karate", 8)])
def test_a_run_is_estimated_by_what_it_must_at_least_hold(name, hidden):
    dataset, options = load_dataset(name), recommended("gcn", hidden=hidden)
    weights = 4 * hidden * (dataset.features.shape[1] + dataset.classes)
    layer = 4 * dataset.nodes * hidden
    held = 4 * weights + 2 * layer  # weights, gradient, two of Adam; a layer and its gradient
    assert held < training_bytes(dataset, options) < 1e9 + 10 * (weights + layer)


def test_a_run_that_is_too_large_is_refused_with_both_numbers():
    dataset = load_dataset("cora")
    check(dataset, recommended("gcn"), 1 << 30)
    with pytest.raises(ValueError, match=r"4,096 hidden units on cora .* may take 0\.5 GB"):
        check(dataset, recommended("gcn", hidden=4096), 500_000_000)
    assert allowance(4) <= allowance(2) <= allowance(1)


@pytest.mark.parametrize("gigabytes", [1, 2, 4, 8, 16, 23, 64, 512])
@pytest.mark.parametrize("cores", [1, 2, 4, 8, 64])
def test_all_workers_at_their_largest_fit_into_what_they_may_take(monkeypatch, gigabytes, cores):
    monkeypatch.setattr(memory, "machine", lambda: gigabytes << 30)
    plan = memory.plan(cores)
    assert 1 <= plan.slots <= cores
    assert 0 <= plan.resting <= plan.slots
    one = (1 << 30) + memory.LARGE
    assert plan.most <= max(gigabytes << 29, one)
    monkeypatch.setenv("GDR_MEMORY", "3000")
    assert memory.plan(cores).most <= 3000 << 20
    monkeypatch.setenv("GDR_MEMORY", "much")
    with pytest.raises(ValueError, match="GDR_MEMORY must be a whole number from 1, got 'much'"):
        memory.plan(cores)


def test_the_environment_says_how_many_workers_there_are(monkeypatch, clock, puppets):
    monkeypatch.setenv("GDR_WORKERS", "1")
    with closing(Pool(clock=clock)) as made:
        assert made.slots == 1


def test_no_more_workers_rest_than_there_is_memory_for(pool):
    pool.room_to_rest = 0
    assert not pool.submit(ME, task())._errand.can_give_way
    registry = Registry(pool)
    run = training(registry, YOU)
    worker = registry.runs[run].worker
    registry.pause(run, YOU)
    pool.tend()
    assert not worker.alive


GREEDY = """
import json
import numpy as np
from gdr_tools.jobs import memory, worker
class Now:
    def wait_for_turn(self): pass
def take(arguments, progress):
    return {"size": np.ones(arguments["bytes"], dtype=np.uint8).nbytes}
worker.KINDS["greedy"] = "__main__:take"
for size in (50_000_000, 900_000_000):
    allowed = memory.resident() + 300_000_000
    request = {"kind": "greedy", "arguments": {"bytes": size}, "memory": allowed}
    worker.do(request, Now(), lambda message: print(json.dumps(message)))
memory.release()
print(np.ones(900_000_000, dtype=np.uint8).nbytes)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds a process to its data")
def test_a_worker_that_wants_more_than_it_may_have_says_so():
    done = subprocess.run(
        [sys.executable, "-c", GREEDY], capture_output=True, text=True, check=True
    )
    fits, refused, free = map(json.loads, done.stdout.splitlines())
    assert fits["result"] == {"size": 50_000_000}
    assert refused["text"] == "It needs more memory than a worker of this server may take"
    assert free == 900_000_000, "what one job may take binds nobody after it"


@pytest.mark.parametrize(("megabytes", "known"), [(100, 2), (500, 1), (747, 0)])
def test_a_worker_imports_in_advance_what_leaves_it_small_enough_to_wait(
    monkeypatch, megabytes, known
):
    """Each of two imports adds 250 MB, or runs out of memory."""
    taken, asked = [megabytes << 20], []

    def import_module(name: str) -> None:
        asked.append(name)
        taken[0] += 250 << 20
        raise MemoryError

    monkeypatch.setattr(worker_module, "_WARMTH", ("one", "other"))
    monkeypatch.setattr(worker_module, "import_module", import_module)
    monkeypatch.setattr(memory, "resident", lambda: taken[0])
    worker_module._warm_up(Commands(), 0.0)
    assert len(asked) == known
    assert taken[0] <= memory.LARGE


# ---------------------------------------------------------------- real workers


@pytest.fixture
def real() -> Iterator[Pool]:
    made = Pool(slots=1)
    yield made
    made.close()


def prior_task(prior: str, dataset: str = "karate") -> Task:
    return Task("prior", {"dataset": dataset, "load": {}, "prior": prior, "seed": 0})


def test_a_worker_computes_what_the_library_does_and_refuses_what_it_refuses(
    real, tmp_path, monkeypatch
):
    monkeypatch.setenv("GDR_CACHE_DIR", str(tmp_path))
    said: list[str] = []
    ticket = real.submit(ME, prior_task("svm"))
    found = ticket.wait(lambda share, text: said.append(text))["probabilities"]
    kept = priors.recall("svm", load_dataset("karate"))
    np.testing.assert_array_equal(found, kept)
    np.testing.assert_array_equal(
        found, priors.compute_prior("svm", load_dataset("karate"), cache=False)
    )
    assert said
    pid = real.spare.pid
    with pytest.raises(TaskRefused, match="atlantis"):
        real.submit(ME, prior_task("svm", "atlantis")).wait(ignore)
    assert real.spare.pid == pid, "the same worker did both"


def test_a_killed_worker_is_told_and_a_cancelled_one_is_gone(real):
    ticket = real.submit(ME, prior_task("planetoid", "cora"))
    os.kill(ticket._errand.worker.pid, signal.SIGKILL)
    with pytest.raises(TaskFailed, match="killed by SIGKILL"):
        ticket.wait(ignore)
    ticket = real.submit(ME, prior_task("planetoid", "cora"))
    pid = ticket._errand.worker.pid
    ticket.cancel()
    eventually(lambda: not alive(pid))


SERVER = """
import time
from gdr_tools.jobs import Pool, Task
pool = Pool(slots=1)
ticket = pool.submit("me", Task("prior", {"dataset": "cora", "load": {}, "prior": "planetoid",
    "seed": 0}))
pool.slots = 2
pool.expect()
print(ticket._errand.worker.pid, pool.spare.pid, flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_neither_a_working_nor_a_waiting_worker_outlives_the_server(how):
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER], stdout=subprocess.PIPE, cwd=Path(__file__).parents[1]
    )
    assert server.stdout is not None
    pids = [int(pid) for pid in server.stdout.readline().split()]
    assert all(map(alive, pids))
    server.send_signal(how)
    server.wait(PATIENCE)
    eventually(lambda: not any(map(alive, pids)))


def test_this_side_imports_neither_torch_nor_scikit_learn():
    code = (
        "import sys; from gdr_tools.jobs import Pool, Task\n"
        "pool = Pool(slots=1)\n"
        "task = Task('prior', {'dataset': 'path', 'load': {}, 'prior': 'gcn', 'seed': 0})\n"
        "assert len(pool.submit('me', task).wait(lambda *_: None)['probabilities'])\n"
        "pool.close(); print(*(m for m in ('torch', 'sklearn') if m in sys.modules), 'end')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["end"]
