"""The state of one visit: every choice that a link can carry, in one place, without Streamlit.

    visit = Visit()
    visit.arrive("Relabel", {"dataset": ["karate"], "t_min": ["0.1"]}, whole=True)
    visit.put("rule", "peak")    # another method, which has a t_min of its own
    visit.link()                 # {"dataset": "karate", "rule": "peak"}

Three rules make it impossible for a control, the page and the link to say different things:

- What is kept is what differs from the default, as text. So a value has one form only.
- A value belongs to a scope. A node belongs to a dataset, t_min to a dataset and a method: where
  another one is chosen, its own value holds, and none is carried over.
- The link of a page holds the parameters that the page shows and no others. A page that does not
  show a parameter neither changes nor forgets it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, Protocol

from gdr_core import datasets
from gdr_core.laplacians import ALPHA, LAPLACIANS, fitting
from gdr_core.method.words import ENSEMBLE

Value = str | tuple[str, ...]
_Kept = tuple[str, tuple[object, ...]]

EXPLORERS: Final = frozenset({"Prior", "Overshoot", "Relabel", "Compare"})
_WITH_METHOD: Final = EXPLORERS | {"Structure"}
ABOUT_GRAPHS: Final = _WITH_METHOD | {"Home", "Dataset", "Train", "Directed"}
PAGES: Final = ABOUT_GRAPHS | {"Lab", "Lessons", "Reproduce", "Your data"}
_FIRST_DATASET: Final = datasets.names()[0]
_FIRST_PRIOR: Final = "projection"
NODE: Final = "node"
VIEW: Final = "view"
ASPECT: Final = "aspect"
WITH_PRIOR: Final = ("alignment", "smoothing")  # aspects of Structure that begin with beliefs
WITH_LAPLACIAN: Final = ("influence",)  # those of which the Laplacian is a choice


class Scope(Enum):
    """What a value belongs to: with another one of it, another value holds."""

    VISIT = "visit"
    DATASET = "dataset"
    METHOD = "dataset and method"


def _always(visit: Visit) -> bool:
    return True


@dataclass(frozen=True)
class Parameter:
    """One choice of a visitor.

    name      in links; on one page no two parameters have the same
    pages     those that show it
    default   its value where nothing was chosen; None where only the page knows
    slides    whether its moves replace the entry of the browser's history
    many      whether it holds several values
    number    whether it is a number: 0.50 and 0.5 are the same
    applies   whether there is anything to choose now
    id        under which it is kept: its name, unless that means two things on two pages
    """

    name: str
    pages: frozenset[str]
    scope: Scope = Scope.VISIT
    default: Callable[[Visit], str] | None = None
    slides: bool = False
    many: bool = False
    number: bool = False
    applies: Callable[[Visit], bool] = _always
    id: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", self.id or self.name)

    def read(self, texts: Sequence[str]) -> Value:
        """The value that a link's texts stand for; what it is worth is told where it is used."""
        if self.many:
            return tuple(dict.fromkeys(text for text in texts if text))
        return number_text(texts[-1]) if self.number else texts[-1]


def number_text(text: str | float) -> str:
    """A number in the one form that links carry; what is no number stays as it is."""
    try:
        return f"{float(text) + 0.0:.12g}"  # adding zero makes "-0" the same as "0"
    except ValueError:
        return str(text)


def _constant(value: str) -> Callable[[Visit], str]:
    return lambda visit: value


def _first_split(visit: Visit) -> str:
    return visit.spec.splits[0]


def _first_prior(visit: Visit) -> str:
    own = visit.own.get(visit.dataset)
    return _FIRST_PRIOR if own is None else own.first_prior


def _first_laplacian(visit: Visit) -> str:
    return fitting(visit.spec.directed)[0]


def _is_drawn(visit: Visit) -> bool:
    return visit.spec.seeded or visit.current("split") == "random"


def _by_hand(visit: Visit) -> bool:
    """Whether rule and Laplacian are named by the visitor: other pages than explorers know no
    `auto`."""
    return visit.page not in EXPLORERS or visit.current("auto") != "true"


def _is_mean(visit: Visit) -> bool:
    return visit.current("prior") == ENSEMBLE


