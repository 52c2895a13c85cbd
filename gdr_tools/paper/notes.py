"""Why a number of ours differs from the paper's: one paragraph for each visible difference.

Keys are (table, row, head) as in `board.Number`. A note is shown only where the numbers do
differ by a point or more, by a rule and in a direction that it speaks of; a difference without a
note is shown as such.
"""

from __future__ import annotations

from dataclasses import dataclass

VISIBLE = 1.0  # points of accuracy below which a difference is called small


@dataclass(frozen=True)
class Note:
    """An explanation, and which numbers it explains.

    rules   the rules it speaks of; none: it holds by every rule, and where there is no rule
    sign    1 for numbers above the paper's, -1 for those below, 0 for both
    """

    text: str
    rules: tuple[str, ...] = ()
    sign: int = 0

    def fits(self, rule: str | None, difference: float) -> bool:
        """Whether it speaks of a number read by this rule, so far from the paper's."""
        return (not self.rules or rule in self.rules) and self.sign * difference >= 0


def note_for(place: tuple[str, str, str], rule: str | None, difference: float | None) -> str:
    """The notes that fit a number, empty where there is none or the difference is small."""
    if difference is None or abs(difference) < VISIBLE:
        return ""
    found = (note.text for note in NOTES.get(place, ()) if note.fits(rule, difference))
    return " ".join(found)


_TREES = (
    "The paper gives the depth of the trees, 20, but not their number; ours are 500, where the "
    "forest no longer changes much from seed to seed."
)
WIDTH = (
    "Of kernel width and preprocessing the paper says nothing. Ours were chosen on validation "
    "nodes: a Gaussian of width 1/(features · variance) on rows that sum to one. With the older "
    "default 1/features on raw features the calibrated probabilities break down where features "
    "are small numbers: validation accuracy falls from 70.6 to 7.2 on Pubmed and from 46.8 to "
    "28.8 on Wikipedia. The paper's low numbers there look like a milder case of this."
)
_SVM_CITESEER = (
    "Five-fold calibration with 20 nodes per class is noisy; on validation nodes raw features "
    "with the older kernel width would have been two points better here and worse elsewhere. One "
    "choice serves all datasets."
)
_SVM_CORA = (
    "We did not reach this number. The prior is 0.8 points below the paper's, and its "
    "probabilities are what diffuses. Both kernels, both widths and both ways of preprocessing "
    "were compared on validation nodes (49 to 59 % before GDR); no rule reaches it: `overshoot` "
    "ends at 77.8, `peak` at 79.7, `reference` at 78.7. The published program, run on the "
    "projection prior, gives 79.5 there, so the rule is not what is missing."
)
MLP = (
    "Same architecture and epochs; which weights are kept differs: ours are those of the epoch "
    "with the lowest validation loss, and the strength of the L2 penalty, which the paper does "
    "not state, was set on validation nodes."
)
_MLP_CITESEER = (
    "Short before GDR, and therefore after it. With 3,703 features and 120 training nodes the MLP "
    "depends on its random start (spread 1.7 over seeds); penalties 5e-4 and 1e-3 differ by less "
    "on validation nodes. GDR adds twelve to thirteen points, as in the paper."
)
_RULE_WIKIPEDIA = (
    "On Wikipedia graph and classes hardly agree; `overshoot` follows the graph and loses, "
    "`reference` mostly keeps the prior, which is better here, and so inherits the stronger "
    "prior."
)
_OVERSHOOT_WIKIPEDIA = (
    "The prior is stronger (see there). On Wikipedia graph and classes hardly agree: `overshoot` "
    "follows the graph and loses against this prior, but ends above the paper's number."
)
_PEAK_WIKIPEDIA = "The prior is stronger (see there), and `peak` ends within 0.1 points of it."
_GCN_WIKIPEDIA = (
    "The paper gives two numbers for this network on Wikipedia, 39.2 in table 2 and 34.1 in table "
    "3; ours lies between them."
)
_BETTER_PRIOR = "The prior is stronger (see there), and GDR keeps the advantage."
_WINDOW = (
    "The gain comes from the time window. The slowest mode of L_dir is a small group of nodes, "
    "and one relaxation time, the paper's window, ends before labels have spread: cut there, "
    "`overshoot` on the projection reaches {short}. Validation accuracy keeps rising until about "
    "eight relaxation times, so the window for directed graphs is twenty. Only `overshoot` gains; "
    "`reference` decides at t_min by the largest p, and p is nearly flat so late."
)
_GCN_BACKWARD = (
    "We did not reach this number. Normalising the asymmetric Ā by its row sums on both sides "
    "(the paper's formula), by its column sums, by both, or by rows alone gives validation "
    "accuracies of 80.5, 78.9, 80.8 and 81.0 and test accuracies of 76.9, 74.5, 76.6 and 77.2 (5 "
    "seeds). Two ways of preprocessing, two dropout rates and three weight decays lie within 78.4 "
    "to 81.8 on validation nodes. The split is the paper's, by row order, and its validation part "
    "has 300 nodes. The table's own reading is odd: augmented, with both directions at hand, "
    "79.9."
)
_GCN_AUGMENTED = (
    "Both directions with weights of their own, as the paper describes; weights are kept at the "
    "lowest validation loss. The paper's number is hardly above its backward one."
)
_DIFF_BACKWARD = (
    "Normalised L_dir, averaged weights and 300 epochs: diffusion with teleportation shrinks the "
    "signal, so that training at the usual settings is far from converged after 200 epochs."
)
_PLANETOID = (
    "Our implementation keeps the round with the best validation accuracy and hides embeddings at "
    "random while training, so that features and embeddings both learn; the original trains for a "
    "fixed number of rounds."
)

