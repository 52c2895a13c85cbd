"""What the walk knows of the pages: what they show, what can be chosen, what is drawn of it."""

from __future__ import annotations

from typing import Final

SPLITS: Final = {
    "cora": ("public", "paper-directed", "random"),
    "sbm": ("random",),
    "digits": ("random",),
}
SMALL: Final = ("karate", "star", "ring", "path", "sbm", "digits", "directed-ring")
DATASETS: Final = ("cora", *SMALL)
DIRECTED: Final = ("directed-ring",)
UNSEEDED: Final = ("cora", "digits")
PRIORS: Final = ("projection", "uniform", "label-propagation")
RULES: Final = ("overshoot", "peak", "reference")
PLAIN: Final = ("combinatorial", "symmetric", "random-walk", "max-entropy")
ARROWED: Final = ("directed", "directed-normalised", "directed-random-walk")
EXPLORERS: Final = ("Prior", "Overshoot", "Relabel", "Compare")
ABOUT_GRAPHS: Final = ("Home", "Dataset", *EXPLORERS, "Structure", "Directed", "Train")
PAGES: Final = (*ABOUT_GRAPHS, "Reproduce", "Lab", "Lessons", "Your data")
GRAPH: Final = ("dataset", "split", "seed", "sbm-homophily")
METHOD: Final = ("prior", "auto", "laplacian", "direction", "rule", "stationary")
# What one name in a link means on one page only.
LINKED: Final = {
    "influence-laplacian": "laplacian",
    "walk-direction": "direction",
    "hide-parts": "hide",
}
ASPECTS: Final = ("homophily", "smoothing", "influence")
MODES: Final = ("one node", "delta impulse")
BELOW: Final = (
    "from prior class to GDR class",
    "relabelled nodes",
    "neighbourhood of this node",
    "accuracy",
    "confidence",
)
PARTS: Final = ("where a walk goes", "what changes for one node")
FORMS: Final = ARROWED
INKS: Final = tuple("abcdef")
GRAPHS: Final = {"pair": 2, "six": 6, "star": 7, "cliques": 8}  # of the gallery, and their nodes
FIRST_GRAPH: Final = 5  # nodes on the desk of who brings none
CODES: Final = (
    "1.AQACAVUDAACArhICAQCQ5ioAAWEBYgEAAes7xGE",
    "1.AAAHAVUDAADDwAkCAQD2whAAmccXAMzJHgDvzSUAotAsAMXUMwAGAAEBAgIDAwQEBQUGpFXq0w",
)
OWN_GRAPH: Final = "me - you; you - them; them - me; them - far; far - away; me: 1"
DRAWN: Final = {  # what one may type on Home, and the nodes of it
    OWN_GRAPH: ("me", "you", "them", "far", "away"),
    "a - b; b - c; a: 1": ("a", "b", "c"),
    "p - q; q - r; r - p; q: 1": ("p", "q", "r"),
}
ALL_LESSONS: Final = "all lessons"
LESSONS: Final = ("1-heat", "2-overshoot", "4-t-min", "6-misleading")
STEPS: Final = ("1", "2", "3", "4")
HIDEABLE: Final = ("speed", "axis", "chart", "values")  # of a lesson
PARTS_OF_PAGE: Final = ("title", "text", "tiles")  # which a link hides where there is no sidebar
WAITS: Final = tuple(f"{tenths / 10:g}" for tenths in range(21))
VIEWS: Final = ("page", "embed", "present")
MANY: Final = "+"  # between the values of one name
TABS: Final = {"Structure": "aspect", "Overshoot": "mode", "Relabel": "below", "Directed": "part"}
_SHOWN: Final = {
    "Home": (*GRAPH, "test", "ink", "wait", "paper", "own"),
    "Dataset": (*GRAPH, "test", "node"),
    "Train": (*GRAPH, "test"),
    "Reproduce": ("rule",),
    **dict.fromkeys(EXPLORERS, (*GRAPH, *METHOD, "t_min", "test", "node")),
    "Overshoot": (*GRAPH, *METHOD, "t_min", "test", "node", "mode"),
    "Relabel": (*GRAPH, *METHOD, "t_min", "test", "node", "below"),
    "Compare": (*GRAPH, *METHOD, "t_min", "test", "node", "compare", "runs"),
    "Structure": ("aspect", *GRAPH, "prior", "influence-laplacian", "test", "node"),
    "Directed": (*GRAPH, "prior", "rule", "test", "node", "walk-direction", "form", "part"),
    "Lab": ("graph",),
    "Lessons": ("lesson", "step", "hide"),
    "Your data": (),
}
SHOWN: Final = {
    page: (*names, "view", *(() if page == "Lessons" else ("hide-parts",)))
    for page, names in _SHOWN.items()
}
WITH_SWITCH: Final = ("Home", "Dataset", "Train", *EXPLORERS)
WITH_NODE: Final = ("Dataset", *EXPLORERS)
# The order in which a link is read: what decides about others comes first.
ORDER: Final = (
    "aspect",
    *GRAPH,
    *METHOD,
    "influence-laplacian",
    "t_min",
    "test",
    "node",
    "compare",
    "runs",
    "mode",
    "below",
    "walk-direction",
    "form",
    "part",
    "ink",
    "wait",
    "paper",
    "own",
    "graph",
    "lesson",
    "step",
    "hide",
    "view",
    "hide-parts",
)
BOXES: Final = {
    "Dataset": "dataset",
    "Split": "split",
    "Prior": "prior",
    "How to reclassify": "auto",
    "Laplacian": "laplacian",
    "Direction": "direction",
    "Rule": "rule",
    "Stationary state": "stationary",
    "Compare": "compare",
    "Runs": "runs",
    "Lesson": "lesson",
}
OWN_BOXES: Final = {
    "Structure": {"Laplacian": "influence-laplacian"},
    "Directed": {"Laplacian": "form", "Direction": "walk-direction", "Rule": ""},
}
AUTO: Final = {"false": "as chosen below", "true": "auto"}  # in links, and in its box
COMPARED: Final = ("priors", "rules", "Laplacians")
RUNS: Final = ("known runs", "random splits", "seeds")
NODES: Final = ("3", "5", "7")
NUMBERED: Final = ("karate", "star", "ring", "path", "sbm", "directed-ring")
HOMOPHILY: Final = "0.8"
LONGEST: Final = 20  # relaxation times, of the widest window
PATIENCE: Final = 300.0  # seconds; a worker may take long to start on a busy machine
LONGEST_LOOK: Final = 1.0  # seconds that one look counts for
MOST_ENTRIES: Final = 40  # a browser keeps fifty
