"""One record for a method: its words lead back to it, its lines and stages to the same numbers."""

import argparse
import contextlib
import io
import math
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gdr_core.datasets import DatasetChoice, load_dataset, names, spec_of
from gdr_core.gdr import RULES, SPACINGS, GDROptions, reclassify, with_rule
from gdr_core.laplacians import DIRECTIONS, LAPLACIANS, SCOPES, make_laplacian
from gdr_core.method import InapplicableError, Method, PriorLines, add_arguments, usual_laplacian
from gdr_core.option import Option
from gdr_core.priors import PRIORS, compute_prior

EVERY = names()
SMALL = ("karate", "path", "directed-ring", "directed-citations", "two-moons", "sbm")
CHEAP = ("uniform", "projection", "projection-dot", "label-propagation")


def values(option: Option):
    """Every value that an option may take."""
    if option.choices:
        found = st.sampled_from(option.choices)
    elif option.kind is bool:
        found = st.booleans()
    elif option.kind is int:
        found = st.integers(int(option.low), int(min(option.high, 10**6)))
    elif option.kind is float:
        low, high = max(option.low, -1e9), min(option.high, 1e9)
        found = st.floats(low, high, allow_subnormal=False)
    else:
        found = st.text("abc/. -_é=", min_size=1)
    return st.one_of(st.none(), found) if option.default is None else found


def some_of(options):
    """Any of the options, each with any of its values."""
    fixed = {option.name: values(option) for option in options}
    return st.fixed_dictionaries({}, optional=fixed)


@st.composite
def methods(draw, datasets=EVERY, priors=tuple(PRIORS), portable=False, shapes=True):
    """Any method; `portable` leaves out what a link cannot carry."""
    name, prior = draw(st.sampled_from(datasets)), draw(st.sampled_from(priors))
    split = draw(st.sampled_from(spec_of(name).splits))
    own = [o for o in PRIORS[prior].options if o.portable or not portable]
    first = draw(st.sampled_from([1e-5, 1e-4, 1e-3]) | st.floats(1e-9, 0.05))
    return Method.on(
        name,
        split=split,
        seed=draw(st.integers(0, 2**32 - 1)),
        options=draw(some_of(spec_of(name).options_with(split).values())) if shapes else {},
        prior=prior,
        prior_options=draw(some_of(own)) if shapes else {},
        prior_seed=draw(st.none() | st.integers(0, 99)),
        laplacian=draw(st.sampled_from(["", *LAPLACIANS])),
        direction=draw(st.sampled_from(DIRECTIONS)),
        alpha=draw(st.sampled_from([0.85, 0.5, 0.99]) | st.floats(1e-3, 1)),
        rule=draw(st.sampled_from(list(RULES))),
        stationary=draw(st.sampled_from(SCOPES)),
        tolerance=draw(st.sampled_from([1e-7, 1e-4, 1e-8]) | st.floats(1e-9, 1e-3)),
        first=first,
        last=draw(st.none() | st.floats(0.1, 30)),
        count=draw(st.integers(20, 60)),
        spacing=draw(st.sampled_from(SPACINGS)),
        normalise=draw(st.booleans()),
    )


# ---------------------------------------------------------------- words


@given(methods())
def test_arguments_lead_back_to_the_method(method):
    words = method.to_arguments()
    assert all(isinstance(word, str) for word in words)
    assert Method.from_arguments(words) == method
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    assert Method.from_arguments(parser.parse_args(words)) == method


@given(methods(portable=True))
def test_a_link_leads_back_to_the_method(method):
    link = method.to_link()
    assert all(isinstance(text, str) for text in link.values())
    assert Method.from_link(link) == method
    assert Method.from_link({**link, "node": "7", "t_min": "0.1", "page": "Relabel"}) == method
    assert hash(Method.from_link(link)) == hash(method)


