"""The sidebar of every page: where to go, and which graph to look at. All of it is in the URL."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import streamlit as st

from gdr_core import datasets
from gdr_core.gdr import RULES
from gdr_core.laplacians import DIRECTIONS, LAPLACIANS, SCOPES
from gdr_core.priors import PRIORS
from pages.shared import link
from pages.shared.memory import share_heaps
from pages.shared.owner_key import mount_owner_key
from pages.shared.pickers import pick, report_outside
from pages.shared.training_jobs import (
    describe_prior,
    registry,
    report_missing_run,
    run_priors,
    take_wanted_prior,
)

ROOT: Final = Path(__file__).parents[2]
KINDS: Final = {
    "citation": "Citation graph",
    "biology": "Cells",
    "heterophilous": "Links that mislead",
    "small": "Teaching graph",
    "generated": "Generated graph",
}
ICONS: Final = {
    "Dataset": ":material/hub:",
    "Prior": ":material/psychology:",
    "Overshoot": ":material/show_chart:",
    "Relabel": ":material/published_with_changes:",
    "Compare": ":material/compare_arrows:",
    "Train": ":material/model_training:",
    "Directed": ":material/arrow_split:",
    "Reproduce": ":material/fact_check:",
}
LARGEST_SEED: Final = 9999
# Inside the page rather than a file: browsers ask for a file again whenever the address changes,
# which it does with every step of t_min.
ICON: Final = (
    "data:image/png;base64," + b64encode((ROOT / "static" / "icon.png").read_bytes()).decode()
)
# Streamlit's wide layout leaves five rem at either side, a fifth of a laptop's window; and it
# keeps columns side by side on a tablet, where the sidebar has taken a third of the width. What is
# only sent to the browser takes no room.
STYLE: Final = """
.stMainBlockContainer { padding: 2.5rem clamp(1rem, 2.5vw, 3rem) 4rem; }
.stMainBlockContainer { container-type: inline-size; }
@container (max-width: 46rem) { .stColumn { min-width: 100%; } }
[data-testid="stLayoutWrapper"]:has(> [class*="st-key-sent-"]) { position: absolute; }
.stSidebar [data-testid="stSidebarHeader"] { height: 3rem; margin-bottom: 0; }
.stMultiSelect [data-tag], .stMultiSelect [data-tag] > * { color: inherit; }
.stMultiSelect [data-tag] { background: color-mix(in srgb, currentColor 14%, transparent); }
"""


@dataclass(frozen=True)
class DatasetChoice:
    """A dataset as the sidebar names it: small, hashable, the key of everything cached."""

    name: str
    split: str
    seed: int = 0
    options: tuple[tuple[str, float], ...] = ()

    @property
    def graph(self) -> DatasetChoice:
        """The choice without its split: what depends on the graph alone is cached under it."""
        spec = datasets.spec_of(self.name)
        return DatasetChoice(
            self.name, spec.splits[0], self.seed if spec.seeded else 0, self.options
        )


@dataclass(frozen=True)
class View:
    """Everything that the sidebar of an explorer page chooses: the key of a computation.

    tolerance     largest error of any p_j(t)
    first, last   the time window, in relaxation times
    """

    dataset: DatasetChoice
    prior: str
    laplacian: str
    direction: str = "forward"
    rule: str = "overshoot"
    stationary: str = "global"
    tolerance: float = 1e-7
    first: float = 1e-4
    last: float = 1.0


def start_page(title: str, names: tuple[str, ...] | None = None) -> DatasetChoice:
    """The first call of a page about a graph: title, list of pages, choice of a dataset.

    names   the datasets to choose from; all of them if not given
    """
    start_bare(title)
    with st.sidebar:
        return choose_dataset(names)


def start_bare(title: str) -> None:
    """The first call of a page that is about no single graph: title and list of pages."""
    _set_up(title)
    with st.sidebar:
        list_pages()


def start_explorer(title: str) -> View:
    """The first call of a page about a method: as `start_page`, and the choice of the method.

    `results.outcome_line` adds the line that tells what the choice leads to.
    """
    _set_up(title)
    with st.sidebar:
        list_pages()
        return choose_view(choose_dataset())


def _set_up(title: str) -> None:
    share_heaps()
    link.enter_page(title)
    st.set_page_config(page_title=f"{title} · GDR Explorer", page_icon=ICON, layout="wide")
    st.html(f"<style>{STYLE}</style>")


def pages() -> dict[str, str]:
    """Titles of the pages and the files that draw them, in the order of their numbers."""
    numbered = sorted((ROOT / "pages").glob("[0-9]*_*.py"))
    return {path.stem.split("_", 1)[1].replace("_", " "): f"pages/{path.name}" for path in numbered}


def list_pages() -> None:
    """Links to all pages."""
    with st.container(gap="xxsmall"):
        st.page_link("app.py", label="Home", icon=":material/home:", width="stretch")
        for title, path in pages().items():
            icon = ICONS.get(title, ":material/article:")
            st.page_link(path, label=title, icon=icon, width="stretch")


def choose_dataset(names: tuple[str, ...] | None = None) -> DatasetChoice:
    """Pickers for dataset, split, options and seed; an unknown value in the link is reported."""
    name = pick("Dataset", names or datasets.names(), key="dataset")
    spec = datasets.spec_of(name)
    st.caption(f"**{KINDS.get(spec.kind, spec.kind.capitalize())}.** {spec.about}")
    split = pick("Split", spec.splits, key="split", help=SPLIT_HELP)
    options = _choose_options(name, spec)
    seeded = spec.seeded or split == "random"
    seed = _choose_seed() if seeded else 0
    return DatasetChoice(name, split, seed, options)


def choose_view(dataset: DatasetChoice) -> View:
    """Pickers for prior and Laplacian; under "Advanced" what one seldom changes."""
    prior = choose_prior(dataset)
    laplacian, direction = choose_laplacian(datasets.spec_of(dataset.name).directed)
    with st.expander("Advanced"):
        rule = pick("Rule", tuple(RULES), key="rule", help=RULE_HELP)
        stationary = pick("Stationary state", SCOPES, key="stationary", help=STATIONARY_HELP)
        tolerance = pick(
            "Tolerance", TOLERANCES, key="tolerance", default="1e-7", help=TOLERANCE_HELP
        )
        first = pick("Window from", FIRST_TIMES, key="from", default="0.0001", help=WINDOW_HELP)
        last = pick("Window to", LAST_TIMES, key="to", help=WINDOW_HELP)
        pick("Pictures", PICTURES, key=PICTURE, help=PICTURE_HELP)
    return View(
        dataset=dataset,
        prior=prior,
        laplacian=laplacian,
        direction=direction,
        rule=rule,
        stationary=stationary,
        tolerance=float(tolerance),
        first=float(first),
        last=LAPLACIANS[laplacian].horizon if last == AUTOMATIC else float(last),
    )


def choose_prior(dataset: DatasetChoice) -> str:
    """A picker over all priors that need no file, the cheap ones first, and training runs."""
    listed = sorted(PRIORS.values(), key=lambda spec: COSTS.index(spec.cost))
    names = tuple(spec.name for spec in listed if spec.name != "external")
    take_wanted_prior()
    if registry().runs:  # else there is nothing that anybody could own
        mount_owner_key()
    runs = run_priors(dataset)
    report_missing_run(runs, default="projection")
    name = pick("Prior", (*names, *runs), key="prior", default="projection", help=PRIOR_HELP)
    if name in runs:
        st.caption(describe_prior(runs[name]))
        return name
    slow = " :material/hourglass_top: Takes **minutes** the first time."
    spec = PRIORS[name]
    st.caption(f"**{spec.label}.** {spec.explanation}{slow if spec.cost == 'minutes' else ''}")
    return name


def choose_laplacian(directed: bool) -> tuple[str, str]:
    """Pickers for the Laplacian and, where it has one, its direction.

    An undirected Laplacian fits every graph: directions are forgotten first.
    """
    fitting = {name: kind for name, kind in LAPLACIANS.items() if directed or not kind.directed}
    names = tuple(sorted(fitting, key=lambda name: not fitting[name].directed))
    name = pick("Laplacian", names, key="laplacian", help=LAPLACIAN_HELP)
    if not LAPLACIANS[name].directed:
        return name, DIRECTIONS[0]
    return name, pick("Direction", DIRECTIONS, key="direction", help=DIRECTION_HELP)


COSTS: Final = ("instant", "seconds", "minutes")
AUTOMATIC: Final = "automatic"
TOLERANCES: Final = ("1e-4", "1e-5", "1e-6", "1e-7", "1e-8")
FIRST_TIMES: Final = ("0.00001", "0.0001", "0.001")
LAST_TIMES: Final = (AUTOMATIC, "0.1", "0.3", "1", "3", "10", "30")
PICTURE: Final = "pictures"
PICTURES: Final = ("png", "svg")
PICTURE_HELP: Final = "What the camera in the corner of a chart saves: pixels or drawing."
PRIOR_HELP: Final = "The classifier whose beliefs flow over the graph. " + " ".join(
    f"**{cost.capitalize()}**: "
    + ", ".join(s.name for s in PRIORS.values() if s.cost == cost and s.name != "external")
    + "."
    for cost in COSTS
)
LAPLACIAN_HELP: Final = "How beliefs flow: dp/dt = −L p. " + " · ".join(
    f"**{name}**: {kind.formula}" for name, kind in LAPLACIANS.items()
)
DIRECTION_HELP: Final = "**forward** walks along the edges, **backward** against them."
RULE_HELP: Final = (
    "**overshoot**: the class that rises furthest above π, as in the paper's equations. **peak**: "
    "of the classes that overshoot, the highest. **reference**: what the authors' program does: "
    "the largest p at t_min, unless every class overshoots."
)
STATIONARY_HELP: Final = (
    "π, where beliefs end up. **global**: the mean over the whole graph, as in the paper. "
    "**component**: the mean over each connected part, where the diffusion really ends."
)
TOLERANCE_HELP: Final = "No p(t) is off by more than this; the bound is proved."
WINDOW_HELP: Final = (
    "The times looked at, in relaxation times 1/λ₂: after one of them the slowest difference has "
    "shrunk to 37%."
)

SPLIT_HELP: Final = (
    "Which nodes show their class. **train**: given to the classifier. **validation**: chooses "
    "settings. **test**: judges, and is never looked at before."
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
    whole = whole and option.high > 1
    kind = int if whole else float
    label = option_name.replace("_", " ").capitalize()
    link.carry(key, kind(option.default))
    report_outside(label, key, option.low, option.high, option.default)
    return st.slider(
        label,
        kind(option.low),
        kind(option.high),
        kind(option.default),
        step=1 if whole else 0.01,
        key=key,
        help=option.meaning[:1].upper() + option.meaning[1:] + ".",
        bind="query-params",
    )


def _choose_seed() -> int:
    link.carry("seed", 0)
    report_outside("Seed", "seed", 0, LARGEST_SEED, 0)
    return int(
        st.number_input(
            "Seed",
            0,
            LARGEST_SEED,
            0,
            key="seed",
            bind="query-params",
            help="Another number, another draw; the same number, the same draw.",
        )
    )
