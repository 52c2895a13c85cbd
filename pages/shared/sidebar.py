"""The sidebar of every page: where to go, and which graph to look at. All of it is in the URL."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import streamlit as st

from gdr_core import datasets
from pages.shared.wording import plain

ROOT: Final = Path(__file__).parents[2]
KINDS: Final = {
    "citation": "Citation graph",
    "small": "Teaching graph",
    "generated": "Generated graph",
}
ICONS: Final = {
    "Dataset": ":material/hub:",
    "Prior": ":material/psychology:",
    "Overshoot": ":material/show_chart:",
    "Relabel": ":material/published_with_changes:",
    "Compare": ":material/compare_arrows:",
}
LARGEST_SEED: Final = 9999
ICON: Final = str(ROOT / "static" / "icon.png")
# Streamlit's wide layout leaves five rem at either side, a fifth of a laptop's window; and it
# keeps columns side by side on a tablet, where the sidebar has taken a third of the width.
STYLE: Final = """
.stMainBlockContainer { padding: 2.5rem clamp(1rem, 2.5vw, 3rem) 4rem; }
.stMainBlockContainer { container-type: inline-size; }
@container (max-width: 46rem) { .stColumn { min-width: 100%; } }
.stSidebar [data-testid="stSidebarHeader"] { height: 3rem; margin-bottom: 0; }
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


def start_page(title: str) -> DatasetChoice:
    """The first call of every page: its title, the list of pages, the choice of a dataset."""
    st.set_page_config(page_title=f"{title} · GDR Explorer", page_icon=ICON, layout="wide")
    st.html(f"<style>{STYLE}</style>")
    with st.sidebar:
        list_pages()
        return choose_dataset()


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


def choose_dataset() -> DatasetChoice:
    """Pickers for dataset, split, options and seed; an unknown value in the link is reported."""
    name = pick("Dataset", datasets.names(), key="dataset")
    spec = datasets.spec_of(name)
    st.caption(f"**{KINDS.get(spec.kind, spec.kind.capitalize())}.** {spec.about}")
    split = pick("Split", spec.splits, key="split", help=SPLIT_HELP)
    options = _choose_options(name, spec)
    seeded = spec.seeded or split == "random"
    seed = _choose_seed() if seeded else 0
    return DatasetChoice(name, split, seed, options)


SPLIT_HELP: Final = (
    "Which nodes show their class. **train**: given to the classifier. **validation**: chooses "
    "settings. **test**: judges, and is never looked at before."
)


def pick(label: str, choices: tuple[str, ...], *, key: str, help: str | None = None) -> str:
    """A select box bound to the URL. A value it does not have gives the first one, and says so.

    The choices are shown as they are named in the library: what a select box displays is what
    Streamlit writes into the URL.
    """
    _report_unknown(label, key, choices)
    if st.session_state.get(key) not in choices:
        st.session_state.pop(key, None)
    return st.selectbox(label, choices, key=key, bind="query-params", help=help)


def asked_by_link(key: str) -> str | None:
    """What the link says, as long as the widget of that name has not taken it over."""
    return None if key in st.session_state else st.query_params.get(key)


def _report_unknown(label: str, key: str, choices: tuple[str, ...]) -> None:
    asked = asked_by_link(key)
    if asked is not None and asked not in choices:
        st.warning(
            f"The link asks for {label.lower()} “{plain(asked)}”, which does not exist here. "
            f"Showing {choices[0]}.",
            icon=":material/link_off:",
        )


def _report_outside(label: str, key: str, low: float, high: float, default: float) -> None:
    asked = asked_by_link(key)
    if asked is not None and not _lies_between(asked, low, high):
        st.warning(
            f"The link asks for {label.lower()} “{plain(asked)}”; it must be a number from {low:g} "
            f"to {high:g}. Showing {default:g}.",
            icon=":material/link_off:",
        )


def _lies_between(text: str, low: float, high: float) -> bool:
    try:
        return low <= float(text) <= high
    except ValueError:
        return False


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
    _report_outside(label, key, option.low, option.high, option.default)
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
    _report_outside("Seed", "seed", 0, LARGEST_SEED, 0)
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
