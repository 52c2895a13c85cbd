"""Three servers under load, one of which is killed; the benchmark of it can find fault."""

from __future__ import annotations

import asyncio
import os
import shutil

import pytest

from gdr_tools.bench.load import replicas, run, table
from gdr_tools.bench.load.moves import Log
from gdr_tools.bench.load.visitor import Visitor

proxied = pytest.mark.skipif(
    shutil.which("haproxy", path=f"{os.environ.get('PATH', '')}:/usr/sbin") is None,
    reason="no haproxy on this machine: apt-get install haproxy",
)


@proxied
@pytest.mark.slow
def test_everybody_is_back_at_the_same_view_and_no_run_is_lost():
    # Both runs may come to one server, where the second waits half a minute for a core.
    result = run(users=6, seconds=60.0, phases="kill", replicas=True)
    phase = result["phases"]["kill"]
    assert phase["errors"] == []
    assert phase["others"][replicas.RUN_ON]["times"] >= 1
    assert replicas.RUN_ON in table(result)
    assert "0 of them to another view" in table(result)


class Answering(Visitor):
    """Who comes back, to a page that another server draws."""

    shown = "page", "t_min=0.1"

    async def fetch_shell(self, paths=()):
        self.headers["Cookie"] = f"{replicas._COOKIE}=two"

    async def connect(self, session=""):
        pass

    async def open(self, page="", query=""):
        self.page, self.query = self.shown
        return 0.0


@pytest.mark.parametrize(
    ("shown", "fault"),
    [
        (("page", "t_min=0.1"), []),
        (("page", ""), ["Relabel?t_min=0.1 became ?"]),
        (("home", "t_min=0.1"), ["Relabel?t_min=0.1 became ?t_min=0.1"]),
    ],
)
def test_who_comes_back_to_another_view_is_told(monkeypatch, shown, fault):
    monkeypatch.setattr(replicas, "Visitor", Answering)
    monkeypatch.setattr(Answering, "shown", shown)
    lost = Visitor("http://here", headers={"Cookie": f"{replicas._COOKIE}=one"})
    lost.pages, lost.page, lost.query = {"Relabel": "page"}, "page", "t_min=0.1"
    kill, log = replicas.Kill({}, at=0.0), Log()
    back = asyncio.run(kill.bring_back(lost, log, replicas.BACK))
    assert replicas.server_of(back) == "two"
    assert kill.elsewhere == fault
    assert len(log.seconds[replicas.BACK]) == 1


def test_only_several_servers_can_lose_one():
    with pytest.raises(ValueError, match="kill needs several servers"):
        run(phases="kill")