@given(methods())
def test_its_own_text_makes_it_again(method):
    assert eval(repr(method)) == method
    assert method.to_arguments() == eval(repr(method)).to_arguments()


def test_words_are_those_that_the_app_and_the_command_line_have():
    method = Method.on(
        "sbm",
        seed=3,
        options={"nodes": 60, "homophily": 0.5},
        prior="svm",
        rule="peak",
        stationary="component",
        tolerance=1e-5,
        first=1e-5,
        last=3.0,
    )
    assert method.to_link() == {
        "dataset": "sbm",
        "sbm-nodes": "60",
        "sbm-homophily": "0.5",
        "seed": "3",
        "prior": "svm",
        "rule": "peak",
        "stationary": "component",
        "tolerance": "1e-5",
        "from": "0.00001",
        "to": "3",
    }
    backward = Method.on("cora-directed", direction="backward", alpha=0.5, split="paper-directed")
    words = "cora-directed --split paper-directed --direction backward --alpha 0.5"
    assert " ".join(backward.to_arguments()) == words
    assert Method.on("cora").to_arguments() == ["cora"]
    assert Method.on("cora").to_link() == {"dataset": "cora"}


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ({"dataset": "atlantis"}, "unknown dataset 'atlantis'"),
        ({"dataset": "sbm", "seed": "inf"}, "seed .* whole number from 0"),
        ({"dataset": "sbm", "seed": "-1"}, "seed .* whole number from 0"),
        ({"dataset": "sbm", "sbm-nodes": "1e400"}, "sbm-nodes .* whole number from 10 to 2000"),
        ({"split": "secret"}, "cora has no split 'secret'"),
        ({"prior": "nonsense"}, "unknown prior 'nonsense'"),
        ({"laplacian": "magic"}, "laplacian must be one of"),
        ({"rule": "majority"}, "rule must be one of"),
        ({"tolerance": "nan"}, "tolerance must be a number, got nan"),
        ({"to": "0.00001"}, "0 < first < last"),
        ({"to": "inf"}, "last must be a number, got inf"),
        ({"dataset": "cora-directed", "alpha": "0"}, r"alpha must lie in \(0, 1\]"),
        ({"dataset": "cora-directed", "direction": "sideways"}, "direction must be one of"),
    ],
)
def test_links_that_cannot_be_meant_are_refused_in_one_sentence(link, words):
    with pytest.raises(ValueError, match=words):
        Method.from_link(link)


def test_a_link_names_no_file_of_the_server(tmp_path):
    method = Method.on("karate", prior="external", prior_options={"probabilities": tmp_path / "p"})
    assert dict(method.prior_options) == {"probabilities": str(tmp_path / "p")}
    with pytest.raises(ValueError, match="cannot be part of a link"):
        method.to_link()
    asked = {"dataset": "karate", "prior": "external", "external-probabilities": "/etc/passwd"}
    assert Method.from_link(asked).prior_options == ()


def test_choices_without_effect_are_refused_only_where_they_are_asked_for():
    for words in ("--direction backward", "--alpha 0.5", "--laplacian symmetric --alpha 0.5"):
        with pytest.raises(InapplicableError, match="needs a directed Laplacian"):
            Method.from_arguments(["karate", *words.split()])
    for words in ("karate --rule majority", "karate --option size=3", "sbm --option nodes", "x -y"):
        with pytest.raises(ValueError, match=r"majority|option|-y"):
            Method.from_arguments(words.split())


# ---------------------------------------------------------------- what has no effect is forgotten


@given(methods(), st.sampled_from(DIRECTIONS), st.floats(0.1, 1))
def test_undirected_laplacians_have_no_direction_and_no_alpha(method, direction, alpha):
    other = replace(method, direction=direction, alpha=alpha)
    assert (other == method) == (
        not method.is_directed or (direction, alpha) == (method.direction, method.alpha)
    )
    plain = replace(method, laplacian="symmetric")
    assert plain.laplacian_key == replace(other, laplacian="symmetric").laplacian_key


