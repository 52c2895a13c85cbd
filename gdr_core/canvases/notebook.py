"""A dataset or a result as a live picture in a notebook, through anywidget."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from gdr_core import gate
from gdr_core.canvases.bundle import ROOM, bundle_script, bundle_style
from gdr_core.canvases.relabelling.payload import node_curves, pack_view
from gdr_core.datasets.record import Dataset
from gdr_core.extras import need
from gdr_core.gdr.result import GDRResult

if TYPE_CHECKING:
    from anywidget import AnyWidget

_HERE = ROOM / "relabelling"
_NO_NODE = -1


def view(
    dataset: Dataset,
    result: GDRResult | None = None,
    *,
    node: int | None = None,
    t_min: float | None = None,
    height: int = 520,
) -> AnyWidget:
    """The graph; with a result its relabelled nodes, a control of t_min and curves of a node.

    A click on a node draws its curves; dragging t_min, there or with the control, relabels the
    graph. The widget's `t_min_index` and `node` say what is shown, and follow when they are set.
    node    number of the node whose curves are drawn first
    t_min   in relaxation times; None: the one chosen on the validation nodes

    >>> from gdr_core import Method, load_dataset, view
    >>> club = load_dataset("karate")
    >>> result = Method.on(club, prior="uniform").run()
    >>> view(club, result, node=8).t_min_index == result.chosen
    True
    """
    need("anywidget")
    if node is not None:
        node = int(gate.node_numbers([node], "node", dataset.nodes)[0])
    index = _index(result, t_min)
    data = pack_view(dataset, result, t_min_index=index, height=height)
    made = _widget()(
        data=data,
        sheet=bundle_style(_HERE / "view.css"),
        node=_NO_NODE if node is None else node,
        t_min_index=index,
    )
    if result is not None:
        _answer(made, dataset, result)
    return made


def _index(result: GDRResult | None, t_min: float | None) -> int:
    if result is None:
        return 0
    return result.chosen if t_min is None else result.index(t_min)


def _answer(widget: Any, dataset: Dataset, result: GDRResult) -> None:
    """Send the curves of the node that is chosen, now and whenever it is another one."""

    def send(_: object = None) -> None:
        known = widget.node in range(dataset.nodes)
        widget.curves = node_curves(dataset, result, widget.node) if known else b""

    widget.observe(send, "node")
    send()


@cache
def _widget() -> type[AnyWidget]:
    """The class of the widget; made when the first one is shown, so that nothing else needs it."""
    import anywidget
    import traitlets

    class View(anywidget.AnyWidget):
        """The state that the kernel and the page share."""

        _esm = bundle_script(_HERE / "notebook.js")
        data = traitlets.Bytes().tag(sync=True)
        sheet = traitlets.Unicode().tag(sync=True)
        curves = traitlets.Bytes().tag(sync=True)
        node = traitlets.Int(_NO_NODE).tag(sync=True)
        t_min_index = traitlets.Int(0).tag(sync=True)

    return View
