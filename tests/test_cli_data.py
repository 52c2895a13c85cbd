"""The command line as people call it: output, exit codes, and errors in one sentence."""

import json
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import gdr_core
from gdr_core.datasets import download, names, registry, spec_of
from gdr_tools import cli

ROOT = Path(gdr_core.__file__).parents[1]
KEYS = ["name", "nodes", "edges", "classes", "features", "train", "validation", "test", "available"]


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    try:
        code = cli.main(list(arguments))
    except SystemExit as leaving:
        code = leaving.code
    out, err = capsys.readouterr()
    return code, out, err


def call(*arguments: str, folder: Path = ROOT, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "gdr_core", *arguments],
        cwd=folder, env=os.environ | environment, capture_output=True, text=True,
    )  # fmt: skip


def test_help_lists_the_sub_commands():
    done = call("--help")
    assert done.returncode == 0
    assert "data" in done.stdout
    assert done.stderr == ""


def test_the_list_for_machines_has_every_dataset(capsys):
    code, out, err = run(capsys, "data", "--json")
    records = {record["name"]: record for record in json.loads(out)}
    assert (code, err) == (0, "")
    assert list(records) == list(names())
    assert all(list(record) == KEYS for record in records.values())
    assert records["cora"] == dict(
        zip(KEYS, ["cora", 2708, 5278, 7, 1433, 140, 500, 1000, True], strict=True)
    )
    assert records["wikipedia"]["edges"] == 215056
    assert records["cora-directed"]["edges"] == 5429


def test_the_table_has_a_line_for_every_dataset(capsys):
    code, out, _ = run(capsys, "data")
    head, *lines = out.splitlines()
    assert code == 0
    assert head.split() == KEYS
    assert [line.split()[0] for line in lines] == list(names())
    assert "44,324" in out
    assert len({len(line) for line in lines}) == 1


def test_verify_passes_on_what_is_stored(capsys):
    code, out, err = run(capsys, "data", "verify")
    assert (code, err) == (0, "")
    assert "cora.npz: checksum as expected" in out
    assert "cora-directed: 2,708 nodes and 5,429 edges as expected" in out


def test_verify_fails_with_a_clear_sentence_after_one_changed_byte(tmp_path):
    for part in ("gdr_core", "gdr_tools", "data"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    path = tmp_path / "data" / "citeseer.npz"
    content = bytearray(path.read_bytes())
    content[1000] ^= 1
    path.write_bytes(content)
    done = call("data", "verify", folder=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("error: ")
    assert len(done.stderr.splitlines()) == 1
    for part in ("citeseer.npz is damaged", "expected SHA-256", "found", "python data/build.py"):
        assert part in done.stderr
    assert "cora: 2,708 nodes" in done.stdout


def test_fetch_says_when_there_is_nothing_to_do(capsys):
    assert run(capsys, "data", "fetch", "cora") == (0, "cora needs no download.\n", "")


def test_fetch_of_an_unknown_dataset_is_bad_usage_and_lists_the_valid_ones(capsys):
    code, out, err = run(capsys, "data", "fetch", "coral")
    assert (code, out) == (2, "")
    assert err.startswith("error: unknown dataset 'coral'; there are cora, citeseer")


def test_fetch_without_a_network_is_a_failure_in_one_sentence(capsys, monkeypatch, tmp_path):
    monkeypatch.delenv("GDR_DATA_DIR", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(download, "cache_folder", lambda: tmp_path)
    spec = spec_of("wikipedia")
    nowhere = replace(spec.download, address="http://127.0.0.1:9/")
    monkeypatch.setitem(registry.DATASETS, "wikipedia", replace(spec, download=nowhere))
    code, out, err = run(capsys, "data", "fetch", "wikipedia")
    assert (code, out) == (1, "")
    assert err.splitlines()[-1].startswith("error: could not fetch ind.wikipedia.allx")


def test_an_unavailable_dataset_is_listed_as_such(capsys, monkeypatch, tmp_path):
    monkeypatch.delenv("GDR_DATA_DIR", raising=False)
    monkeypatch.setattr(download, "cache_folder", lambda: tmp_path)
    _, out, _ = run(capsys, "data", "--json")
    absent = {r["name"] for r in json.loads(out) if not r["available"]}
    assert absent == {name for name in names() if spec_of(name).download}


@pytest.mark.parametrize(
    "arguments", [(), ("nonsense",), ("data", "--nonsense"), ("data", "fetch")]
)
def test_bad_usage_ends_with_two(capsys, arguments):
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert "usage:" in err


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (ValueError("two\n  lines"), 1, "error: two lines\n"),
        (FileNotFoundError("no such file"), 1, "error: no such file\n"),
        (cli.CommandError("it failed"), 1, "error: it failed\n"),
        (cli.UsageError("not so"), 2, "error: not so\n"),
        (KeyboardInterrupt(), 130, "error: interrupted\n"),
    ],
)
def test_errors_become_one_sentence_and_an_exit_code(capsys, monkeypatch, error, code, sentence):
    def fail(_):
        raise error

    monkeypatch.setattr("gdr_tools.cli.data.list_datasets", fail)
    assert run(capsys, "data") == (code, "", sentence)


def test_a_missing_package_is_named(capsys, monkeypatch):
    def fail(_):
        raise ModuleNotFoundError("No module named 'torch'", name="torch")

    monkeypatch.setattr("gdr_tools.cli.data.list_datasets", fail)
    code, _, err = run(capsys, "data")
    assert code == 1
    assert "the package torch is missing" in err


@pytest.mark.skipif(sys.platform == "win32", reason="pipes and signals of POSIX")
def test_a_reader_that_goes_away_is_no_error():
    command = [sys.executable, "-m", "gdr_core", "data", "--json"]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1


@pytest.mark.skipif(sys.platform == "win32", reason="pipes and signals of POSIX")
def test_an_interrupt_is_no_traceback():
    # A job started in the background ignores interrupts, and so would its children.
    code = (
        "import signal, sys, time, gdr_tools.cli as c, gdr_tools.cli.data as d\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "d.list_datasets = lambda _: (print('ready', flush=True), time.sleep(30))\n"
        "sys.exit(c.main(['data']))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 130
        assert process.stderr.read() == b"error: interrupted\n"