def test_seeds_count_only_where_something_is_random():
    assert Method.on("cora", seed=7) == Method.on("cora")
    assert Method.on("cora", split="random", seed=7).dataset.seed == 7
    forest = Method.on("cora", prior="random-forest", seed=7)
    assert (forest.dataset.seed, forest.seed) == (0, 7)
    assert forest.prior_key != Method.on("cora", prior="random-forest").prior_key
    both = Method.on("sbm", prior="random-forest", seed=7)
    assert (both.dataset.seed, both.seed, both.prior_seed) == (7, 7, None)
    with pytest.raises(ValueError, match="seed must be a whole number"):
        Method.on("sbm", seed=-1)


def test_options_at_their_default_are_not_kept():
    every = {name: option.default for name, option in spec_of("sbm").options.items()}
    assert DatasetChoice("sbm", "random", 1, tuple(every.items())).options == ()
    assert DatasetChoice("sbm", options=(("homophily", 1),)).options == (("homophily", 1.0),)
    with pytest.raises(ValueError, match="cora with the split public has no option 'size'"):
        DatasetChoice("cora", options=(("size", 3),))
    with pytest.raises(ValueError, match="takes no options"):
        Method(DatasetChoice("cora"), "run-17", prior_options=(("trees", 3),))


def test_the_graph_is_the_same_for_every_split():
    one = DatasetChoice("sbm", "random", 3, (("nodes", 60), ("per_class", 4)))
    assert one.graph == DatasetChoice("sbm", "random", 3, (("nodes", 60),))
    assert DatasetChoice("cora", "random", 3).graph == DatasetChoice("cora")
    assert (one.load().adjacency != one.graph.load().adjacency).nnz == 0


@pytest.mark.parametrize("name", names())
def test_the_usual_laplacian_fits_the_graph(name):
    assert LAPLACIANS[usual_laplacian(spec_of(name))].directed == spec_of(name).directed
    assert Method.on(name).laplacian == usual_laplacian(spec_of(name))


def test_the_window_ends_where_the_laplacian_says_unless_told():
    method = Method.on("cora-directed")
    for name, kind in LAPLACIANS.items():
        assert replace(method, laplacian=name).window == (1e-4, kind.horizon)
        assert replace(method, laplacian=name, last=2.0).window[1] == 2.0
    told = replace(method, last=LAPLACIANS["directed"].horizon)
    assert told.diffusion_key == method.diffusion_key


def test_every_choice_of_reclassification_is_a_field_with_the_same_default():
    mine = {field.name: field.default for field in fields(Method)}
    for field in fields(GDROptions):
        assert mine[field.name] == field.default


# ---------------------------------------------------------------- numbers


def by_hand(method: Method):
    """The chain written out, with every decision taken here again."""
    spec = spec_of(method.dataset.name)
    dataset = spec.build(
        **{k: v for k, v in method.dataset.options if k in spec.options},
        **({"seed": method.dataset.seed} if spec.seeded else {}),
    )
    dataset = dataset.with_split(method.load_dataset().split)
    prior = compute_prior(method.prior, dataset, seed=method.seed)
    if method.laplacian.startswith("directed"):
        arrows = dataset.adjacency if method.direction == "forward" else dataset.adjacency.T
        laplacian = make_laplacian(method.laplacian, arrows, alpha=method.alpha)
    else:
        both = dataset.adjacency.maximum(dataset.adjacency.T)
        laplacian = make_laplacian(method.laplacian, both)
    return reclassify(laplacian, prior, dataset.labels, dataset.split, method.options)


def assert_same(one, other):
    assert np.array_equal(one.scan.predicted, other.scan.predicted)
    assert one.chosen == other.chosen
    assert np.array_equal(one.times, other.times)
    assert one.prior_accuracy == other.prior_accuracy