def _has_direction(visit: Visit) -> bool:
    if not _by_hand(visit):
        return visit.spec.directed  # of the ways that `auto` chooses from some are directed
    kind = LAPLACIANS.get(str(visit.current("laplacian")))
    return kind is not None and kind.directed


def _names_are_public(visit: Visit) -> bool:
    """Whether names of nodes may stand in a link: those of own data may not."""
    return visit.dataset not in visit.own


def _is_alone(visit: Visit) -> bool:
    """Whether the page is shown without its sidebar."""
    return visit.current(VIEW) != "page"


def _has_prior(visit: Visit) -> bool:
    return visit.page != "Structure" or visit.get(ASPECT) in WITH_PRIOR


def _is_influence(visit: Visit) -> bool:
    return visit.get(ASPECT) in WITH_LAPLACIAN


def _has_alpha(visit: Visit) -> bool:
    return visit.page == "Directed" or _has_direction(visit)


def _options() -> Iterator[Parameter]:
    """The shape of each generated graph: `sbm-homophily` and its like."""
    for name in datasets.names():
        for option, about in datasets.spec_of(name).options.items():
            yield Parameter(
                f"{name}-{option}",
                ABOUT_GRAPHS,
                default=_constant(number_text(about.default)),
                slides=True,
                number=True,
                applies=lambda visit, name=name: visit.dataset == name,  # type: ignore[misc]
            )


def _listed() -> Iterator[Parameter]:
    """All parameters with a fixed name; those that scopes are made of come first."""

    def choice(name: str, pages: frozenset[str] | set[str], **more: object) -> Parameter:
        return Parameter(name, frozenset(pages), **more)  # type: ignore[arg-type]

    dataset, method = Scope.DATASET, Scope.METHOD
    with_prior, with_rule = EXPLORERS | {"Directed"}, EXPLORERS | {"Directed", "Reproduce"}
    yield choice(ASPECT, {"Structure"})  # what else the page shows depends on it
    yield choice("dataset", ABOUT_GRAPHS, default=_constant(_FIRST_DATASET))
    yield from _options()
    yield choice("split", ABOUT_GRAPHS, scope=dataset, default=_first_split)
    zero = _constant("0")
    yield choice("seed", ABOUT_GRAPHS, scope=dataset, default=zero, number=True, applies=_is_drawn)
    with_priors = with_prior | {"Structure"}
    yield choice("prior", with_priors, default=_first_prior, applies=_has_prior)
    yield choice("ensemble-members", EXPLORERS, applies=_is_mean)
    yield choice(
        "ensemble-copies", EXPLORERS, default=_constant("1"), number=True, applies=_is_mean
    )
    yield choice("auto", EXPLORERS, default=_constant("false"))
    yield choice("laplacian", EXPLORERS, default=_first_laplacian, applies=_by_hand)
    yield choice("direction", EXPLORERS, default=_constant("forward"), applies=_has_direction)
    yield choice(
        "alpha",
        with_prior,
        default=_constant(number_text(ALPHA)),
        slides=True,
        number=True,
        applies=_has_alpha,
    )
    yield choice("rule", with_rule, default=_constant("overshoot"), applies=_by_hand)
    yield choice("stationary", EXPLORERS, default=_constant("global"))
    yield choice("tolerance", EXPLORERS, default=_constant("1e-7"))
    yield choice("from", EXPLORERS, default=_constant("0.0001"))
    yield choice("to", EXPLORERS, default=_constant("automatic"))
    yield choice("t_min", EXPLORERS, scope=method, slides=True)
    yield choice("test", ABOUT_GRAPHS)
    yield choice(NODE, _WITH_METHOD | {"Dataset", "Directed"}, scope=dataset)
    yield choice("pictures", _WITH_METHOD)
    yield choice("verdicts", {"Prior"}, many=True)
    yield choice("colours", {"Prior"}, id="prior-colours")
    yield choice("region", {"Prior"}, scope=dataset)
    for name in ("mode", "hops", "overlay"):
        yield choice(name, {"Overshoot"})
    yield choice("list", {"Overshoot"}, scope=dataset)
    yield choice("with", {"Overshoot"}, scope=dataset, applies=_names_are_public)
    yield choice("colours", {"Relabel"})
    yield choice("outcomes", {"Relabel"}, many=True)
    yield choice("below", {"Relabel"})
    yield choice("priors", {"Compare"}, many=True)
    yield choice("datasets", {"Compare"}, many=True)
    for name in ("compare", "left", "right", "runs", "against"):
        yield choice(name, {"Compare"})
    yield choice("times", {"Compare"}, number=True)
    plain = _constant("combinatorial")  # of the graph without its directions
    yield choice(
        "laplacian", {"Structure"}, default=plain, applies=_is_influence, id="influence-laplacian"
    )
    for name in ("by", "scale"):
        yield choice(name, {"Structure"})
    for name in ("randomised-edges", "randomised-features"):
        yield choice(name, {"Structure"}, slides=True, number=True)
    yield choice("measure", {"Structure", "Dataset"})
    yield choice("direction", {"Directed"}, id="walk-direction")
    for name in ("part", "form", "unit", "small", "way", "start", "dead-end"):
        yield choice(name, {"Directed"})
    yield choice("cell", {"Reproduce", "Directed"})
    yield choice("ink", {"Home"})
    yield choice("wait", {"Home"}, slides=True, number=True)
    yield choice("paper", {"Home"})
    yield choice("own", {"Home"})
    yield choice("graph", {"Lab"}, slides=True)
    yield choice("lesson", {"Lessons"})
    yield choice("step", {"Lessons"}, number=True)
    yield choice("hide", {"Lessons"}, many=True)
    yield choice(VIEW, PAGES, default=_constant("page"))
    yield choice("hide", PAGES - {"Lessons"}, many=True, id="hide-parts", applies=_is_alone)
    yield choice("autoplay", PAGES, default=_constant("off"))
    for name in ("model", "walk", "generator", "run"):
        yield choice(name, {"Train"})


