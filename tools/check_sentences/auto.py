"""What auto has chosen and why: every way counted again, and the bar by SciPy's binomial test."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
from scipy import stats

from gdr_core.gdr import RULES, GDRResult
from gdr_core.method import Method
from tools.check_sentences.oracle import PRIORS
from tools.check_sentences.report import Report
from tools.check_sentences.trust import COUNTED, check_verdict

FEWEST, RISK = 20, 0.05
_WAY = r"(\w+) on the ([\w-]+) Laplacian"
RANK = (
    r"(the best of|one of the (\d+) best of|one of) (\d+) (?:equally good )?ways by the validation "
    r"nodes"
)
UNSEEN = (
    r" (\d+) of (\d+) classes (has|have) no validation node: the choice knows nothing of "
    r"(it|them)\."
)
FORMS = {
    "few": rf"Too few validation nodes to choose by: {_WAY}, as usual\. (.+)",
    "left": rf"Reclassified by {_WAY}, {RANK}\. (.+)",
    "though": rf"The prior is kept, though {_WAY} is {RANK}: (.+) That would do for one way alone, "
    r"but the best of \d+ has to be surer\.",
    "kept": rf"The prior is kept: {_WAY} is {RANK}(, but the prior may be as good)?\. (.+)",
}


def check(name: str) -> Report:
    """The sentence for several priors."""
    report = Report()
    for prior in PRIORS:
        _check(report, Method.on(name, prior=prior, auto=True), f"{name} {prior}")
    return report


def _check(report: Report, method: Method, where: str) -> None:
    data = method.load_dataset()
    scores = method.compute_prior(data)
    text = method.choose(data, scores).sentence
    runs = {}
    for name, way in method.ways.items():
        made = way.make_laplacian(data)
        for rule in RULES:
            runs[rule, name] = replace(way, rule=rule).reclassify(data, scores, made)
    members = data.split.validation
    members = members[data.labels[members] >= 0]
    text = _without_unseen(report, where, text, data.labels[members], data.classes)
    form = next((key for key, form in FORMS.items() if re.fullmatch(form, text)), "")
    report.claim(where, "a form of sentence", bool(form), text)
    read = report.read(where, text, FORMS.get(form, ".*"))
    if read is None or not form:
        return
    chosen = runs[read[1], read[2]]
    fixed, broken = _moved(chosen, members)
    report.claim(where, "few", (form == "few") == (members.size < FEWEST), text)
    if form == "few":
        report.claim(where, "usual way", (read[1], read[2]) == next(iter(runs)), text)
        report += check_verdict(read[3], members.size, fixed, broken, where)
        return
    merits = {way: _merit(result, members) for way, result in runs.items()}
    best = max(merits.values())
    equal = sum(merit >= best - 1e-9 for merit in merits.values())
    report.claim(where, "best way", merits[read[1], read[2]] >= best - 1e-9, (text, merits))
    said = {"the best of": 1, "one of": int(read[5])}.get(read[3]) or int(read[4] or 0)
    report.claim(where, "equally good", (said, int(read[5])) == (equal, len(runs)), (text, merits))
    chance = stats.binomtest(fixed, fixed + broken, alternative="greater").pvalue if fixed else 1.0
    report.claim(where, "bar", (form == "left") == (chance <= RISK / len(runs)), (text, chance))
    if form == "though":
        counts = re.fullmatch(COUNTED, read[6])
        report.claim(where, "counted", counts is not None, text)
        alone = stats.binomtest(fixed, fixed + broken).proportion_ci(0.95, method="exact")
        report.claim(where, "enough for one", alone.low > 0.5, (text, alone))
        if counts is not None:
            report.claim(where, "counts", (counts[2], counts[3]) == (f"{fixed:,}", f"{broken:,}"))
        return
    report += check_verdict(read[read.re.groups], members.size, fixed, broken, where)


def _without_unseen(report: Report, where: str, text: str, known: np.ndarray, classes: int) -> str:
    """The sentence without what it says of classes that have no validation node."""
    unseen = classes - np.unique(known).size if known.size >= FEWEST else 0
    said = re.search(UNSEEN + "$", text)
    report.claim(where, "unseen classes", (said is not None) == (unseen > 0), text)
    if said is None:
        return text
    words = ("has", "it") if unseen == 1 else ("have", "them")
    told = int(said[1]), int(said[2]), said[3], said[4]
    report.claim(where, "how many unseen", told == (unseen, classes, *words), text)
    return text[: said.start()]


def _moved(result: GDRResult, members: np.ndarray) -> tuple[int, int]:
    """How many of the members were fixed and broken at the chosen t_min."""
    right = result.scan.predicted[result.chosen] == result.truth
    was = result.prior_labels == result.truth
    return int((right & ~was)[members].sum()), int((was & ~right)[members].sum())


def _merit(result: GDRResult, members: np.ndarray) -> float:
    """Accuracy on the members, averaged over the times up to a factor √2 from the chosen one."""
    ratio = result.times / result.times[result.chosen]
    near = (ratio >= 2**-0.5 * (1 - 1e-12)) & (ratio <= 2**0.5 * (1 + 1e-12))
    return float((result.scan.predicted[near][:, members] == result.truth[members]).mean())
