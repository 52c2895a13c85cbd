"""The state of a visit: scopes, links, what a page keeps and what it forgets. No Streamlit here."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gdr_app.state import visit as table
from gdr_app.state.visit import EXPLORERS, PAGES, TABLE, Visit, meant_by
from gdr_core import datasets
from gdr_core.gdr import RULES
from gdr_core.laplacians import fitting


def at(page: str, **link: str) -> Visit:
    visit = Visit()
    visit.arrive(page, {name: [value] for name, value in link.items()}, whole=True)
    return visit


def again(visit: Visit) -> Visit:
    """Whoever opens the link that a visit shows."""
    said = {
        name: [value] if isinstance(value, str) else list(value) or [""]
        for name, value in visit.link().items()
    }
    other = Visit()
    other.arrive(visit.page, said, whole=True)
    return other


def test_t_min_belongs_to_a_dataset_and_a_method():
    visit = at("Relabel", dataset="karate", t_min="0.9")
    visit.put("dataset", "cora")
    assert visit.get("t_min") is None
    visit.put("t_min", "0.1")
    for name, value in {"prior": "uniform", "rule": "peak", "split": "random", "to": "3"}.items():
        visit.put(name, value)
        assert visit.get("t_min") is None, name
        visit.put(name, None)
        assert visit.get("t_min") == "0.1", name
    visit.put("dataset", "karate")
    assert visit.get("t_min") == "0.9"


def test_what_does_not_change_the_method_does_not_change_t_min():
    visit = at("Relabel", dataset="karate", t_min="0.9")
    for name, value in {"node": "3", "test": "shown", "pictures": "svg"}.items():
        visit.put(name, value)
    visit.put("direction", "backward")  # an undirected Laplacian has none
    assert visit.get("t_min") == "0.9"


def test_a_link_that_names_defaults_is_the_one_that_does_not():
    full = at("Relabel", dataset="cora", split="public", rule="overshoot", seed="0", t_min="0.1")
    assert full.link() == {"t_min": "0.1"}


def test_the_shape_of_a_generated_graph_is_part_of_it():
    visit = at("Relabel", **{"dataset": "sbm", "t_min": "0.2", "sbm-homophily": "0.50"})
    assert visit.link()["sbm-homophily"] == "0.5"
    visit.put("sbm-homophily", "0.4")
    assert "t_min" not in visit.link()
    visit.put("dataset", "cora")
    assert visit.link() == {}


def test_a_page_keeps_what_it_does_not_show():
    visit = at("Relabel", dataset="karate", prior="uniform", t_min="0.3", node="5")
    visit.page = "Reproduce"
    assert visit.link() == {}
    visit.page = "Home"
    assert visit.link() == {"dataset": "karate"}
    visit.page = "Relabel"
    assert visit.link() == {"dataset": "karate", "prior": "uniform", "t_min": "0.3", "node": "5"}


def test_back_restores_what_a_page_shows_and_leaves_the_rest():
    visit = at("Relabel", dataset="karate", prior="uniform")
    visit.arrive("Dataset", {"dataset": ["star"]}, whole=True)  # Back to an entry of that page
    assert visit.dataset == "star"
    assert visit.get("prior") == "uniform"
    visit.arrive("Dataset", {}, whole=True)
    assert visit.dataset == "cora"


def test_a_link_with_some_values_leaves_the_others():
    visit = at("Train", dataset="karate")
    visit.put("rule", "peak")
    visit.arrive("Relabel", {"prior": ["run-1"]}, whole=False)
    assert visit.link() == {"dataset": "karate", "prior": "run-1", "rule": "peak"}


def test_one_name_can_mean_two_things_on_two_pages():
    visit = at("Directed", dataset="directed-ring", direction="both")
    assert visit.get("direction") is None
    visit.page = "Relabel"
    assert "direction" not in visit.link()
    for page in PAGES:
        names = [parameter.name for parameter in TABLE if page in parameter.pages]
        assert len(names) == len(set(names)), page


def test_defaults_of_the_table_are_those_of_the_library():
    visit = Visit()
    for name in datasets.names():
        visit.put("dataset", name)
        spec = datasets.spec_of(name)
        assert visit.current("split") == spec.splits[0]
        assert visit.current("laplacian") == fitting(spec.directed)[0]
    assert visit.current("rule") == next(iter(RULES))
    assert visit.current("dataset") == datasets.names()[-1]


def test_an_unknown_parameter_is_a_mistake_of_ours():
    with pytest.raises(KeyError, match="visit"):
        Visit().get("colour")
    assert meant_by("colour", "Relabel") is None


VALUES = st.sampled_from(
    [
        ("dataset", "karate"),
        ("dataset", "sbm"),
        ("dataset", "cora-directed"),
        ("split", "random"),
        ("split", "public"),
        ("seed", "3"),
        ("seed", "0"),
        ("sbm-homophily", "0.3"),
        ("prior", "uniform"),
        ("laplacian", "symmetric"),
        ("laplacian", "combinatorial"),
        ("direction", "backward"),
        ("rule", "peak"),
        ("t_min", "0.4"),
        ("node", "7"),
        ("test", "shown"),
        ("outcomes", ("fixed", "broken")),
        ("priors", ()),
        ("gcn-undirected-hidden", "8"),
        ("t_min", None),
        ("dataset", None),
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(VALUES, max_size=12), st.sampled_from(sorted(PAGES)))
@example(
    [("dataset", "cora-directed"), ("laplacian", "combinatorial"), ("dataset", "karate")], "Compare"
)
def test_whoever_opens_a_link_sees_the_same_and_gets_the_same_link(choices, page):
    visit = Visit()
    for name, value in choices:
        visit.put(name, value)
    visit.page = page
    other = again(visit)
    assert other.link() == visit.link()
    for parameter in TABLE:
        if page in parameter.pages and parameter.applies(visit):
            assert other.get(parameter.id) == visit.get(parameter.id)
    assert again(other).link() == other.link()


def test_slides_are_numbers_that_a_hand_moves():
    slides = set(table.slide_names())
    assert {"t_min", "alpha", "sbm-homophily", "wait"} <= slides
    assert not slides & {"dataset", "prior", "node", "rule", "test", "seed"}
    assert all(
        "t_min" not in {p.name for p in TABLE if p.slides and q in p.pages} or q in EXPLORERS
        for q in PAGES
    )
