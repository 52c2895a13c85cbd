"""The accuracy curve of the Relabel page as a chart of its own, to read values from and to save."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from gdr_app.computing.kept import kept
from gdr_app.computing.results import parts_of, result_of
from gdr_core.gdr import GDRResult, Relabelling
from gdr_core.method import Method

if TYPE_CHECKING:
    import plotly.graph_objects as go


@kept(most=24)
def accuracy_figure(view: Method) -> go.Figure:
    """Accuracy for every t_min, drawn once for a view."""
    return drawn(result_of(view), parts_of(view))


def accuracy_file(parts: tuple[str, ...], again: Callable[[], Relabelling]) -> go.Figure:
    """The same for a file, which is made when it is asked for; see `Export`."""
    return drawn(again().result, parts)


def drawn(result: GDRResult, parts: tuple[str, ...]) -> go.Figure:
    """Accuracy on some parts of the split for every t_min."""
    from gdr_core.figures.relabel import accuracy_curve

    return accuracy_curve(result, parts)
