"""The settings of a training run, bound to the URL, with the recommended ones as defaults."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

import streamlit as st

from gdr_app.state.own import Own, own_of
from gdr_app.state.pickers import pick, pick_number
from gdr_app.wording import plain
from gdr_core.datasets import Dataset, DatasetChoice
from gdr_core.laplacians import LAPLACIANS, WALKS
from gdr_core.neural import MODELS, TrainingOptions, recommended
from gdr_core.neural.options import DIFFUSING, FITTING, LARGEST_EPOCHS
from gdr_core.priors import PRIORS
from gdr_core.priors.contract import check_usable
from gdr_tools.jobs import Job, memory
from gdr_tools.jobs.everybody import pool

MODEL, WALK, GENERATOR = "model", "walk", "generator"
_NO_WALK: Final = "no walk"
_TALL: Final = 150  # pixels that a field is wide
UNDIRECTED: Final = (
    "mlp",
    "appnp",
    "semi-embedding",
)  # they follow no edges, or all of them both ways


@dataclass(frozen=True)
class Field:
    """A number of the form: its label, what it does, and by how much buttons change it."""

    label: str
    help: str
    step: float = 0.01
    only: tuple[str, ...] = MODELS  # the models that have it
    arrowed: bool = False  # whether only layers with a directed Laplacian have it

    def is_of(self, options: TrainingOptions) -> bool:
        """Whether a network with these options has it."""
        laplacian = LAPLACIANS.get(str(options.laplacian))
        directed = laplacian is not None and laplacian.directed
        return options.model in self.only and (directed or not self.arrowed)


def _of(models: tuple[str, ...], **fields: Field) -> dict[str, Field]:
    """Fields that these models have and others do not."""
    return {name: replace(field, only=models) for name, field in fields.items()}


_FIELDS: Final = {
    "hidden": Field("Hidden units", "Number of units in the hidden layer."),
    "dropout": Field(
        "Dropout", "Chance that an input is left out of a step; keeps weights modest.", step=0.05
    ),
    "learning_rate": Field("Learning rate", "Step size of Adam, for the weights.", step=0.005),
    **_of(
        DIFFUSING,
        alpha=Field(
            "α",
            "Chance that the walk behind a directed Laplacian follows an edge; otherwise it jumps "
            "to any node.",
            arrowed=True,
        ),
        initial_time=Field(
            "Initial t·r̄",
            "Where the diffusion time starts, in typical jumps: r̄ is the rate at which a walker "
            "leaves the end of a random edge.",
            step=0.5,
        ),
        time_learning_rate=Field(
            "Learning rate of t",
            "Step size of Adam, for log t. 0 keeps t.",
            step=0.001,
        ),
    ),
    **_of(
        ("heat-net",),
        samples=Field("Passes", "Random passes in a step, each over the whole graph."),
        drop_nodes=Field("Nodes left out", "Chance that a pass leaves out a node.", step=0.05),
        consistency=Field(
            "Consistency",
            "How strongly passes are made to agree; with 0 they are not.",
            step=0.1,
        ),
        warmup=Field(
            "Warm-up",
            "Epochs over which consistency grows to its full strength; networks that agree too "
            "early may do so on few classes.",
        ),
        sharpening=Field(
            "Sharpening",
            "Temperature of the common answer that all passes learn to give; values below 1 make "
            "it more confident.",
            step=0.05,
        ),
    ),
    **_of(
        ("appnp",),
        steps=Field("Steps", "Steps of the walk that spreads answers."),
        teleport=Field("Teleport", "Chance that a walker goes back to its start.", step=0.05),
    ),
    **_of(
        ("semi-embedding",),
        embedding=Field(
            "Weight of neighbours",
            "How strongly neighbours are kept close in the hidden layer; with 0 this is a plain "
            "mlp.",
            step=0.1,
        ),
        margin=Field("Margin", "How far apart nodes that are not linked are kept.", step=0.1),
    ),
    "epochs": Field("Epochs", f"Steps on all training nodes, up to {LARGEST_EPOCHS:,}."),
    "seed": Field("Random seed", "Fixes the first weights and what dropout leaves out."),
}


def choose_job(choice: DatasetChoice, graph: Dataset) -> Job | None:
    """The job that the form describes; None, and a message, if it cannot be trained."""
    if (mine := own_of(choice)) is not None:
        graph = mine.trainable
        _tell_inputs(mine)
    with st.container(horizontal=True, gap="small"):
        options = _choose_network(choice)
        numbers = {
            name: _choose_number(name, field, options)
            for name, field in _FIELDS.items()
            if field.is_of(options)
        }
    try:
        check_usable(graph, PRIORS[options.model])
        chosen = options.as_dict() | {k: v for k, v in numbers.items() if k != "seed"}
        memory.check(graph, TrainingOptions(**chosen), pool().allowance)
        return Job(
            choice.name,
            TrainingOptions(**chosen),
            choice.split,
            numbers["seed"],
            choice.seed,
            tuple(choice.options),
        )
    except (ValueError, TypeError) as error:
        st.error(f"Cannot start: {_readable(error)}.", icon=":material/error:")
        return None


def _tell_inputs(mine: Own) -> None:
    """What networks read where own data have no features."""
    if mine.inputs:
        read = "a mark of its own" if mine.probabilities is None else "its class probabilities"
        st.caption(f"These data have no features: of each node a network reads {read}.")


def _choose_network(choice: DatasetChoice) -> TrainingOptions:
    with st.container(width=_TALL):
        model = pick("Model", MODELS, key=MODEL, default="diff-gcn", help=_MODEL_HELP)
    direction = WALKS[0]
    if model not in UNDIRECTED:
        with st.container(width=_TALL):
            direction = _choose_direction(choice.spec.directed)
    laplacian = None
    if model == "diff-gcn":
        with st.container(width=_TALL + 40):
            laplacian = _choose_laplacian(direction)
    return recommended(model, direction, choice.name, laplacian=laplacian)


def _choose_direction(directed: bool) -> str:
    """The direction, on a graph that has any; else a box that says where to find one."""
    if directed:
        return pick("Direction", WALKS, key=WALK, help=DIRECTION_HELP)
    # Under a key of its own: the choice for directed graphs stays as it was.
    # Not disabled, which would make it too pale to be read; there is nothing else to choose.
    return st.selectbox("Direction", WALKS[:1], key=_NO_WALK, help=_NO_DIRECTION_HELP)


def _choose_laplacian(direction: str) -> str:
    fitting = FITTING[direction]
    names = [n for n, kind in LAPLACIANS.items() if kind.directed == LAPLACIANS[fitting].directed]
    return pick("Laplacian", tuple(names), key=GENERATOR, default=fitting, help=LAPLACIAN_HELP)


def _choose_number(name: str, field: Field, options: TrainingOptions) -> Any:
    """A number whose default is the recommendation; each network keeps its own numbers."""
    default = 0 if name == "seed" else getattr(options, name)
    key = f"{options.model}-{options.direction}-{name}".replace("_", "-")
    if name == "initial_time":
        key += f"-{default:g}"  # the one default that depends on the dataset
    whole = isinstance(default, int)
    shape: dict[str, Any] = {"step": 1} if whole else {"step": field.step, "format": "%g"}
    with st.container(width=_TALL):
        return pick_number(field.label, None, None, default, key=key, help=field.help, **shape)


def _readable(error: Exception) -> str:
    text = str(error).rstrip(".")
    for name in (*_FIELDS, "time_learning_rate"):
        if (label := _FIELDS[name].label.lower()) not in text:
            text = text.replace(name, label)
    return plain(text)


_MODEL_HELP: Final = (
    "**mlp** reads features only. **gcn** also averages over neighbours, once a layer. "
    "**diff-gcn** lets each layer diffuse over the graph for a time t that it learns. "
    "**heat-net** diffuses once, then trains on many views of the graph that must agree. "
    "**appnp** reads features, and a random walk spreads its answers. "
    "**semi-embedding** reads features; its hidden layer learns to keep neighbours close."
)
DIRECTION_HELP: Final = (
    "Which edges a layer follows: all of them both ways, **forward** along them, **backward** "
    "against them, or **augmented**: both, with weights of their own."
)
_NO_DIRECTION_HELP: Final = (
    "The edges of this graph have no direction. Choose **cora-directed**, or any other directed "
    "graph, in the sidebar: there a layer can follow its edges forward, backward or both."
)
LAPLACIAN_HELP: Final = "How a layer diffuses: e^(−tL). " + " · ".join(
    f"**{name}**: {kind.formula}" for name, kind in LAPLACIANS.items()
)
