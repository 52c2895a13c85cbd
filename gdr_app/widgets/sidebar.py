"""The sidebar of every page: where to go, and which graph to look at. All of it is in the URL."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import streamlit as st

from gdr_app.components.mounts import lasting
from gdr_app.components.owner_key import mount_owner_key
from gdr_app.computing.memory import share_heaps
from gdr_app.computing.results import graph_facts
from gdr_app.computing.runs import (
    describe_prior,
    prior_label,
    registry,
    report_missing_run,
    run_priors,
)
from gdr_app.places import site_folder
from gdr_app.state import link, own
from gdr_app.state.pickers import Tabs, pick, pick_number
from gdr_app.state.revealing import test_is_revealed
from gdr_app.state.visit import ASPECT, WITH_LAPLACIAN, WITH_PRIOR
from gdr_app.widgets.glossary import TERMS, define
from gdr_app.widgets.method.auto import choose_auto, with_choice
from gdr_app.widgets.method.members import choose_members
from gdr_app.widgets.presenting import offer_views, read_view
from gdr_core import datasets
from gdr_core.datasets import DatasetChoice
from gdr_core.gdr import RULES
from gdr_core.gdr.automatic import DEFAULT_RULE
from gdr_core.laplacians import ALPHA, DIRECTIONS, LAPLACIANS, SCOPES, fitting
from gdr_core.method import Method
from gdr_core.method.words import ENSEMBLE
from gdr_core.priors import PRIORS
from gdr_core.priors.specification import PriorSpec

KINDS: Final = {
    "citation": "Citation graph",
    "biology": "Cells",
    "heterophilous": "Links that mislead",
    "small": "Teaching graph",
    "generated": "Generated graph",
}
ICONS: Final = {
    "Lab": ":material/science:",
    "Lessons": ":material/school:",
    "Dataset": ":material/hub:",
    "Prior": ":material/psychology:",
    "Overshoot": ":material/show_chart:",
    "Relabel": ":material/published_with_changes:",
    "Compare": ":material/compare_arrows:",
    "Train": ":material/model_training:",
    "Directed": ":material/arrow_split:",
    "Structure": ":material/account_tree:",
    "Reproduce": ":material/fact_check:",
    "Your data": ":material/upload_file:",
}
_YOUR_DATA: Final = "pages/9_Your_data.py"
_ABSENT: Final = "own data of a link"
OWN: Final = "**Your data.** In this session only: not in the link, not visible to others."
GIVEN: Final = "**Your class probabilities**, from the file that you opened."
_NO_CLASSES: Final = (
    "**These data have fewer than two classes**, so there is nothing to classify. The page Dataset "
    "shows the graph. To go on, open the data again together with the classes of some nodes, or "
    "with class probabilities."
)
_NOT_IN_LINK: Final = (
    "**This link is about somebody's own data, which are not in the link.** Own data live in one "
    "browser tab, until it is closed or reloaded. If they are yours, open their files or their "
    "project file again; below is another graph."
)
LARGEST_SEED: Final = 9999
# Inside the page rather than a file: browsers ask for a file again whenever the address changes,
# which it does with every step of t_min.
_ICON: Final = (
    "data:image/png;base64,"
    + b64encode((site_folder() / "static" / "icon.png").read_bytes()).decode()
)
_SIDEBAR_WIDTH: Final = 256  # px; Streamlit's own 300 leave a fifth less for the page on a laptop
# The browser has this style only after the first elements are drawn: what decides where these are
# belongs into .streamlit/config.toml. Streamlit keeps columns side by side on a tablet, where the
# sidebar has taken a third of the width. What is only sent to the browser takes no room. Whoever
# goes by keyboard sees where they are: Streamlit shows that by a pale ground or a thin line alone.
STYLE: Final = """
.stMainBlockContainer { container-type: inline-size; }
@container (max-width: 46rem) { .stColumn { min-width: 100%; } }
[data-testid="stLayoutWrapper"]:has(> [class*="st-key-sent-"]) { position: absolute; }
.stMultiSelect [data-tag], .stMultiSelect [data-tag] > * { color: inherit; }
.stMultiSelect [data-tag] { background: color-mix(in srgb, currentColor 14%, transparent); }
.stPageLink a:focus-visible, .stMain:focus-visible,
:is(.stSelectbox, .stMultiSelect, .stNumberInput, .stTextInput) div:has(> input:focus-visible),
.stDataFrame:has(canvas:focus-visible),
[data-testid="stElementToolbarButton"] button:focus-visible {
  outline: 2px solid; outline-offset: -2px; border-radius: 0.5rem;
}
"""


def start_page(title: str, names: tuple[str, ...] | None = None) -> DatasetChoice:
    """The first call of a page about a graph: title, list of pages, choice of a dataset.

    names   the datasets to choose from; all of them if not given
    """
    with sidebar_of(title):
        choice = choose_dataset(names)
    tell_dataset(choice)
    return choice


def start_explorer(title: str) -> Method:
    """The first call of a page about a method: as `start_page`, and the choice of the method.

    `results.OutcomeLine` adds the line that tells what the choice leads to.
    """
    with sidebar_of(title):
        view = _choose_view(choose_dataset())
        said = st.container()  # for what auto has chosen
    stop_without_classes(view.dataset)
    return with_choice(view, said)


def start_structure(aspects: tuple[str, ...]) -> tuple[Method, Tabs]:
    """The first call of Structure: a graph, and what the chosen aspect computes with besides.

    Some aspects need no classes; those that do say so themselves.
    """
    with sidebar_of("Structure"):
        tabs = Tabs("Aspect", aspects, key=ASPECT)
        dataset = choose_dataset()
        used: dict[str, str] = {}
        if tabs.chosen in WITH_PRIOR:
            used["prior"] = choose_prior(dataset)
        if tabs.chosen in WITH_LAPLACIAN:
            used["laplacian"] = pick(
                "Laplacian", UNDIRECTED, key="influence-laplacian", help=_INFLUENCE_LAPLACIAN_HELP
            )
        with st.expander("Advanced"):
            _choose_picture()
    tell_dataset(dataset)
    link.tell_used("aspect", aspect=tabs.chosen, **used)
    prior = used.get("prior", link.visit().first_prior)
    return Method(dataset, prior, used.get("laplacian", UNDIRECTED[0])), tabs


def stop_without_classes(choice: DatasetChoice) -> None:
    """Own data may be a graph alone: say what is missing, and end the page."""
    if choice.own is not None and choice.own.classes < 2:
        st.info(_NO_CLASSES, icon=":material/label_off:")
        st.page_link(_YOUR_DATA, label="Add classes", icon=ICONS["Your data"])
        st.stop()


@contextmanager
def sidebar_of(title: str) -> Iterator[None]:
    """The beginning of every page: title and list of pages; inside, the page's own pickers.

    When they are drawn, the address is made to say what they show.
    """
    _set_up(title)
    with lasting(), st.sidebar:
        _list_pages()
        offer_views()
        yield
        link.finish_sidebar()  # here, where what it sends moves nothing


def tell_dataset(choice: DatasetChoice) -> None:
    """Let machines know which graph was opened."""
    link.tell_used("graph", **graph_facts(choice))


def _set_up(title: str) -> None:
    share_heaps()
    link.enter_page(title)
    st.set_page_config(
        page_title=f"{title} · GDR Explorer",
        page_icon=_ICON,
        layout="wide",
        initial_sidebar_state=_SIDEBAR_WIDTH,
    )
    st.html(f"<style>{STYLE}{read_view()}</style>")


def pages() -> dict[str, str]:
    """Titles of the pages and the files that draw them, in the order of their numbers."""
    numbered = sorted((site_folder() / "pages").glob("[0-9]*_*.py"))
    return {path.stem.split("_", 1)[1].replace("_", " "): f"pages/{path.name}" for path in numbered}


def _list_pages() -> None:
    """Links to all pages."""
    with st.container(gap="xxsmall"):
        st.page_link("app.py", label="Home", icon=":material/home:", width="stretch")
        for title, path in pages().items():
            icon = ICONS.get(title, ":material/article:")
            st.page_link(path, label=title, icon=icon, width="stretch")


def choose_dataset(names: tuple[str, ...] | None = None) -> DatasetChoice:
    """Pickers for dataset, split, options and seed; an unknown value in the link is reported."""
    mine = own.opened()
    names = names or (*mine, *datasets.names())
    _explain_absent(names)
    titles = own.titles()
    name = pick(
        "Dataset",
        names,
        key="dataset",
        default=next(name for name in names if name not in mine),
        format_func=lambda name: titles.get(name, name),
    )
    spec = mine[name].spec if name in mine else datasets.spec_of(name)
    st.caption(OWN if name in mine else f"**{KINDS[spec.kind]}.** {spec.about}")
    several = _TEN_SPLITS_HELP if spec.kind == "heterophilous" else ""
    split = pick("Split", spec.splits, key="split", help=_SPLIT_HELP + several)
    options = _choose_options(name, spec)
    seed = _choose_seed() if spec.draws(split) else 0
    data = mine[name].dataset if name in mine else None
    return DatasetChoice(name, split, seed, options, not test_is_revealed(), own=data)


def _explain_absent(names: tuple[str, ...]) -> None:
    """Where the link is about own data that this session does not have: say so, and go on."""
    asked = link.recall("dataset")
    if not own.is_key(asked) or asked in names or asked in own.opened():
        return
    st.session_state[_ABSENT] = True
    link.correct("dataset", None)


def tell_of_absent() -> None:
    """The message for a link to own data, and the way on; once, at the head of the page."""
    if not st.session_state.pop(_ABSENT, False):
        return
    with st.container(border=True):
        st.markdown(_NOT_IN_LINK)
        st.page_link(_YOUR_DATA, label="Open your data", icon=ICONS["Your data"])


def _choose_view(dataset: DatasetChoice) -> Method:
    """Pickers for prior and Laplacian; under "Advanced" what one seldom changes."""
    prior = choose_prior(dataset)
    mean = choose_members(usable_priors(dataset)) if prior == ENSEMBLE else {}
    auto = choose_auto()
    if auto:
        laplacian, rule = fitting(dataset.spec.directed)[0], DEFAULT_RULE
        direction, alpha = _choose_walk(dataset.spec.directed)
    else:
        laplacian, direction, alpha = _choose_laplacian(dataset.spec.directed)
    with st.expander("Advanced"):
        if not auto:
            rule = pick("Rule", tuple(RULES), key="rule", help=RULE_HELP)
        stationary = pick("Stationary state", SCOPES, key="stationary", help=STATIONARY_HELP)
        tolerance = pick(
            "Tolerance", TOLERANCES, key="tolerance", default="1e-7", help=_TOLERANCE_HELP
        )
        first = pick("Window from", FIRST_TIMES, key="from", default="0.0001", help=_WINDOW_HELP)
        last = pick("Window to", LAST_TIMES, key="to", help=_WINDOW_HELP)
        _choose_picture()
    window = float(first), None if last == AUTOMATIC else float(last)
    walk = laplacian, direction, rule, stationary
    given = Method(dataset, prior, *walk, float(tolerance), *window, alpha, auto=auto)
    return given.with_prior(prior, **mean)


def _choose_picture() -> None:
    pick("Picture format", PICTURES, key=PICTURE, help=_PICTURE_HELP)


def choose_prior(dataset: DatasetChoice) -> str:
    """A picker over all priors that the data allow, the cheap ones first, and training runs."""
    names = tuple(spec.name for spec in usable_priors(dataset))
    first = link.visit().first_prior
    if registry().runs:  # else there is nothing that anybody could own
        mount_owner_key()
    runs = run_priors(dataset)
    report_missing_run(runs, default=first)
    labels = {name: prior_label(name) for name in (*names, *runs)}
    name = pick(
        "Prior",
        tuple(labels),
        key="prior",
        default=first,
        help=_PRIOR_HELP,
        format_func=lambda name: labels.get(name, name),
    )
    if name in runs:
        st.caption(describe_prior(runs[name]))
        return name
    if name == own.PROBABILITIES:
        st.caption(GIVEN)
        return name
    slow = " :material/hourglass_top: Takes **minutes** the first time."
    spec = PRIORS[name]
    st.caption(f"**{spec.label}.** {spec.explanation}{slow if spec.cost == 'minutes' else ''}")
    return name


def usable_priors(dataset: DatasetChoice) -> list[PriorSpec]:
    """The priors that the data allow, the cheap ones first; given probabilities before all."""
    mine = own.own_of(dataset)
    listed = sorted(PRIORS.values(), key=lambda spec: COSTS.index(spec.cost))
    usable = [spec for spec in listed if spec.name != own.PROBABILITIES]
    if mine is None:
        return usable
    if not mine.dataset.features.shape[1]:
        usable = [spec for spec in usable if not spec.needs_features]
    if not mine.dataset.split.train.size:
        usable = [spec for spec in usable if not spec.needs_training]
    given = [PRIORS[own.PROBABILITIES]] if mine.probabilities is not None else []
    return [*given, *usable]


def _choose_laplacian(directed: bool) -> tuple[str, str, float]:
    """Pickers for the Laplacian and, where it has them, its direction and its α.

    An undirected Laplacian fits every graph: directions are forgotten first.
    """
    name = pick("Laplacian", fitting(directed), key="laplacian", help=LAPLACIAN_HELP)
    return name, *_choose_walk(LAPLACIANS[name].directed)


def _choose_walk(directed: bool) -> tuple[str, float]:
    """Pickers for direction and α, where a Laplacian has them."""
    if not directed:
        return DIRECTIONS[0], ALPHA
    return pick("Direction", DIRECTIONS, key="direction", help=DIRECTION_HELP), choose_alpha()


def choose_alpha() -> float:
    """The slider for α, the same on every page that has a directed Laplacian."""
    return pick_number(
        "α, probability of following an arrow",
        LOWEST_ALPHA,
        HIGHEST_ALPHA,
        ALPHA,
        step=0.01,
        key="alpha",
        slider=True,
        help=_ALPHA_HELP,
    )


COSTS: Final = ("instant", "seconds", "minutes")
AUTOMATIC: Final = "automatic"
TOLERANCES: Final = ("1e-4", "1e-5", "1e-6", "1e-7", "1e-8")
FIRST_TIMES: Final = ("0.00001", "0.0001", "0.001")
LAST_TIMES: Final = (AUTOMATIC, "0.1", "0.3", "1", "3", "10", "30")
PICTURE: Final = "pictures"
PICTURES: Final = ("png", "svg")
_PICTURE_HELP: Final = (
    "The kind of file that the camera button of a chart saves: pixels (png) or shapes (svg)."
)
_PRIOR_HELP: Final = f"{define('prior')} Time to compute one: " + " ".join(
    f"**{cost}**: "
    + ", ".join(s.name for s in PRIORS.values() if s.cost == cost and s.name != "external")
    + "."
    for cost in COSTS
)
LAPLACIAN_HELP: Final = f"{define('Laplacian')} " + " · ".join(
    f"**{name}**: {kind.formula}" for name, kind in LAPLACIANS.items()
)
UNDIRECTED: Final = tuple(name for name, kind in LAPLACIANS.items() if not kind.directed)
_INFLUENCE_LAPLACIAN_HELP: Final = (
    f"{define('Laplacian')} Links are taken both ways, on directed graphs as well. "
    + " · ".join(f"**{name}**: {LAPLACIANS[name].formula}" for name in UNDIRECTED)
)
LOWEST_ALPHA, HIGHEST_ALPHA = 0.05, 0.99
_ALPHA_HELP: Final = (
    "With this probability a walker follows an arrow; otherwise it jumps to any node "
    "(teleportation). The paper takes 0.85. At 1 there is no jump left, walks get trapped and λ₂ "
    "tends to 0."
)
DIRECTION_HELP: Final = "**forward** walks along the edges, **backward** against them."
RULE_HELP: Final = f"{define('rule')} " + " ".join(
    f"**{name}**: {rule.meaning} ({rule.origin})." for name, rule in RULES.items()
)
STATIONARY_HELP: Final = (
    f"{define('π')} **global**: the stationary state of the whole graph, as in the paper (for the "
    "combinatorial Laplacian the mean over all nodes). **component**: that of each connected "
    "component by itself, where its beliefs really end."
)
_TOLERANCE_HELP: Final = "The largest error of any belief p(t); the bound is proved."
_WINDOW_HELP: Final = (
    f"{define('time window')} Given in relaxation times: a relaxation time is "
    f"{TERMS['relaxation time']}"
)

_SPLIT_HELP: Final = define("split")
_TEN_SPLITS_HELP: Final = (
    " This graph comes with ten splits of its own, geom-0 to geom-9; published results are "
    "means over all ten."
)


def _choose_options(name: str, spec: datasets.Spec) -> tuple[tuple[str, float], ...]:
    if not spec.options:
        return ()
    with st.expander("Shape of this graph", expanded=spec.kind == "generated"):
        chosen = {
            key: _choose_number(f"{name}-{key}", key, option)
            for key, option in spec.options.items()
        }
    return tuple(chosen.items())


def _choose_number(key: str, option_name: str, option: datasets.Option) -> float:
    whole = all(float(v).is_integer() for v in (option.default, option.low, option.high))
    kind = int if whole and option.high > 1 else float
    return pick_number(
        option_name.replace("_", " ").capitalize(),
        option.low,
        option.high,
        kind(option.default),
        key=key,
        step=1 if kind is int else 0.01,
        slider=True,
        help=option.meaning[:1].upper() + option.meaning[1:] + ".",
    )


def _choose_seed() -> int:
    return int(
        pick_number(
            "Seed",
            0,
            LARGEST_SEED,
            0,
            key="seed",
            step=1,
            help="Fixes all that is drawn at random: the same seed gives the same graph and split.",
        )
    )