TABLE: Final = tuple(_listed())
_BY_ID: Final = {parameter.id: parameter for parameter in TABLE}
_IDS: Final = [parameter.id for parameter in TABLE]
METHOD: Final = tuple(_IDS[_IDS.index("dataset") : _IDS.index("t_min")])
# The numbers of the training form: each network keeps its own, so their names are made up.
FAMILIES: Final = ("diff-gcn-", "gcn-", "mlp-", "heat-net-", "appnp-", "semi-embedding-")


def parameter_of(id: str) -> Parameter:
    """The parameter that is kept under an id."""
    if id in _BY_ID:
        return _BY_ID[id]
    if id.startswith(FAMILIES):
        return Parameter(id, frozenset({"Train"}), slides=True, number=True)
    raise KeyError(f"no parameter “{id}”: gdr_app/state/visit.py lists all of them")


def meant_by(name: str, page: str) -> Parameter | None:
    """What a name in the link of a page stands for: the page's own parameter, or another's."""
    if name.startswith(FAMILIES):
        return parameter_of(name)
    named = [parameter for parameter in TABLE if parameter.name == name]
    return next((p for p in named if page in p.pages), named[0] if named else None)


def slide_names() -> list[str]:
    """Names in links whose changes make no entry in the browser's history."""
    return [parameter.name for parameter in TABLE if parameter.slides]


class OwnData(Protocol):
    """What the state must know of data that the visitor has opened."""

    @property
    def spec(self) -> datasets.Spec:
        """Splits, and whether it is directed."""

    @property
    def first_prior(self) -> str:
        """The prior where none was chosen."""


