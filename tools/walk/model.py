"""What should hold: a visitor's choices, the browser's history, what each page shows of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode

from tools.walk.tables import (
    ALL_LESSONS,
    ARROWED,
    ASPECTS,
    AUTO,
    BELOW,
    BOXES,
    COMPARED,
    DATASETS,
    DIRECTED,
    EXPLORERS,
    FORMS,
    GRAPH,
    HIDEABLE,
    HOMOPHILY,
    INKS,
    LESSONS,
    LINKED,
    LONGEST,
    MANY,
    METHOD,
    MODES,
    NODES,
    NUMBERED,
    ORDER,
    OWN_BOXES,
    OWN_GRAPH,
    PARTS,
    PARTS_OF_PAGE,
    PLAIN,
    PRIORS,
    RULES,
    RUNS,
    SHOWN,
    SPLITS,
    STEPS,
    UNSEEDED,
    VIEWS,
    WAITS,
)


@dataclass
class Entry:
    """An entry of the browser's history: which load of the app, which page, what its link says."""

    document: int
    page: str
    link: dict[str, str]


@dataclass
class Model:
    """One tab: what the visitor has chosen, and its history."""

    page: str = "Home"
    chosen: dict[str, str] = field(default_factory=dict)  # visit
    of_graph: dict[tuple[str, str], str] = field(default_factory=dict)  # (dataset, name)
    t_min: dict[tuple[str, ...], str] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)
    place: int = -1
    documents: int = 0

    # -- values

    def get(self, name: str) -> str | None:
        """What was chosen; None is the default."""
        if name == "t_min":
            return self.t_min.get(self.method)
        if name in ("split", "seed", "node"):
            return self.of_graph.get((self.dataset, name))
        return self.chosen.get(name)

    def put(self, name: str, value: str | None) -> None:
        """Choose; None, or the default, forgets."""
        if value is not None and value == self.default(name):
            value = None
        place: tuple[dict[Any, str], Any]
        if name == "t_min":
            place = (self.t_min, self.method)
        elif name in ("split", "seed", "node"):
            place = (self.of_graph, (self.dataset, name))
        else:
            place = (self.chosen, name)
        kept, key = place
        if value is None:
            kept.pop(key, None)
        else:
            kept[key] = value

    def default(self, name: str) -> str | None:
        """What holds where nothing was chosen."""
        return {
            "dataset": "cora",
            "split": self.splits[0],
            "seed": "0",
            "sbm-homophily": HOMOPHILY,
            "prior": "projection",
            "auto": "false",
            "laplacian": self.laplacians[0],
            "direction": "forward",
            "rule": "overshoot",
            "stationary": "global",
            "influence-laplacian": PLAIN[0],
            "walk-direction": "both",
            "form": FORMS[0],
            "aspect": ASPECTS[0],
            "mode": MODES[0],
            "below": BELOW[0],
            "part": PARTS[0],
            "compare": COMPARED[0],
            "runs": RUNS[0],
            "ink": INKS[0],
            "wait": "0.5",
            "own": OWN_GRAPH,
            "lesson": ALL_LESSONS,
            "step": STEPS[0],
            "view": VIEWS[0],
        }.get(name)

    def value(self, name: str) -> str | None:
        """What holds."""
        return self.get(name) or self.default(name)

    @property
    def dataset(self) -> str:
        """The graph."""
        return self.chosen.get("dataset", "cora")

    @property
    def splits(self) -> tuple[str, ...]:
        """Splits of the graph."""
        return SPLITS.get(self.dataset, ("teaching", "random"))

    @property
    def laplacians(self) -> tuple[str, ...]:
        """Those that fit the graph, its default first."""
        return (*ARROWED, *PLAIN) if self.dataset in DIRECTED else PLAIN

    @property
    def method(self) -> tuple[str, ...]:
        """What a t_min belongs to."""
        names = [name for name in (*GRAPH, *METHOD) if self.applies(name)]
        return tuple(str(self.value(name)) for name in names)

    def applies(self, name: str) -> bool:
        """Whether there is such a choice now."""
        if name == "seed":
            return self.dataset not in UNSEEDED or self.value("split") == "random"
        chosen = self.page in EXPLORERS and self.value("auto") == "true"
        if name in ("laplacian", "rule"):
            return not chosen
        if name == "direction":
            return self.dataset in DIRECTED if chosen else self.value("laplacian") in ARROWED
        if name == "sbm-homophily":
            return self.dataset == "sbm"
        if name == "influence-laplacian":
            return self.value("aspect") == "influence"
        if name == "prior" and self.page == "Structure":
            return self.value("aspect") == "smoothing"
        if name == "hide-parts":
            return self.value("view") != VIEWS[0]
        return True

    def had(self, name: str, value: str) -> str | None:
        """What a page makes of a value that a link asks for; None where it cannot be had."""
        if name in ("hide", "hide-parts"):
            allowed = HIDEABLE if name == "hide" else PARTS_OF_PAGE
            return MANY.join(sorted(part for part in value.split(MANY) if part in allowed)) or None
        return value if self.valid(name, value) else None

    def valid(self, name: str, value: str) -> bool:
        """Whether a value can be had."""
        options = {
            "dataset": DIRECTED if self.page == "Directed" else DATASETS,
            "split": self.splits,
            "prior": PRIORS,
            "auto": tuple(AUTO),
            "laplacian": self.laplacians,
            "direction": ("forward", "backward"),
            "rule": RULES,
            "stationary": ("global", "component"),
            "influence-laplacian": PLAIN,
            "walk-direction": ("both", "forward", "backward"),
            "form": FORMS,
            "aspect": ASPECTS,
            "mode": MODES,
            "below": BELOW,
            "part": PARTS,
            "compare": COMPARED,
            "runs": RUNS,
            "node": NODES,
            "test": ("shown",),
            "ink": INKS,
            "wait": WAITS,
            "lesson": (ALL_LESSONS, *LESSONS),
            "step": STEPS,
            "view": VIEWS,
        }
        if name == "node" and self.dataset not in NUMBERED:
            return False
        if name == "seed":
            return value.isdecimal()
        if name == "graph":
            return value.startswith("1.")
        return value in options.get(name, (value,))

    def box(self, label: str) -> str | None:
        """What a select box of this page stands for; None if the page has no such box now."""
        name = OWN_BOXES.get(self.page, {}).get(label, BOXES[label])
        return name if name in SHOWN[self.page] and self.applies(name) else None

    def words(self, name: str) -> str | None:
        """What a select box shows for a value."""
        value = self.value(name)
        return AUTO.get(str(value)) if name == "auto" else value

    @property
    def link(self) -> dict[str, str]:
        """What the address of the page should say."""
        return {
            LINKED.get(name, name): value
            for name in SHOWN[self.page]
            if self.applies(name) and (value := self.get(name)) is not None
        }

    # -- history

    @property
    def entry(self) -> Entry:
        """Where the history stands."""
        return self.entries[self.place]

    def push(self, document: int | None = None) -> None:
        """A new entry; those ahead are gone."""
        here = self.entry.document if document is None else document
        self.entries[self.place + 1 :] = [Entry(here, self.page, self.link)]
        self.place += 1

    def slide(self) -> None:
        """The entry that is there says something else."""
        self.entry.link = self.link

    def draw(self) -> None:
        """What a page does with values that its graph does not have."""
        if self.page in EXPLORERS and self.applies("laplacian"):
            kept = self.get("laplacian")
            if kept is not None and (
                kept not in self.laplacians or kept == self.default("laplacian")
            ):
                self.put("laplacian", None)

    def choose(self, name: str, value: str | None) -> None:
        """A choice, which makes an entry."""
        self.put(name, value)
        self.draw()
        self.push()

    def forget_visit(self) -> None:
        """Another session."""
        self.chosen, self.of_graph, self.t_min = {}, {}, {}

    def take(self, link: dict[str, str], *, whole: bool) -> None:
        """A link is opened: t_min belongs to the graph and method of the link, if it has them."""
        sound = True
        here = {LINKED.get(name, name): name for name in SHOWN[self.page]}
        for name in ORDER:
            said = LINKED.get(name, name)
            if here.get(said, name) != name or (said != name and name not in SHOWN[self.page]):
                continue  # the name means something else on this page
            value = link.get(said)
            if value is None:
                if whole and name in SHOWN[self.page] and self.applies(name):
                    self.put(name, None)
                continue
            if name == "t_min" and not (sound and is_time(value)):
                continue
            if (had := self.had(name, value)) is not None:
                self.put(name, had)
            else:
                sound = sound and name not in (*GRAPH, *METHOD)
                if name == "dataset":
                    link = {k: v for k, v in link.items() if k not in ("split", "seed", "node")}
        self.draw()

    def load(self, page: str, link: dict[str, str]) -> None:
        """A new session at an address."""
        self.forget_visit()
        self.page = page
        self.take(link, whole=True)

    def open(self, page: str, link: dict[str, str]) -> None:
        """An address is typed in."""
        self.documents += 1
        self.load(page, link)
        self.push(self.documents)

    def go(self, by: int) -> None:
        """Back or Forward: within one load of the app the visit goes on, else it begins anew."""
        before = self.entry.document
        self.place += by
        if self.entry.document == before:
            self.page = self.entry.page
            self.take(self.entry.link, whole=True)
        else:
            self.load(self.entry.page, self.entry.link)
        self.slide()


def read_query(query: str) -> dict[str, str]:
    """What an address says; several values of a name are one text, in the order of the alphabet.

    >>> read_query("?node=3&hide=title&hide=text")
    {'node': '3', 'hide': 'text+title'}
    """
    said: dict[str, list[str]] = {}
    for name, value in parse_qsl(query.lstrip("?"), keep_blank_values=True):
        said.setdefault(name, []).append(value)
    return {name: MANY.join(sorted(values)) for name, values in said.items()}


def spell(link: dict[str, str]) -> str:
    """The same as an address says it."""
    return urlencode({k: v.split(MANY) if k == "hide" else v for k, v in link.items()}, doseq=True)


def is_time(text: str) -> bool:
    """Whether a link's t_min can be had."""
    try:
        return 0 <= float(text) <= LONGEST
    except ValueError:
        return False
