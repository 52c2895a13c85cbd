"""How sure reclassification is: shares of overshoots, and probabilities that mean what they say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gdr_app.computing.kept import kept
from gdr_app.computing.results import result_of
from gdr_app.wording import counted, plain, readable
from gdr_core.datasets import Dataset
from gdr_core.gdr.automatic import DEFAULT_RULE
from gdr_core.gdr.confidence import Confidence, confidence
from gdr_core.method import Method

if TYPE_CHECKING:
    import plotly.graph_objects as go

_RAW: Final = "raw shares"
_CALIBRATED: Final = "calibrated"
ALT: Final = "Share of validation nodes that are right, against the confidence in their labels."


@kept(most=8)
def confidence_at(view: Method, index: int) -> Confidence:
    """Raw and calibrated confidence of all nodes at a t_min; no test class is read."""
    return confidence(result_of(view), index)


def reliability_figure(found: Confidence) -> go.Figure:
    """Both against the truth of the validation nodes."""
    from gdr_core.figures.prior import reliability_curves

    return reliability_curves({_RAW: found.before, _CALIBRATED: found.held_out})


def error_sentence(found: Confidence) -> str:
    """How far confidence and accuracy lie apart, before and after calibration."""
    if not found.held_out.nodes.size:
        return f"The error is not measured: {_too_few(found.calibration.nodes)}."
    before, after = (100 * each.error for each in (found.before, found.held_out))
    return (
        f"On {counted(found.calibration.nodes, 'validation node')} confidence and accuracy lie "
        f"**{before:.1f} points** apart as raw shares and **{after:.1f} points** once calibrated "
        "(expected calibration error; for each half of these nodes the calibration was fitted on "
        "the other half)."
    )


def _too_few(nodes: int) -> str:
    """Why a calibration cannot be judged on nodes that it was not fitted on."""
    if not nodes:
        return "no validation node has a known class"
    return (
        f"{counted(nodes, 'validation node')} of known class {'is' if nodes == 1 else 'are'} too "
        "few to fit the calibration on one half and judge it on the other"
    )


def node_sentence(graph: Dataset, found: Confidence, label: int, node: int) -> str:
    """The confidence in the label of one node."""
    name = f"**Node {plain(graph.node_names[node])}**"
    if node in graph.split.train:
        return f"{name} is a training node: its class is known."
    share, sure = found.shares[node, label], found.probabilities[node, label]
    said = f"{name}, *{plain(readable(graph.class_names[label]))}*: share **{share:.0%}**"
    return f"{said}, calibrated **{sure:.0%}**." if found.calibration.enough else f"{said}."


def meaning(view: Method, found: Confidence) -> str:
    """What the two numbers are, and of which classes the second knows nothing."""
    share = KEPT if view.keeps_prior else SHARE
    if not view.keeps_prior and view.rule != DEFAULT_RULE:
        share = f"{SHARE} {_EXCHANGED.format(rule=view.rule)}"
    fitted = _FITTED if found.calibration.enough else _UNFITTED
    return f"{share} {_NO_PROBABILITY} {fitted} {found.doubt}".rstrip()


SHARE: Final = (
    "The **share** of a class is its part of all overshoots at the node; where no class "
    "overshoots, it is the prior's probability."
)
KEPT: Final = "Since auto keeps the prior, the **share** of a class is the prior's probability."
_EXCHANGED: Final = (
    "The rule *{rule}* can choose another class than the one that overshoots most: then these two "
    "exchange their shares, so that the label's class has the largest."
)
_NO_PROBABILITY: Final = "It does not say how often such labels are right."
_FITTED: Final = (
    "**Calibrated** probabilities should: of nodes with 80%, about 80% should be right. They are "
    "made from the shares with two numbers that are fitted on the validation nodes: a part that is "
    "first divided evenly between the classes, and a temperature. No label changes."
)
_UNFITTED: Final = "There are too few validation nodes to turn it into a calibrated probability."
