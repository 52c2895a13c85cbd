"""How sure reclassification is: shares of overshoots, and probabilities that mean what they say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gdr_app.computing.kept import kept
from gdr_app.computing.results import result_of
from gdr_app.wording import counted, plain, readable
from gdr_core.datasets import Dataset
from gdr_core.gdr.confidence import Confidence, confidence
from gdr_core.method import Method

if TYPE_CHECKING:
    import plotly.graph_objects as go

RAW: Final = "raw shares"
CALIBRATED: Final = "calibrated"
ALT: Final = "Share of right validation nodes against confidence, as raw shares and calibrated."


@kept(most=8)
def confidence_at(view: Method, index: int) -> Confidence:
    """Raw and calibrated confidence of all nodes at a t_min; no test class is read."""
    return confidence(result_of(view), index)


def reliability_figure(found: Confidence) -> go.Figure:
    """Both against the truth of the validation nodes."""
    from gdr_core.figures.prior import reliability_curves

    return reliability_curves({RAW: found.before, CALIBRATED: found.held_out})


def error_sentence(found: Confidence) -> str:
    """How far confidence and accuracy lie apart, before and after calibration."""
    if not found.held_out.nodes.size:
        few = counted(found.calibration.nodes, "validation node")
        return f"Not judged: {few} of known class cannot fit a temperature and judge it."
    before, after = (100 * each.error for each in (found.before, found.held_out))
    return (
        f"On {counted(found.calibration.nodes, 'validation node')} confidence and accuracy lie "
        f"**{before:.1f} points** apart as raw shares and **{after:.1f} points** once calibrated "
        "(expected calibration error; each half of the nodes is judged by what the other half "
        "fitted)."
    )


def node_sentence(graph: Dataset, found: Confidence, label: int, node: int) -> str:
    """The confidence in the label of one node."""
    name = f"**Node {plain(graph.node_names[node])}**"
    if node in graph.split.train:
        return f"{name} is a training node: its class is known."
    share, sure = found.shares[node, label], found.probabilities[node, label]
    said = f"{name}, *{plain(readable(graph.class_names[label]))}*: share **{share:.0%}**"
    return f"{said}, calibrated **{sure:.0%}**." if found.calibration.enough else f"{said}."


def meaning(found: Confidence) -> str:
    """What the two numbers are, and of which classes the second knows nothing."""
    return f"{SHARE} {FITTED if found.calibration.enough else UNFITTED} {found.doubt}".rstrip()


SHARE: Final = (
    "The **share** of a class is its part of all overshoots at the node, or the prior's "
    "probability where no class overshoots or the prior is kept; the label's class has the "
    "largest. It promises nothing."
)
FITTED: Final = (
    "Two numbers that are fitted on the validation nodes, a temperature and a part that is first "
    "shared out evenly, turn shares into **calibrated** probabilities: of nodes with 80%, about "
    "80% should be right. Labels stay as they are."
)
UNFITTED: Final = "There are too few validation nodes to turn it into a calibrated probability."
