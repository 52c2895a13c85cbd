"""Every prior by name."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from gdr_core.laplacians import LAPLACIANS, WALKS
from gdr_core.option import Option
from gdr_core.priors.correct_and_smooth import correct_and_smooth
from gdr_core.priors.deepwalk import deepwalk
from gdr_core.priors.ensemble import MOST as MOST_MEMBERS
from gdr_core.priors.ensemble import ensemble
from gdr_core.priors.ensemble import resolved as resolved_ensemble
from gdr_core.priors.external import external
from gdr_core.priors.label_propagation import label_propagation
from gdr_core.priors.linear import heat_linear, linear, sgc
from gdr_core.priors.linear import recommended as recommended_linear
from gdr_core.priors.networks import (
    appnp,
    diff_gcn,
    gcn,
    heat_net,
    mlp,
    resolved,
    semi_embedding,
)
from gdr_core.priors.planetoid import planetoid
from gdr_core.priors.preprocessing import PREPROCESSING, features_option
from gdr_core.priors.projection import projection, projection_dot
from gdr_core.priors.random_forest import random_forest
from gdr_core.priors.specification import PriorSpec
from gdr_core.priors.support_vectors import GAMMAS, KERNELS, support_vectors
from gdr_core.priors.uniform import uniform

_WALK_MEANING = (
    "which edges a layer follows: all, from source to target, from target to source, or both "
    "with weights of their own"
)
_GAMMA_MEANING = "width of the Gaussian: scale is 1/(features · variance), auto 1/features"
_MASS_MEANING = (
    "rescale the classes to their shares among training nodes; without it, a few training nodes "
    "win everywhere on large graphs"
)
_RESIDUAL_MEANING = "relative residual at which the solution is good enough"
_LAPLACIAN_MEANING = "generator of the diffusion; by default the one that fits the direction"
_TIME_MEANING = "first diffusion time, in units of the Laplacian's mean rate"
_DROP_MEANING = "probability that an input of a layer is dropped while training"
_HIDE_MEANING = (
    "probability to hide a node's embedding while training, so that features alone must do where "
    "the graph says nothing"
)
_WARM_MEANING = "epochs over which the weight of the agreement grows from zero"
_SHARP_MEANING = "temperature of the common answer of all passes; below 1 makes it more confident"
_CLOSE_MEANING = "weight of the loss that keeps neighbours close; 0 leaves a plain perceptron"
_CHOSEN = "Chosen on validation nodes."
_SPREAD_MEANING = "how long features diffuse: on average a walker jumps so many times"
_MEMBERS_MEANING = "names of priors, with commas; NAME*COUNT is a random one with COUNT seeds"
_BASES = ("linear", "projection", "random-forest", "svm", "mlp")

# The settings that all networks share; None leaves the choice to the recommendation.
_TRAINING = (
    Option("hidden", None, "number of hidden units", 1, 4096, kind=int),
    Option("dropout", None, _DROP_MEANING, 0.0, 0.99, kind=float),
    Option("epochs", None, "steps on all training nodes", 1, 1e5, kind=int),
    Option("learning_rate", None, "step size of Adam", 1e-9, 10.0, kind=float),
    Option(
        "weight_decay", None, "L2 penalty on the weights of the first layer", 0.0, 1e6, kind=float
    ),
)
_DIRECTION = Option("direction", "undirected", _WALK_MEANING, choices=WALKS)
_LAPLACIAN = Option("laplacian", None, _LAPLACIAN_MEANING, choices=tuple(LAPLACIANS), kind=str)
_FIRST_TIME = Option("initial_time", None, _TIME_MEANING, 1e-9, 1e6, kind=float)

_PASSES = (
    Option("samples", None, "random passes a step", 1, 64, kind=int),
    Option("drop_nodes", None, "chance that a pass leaves out a node", 0.0, 0.99, kind=float),
    Option("consistency", None, "weight of the agreement of passes", 0.0, 1e6, kind=float),
    Option("warmup", None, _WARM_MEANING, 0, 1e5, kind=int),
    Option("sharpening", None, _SHARP_MEANING, 0.01, 10.0, kind=float),
)


def _training(*defaults: float) -> tuple[Option, ...]:
    """The settings that all networks share, with defaults of their own."""
    pairs = zip(_TRAINING, defaults, strict=True)
    return tuple(replace(option, default=default) for option, default in pairs)


def _learned(
    name: str, label: str, explanation: str, function: Any, *options: Option, **more: Any
) -> PriorSpec:
    """A prior that learns from features, and draws random numbers to do so."""
    given = {"cost": "seconds", "random": True, "needs_features": True, "options": options}
    return PriorSpec(name, label, explanation, function, **{**given, **more})


def _on_graph(
    name: str, label: str, explanation: str, function: Any, *options: Option, **more: Any
) -> PriorSpec:
    """A prior that learns from features and graph, and stops early by the validation nodes."""
    given = {"cost": "minutes", "needs_graph": True, "reads_validation": True}
    return _learned(name, label, explanation, function, *options, **{**given, **more})


def _linear(
    name: str, label: str, explanation: str, function: Any, *options: Option, **more: Any
) -> PriorSpec:
    """A linear classifier: its minimum is unique, so nothing is random."""
    every = (
        features_option(None, _CHOSEN, tuple(PREPROCESSING)),
        *options,
        Option("penalty", None, "λ of the penalty λ/2 ‖W‖²", 1e-9, 1e9, kind=float),
    )
    filled = partial(_filled, name)
    given = {"cost": "seconds", "needs_features": True, "options": every, "resolved": filled}
    return PriorSpec(name, label, explanation, function, **{**given, **more})


def _filled(name: str, options: dict[str, Any], dataset: str | None = None) -> dict[str, Any]:
    return recommended_linear(name, dataset, **options)


_PROJECTION = PriorSpec(
    "projection",
    "Projection (cosine)",
    "Cosine similarity with the mean features of each class.",
    projection,
    cost="instant",
    needs_features=True,
    options=(features_option("raw", "Raw reproduces the paper's table."),),
)
_SPECS = (
    PriorSpec(
        "uniform",
        "Uniform",
        "Every class is equally likely: only the graph and the training labels decide.",
        uniform,
        cost="instant",
        needs_training=False,
    ),
    _PROJECTION,
    replace(
        _PROJECTION,
        name="projection-dot",
        label="Projection (dot product)",
        explanation="Dot product with the mean features of each class: the formula as printed.",
        function=projection_dot,
        options=(features_option("raw", "Raw is the paper's formula."),),
    ),
    _linear(
        "linear",
        "Linear",
        "Softmax regression on the features, without the graph.",
        linear,
    ),
    _linear(
        "heat-linear",
        "Heat, then linear",
        "Softmax regression on features that have diffused over the graph.",
        heat_linear,
        Option("time", None, _SPREAD_MEANING, 0.0, 1e4, kind=float),
        needs_graph=True,
    ),
    _linear(
        "sgc",
        "SGC",
        "Softmax regression on features averaged over neighbours, a few times over.",
        sgc,
        Option("steps", None, "how often features are averaged", 0, 10_000, kind=int),
        needs_graph=True,
    ),
    _learned(
        "random-forest",
        "Random forest",
        "Average vote of decision trees on the features.",
        random_forest,
        features_option("raw", _CHOSEN),
        Option("trees", 500, "number of trees", 1, 100_000),
        Option("max_depth", 20, "largest depth of a tree", 1, 10_000),
    ),
    _learned(
        "svm",
        "Support vector machine",
        "Largest margin between each pair of classes, with calibrated probabilities.",
        support_vectors,
        features_option("row-normalised", _CHOSEN),
        Option("penalty", 50.0, "C, the price of a violated margin", 1e-9, 1e9),
        Option("kernel", "rbf", "rbf: Gaussian; linear: dot product", choices=tuple(KERNELS)),
        Option("gamma", "scale", _GAMMA_MEANING, choices=tuple(GAMMAS)),
    ),
    _learned(
        "mlp",
        "Multilayer perceptron",
        "Two layers on the features, trained without the graph.",
        mlp,
        features_option("row-normalised", _CHOSEN),
        *_training(16, 0.5, 200, 0.01, 1e-3),
        reads_validation=True,
        resolved=partial(resolved, "mlp"),
    ),
    PriorSpec(
        "label-propagation",
        "Label propagation",
        "Each node takes the mean of its neighbours; training nodes are fixed.",
        label_propagation,
        cost="seconds",
        needs_graph=True,
        options=(
            Option("mass_normalisation", True, _MASS_MEANING),
            Option("tolerance", 1e-10, _RESIDUAL_MEANING, 1e-14, 0.1),
        ),
    ),
    _learned(
        "correct-and-smooth",
        "Correct and smooth",
        "Spreads the errors of another prior over the graph, then its answers.",
        correct_and_smooth,
        Option("base", "linear", "the prior that is corrected", choices=_BASES),
        Option("correction", 0.9, "share of an error that moves on in each step", 0.0, 1.0),
        Option("smoothing", 0.9, "share of an answer that moves on in each step", 0.0, 1.0),
        Option("steps", 50, "steps of each kind", 0, 10_000),
        needs_graph=True,
        reads_validation=True,
    ),
    PriorSpec(
        "deepwalk",
        "DeepWalk",
        "Vectors learned from random walks, and a linear classifier on them; no features.",
        deepwalk,
        cost="minutes",
        random=True,
        needs_graph=True,
        # Compared by hand on validation nodes, but that comparison is not committed: these are
        # plain defaults, not the outcome of a search. `gdr tune deepwalk` searches two of them.
        options=(
            Option("dimensions", 64, "length of a vector", 1, 4096),
            Option("rounds", 5, "walks from every node", 1, 10_000),
            Option("walk_steps", 40, "length of a random walk", 1, 1000),
            Option("window", 10, "steps apart that still count as near", 1, 1000),
            Option("negatives", 1, "random pairs for each near pair", 1, 100),
            Option("rate", 0.1, "step size at first; it falls to zero", 1e-9, 10.0),
            Option("penalty", 0.1, "λ of the penalty λ/2 ‖W‖² of the classifier", 1e-9, 1e9),
        ),
    ),
    _on_graph(
        "planetoid",
        "Planetoid",
        "Features and embeddings that predict each node's surroundings and class.",
        planetoid,
        features_option("row-normalised", _CHOSEN),
        Option("dimensions", 200, "length of an embedding", 1, 4096),
        Option("hidden", 50, "hidden units for each of features and embedding", 1),
        Option("walk_steps", 10, "length of a random walk", 1, 1000),
        Option("window", 3, "steps apart that still count as near", 1, 1000),
        Option("negatives", 1, "random pairs for each near pair", 1, 100),
        Option("rounds", 10, "walks from every node", 1, 10_000),
        Option("label_contexts", 300, "pairs of training nodes in each round", 0, 100_000),
        Option("label_steps", 20, "steps on the label loss in each round", 1),
        Option("embedding_rate", 0.05, "step size for embeddings", 1e-9, 10.0),
        Option("learning_rate", 0.01, "step size of Adam", 1e-9, 10.0),
        Option("weight_decay", 5e-3, "L2 penalty of the classifier", 0.0, 1e6),
        Option("dropout", 0.5, "probability to drop an input", 0.0, 0.99),
        Option("embedding_dropout", 0.5, _HIDE_MEANING, 0.0, 0.99),
        Option("embedding_scale", 0.2, "weight of embeddings beside features", 1e-9),
    ),
    _on_graph(
        "gcn",
        "GCN",
        "Graph convolutional network of Kipf and Welling.",
        gcn,
        features_option("row-normalised", "As Kipf and Welling do."),
        _DIRECTION,
        *_TRAINING,
        resolved=partial(resolved, "gcn"),
    ),
    _on_graph(
        "diff-gcn",
        "diff-GCN",
        "The same network with diffusion for a learned time in place of one step.",
        diff_gcn,
        features_option("row-normalised", "As for GCN."),
        _DIRECTION,
        _LAPLACIAN,
        *_TRAINING,
        _FIRST_TIME,
        resolved=partial(resolved, "diff-gcn"),
    ),
    _on_graph(
        "heat-net",
        "Heat-net",
        "Diffuses features once, then a two-layer network whose answers must agree when nodes "
        "are left out at random.",
        heat_net,
        features_option("row-normalised", "As for GCN."),
        *_TRAINING,
        _FIRST_TIME,
        *_PASSES,
        resolved=partial(resolved, "heat-net"),
    ),
    _on_graph(
        "appnp",
        "APPNP",
        "A two-layer network on the features, whose answers a random walk spreads.",
        appnp,
        features_option("row-normalised", "As for GCN."),
        *_TRAINING,
        Option("steps", None, "steps of the walk", 0, 10_000, kind=int),
        Option("teleport", None, "chance to go back to the start in each step", 0, 1, kind=float),
        resolved=partial(resolved, "appnp"),
    ),
    _on_graph(
        "semi-embedding",
        "Semi-supervised embedding",
        "A perceptron whose hidden layer must keep neighbours close and others apart.",
        semi_embedding,
        features_option("row-normalised", "As for the perceptron."),
        *_TRAINING,
        Option("embedding", None, _CLOSE_MEANING, 0.0, 1e6, kind=float),
        Option(
            "margin", None, "how far apart nodes that are not linked are kept", 0.0, 1e6, kind=float
        ),
        resolved=partial(resolved, "semi-embedding"),
    ),
    PriorSpec(
        "ensemble",
        "Mean of several",
        "The mean of several priors, or of one prior over several seeds.",
        ensemble,
        cost="minutes",
        random=True,
        reads_validation=True,
        options=(
            Option("members", "linear,heat-linear,sgc", _MEMBERS_MEANING),
            Option("copies", 1, "seeds of every other random member", 1, MOST_MEMBERS),
        ),
        resolved=resolved_ensemble,
        revision=2,
    ),
    PriorSpec(
        "external",
        "From a file",
        "Class probabilities that any other classifier has computed.",
        external,
        cost="instant",
        needs_training=False,
        options=(
            Option("probabilities", None, "an array, or a .npy or .csv file", kind=object),
            Option("normalise", False, "divide rows by their sum instead of refusing them"),
        ),
    ),
)

PRIORS: dict[str, PriorSpec] = {spec.name: spec for spec in _SPECS}
