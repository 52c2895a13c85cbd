"""The benchmark of the app: what it says where something is missing, and how it reports."""

from __future__ import annotations

import sys

import pytest

from gdr_tools.bench import app, browser
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


def test_the_table_puts_each_number_beside_its_target():
    numbers = dict.fromkeys(app.ROWS, 123.0)
    measured = {
        "browser": "1.0",
        "processors": 2,
        "datasets": {"cora": {**numbers, "page_switch_slowest": {"Compare": 456.0}}},
        "memory": {"round_bytes": [800_000_000, 810_000_000]},
    }
    text = app.table(measured)
    row = next(line for line in text.splitlines() if line.startswith("t_min key"))
    assert row.split()[-3:] == ["123", "<", "300"]
    assert "Compare, 456 ms" in text
    assert "800 MB, then 810 MB" in text


def test_every_target_is_measured():
    assert set(app.TARGETS) <= set(app.ROWS)
    assert all(set(targets) == set(app.DATASETS) for targets in app.TARGETS.values())
