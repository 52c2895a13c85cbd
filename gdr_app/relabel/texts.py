"""The longer texts of the Relabel page."""

from __future__ import annotations

from typing import Final

from gdr_app.wording import counted
from gdr_core.explanation.quantities import shown
from gdr_core.gdr import RULES, GDRResult
from gdr_core.gdr.rules import Rule

_RELABEL_INTRODUCTION: Final = """
{how} Training nodes keep their class. Drag **t_min**, or press play, and watch the marked nodes:
the label changes at {at_zero} for t_min = 0, at {chosen} for {which}, {t_min}, and at {at_end} at
the end of the time window.
"""
_KEPT: Final = """
**auto keeps the prior**: every node keeps the label that the prior gives it, at every t_min; the
sidebar says why. The curves still show how beliefs spread. To see which nodes would change their
label, choose rule and Laplacian yourself.
"""
_NO_CHOICE: Final = "a usual t_min, since no validation node can choose one"


def relabel_introduction(result: GDRResult) -> str:
    """What t_min does, with the numbers of this dataset and method."""
    if result.keeps_prior:
        return _KEPT
    moved = result.scan.relabelled
    return _RELABEL_INTRODUCTION.format(
        how=_how_labelled(result.options.rule),
        at_zero=counted(int(moved[0]), "node"),
        chosen=f"{moved[result.chosen]:,}",
        which="the t_min that GDR chose" if result.split.validation.size else _NO_CHOICE,
        t_min=shown(float(result.relative_times[result.chosen])),
        at_end=f"{moved[-1]:,}",
    )


def _how_labelled(name: str) -> str:
    """What a rule does, as its own record says it."""
    rule = RULES[name]
    stays = f"; where {rule.keeping}, the prior's label stays"
    kept = stays if rule.keeping != Rule.keeping else ""
    return f"Labels are read by the rule *{name}*: {rule.meaning}{kept}."


RELABEL_MATHEMATICS: Final = r"""
Beliefs spread along the links, $p(t) = e^{-tL} \mathcal H$, where $\mathcal H$ is the prior and $L$
the Laplacian. They are compared with $\pi$, by default the stationary state of the whole graph;
they end at the stationary state of each connected component, which is the same only in a connected
graph. From $t_{\min}$ on, class $c$ **overshoots** at node $j$ by

$$\Omega_{jc}(t_{\min}) = \max\bigl(0, \max_{t \ge t_{\min}} p_{jc}(t) - \pi_{jc}\bigr).$$

its **overshoot height**. By the rule **overshoot** the new label is $\arg\max_c \Omega_{jc}$, and
the prior's label where no class overshoots. By the rule **peak** it is, of the classes that
overshoot, the one with the highest $p$. The rule **reference** takes the largest
$p_{jc}(t_{\min})$, unless every class overshoots. Training nodes keep their class.

The **margin** is the difference between the two largest values of $\max_{t \ge t_{\min}} p -
\pi$. In the card, $p_{jc}(t) = \sum_i (e^{-tL})_{ji} \mathcal H_{ic}$ is split into its terms: the
**share** of source $i$ is its term divided by the sum.

Times are given in relaxation times $1/\lambda_2$, where $\lambda_2$ is the smallest positive
eigenvalue of $L$ on the largest component.
"""
