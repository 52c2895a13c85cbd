"""The benchmark of the app: what it says where something is missing, and how it reports."""

from __future__ import annotations

import sys

import pytest

from gdr_tools.bench import app, browser, cold
from gdr_tools.cli import main


def test_without_the_app_it_says_where_it_looked(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no app\.py in"), browser.running_app(tmp_path):
        pass


def test_an_app_that_ends_at_once_says_why(tmp_path):
    (tmp_path / "app.py").write_text("")
    (tmp_path / "streamlit.py").write_text("raise SystemExit('nothing works today')")
    with (
        pytest.raises(OSError, match="ended at once: nothing works today"),
        browser.running_app(tmp_path),
    ):
        pass


def test_without_a_browser_the_command_fails_with_one_sentence(monkeypatch, capsys):
    monkeypatch.setattr(browser.shutil, "which", lambda name: None)
    assert main(["bench", "app", "--quick"]) == 1
    said = capsys.readouterr().err
    assert "apt-get install chromium" in said or "requirements-dev.txt" in said


def test_without_playwright_the_command_names_the_requirements(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "playwright.sync_api", None)
    assert main(["bench", "app", "--quick"]) == 1
    assert "requirements-dev.txt" in capsys.readouterr().err


def measured(milliseconds: float = 123.0):
    numbers = dict.fromkeys(app.ROWS, milliseconds)
    opening = {**cold.parts_of([500.0, 600.0, 900.0, 1500.0]), "server_ms": 1, "server_cpu_ms": 2}
    return {
        "browser": "1.0",
        "processors": 2,
        "datasets": {"cora": {**numbers, "page_switch_slowest": {"Compare": 456.0}}},
        "memory": {"round_bytes": [800_000_000, 810_000_000]},
        "cold": dict.fromkeys(cold.PAGES, opening),
    }


def test_the_table_puts_each_number_beside_its_target():
    text = app.table(measured())
    row = next(line for line in text.splitlines() if line.startswith("t_min key"))
    assert row.split()[-3:] == ["123", "<", "300"]
    assert "Compare, 456 ms" in text
    assert "800 MB, then 810 MB" in text
    assert "cold Relabel: 1500 ms = scripts 500 + data 100 + title 300 + picture 600 (" in text


def test_the_table_compares_with_an_earlier_run():
    text = app.table(measured(), measured(246.0))
    row = next(line for line in text.splitlines() if line.startswith("t_min key"))
    assert row.endswith("× 0.50")
    assert "picture 600, 1.00 of 1500 before" in text


def test_an_earlier_run_that_measured_less_is_compared_where_it_can_be():
    earlier = measured(246.0)
    del earlier["cold"], earlier["datasets"]["cora"]["t_min_ms"]
    text = app.table(measured(), earlier)
    row = next(line for line in text.splitlines() if line.startswith("t_min key"))
    assert "×" not in row
    assert "before" not in text


def test_every_target_is_measured():
    assert set(app.TARGETS) <= set(app.ROWS)
    assert all(set(targets) == set(app.DATASETS) for targets in app.TARGETS.values())
