"""Made-up texts: features that tell a chosen part of the truth about the classes."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

_WORDS_OF_CLASS = 8
_DRAWS = 6


def class_words(
    labels: np.ndarray, classes: int, signal: float, seed: int = 0, draws: int = _DRAWS
) -> sp.csr_array:
    """A bag of words for every node: 1 where the node has the word, shape (nodes, words).

    Every class owns eight words. A node draws `draws` words: each with probability
    `signal` from the words of its own class, else from all words alike. With signal 0 features
    say nothing about the class, with signal 1 they never err. Nodes of unknown class (-1) draw
    from all words.
    """
    if not 0 <= signal <= 1:
        raise ValueError(f"feature_signal must lie between 0 and 1, got {signal}")
    generator = np.random.default_rng(seed)
    labels = np.asarray(labels)
    shape = (labels.size, draws)
    own = labels[:, None] * _WORDS_OF_CLASS + generator.integers(_WORDS_OF_CLASS, size=shape)
    anywhere = generator.integers(classes * _WORDS_OF_CLASS, size=shape)
    heeds = (generator.random(shape) < signal) & (labels[:, None] >= 0)
    nodes = np.repeat(np.arange(labels.size), draws)
    drawn = np.where(heeds, own, anywhere).ravel()
    counts = sp.csr_array(
        (np.ones(drawn.size), (nodes, drawn)), shape=(labels.size, classes * _WORDS_OF_CLASS)
    )
    counts.data[:] = 1.0
    return counts
