"""From a draft to a dataset that every page has; and the list of what is open."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import streamlit as st

from gdr_app.state import link
from gdr_app.state.own import Own, new_key, opened, room
from gdr_app.state.pickers import identity, moved
from gdr_app.widgets.sidebar import ICONS, pages
from gdr_app.widgets.tiles import tiles
from gdr_app.wording import counted, plain
from gdr_app.your_data.draft import Draft, lay_out, start_over
from gdr_app.your_data.recognised import choose
from gdr_app.your_data.texts import DIRECTIONS
from gdr_core.datasets.own.findings import short
from gdr_core.datasets.own.neighbours import METRICS
from gdr_core.datasets.own.packing import unpack
from gdr_tools.own.requests import seen_from

_OPENING: Final = "own data, being opened"
NEXT: Final = (
    "Dataset",
    "Prior",
    "Overshoot",
    "Relabel",
    "Compare",
    "Train",
    "Structure",
    "Directed",
)
SHARES: Final = {
    "60% train, 20% validation, 20% test": (0.6, 0.2, 0.2),
    "20% train, 40% validation, 40% test": (0.2, 0.4, 0.4),
    "10% train, 45% validation, 45% test": (0.1, 0.45, 0.45),
    "80% train, 10% validation, 10% test": (0.8, 0.1, 0.1),
}


def choose_form(now: Draft, answer: dict[str, Any]) -> None:
    """What concerns the whole dataset: its name, directions, a drawn split, neighbours."""
    codes = {finding["code"] for finding in answer["findings"]}
    with st.container(horizontal=True, gap="small"):
        with st.container(width=200):
            _name(now)
        with st.container(width=290):
            choose(
                "Edges are",
                list(DIRECTIONS),
                next(k for k, v in DIRECTIONS.items() if v == now.choices.directed),
                lambda word: now.decide(directed=DIRECTIONS[word]),
                key="own directed",
            )
        if "split-drawn" in codes:
            _drawn_split(now)
        if "no-graph" in codes:
            _neighbours(now)


def _name(now: Draft) -> None:
    control = identity("own name", now.name)

    def change() -> None:
        typed = st.session_state[control].strip()
        now.decide(name=typed)
        moved("own name", now.name)

    st.text_input("Name", short(now.name, 80), key=control, max_chars=80, on_change=change)


def _drawn_split(now: Draft) -> None:
    with st.container(width=290):
        choose(
            "Split, drawn class by class",
            list(SHARES),
            next((k for k, v in SHARES.items() if v == now.choices.shares), next(iter(SHARES))),
            lambda word: now.decide(shares=SHARES[word]),
            key="own shares",
        )
    with st.container(width=110):
        _number(now, "Seed of the split", "seed", 0, 9999)


def _neighbours(now: Draft) -> None:
    with st.container(width=110):
        _number(now, "Neighbours k", "neighbours", 1, 100)
    with st.container(width=140):
        choose(
            "Distance",
            list(METRICS),
            now.choices.metric,
            lambda metric: now.decide(metric=metric),
            key="own metric",
        )


def _number(now: Draft, label: str, field: str, low: int, high: int) -> None:
    value = getattr(now.choices, field)
    control = identity(f"own {field}", value)

    def change() -> None:
        chosen = st.session_state[control]
        chosen = value if chosen is None else int(chosen)
        moved(f"own {field}", chosen)
        now.decide(**{field: chosen})

    st.number_input(label, low, high, value, step=1, key=control, on_change=change)


def show_outcome(answer: dict[str, Any]) -> None:
    """The sizes of what would be opened."""
    counts = answer["counts"]
    kind = "directed" if answer["directed"] else "undirected"
    given = "given" if answer["with_probabilities"] else "none"
    tiles(
        [
            ("Nodes", f"{counts['nodes']:,}", "What is to be classified."),
            ("Edges", f"{counts['edges']:,}", f"The graph is {kind}."),
            ("Classes", f"{counts['classes']:,}", short(", ".join(answer["classes"]), 300) or "–"),
            ("Features", f"{counts['features']:,}", "Numbers known about each node."),
            (
                "Train · validation · test",
                f"{counts['train']:,} · {counts['validation']:,} · {counts['test']:,}",
                "Nodes in each part of the split.",
            ),
            ("Class probabilities", given, "Of a classifier of yours, for every node."),
        ]
    )


def offer_opening(now: Draft, answer: dict[str, Any]) -> None:
    """The button, and what it does: a layout, then the dataset is in every picker."""

    def begin() -> None:
        st.session_state[_OPENING] = now.key

    st.button(
        "**Open this dataset**",
        key="open own",
        type="primary",
        icon=":material/hub:",
        on_click=begin,
    )
    if st.session_state.get(_OPENING) != now.key:
        return
    layout = lay_out(now, answer["data"].tobytes())
    del st.session_state[_OPENING]
    open_data(now, answer, layout)
    start_over()
    st.rerun()


def open_data(now: Draft, answer: dict[str, Any], layout: Any) -> Own:
    """Make the dataset, and choose it on all pages."""
    dataset, probabilities = unpack(answer["data"].tobytes())
    own = Own(
        new_key(),
        replace(dataset, layout=layout, name=now.name),
        probabilities,
        seen_from(answer).findings,
        now.files,
        now.choices,
    )
    room().open(own)
    link.visit().put("dataset", own.key)
    return own


def list_opened() -> None:
    """What is open in this session, with ways to go on."""
    for key, own in reversed(list(opened().items())):
        with st.container(border=True, key=f"opened-{key}"):
            dataset = own.dataset
            directed = "directed " if dataset.directed else ""
            st.markdown(
                f":material/check_circle: **{plain(short(dataset.name))}** is open: "
                f"{counted(dataset.nodes, 'node')}, {counted(dataset.edges, f'{directed}edge')}, "
                f"{dataset.classes:,} class{'' if dataset.classes == 1 else 'es'}. "
                "Every page has it in its picker."
            )
            with st.container(horizontal=True, gap="small", vertical_alignment="center"):
                for title in NEXT if dataset.classes > 1 else NEXT[:1]:
                    if title != "Directed" or dataset.directed:
                        st.page_link(
                            pages()[title],
                            label=title,
                            icon=ICONS[title],
                            query_params={"dataset": key},
                        )
                st.button(
                    "Close",
                    key=f"close {key}",
                    icon=":material/close:",
                    on_click=_close,
                    args=(key,),
                    help="Forget these data and all that was computed from them.",
                )


def _close(key: str) -> None:
    room().close(key)
    if link.visit().dataset == key:
        link.visit().put("dataset", None)
