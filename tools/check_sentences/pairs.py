"""Compare: paired tests, gains by class, nodes that turned. SciPy's tests, and counting."""

from __future__ import annotations

from itertools import product

import numpy as np
from scipy import stats

from gdr_app.compare.findings import class_gains, figure_rows, node_pairs, run_pairs
from gdr_app.compare.methods import shared_sentence
from gdr_core.gdr import RULES, with_rule
from gdr_core.gdr.trials import Trial, trials_of
from gdr_core.laplacians import LAPLACIANS
from tools.check_sentences.oracle import solve
from tools.check_sentences.report import Report, count

_SHARED = (
    r"([\d,]+) nodes?, (?:([\d,]+) of them |none of them |not )?(fixed|broken) for "
    r"(?:both|all (\d+))\."
)


def check_shared() -> Report:
    """How many nodes turned, for every small count."""
    report = Report()
    for nodes, of in product((1, 2, 3, 1204), (2, 3, 7)):
        for everyone in {0, 1, nodes - 1, nodes}:
            text = shared_sentence(nodes, everyone, of, "fixed")
            where = f"turned {nodes} {everyone} {of}"
            read = report.read(where, text, _SHARED)
            if read is None:
                continue
            none = "none of them" in text or ", not " in text
            said = 0 if none else count(read[2]) if read[2] else nodes
            right = (count(read[1]), said, int(read[4] or 2)) == (nodes, everyone, of)
            report.claim(where, "turned", right, text)
    return report


def check(name: str) -> Report:
    """The rules on a small graph: node by node, class by class."""
    report = Report()
    data, _, base = solve(name, "projection", "combinatorial")
    results = {rule: with_rule(base, rule) for rule in RULES}
    trials = [
        trial
        for rule, result in results.items()
        for trial in trials_of(result, data, method=rule, source="here", seed=0)
    ]
    truth = data.labels
    for part in ("validation", "test"):
        members = getattr(data.split, part)
        members = members[truth[members] >= 0]
        if not members.size:
            continue
        right = {n: (r.predictions() == truth)[members] for n, r in results.items()}
        first = next(iter(results))
        for row in node_pairs(first, results, data, part).to_dict("records"):
            where = f"{name} {part} {first} and {row['Method']}"
            won = int((right[row["Method"]] & ~right[first]).sum())
            lost = int((right[first] & ~right[row["Method"]]).sum())
            chance = stats.binomtest(won, won + lost).pvalue if won + lost else 1.0
            report.sentences += 1
            report.claim(where, "won and lost", (row["Won"], row["Lost"]) == (won, lost), row)
            report.claim(
                where, "points", np.isclose(row["Points"], 100 * (won - lost) / members.size)
            )
            report.claim(where, "McNemar", np.isclose(row["p"], chance), (row, chance))
        was = (base.prior_labels == truth)[members]
        for row in class_gains(trials, part).to_dict("records"):
            for k, label in enumerate(data.class_names):
                among = truth[members] == k
                shown = row.get(label.replace("_", " "))
                report.sentences += 1
                if among.any():
                    gained = 100 * (right[row["Method"]][among].mean() - was[among].mean())
                    report.claim(f"{name} {label}", "gain by class", np.isclose(shown, gained))
        for drawn in figure_rows(trials, part):
            mean = right[drawn.name].mean()
            report.claim(name, "accuracy after", np.isclose(drawn.after.value, mean), drawn)
            report.claim(name, "told as one run", drawn.runs == "run here, 1 run", drawn.runs)
    return report


def check_runs() -> Report:
    """Paired t over invented runs: many, two, one shared run, no spread."""
    report, random = Report(), np.random.default_rng(0)
    for runs, constant in product((1, 2, 3, 10), (False, True)):
        one = random.uniform(0.6, 0.9, runs)
        other = one + (0.02 if constant else random.normal(0.01, 0.02, runs))
        trials = [
            Trial(method, "here", "random", seed, "test", "all", 10, 0.5, float(value))
            for method, values in (("a", one), ("b", other))
            for seed, value in enumerate(values)
        ]
        rows = run_pairs(trials, "a", "test").to_dict("records")
        where = f"{runs} runs, constant {constant}"
        report.sentences += 1
        report.claim(where, "a row only of several runs", bool(rows) == (runs > 1), rows)
        if rows and constant:
            report.claim(where, "the difference", np.isclose(rows[0]["Points"], 2), rows)
            blank = all(np.isnan(float(rows[0][key] or "nan")) for key in ("From", "To", "p"))
            report.claim(where, "no interval without spread", blank, rows)
        elif rows:
            found = stats.ttest_rel(other, one)
            ends = found.confidence_interval(0.95)
            said = [rows[0][key] for key in ("Points", "From", "To", "p")]
            exact = [100 * (other - one).mean(), 100 * ends.low, 100 * ends.high, found.pvalue]
            report.claim(where, "paired t", np.allclose(said, exact), (said, exact))
    report.claim("methods", "known Laplacians", "combinatorial" in LAPLACIANS)
    return report