_SHORT_WINDOW = {"forward": "68.0", "backward": "70.5"}

OVERSHOOT, PEAK, REFERENCE = ("overshoot",), ("peak",), ("reference",)
_STRONGER = (Note(_BETTER_PRIOR, sign=1),)
FOREST = (Note(_TREES),)
_PERCEPTRON = (Note(MLP),)
_SHORT_PERCEPTRON = (Note(_MLP_CITESEER, sign=-1),)
_KERNEL = (Note(WIDTH, sign=1),)
_SVM_SHORT = (Note(_SVM_CORA, sign=-1),)
EMBEDDED = (Note(_PLANETOID),)
_TWO_NUMBERS = (Note(_GCN_WIKIPEDIA),)
_ON_WIKIPEDIA = (
    Note(_OVERSHOOT_WIKIPEDIA, OVERSHOOT, 1),
    Note(_PEAK_WIKIPEDIA, PEAK, 1),
    Note(_RULE_WIKIPEDIA, REFERENCE, 1),
)

NOTES: dict[tuple[str, str, str], tuple[Note, ...]] = {
    ("2 prior", "random-forest", "citeseer"): FOREST,
    ("2 prior", "random-forest", "cora"): FOREST,
    ("2 prior", "random-forest", "pubmed"): FOREST,
    ("2 prior", "svm", "citeseer"): (Note(_SVM_CITESEER, sign=-1),),
    ("2 prior", "svm", "pubmed"): _KERNEL,
    ("2 prior", "svm", "wikipedia"): _KERNEL,
    ("2 prior", "mlp", "citeseer"): _SHORT_PERCEPTRON,
    ("2 prior", "mlp", "pubmed"): _PERCEPTRON,
    ("2 prior", "mlp", "wikipedia"): _PERCEPTRON,
    ("2 prior", "planetoid", "citeseer"): EMBEDDED,
    ("2 prior", "planetoid", "cora"): EMBEDDED,
    ("2 prior", "planetoid", "pubmed"): EMBEDDED,
    ("2 prior", "gcn", "wikipedia"): _TWO_NUMBERS,
    ("2 GDR", "random-forest", "cora"): _STRONGER,
    ("2 GDR", "random-forest", "pubmed"): _STRONGER,
    ("2 GDR", "svm", "cora"): _SVM_SHORT,
    ("2 GDR", "svm", "pubmed"): _STRONGER,
    ("2 GDR", "svm", "wikipedia"): _ON_WIKIPEDIA,
    ("2 GDR", "mlp", "citeseer"): _SHORT_PERCEPTRON,
    ("2 GDR", "mlp", "pubmed"): _STRONGER,
    ("2 GDR", "mlp", "wikipedia"): _ON_WIKIPEDIA,
    ("3", "gcn", "wikipedia"): _TWO_NUMBERS,
    **{
        ("4", method, f"{direction}, paper-directed split"): (
            Note(_WINDOW.format(short=short), OVERSHOOT, 1),
        )
        for method in ("projection", "random-forest", "svm", "mlp")
        for direction, short in _SHORT_WINDOW.items()
    },
    ("4", "random-forest", "undirected, public split"): FOREST,
    ("4", "svm", "undirected, public split"): _SVM_SHORT,
    ("5", "gcn", "backward, paper-directed split"): (Note(_GCN_BACKWARD, sign=-1),),
    ("5", "gcn", "augmented, paper-directed split"): (Note(_GCN_AUGMENTED, sign=1),),
    ("5", "diff-gcn", "backward, paper-directed split"): (Note(_DIFF_BACKWARD, sign=1),),
}
