"""Every prior by name."""

from __future__ import annotations

from functools import partial

from gdr_core.laplacians import LAPLACIANS, WALKS
from gdr_core.option import Option
from gdr_core.priors.external import external
from gdr_core.priors.label_propagation import label_propagation
from gdr_core.priors.networks import diff_gcn, gcn, mlp, resolved
from gdr_core.priors.planetoid import planetoid
from gdr_core.priors.preprocessing import features_option
from gdr_core.priors.projection import projection, projection_dot
from gdr_core.priors.random_forest import random_forest
from gdr_core.priors.specification import PriorSpec
from gdr_core.priors.support_vectors import GAMMAS, KERNELS, support_vectors
from gdr_core.priors.uniform import uniform

DIRECTION = Option(
    "direction",
    "undirected",
    "which edges a layer follows: all, from source to target, from target to source, or both "
    "with weights of their own",
    choices=WALKS,
)


def _training(
    hidden: int | None = None,
    dropout: float | None = None,
    epochs: int | None = None,
    learning_rate: float | None = None,
    weight_decay: float | None = None,
) -> tuple[Option, ...]:
    """The settings that all networks share; None leaves the choice to the recommendation."""
    return (
        Option("hidden", hidden, "number of hidden units", low=1, high=4096, kind=int),
        Option(
            "dropout",
            dropout,
            "probability that an input of a layer is dropped while training",
            low=0.0,
            high=0.99,
            kind=float,
        ),
        Option(
            "epochs",
            epochs,
            "steps on all training nodes",
            low=1,
            high=1e5,
            kind=int,
        ),
        Option(
            "learning_rate",
            learning_rate,
            "step size of Adam",
            low=1e-9,
            high=10.0,
            kind=float,
        ),
        Option(
            "weight_decay",
            weight_decay,
            "L2 penalty on the weights of the first layer",
            low=0.0,
            high=1e6,
            kind=float,
        ),
    )


RECOMMENDED = _training()

