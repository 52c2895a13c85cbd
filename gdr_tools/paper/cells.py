"""Which runs the tables need. A cell is one run on one dataset; tables read numbers off it."""

from __future__ import annotations

from dataclasses import dataclass

from gdr_core.datasets import DatasetChoice
from gdr_core.laplacians import DIRECTIONS, WALKS
from gdr_core.method import Method
from gdr_tools.paper import published

SEEDS = 10
_DIRECTED_DATASET = "cora-directed"
_DIRECTED_SPLITS = ("paper-directed", "public")
_EXTRA_PRIORS = ("label-propagation", "diff-gcn")


@dataclass(frozen=True)
class Cell:
    """One run.

    group       the file its result is stored in: sizes, undirected, directed or networks
    dataset, split, method   what is run; the method is a prior or a network
    direction   of the diffusion (group directed) or of the network (group networks)
    """

    group: str
    dataset: str
    split: str
    method: str
    direction: str = "undirected"

    @property
    def key(self) -> str:
        """A name that is stable over runs, under which the result is stored."""
        return "/".join((self.dataset, self.split, self.method, self.direction))

    def reclassified(self, seed: int) -> Method:
        """The prior with this seed, and GDR by the library's defaults; of two groups only."""
        undirected = self.direction == "undirected"
        return Method(
            DatasetChoice(self.dataset, self.split),
            prior=self.method,
            prior_seed=seed,
            laplacian="combinatorial" if undirected else "directed",
            direction=DIRECTIONS[0] if undirected else self.direction,
        )


def belongs(cell: Cell) -> bool:
    """Whether the paper's number of tables 4 and 5 was reached on this split.

    Their undirected columns repeat tables 2 and 3, which use the public split.
    """
    return (cell.split == "public") == (cell.direction == "undirected")


def sizes() -> list[Cell]:
    """Table 1."""
    return [Cell("sizes", name, "public", "size") for name in published.DATASETS]


def undirected() -> list[Cell]:
    """Tables 2 and 3, with two priors that the paper does not have."""
    methods = (*published.PRIORS, *_EXTRA_PRIORS)
    return [
        Cell("undirected", name, "public", method)
        for method in methods
        for name in published.DATASETS
    ]


def directed() -> list[Cell]:
    """Table 4 on the paper's own split, and on the public one."""
    return [
        Cell("directed", _DIRECTED_DATASET, split, method, direction)
        for method in published.DIRECTED_GDR
        for split in _DIRECTED_SPLITS
        for direction in WALKS[:3]
    ]


def networks() -> list[Cell]:
    """Table 5 on the paper's own split, and on the public one."""
    return [
        Cell("networks", _DIRECTED_DATASET, split, method, direction)
        for method in published.DIRECTED_NETWORKS
        for split in _DIRECTED_SPLITS
        for direction in WALKS
    ]


def of_table(table: str) -> list[Cell]:
    """The cells that a table needs; `all` gives every cell once."""
    if table == "all":
        return [*sizes(), *undirected(), *directed(), *networks()]
    return TABLES[table]()


def _networks_of_table_three() -> list[Cell]:
    return [cell for cell in undirected() if cell.method in published.NETWORKS]


TABLES = {
    "1": sizes,
    "2": undirected,
    "3": _networks_of_table_three,
    "4": directed,
    "5": networks,
}