@settings(max_examples=10)
@given(methods(SMALL, CHEAP, shapes=False))
def test_lines_and_record_give_the_numbers_of_the_chain(method):
    result = method.run()
    assert_same(result, by_hand(method))
    said, names_there = io.StringIO(), {}
    with contextlib.redirect_stdout(said):
        exec(method.python(), names_there)
    assert_same(result, names_there["result"])
    after = float(result.accuracy["test"][result.chosen])
    assert [float(text) for text in said.getvalue().splitlines()[0].split(" -> ")] == [
        result.prior_accuracy["test"],
        after,
    ]


@settings(max_examples=10)
@given(methods(("karate", "directed-ring"), ("uniform",), shapes=False))
def test_a_diffusion_serves_every_rule(method):
    shared = method.diffusion_key.run()
    for rule in RULES:
        assert replace(method, rule=rule).diffusion_key == method.diffusion_key
        assert_same(with_rule(shared, rule), replace(method, rule=rule).run())


def test_lines_ask_for_the_t_min_and_the_part_that_are_shown():
    method = Method.on("karate", last=2.0)
    result = method.run()
    t_min = float(result.relative_times[120])
    there: dict = {}
    with contextlib.redirect_stdout(io.StringIO()) as said:
        exec(method.python(t_min, "validation"), there)
    assert there["now"].t_min_index == result.index(float(f"{t_min:.4g}"))
    expected = float(result.accuracy["validation"][there["now"].t_min_index])
    assert float(said.getvalue().split()[2]) == expected


def test_a_prior_that_the_registry_does_not_know_is_resolved_by_the_caller():
    method = Method.on("karate", prior="run-17")
    asked = []

    def resolve(name, dataset):
        asked.append((name, dataset.name))
        return compute_prior("uniform", dataset)

    result = method.run(resolve=resolve)
    assert asked == [("run-17", "karate")]
    assert_same(result, Method.on("karate", prior="uniform").run())
    with pytest.raises(ValueError, match="unknown prior 'run-17'"):
        method.run()
    assert Method.from_link(method.to_link(), other_priors=["run-17"]) == method
    with pytest.raises(ValueError, match="unknown prior 'run-17'"):
        Method.from_link(method.to_link())
    lines = PriorLines("import numpy\n", "mine = numpy.full((34, 2), 0.5)\n", "mine")
    there: dict = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(method.python(lines=lines), there)
    assert_same(there["result"], result)


def test_progress_grows_from_nothing_to_all():
    heard = []
    Method.on("karate").run(lambda share, text: heard.append(share))
    assert heard[0] == 0
    assert heard == sorted(heard)
    assert math.isclose(heard[-1], 1)


@pytest.mark.parametrize("name", ["karate", "directed-citations"])
def test_data_of_ones_own_are_as_good_as_those_of_the_list(name):
    listed = load_dataset(name)
    dataset = replace(listed, name="club: a 'name'\nof two lines")
    method = Method.on(dataset, rule="peak")
    result, expected = method.run(), Method.on(name, rule="peak").run()
    assert method.laplacian == Method.on(name).laplacian
    assert (result.scan.predicted == expected.scan.predicted).all()
    found = {"dataset": dataset}
    with contextlib.redirect_stdout(io.StringIO()) as said:
        exec(method.python(), found)
    assert (found["predicted"] == expected.predictions()).all()
    assert f"{expected.at().tally.relabelled} nodes" in said.getvalue()


def test_choices_of_ones_own_data_mean_one_object_and_travel_nowhere():
    dataset = load_dataset("karate")
    method = Method.on(dataset)
    assert method == Method.on(dataset)
    assert method != Method.on(replace(dataset))
    assert method != Method.on("karate")
    assert method.graph_key.load() is dataset
    for words in (method.to_link, method.to_arguments):
        with pytest.raises(ValueError, match="one's own"):
            words()
    with pytest.raises(ValueError, match="no split 'random'"):
        Method.on(dataset, split="random")
