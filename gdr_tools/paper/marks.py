"""The paper's numbers beside those of a view: only where dataset, split and graph are the same."""

from __future__ import annotations

from gdr_tools.paper import published


def printed(dataset: str, split: str, prior: str) -> tuple[float | None, float | None]:
    """The paper's test accuracies of a prior before and after GDR, as shares; None if not printed.

    Table 2 belongs to the public split of the undirected graphs.
    """
    if split != "public" or dataset not in published.DATASETS:
        return None, None
    column = published.DATASETS.index(dataset)
    before, after = (
        table[prior][column] if prior in table else None
        for table in (published.PRIORS, published.GDR)
    )
    return _share(before), _share(after)


def _share(percent: float | None) -> float | None:
    return None if percent is None else percent / 100