class Visit:
    """What a visitor has chosen so far.

    page    the page that is shown
    asked   ids of values that came with a link and have not been looked at yet
    own     datasets of the visitor's own, which no list has, by the names they have in links
    """

    def __init__(self) -> None:
        self.page = ""
        self.own: Mapping[str, OwnData] = {}
        self.asked: set[str] = set()
        self._kept: dict[_Kept, Value] = {}
        # What follows from dataset, method and page, until one of them is another.
        self._places: dict[tuple[str, str], _Kept] = {}
        self._named: dict[str, list[tuple[str, _Kept, str | None]]] = {}

    @property
    def dataset(self) -> str:
        """The chosen dataset, or the first one."""
        return str(self._kept.get(("dataset", ())) or _FIRST_DATASET)

    @property
    def spec(self) -> datasets.Spec:
        """What is known about it; about the first one where there is none of that name."""
        if self.dataset in self.own:
            return self.own[self.dataset].spec
        known = self.dataset in datasets.names()
        return datasets.spec_of(self.dataset if known else _FIRST_DATASET)

    @property
    def first_prior(self) -> str:
        """The prior where none was chosen."""
        return _first_prior(self)

    def get(self, id: str) -> Value | None:
        """What was chosen; None is the default, which another dataset may have changed."""
        default, chosen = parameter_of(id).default, self._kept.get(self._place(id))
        return None if default is not None and chosen == default(self) else chosen

    def current(self, id: str) -> Value | None:
        """What was chosen, or else the default if it is known without the page."""
        default = parameter_of(id).default
        chosen = self.get(id)
        return chosen if chosen is not None or default is None else default(self)

    def put(self, id: str, value: Value | None) -> None:
        """Choose a value; None, or the default, forgets what was chosen before."""
        default, place = parameter_of(id).default, self._place(id)
        self.asked.discard(id)
        if value is None or (default is not None and value == default(self)):
            self._kept.pop(place, None)
        else:
            self._kept[place] = value
        if id in METHOD or id in (ASPECT, VIEW) or id not in _BY_ID:
            self._places.clear()
            self._named.clear()

    def settle(self, id: str) -> None:
        """Forget a choice that is the default here.

        No link names it, so on another dataset, with another default, it would come back from
        nowhere: a visitor who had reloaded the page would not have it.
        """
        place = self._place(id)
        if place in self._kept and self.get(id) is None:
            del self._kept[place]

    def kept_for(self, dataset: str) -> dict[str, Value]:
        """What was chosen while this dataset was shown, and what holds for all; for a project."""
        return {
            id: value
            for (id, scope), value in self._kept.items()
            if id != "dataset" and scope in ((), (dataset,))
        }

    def arrive(self, page: str, link: Mapping[str, Sequence[str]], *, whole: bool) -> None:
        """Take over what a link says.

        whole   whether the link is all there is to say about the page: what it does not name has
                its default. Otherwise it names some values, and the visit keeps the others.
        """
        self.page = page
        said = {
            found.id: found.read(texts)
            for name, texts in link.items()
            if texts and (found := meant_by(name, page)) is not None
        }
        self.asked = set()
        for parameter in self._every(said):
            if parameter.id in said:
                self.put(parameter.id, said[parameter.id])
                if self.get(parameter.id) is not None:
                    self.asked.add(parameter.id)
            elif whole and page in parameter.pages and parameter.applies(self):
                self.put(parameter.id, None)

    def link(self) -> dict[str, Value]:
        """What the address of the page should say."""
        if self.page not in self._named:
            self._named[self.page] = [
                (
                    parameter.name,
                    self._place(parameter.id),
                    parameter.default and parameter.default(self),
                )
                for parameter in self._every(())
                if self.page in parameter.pages and parameter.applies(self)
            ]
        return {
            name: self._kept[place]
            for name, place, default in self._named[self.page]
            if self._kept.get(place, default) != default
        }

    def _every(self, more: Sequence[str] | Mapping[str, object]) -> Iterator[Parameter]:
        """The table, and those numbers of the training form that are kept or asked for."""
        yield from TABLE
        made_up = dict.fromkeys([*(id for id, _ in self._kept), *more])
        yield from (parameter_of(id) for id in made_up if id not in _BY_ID)

    def _place(self, id: str) -> _Kept:
        here = self.page, id
        if here not in self._places:
            self._places[here] = id, self._scope_of(id)
        return self._places[here]

    def _scope_of(self, id: str) -> tuple[object, ...]:
        scope = parameter_of(id).scope
        if scope is Scope.VISIT:
            return ()
        if scope is Scope.DATASET:
            return (self.dataset,)
        method = [other for other in METHOD if _BY_ID[other].applies(self)]
        return (self.dataset, *((other, self.get(other)) for other in method))


def usual_method(dataset: str) -> dict[str, str]:
    """A link's words for a dataset and every part of the method at its default.

    A link keeps what it does not name: one that is about this method alone names all of it.
    """
    fresh = Visit()
    fresh.put("dataset", dataset)
    parts = [_BY_ID[id] for id in METHOD if _BY_ID[id].applies(fresh)]
    return {part.name: str(fresh.current(part.id)) for part in parts}
