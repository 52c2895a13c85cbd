"""The figures hold the numbers they claim to show; the palette can be told apart by everyone."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from gdr_core import datasets
from gdr_core.figures import palette
from gdr_core.figures.dataset import class_balance, component_distribution, degree_distribution
from gdr_core.graphs import statistics

NAMES = ("cora", "citeseer", "karate", "star", "directed-ring", "sbm")
# Machado, Oliveira and Fernandes (2009), full severity, on linear RGB.
SIGHT = {
    "normal": np.eye(3),
    "red-blind": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "green-blind": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
}


def linear(colour: str) -> np.ndarray:
    parts = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def oklab(rgb: np.ndarray) -> np.ndarray:
    """Björn Ottosson's Oklab: distances in it are close to how different colours look."""
    cones = np.array(
        [
            [0.4122214708, 0.5363325363, 0.0514459929],
            [0.2119034982, 0.6806995451, 0.1073969566],
            [0.0883024619, 0.2817188376, 0.6299787005],
        ]
    )
    opponents = np.array(
        [
            [0.2104542553, 0.7936177850, -0.0040720468],
            [1.9779984951, -2.4285922050, 0.4505937099],
            [0.0259040371, 0.7827717662, -0.8086757660],
        ]
    )
    return opponents @ np.cbrt(cones @ np.clip(rgb, 0, 1))


@pytest.mark.parametrize("sight", SIGHT)
def test_all_class_colours_stay_apart(sight):
    places = [oklab(SIGHT[sight] @ linear(colour)) for colour in palette.CLASS_COLOURS]
    assert min(np.linalg.norm(a - b) for a, b in combinations(places, 2)) > 0.07


def test_colours_repeat_only_after_twelve_and_the_unknown_is_neutral():
    assert len(set(palette.class_colours(12))) == 12
    assert palette.class_colours(13)[12] == palette.class_colours(1)[0]
    assert palette.colour_of(-1) == palette.UNKNOWN_COLOUR
    assert palette.UNKNOWN_COLOUR not in palette.CLASS_COLOURS


@pytest.mark.parametrize("name", NAMES)
def test_bars_of_the_class_balance_sum_to_the_labelled_nodes(name):
    graph = datasets.load_dataset(name)
    bars = [bar for bar in class_balance(graph).data if bar.x[0] is not None]
    assert sum(np.sum(bar.x) for bar in bars) == (graph.labels >= 0).sum()
    train = next(bar for bar in bars if bar.name == "train")
    assert np.sum(train.x) == graph.split.train.size
    assert len(set(train.marker.color)) == graph.classes


@pytest.mark.parametrize("name", NAMES)
def test_degree_distribution_shows_every_linked_node(name):
    graph = datasets.load_dataset(name)
    figure = degree_distribution(graph)
    assert np.sum(figure.data[0].y) >= (statistics.degrees(graph) > 0).sum()
    assert np.dot(figure.data[0].x, figure.data[0].y) == statistics.degrees(graph).sum()


def test_hubs_make_the_axes_logarithmic_and_isolated_nodes_are_mentioned():
    figure = degree_distribution(datasets.load_dataset("citeseer"))
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "log"
    assert "48 nodes" in figure.layout.annotations[0].text
    assert degree_distribution(datasets.load_dataset("karate")).layout.xaxis.type is None


def test_components_are_ranked_by_size():
    bars = component_distribution(datasets.load_dataset("cora")).data[0]
    assert len(bars.y) == 78
    assert np.sum(bars.y) == 2708
    assert (np.diff(bars.y) <= 0).all()


@pytest.mark.parametrize("draw", [class_balance, degree_distribution, component_distribution])
def test_every_figure_has_a_title_units_and_no_background(draw):
    layout = draw(datasets.load_dataset("cora")).layout
    assert layout.title.text
    assert layout.xaxis.title.text
    assert layout.paper_bgcolor == layout.plot_bgcolor == "rgba(0,0,0,0)"