_SPECS = (
    PriorSpec(
        name="uniform",
        label="Uniform",
        explanation="Every class is equally likely: only the graph and the training labels decide.",
        function=uniform,
        cost="instant",
        needs_training=False,
    ),
    PriorSpec(
        name="projection",
        label="Projection (cosine)",
        explanation="Cosine similarity with the mean features of each class.",
        function=projection,
        cost="instant",
        needs_features=True,
        options=(features_option("raw", "Raw reproduces the paper's table."),),
    ),
    PriorSpec(
        name="projection-dot",
        label="Projection (dot product)",
        explanation="Dot product with the mean features of each class: the formula as printed.",
        function=projection_dot,
        cost="instant",
        needs_features=True,
        options=(features_option("raw", "Raw is the paper's formula."),),
    ),
    PriorSpec(
        name="random-forest",
        label="Random forest",
        explanation="Average vote of decision trees on the features.",
        function=random_forest,
        cost="seconds",
        random=True,
        needs_features=True,
        options=(
            features_option("raw", "Chosen on validation nodes."),
            Option("trees", 500, "number of trees", low=1, high=100_000),
            Option("max_depth", 20, "largest depth of a tree", low=1, high=10_000),
        ),
    ),
    PriorSpec(
        name="svm",
        label="Support vector machine",
        explanation="Largest margin between each pair of classes, with calibrated probabilities.",
        function=support_vectors,
        cost="seconds",
        random=True,
        needs_features=True,
        options=(
            features_option("row-normalised", "Chosen on validation nodes."),
            Option("penalty", 50.0, "C, the price of a violated margin", low=1e-9, high=1e9),
            Option("kernel", "rbf", "rbf: Gaussian; linear: dot product", choices=tuple(KERNELS)),
            Option(
                "gamma",
                "scale",
                "width of the Gaussian: scale is 1/(features · variance), auto 1/features",
                choices=tuple(GAMMAS),
            ),
        ),
    ),
    PriorSpec(
        name="mlp",
        label="Multilayer perceptron",
        explanation="Two layers on the features, trained without the graph.",
        function=mlp,
        cost="seconds",
        random=True,
        needs_features=True,
        reads_validation=True,
        resolved=partial(resolved, "mlp"),
        options=(
            features_option("row-normalised", "Chosen on validation nodes."),
            *_training(16, 0.5, 200, 0.01, 1e-3),
        ),
    ),
    PriorSpec(
        name="label-propagation",
        label="Label propagation",
        explanation="Each node takes the mean of its neighbours; training nodes are fixed.",
        function=label_propagation,
        cost="seconds",
        needs_graph=True,
        options=(
            Option(
                "mass_normalisation",
                True,
                "rescale the classes to their shares among training nodes; without it, a few "
                "training nodes win everywhere on large graphs",
            ),
            Option(
                "tolerance",
                1e-10,
                "relative residual at which the solution is good enough",
                low=1e-14,
                high=0.1,
            ),
        ),
    ),
    PriorSpec(
        name="planetoid",
        label="Planetoid",
        explanation="Features and embeddings that predict each node's surroundings and class.",
        function=planetoid,
        cost="minutes",
        random=True,
        needs_features=True,
        needs_graph=True,
        reads_validation=True,
        options=(
            features_option("row-normalised", "Chosen on validation nodes."),
            Option("dimensions", 200, "length of an embedding", low=1, high=4096),
            Option("hidden", 50, "hidden units for each of features and embedding", low=1),
            Option("walk_steps", 10, "length of a random walk", low=1, high=1000),
            Option("window", 3, "steps apart that still count as near", low=1, high=1000),
            Option("negatives", 1, "random pairs for each near pair", low=1, high=100),
            Option("rounds", 10, "walks from every node", low=1, high=10_000),
            Option(
                "label_contexts",
                300,
                "pairs of training nodes in each round",
                low=0,
                high=100_000,
            ),
            Option("label_steps", 20, "steps on the label loss in each round", low=1),
            Option("embedding_rate", 0.05, "step size for embeddings", low=1e-9, high=10.0),
            Option("learning_rate", 0.01, "step size of Adam", low=1e-9, high=10.0),
            Option("weight_decay", 5e-3, "L2 penalty of the classifier", low=0.0, high=1e6),
            Option("dropout", 0.5, "probability to drop an input", low=0.0, high=0.99),
            Option(
                "embedding_dropout",
                0.5,
                "probability to hide a node's embedding while training, so that features alone "
                "must do where the graph says nothing",
                low=0.0,
                high=0.99,
            ),
            Option("embedding_scale", 0.2, "weight of embeddings beside features", low=1e-9),
        ),
    ),
    PriorSpec(
        name="gcn",
        label="GCN",
        explanation="Graph convolutional network of Kipf and Welling.",
        function=gcn,
        cost="minutes",
        random=True,
        needs_features=True,
        needs_graph=True,
        reads_validation=True,
        resolved=partial(resolved, "gcn"),
        options=(
            features_option("row-normalised", "As Kipf and Welling do."),
            DIRECTION,
            *RECOMMENDED,
        ),
    ),
    PriorSpec(
        name="diff-gcn",
        label="diff-GCN",
        explanation="The same network with diffusion for a learned time in place of one step.",
        function=diff_gcn,
        cost="minutes",
        random=True,
        needs_features=True,
        needs_graph=True,
        reads_validation=True,
        resolved=partial(resolved, "diff-gcn"),
        options=(
            features_option("row-normalised", "As for GCN."),
            DIRECTION,
            Option(
                "laplacian",
                None,
                "generator of the diffusion; by default the one that fits the direction",
                choices=tuple(LAPLACIANS),
                kind=str,
            ),
            *RECOMMENDED,
            Option(
                "initial_time",
                None,
                "first diffusion time, in units of the Laplacian's mean rate",
                low=1e-9,
                high=1e6,
                kind=float,
            ),
        ),
    ),
    PriorSpec(
        name="external",
        label="From a file",
        explanation="Class probabilities that any other classifier has computed.",
        function=external,
        cost="instant",
        needs_training=False,
        options=(
            Option("probabilities", None, "an array, or a .npy or .csv file", kind=object),
            Option("normalise", False, "divide rows by their sum instead of refusing them"),
        ),
    ),
)

PRIORS: dict[str, PriorSpec] = {spec.name: spec for spec in _SPECS}
