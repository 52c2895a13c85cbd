"""`python -m gdr_core classify`: what it prints, what it refuses."""

import json

import pytest

from gdr_core.datasets import load_dataset
from gdr_core.gdr import GDROptions, reclassify
from gdr_core.laplacians import make_laplacian
from gdr_core.priors import compute_prior
from gdr_tools.cli import main


def report(capsys, *arguments):
    assert main(["classify", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_cora_with_the_projection_prior(capsys):
    found = report(capsys, "cora", "--prior", "projection")
    assert found["prior_accuracy"]["test"] == pytest.approx(0.590)
    assert found["gdr_accuracy"]["test"] == pytest.approx(0.788, abs=0.005)
    assert found["relabelled"] == sum(
        found[kind] for kind in ("fixed", "broken", "still_wrong", "unknown")
    )
    assert found["t_min"] == pytest.approx(found["t_min_relative"] * found["relaxation_time"])
    assert 0 < found["error_bound"] <= 1e-7
    assert {"prior", "relaxation time", "diffusion", "scan"} <= set(found["seconds"])


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_directed_cora_walks_both_ways(capsys, direction):
    found = report(capsys, "cora-directed", "--direction", direction, "--split", "paper-directed")
    assert found["laplacian"] == "directed"
    assert found["direction"] == direction
    assert found["gdr_accuracy"]["test"] > found["prior_accuracy"]["test"]


def test_alpha_reaches_the_walk(capsys):
    found = report(capsys, "directed-ring", "--alpha", "0.5")
    ring = load_dataset("directed-ring")
    expected = make_laplacian("directed", ring.adjacency, alpha=0.5).relaxation_time
    assert found["alpha"] == 0.5
    assert found["relaxation_time"] == pytest.approx(expected)


def test_options_reach_the_dataset_and_the_prior(capsys):
    found = report(
        capsys,
        *("sbm", "--option", "nodes=60", "--seed", "4", "--prior", "random-forest"),
        *("--prior-option", "trees=7", "--rule", "peak"),
    )
    dataset = load_dataset("sbm", nodes=60, seed=4)
    prior = compute_prior("random-forest", dataset, seed=4, trees=7)
    laplacian = make_laplacian("combinatorial", dataset.adjacency)
    options = GDROptions(rule="peak")
    result = reclassify(laplacian, prior, dataset.labels, dataset.split, options)
    assert found["prior_accuracy"]["test"] == result.prior_accuracy["test"]
    assert found["gdr_accuracy"]["test"] == result.accuracy["test"][result.chosen]


def test_a_mean_of_several_priors_is_asked_for_in_one_word(capsys):
    words = ["classify", "sbm", "--json"]
    said = []
    for more in (
        ["--mean-of", "random-forest*2", "linear"],
        ["--prior", "ensemble", "--prior-option", "members=random-forest*2,linear"],
        ["--mean-of", "random-forest", "linear", "--prior-option", "copies=2"],
        ["--prior", "linear"],
    ):
        assert main([*words, *more]) == 0
        said.append(json.loads(capsys.readouterr().out)["prior_accuracy"])
    assert said[0] == said[1] == said[2]
    assert said[0] != said[3]  # else nothing is seen


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--mean-of", "linear", "--prior", "linear"], "leave out --prior"),
        (["--mean-of", "nobody"], "'nobody' is no member"),
        (["--mean-of", "linear*3"], "linear is not random"),
        (["--mean-of", "linear", "linear"], "linear is named twice"),
        (["--mean-of", "linear", "--prior-option", "members=sgc"], "leave out that --prior-option"),
        (["--mean-of", "ensemble"], "'ensemble' is no member"),
    ],
)
def test_a_mean_that_cannot_be_meant_is_refused_in_one_sentence(capsys, more, words):
    assert main(["classify", "sbm", *more]) != 0
    told = capsys.readouterr().err.strip()
    assert words in told
    assert len(told.splitlines()) == 1


def test_an_undirected_laplacian_forgets_directions(capsys):
    found = report(capsys, "cora-directed", "--laplacian", "combinatorial")
    assert found["direction"] is None
    assert found["gdr_accuracy"]["test"] == pytest.approx(0.788, abs=0.005)


def test_the_text_names_everything(capsys):
    assert main(["classify", "karate", "--prior", "uniform", "--rule", "peak"]) == 0
    printed = capsys.readouterr().out
    for word in ("karate", "uniform", "peak", "validation", "test", "t_min", "fixed", "proved"):
        assert word in printed


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["atlantis"], 2, ["atlantis", "cora"]),
        (["karate", "--split", "secret"], 2, ["secret", "random"]),
        (["karate", "--direction", "forward"], 2, ["--laplacian directed"]),
        (["karate", "--alpha", "0.5"], 2, ["--alpha", "--laplacian directed"]),
        (["karate", "--option", "size=3"], 2, ["size=3", "feature_signal"]),
        (["karate", "--tolerance", "0"], 1, ["tolerance"]),
        (["karate", "--window", "1", "0.1"], 2, ["first < last"]),
        (["cora-directed", "--alpha", "2"], 2, ["alpha", "(0, 1]"]),
    ],
)
def test_bad_arguments_get_one_sentence(capsys, arguments, code, words):
    assert main(["classify", *arguments]) == code
    said = capsys.readouterr().err
    assert said.startswith("error: ")
    assert len(said.strip().splitlines()) == 1
    assert all(word in said for word in words)


def test_unknown_choices_are_bad_usage(capsys):
    with pytest.raises(SystemExit) as caught:
        main(["classify", "karate", "--rule", "majority"])
    assert caught.value.code == 2
    assert "overshoot" in capsys.readouterr().err
