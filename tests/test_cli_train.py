"""`python -m gdr_core train` as a user meets it."""

import json
from statistics import stdev

import pytest

from gdr_tools.cli import main


def test_report_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    words = "train karate --model diff-gcn --seeds 2 --epochs 5 --json"
    assert main(words.split()) == 0
    output = capsys.readouterr()
    report = json.loads(output.out)
    assert [run["seed"] for run in report["runs"]] == [0, 1]
    assert report["options"]["epochs"] == 5
    accuracies = [run["test_accuracy"] for run in report["runs"]]
    assert report["test_accuracy"]["mean"] == pytest.approx(sum(accuracies) / 2)
    assert report["test_accuracy"]["sd"] == pytest.approx(stdev(accuracies))
    assert report["relative_time"]["sd"] == pytest.approx(
        stdev([run["relative_time"] for run in report["runs"]])
    )
    assert report["relative_time"]["mean"] > 0
    assert "epoch" in output.err


def test_report_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "karate", "--model", "gcn", "--epochs", "5"]) == 0
    text = capsys.readouterr().out
    assert "gcn on karate" in text
    assert "±" not in text  # one seed shows no spread
    assert "learned t" not in text


def test_one_seed_has_no_deviation_and_two_have_one(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["train", "karate", "--epochs", "5"]
    assert main([*words, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [report[name]["sd"] for name in ("test_accuracy", "time", "relative_time")] == [None] * 3
    assert main([*words, "--seeds", "2"]) == 0
    assert capsys.readouterr().out.count("±") == 4


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        ("train karate --epochs 0", 2, "epochs must be a whole number from 1 to 100000"),
        ("train karate --learning-rate 0", 2, "learning_rate must be positive"),
        ("train karate --seeds 0", 2, "--seeds"),
        ("train karate --model mlp --direction forward", 2, "does not use the graph"),
        ("train karate --model gcn --laplacian symmetric", 2, "used by diff-gcn only"),
        ("train karate --alpha 0.5", 2, "--alpha needs a directed Laplacian"),
        ("train directed-ring --direction forward --alpha 2", 2, "alpha must lie in (0, 1]"),
        ("train directed-ring --model gcn --direction forward --alpha 0.5", 2, "--alpha needs"),
        ("train nowhere", 1, "nowhere"),
        ("train karate --model gcn --epochs 9 --learning-rate 1e30", 1, "at epoch"),
    ],
)
def test_bad_use(words: str, code: int, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words.split()) == code
    assert text in capsys.readouterr().err


def test_alpha_reaches_the_layers_of_a_directed_network(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["train", "directed-ring", "--direction", "forward", "--epochs", "20", "--json"]
    found = {}
    for alpha in ("0.3", "0.85", None):
        assert main([*words, *(["--alpha", alpha] if alpha else [])]) == 0
        report = json.loads(capsys.readouterr().out)
        assert report["options"]["alpha"] == float(alpha or "0.85")
        found[alpha] = [run["time"] for run in report["runs"]]
    assert found["0.3"] != found["0.85"] == found[None]
    assert main([*words[:-1], "--alpha", "0.3"]) == 0
    assert "forward, directed-normalised Laplacian, α = 0.3" in capsys.readouterr().out
