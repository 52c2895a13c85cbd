"""The longer texts of the Train page."""

from __future__ import annotations

from typing import Final

INTRODUCTION: Final = """
Watch a network learn from a few labelled nodes. A diff-GCN also learns *how far to look*: the time
for which each layer diffuses over the graph.
"""

NOTHING_YET: Final = (
    "Press **Start**. The run trains in a process of its own; you can pause it, go through it "
    "epoch by epoch, and compare several runs in the same charts."
)

EXAMPLE_NOTE: Final = "a stored run; press **Start** for one of your own"

OWNERSHIP: Final = (
    "The address of this page is the link to this run: whoever opens it can watch. Only this "
    "browser, which keeps your key, can pause, stop or remove it. A run pauses when nobody has "
    "watched it for 30 seconds, and is forgotten after two hours without a visitor. While others "
    "wait for a core, runs take turns."
)

GUEST: Final = (
    "You are watching somebody else's run: only the browser that started it can pause, stop or "
    "remove it. You can start the same run as your own."
)

WHY_HIDDEN: Final = (
    "Test accuracy is hidden: test nodes are there to judge a network once, at the end. Nothing on "
    "this page decides by them; the weights that are kept have the lowest validation loss."
)

TIME_NOTE: Final = (
    "**The blue background in the chart of t** shows the validation accuracy at other, fixed "
    "values of t. It is measured from time to time with the weights *of that moment*, only t is "
    "replaced; the strongest blue is best. It shows which way t is drawn, not what a network "
    "trained at that t would reach: for that, start a run with that initial t and learning rate of "
    "t 0, and compare."
)

MATHEMATICS: Final = r"""
Three of the networks are $\mathrm{softmax}\bigl(P\,\mathrm{ReLU}(P X W^0)\,W^1\bigr)$, trained
on the cross-entropy of all training nodes, $-\frac1n \sum_j \log p_{j, y_j}$. They differ only in
how a layer spreads over the graph:

- **mlp** $P = I$: every node by itself.
- **gcn** $P = \bar D^{-1/2}(A + I)\bar D^{-1/2}$: a weighted sum over a node and its neighbours.
- **diff-gcn** $P = e^{-tL}$: diffusion for a time $t$, the same in both layers.

The others have two layers of weights, too:

- **heat-net** $\mathrm{softmax}\bigl(\mathrm{ReLU}(P M X W^0 + b^0)\,W^1 + b^1\bigr)$ with
  $P = e^{-tL}$ diffuses once; while it trains, the diagonal $M$ leaves out nodes at random in
  several passes, and to the cross-entropy is added how far the passes lie from a common answer.
- **appnp** $\mathrm{softmax}\bigl(P\,\mathrm{ReLU}(X W^0)\,W^1\bigr)$, trained on the
  cross-entropy: each of the steps of $P$ spreads as GCN's does and mixes in a fixed share of where
  it began.
- **semi-embedding** $\mathrm{softmax}\bigl(\mathrm{ReLU}(X W^0)\,W^1\bigr)$ does not spread; to the
  cross-entropy is added how far apart the hidden layer puts neighbours, and how close random pairs.

An **epoch** is one step of Adam on what the network is trained on, with dropout; the losses (the
cross-entropy) and accuracies in the charts are then those of the new weights (or of their moving
average, where that is recommended) without dropout. The weights with the lowest validation loss are
kept.

The time is learned by its logarithm, so it stays positive. Its gradient needs no more than the
diffusion itself: with $Y = e^{-tL} V$ and $G = \partial \ell / \partial Y$,

$$\frac{\partial \ell}{\partial t} = -\langle G, L\,Y\rangle .$$

Times are shown as $t\,\bar r$ with $\bar r = \sum_j \delta_j^2 / \sum_j \delta_j$, the rate at
which a walker leaves the end of a random edge ($\delta_j$ is the diagonal of $L$): the number of
jumps of a typical walker. For the normalised Laplacians $\bar r = 1$.

A run is fixed by its settings and its seed, bit for bit: pausing, a crash and resuming from the
checkpoint lead to the same weights as a run that was never interrupted.
"""

REPEATS: Final = "These lines repeat the run, bit for bit on the same kind of machine."
REPEATS_UNFINISHED: Final = (
    "These lines repeat the run up to its last epoch in the charts, bit for bit on the same kind "
    "of machine. One `training.step()` more is the epoch that it did not finish."
)

WEIGHTS_GONE: Final = (
    "The server keeps the weights of the latest runs, and those of this one have made room for "
    "others; its class probabilities are kept."
)

LOADING: Final = """\
import json
import numpy as np
import torch
from gdr_core.datasets import load_dataset
from gdr_core.neural import Training, TrainingOptions

file = np.load("weights.npz", allow_pickle=False)
run = json.loads(str(file["run"]))
dataset = load_dataset(run["dataset"], **run["load"])
training = Training(dataset, TrainingOptions(**run["options"]), run["seed"])
names = training.network.state_dict()
training.network.load_state_dict({name: torch.from_numpy(file[name]) for name in names})
probabilities = training.probabilities("current")
"""
