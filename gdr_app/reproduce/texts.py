"""The longer texts of the Reproduce page."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Final

from gdr_app.wording import points
from gdr_tools.paper.gains import Gain

INTRODUCTION: Final = """
Orange numbers lie below the paper's, blue ones above; an accuracy counts as reaching the paper if
it is at most a point below. Point at a number for its settings, click it to see every seed beside
the table and to run it again, here and now. These are accuracies on test nodes, the paper's and
stored ones: this page shows them whether test is hidden or not.
"""

TERMS: Final = (
    "GDR",
    "prior",
    "rule",
    "overshoot",
    "t_min",
    "relaxation time",
    "Laplacian",
    "π",
    "split",
    "seed",
    "epoch",
    "gain",
    "homophily",
)

LEGEND: Final = """
<p style="margin:0;display:flex;flex-wrap:wrap;gap:0.3rem 1.2rem;align-items:baseline">
<span><strong>79.0 ± 0.2</strong> ours: mean and standard deviation over seeds</span>
<span>below it: the paper's number and the difference</span>
<span><span style="background:rgba(0,114,178,0.4);padding:0 0.5em">▲ +</span> above the paper</span>
<span><span style="background:rgba(213,94,0,0.4);padding:0 0.5em">▼ −</span> below it</span>
<span>deepest: five points or more, for counts five percent</span>
<span>grey: less than 0.2 away; no colour: one of the two is missing</span></p>
"""

_GAIN: Final = """
Above the dashed line the graph helps.{counted} Triangles point along (▶) or against (◀) the
arrows of Cora, open diamonds are the paper's numbers, bars the standard deviation over seeds.
"""
_COUNTED: Final = (
    " At {helped} of {all} marks it helps. The half with the weaker priors gains {weak} points on "
    "average, the other half {strong}."
)


def gain_text(gains: Sequence[Gain]) -> str:
    """What the chart of gains shows, with its numbers.

    >>> "average" in gain_text([])
    False
    """
    if len(gains) < 2:
        return _GAIN.format(counted="")
    ranked = sorted((gain.before, gain.gain) for gain in gains)
    half = len(ranked) // 2
    weak, strong = (
        points(fmean(gain for _, gain in part) / 100) for part in (ranked[:half], ranked[half:])
    )
    helped = sum(gain.gain > 0 for gain in gains)
    said = _COUNTED.format(helped=helped, all=len(gains), weak=weak, strong=strong)
    return _GAIN.format(counted=said)


MATHEMATICS: Final = r"""
**Accuracy** is the share of test nodes with the right label. With $a_s$ the accuracy of seed $s$
and $n$ seeds the tables show the mean $\bar a = \frac1n \sum_s a_s$ and the spread
$\sqrt{\frac1{n-1} \sum_s (a_s - \bar a)^2}$; one run where nothing is random. The **difference** is
$\bar a$ minus the paper's number, the **gain** is the accuracy after GDR minus that of the prior.

**What each label is used for.** Training labels enter priors, networks and the start of the
diffusion; validation labels choose $t_{\min}$ and the epoch whose weights are kept; test labels
choose nothing. $t_{\min}$ is the one of 200 times with the best validation accuracy, averaged over
times up to a factor $\sqrt2$ away.

**Rules.** With $\Omega_c = \max_{t \ge t_{\min}} p_c(t) - \pi_c$: `overshoot` takes the class with
the largest $\Omega_c > 0$, `peak` of the classes with $\Omega_c > 0$ the one with the highest
$\max_{t \ge t_{\min}} p_c(t)$, both keep the prior's label where there is none; `reference` takes
$\arg\max_c p_c(t_{\min})$ unless every class overshoots, and `peak` there. The paper's equations
are `overshoot`, its published code does `reference`.

**The same number again.** A live run repeats the stored protocol with the seeds 0, 1, … and is
compared with the stored run of the same seed. Stored files are never changed by this page.
"""
