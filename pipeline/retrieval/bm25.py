"""Lexical ranking: BM25 on postings, and the best rows of a score."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.base.arrow.columns import FloatArray, IntArray

K1 = 1.2
B = 0.75
"""Saturation of a word's count and the weight of a text's length, as in Robertson and Zaragoza (2009), section 3.3."""

EACH = 32
"""Scores of which the best alone is looked at first, where the best few of many are sought."""


class Bm25:
    """Ranks texts by the words they share with a question (Robertson and Zaragoza, 2009).

    Postings are given word by word: ``texts[offsets[w]:offsets[w + 1]]`` are the rows that hold word ``w``, each once and
    ascending, ``counts`` how often. ``lengths`` is the number of words of each text.
    """

    def __init__(self, offsets: IntArray, texts: NDArray[Any], counts: NDArray[Any], lengths: NDArray[Any]) -> None:
        self.offsets, self.texts, self.counts, self.lengths = offsets, texts, counts, lengths
        self.n_texts = len(lengths)
        self.mean_length = max(1.0, float(lengths.mean())) if len(lengths) else 1.0

    def spread(self, words: Any) -> Any:
        """Number of texts that hold each word."""
        return self.offsets[np.asarray(words) + 1] - self.offsets[words]

    def idf(self, words: Any) -> Any:
        """Rarity of each word, above 0."""
        return rarity(self.spread(words), self.n_texts)

    def scores(self, question: Iterable[int]) -> FloatArray:
        """Score of every text for a question given as word rows; a word that is repeated counts as often."""
        found = np.zeros(self.n_texts)
        for word in question:
            texts, counts = self.holders(word)
            found[texts] += self.idf(word) * (K1 + 1) * self.saturated(texts, counts)
        return found

    def shares(self, words: Iterable[int], texts: IntArray) -> FloatArray:
        """How fully some texts say what any of some words says, 0 to below 1: the saturated count of them together."""
        counts = np.zeros(len(texts))
        for word in words:
            holders, times = self.holders(word)
            if len(holders):
                places = places_of(texts, holders)
                counts += np.where(holders[places] == texts, times[places], 0)
        return self.saturated(texts, counts)

    def holders(self, word: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """The texts that hold a word, and how often each does."""
        here = slice(int(self.offsets[word]), int(self.offsets[word + 1]))
        return self.texts[here], self.counts[here]

    def holders_of_any(self, words: Sequence[int]) -> tuple[NDArray[Any], NDArray[Any]]:
        """The texts that hold one of some words, in any order, and how often they hold them together."""
        *rare, common = sorted(words, key=lambda word: int(self.spread(word)))
        texts, counts = self.holders(common)
        if not rare:
            return texts, counts
        others, places = np.unique(np.concatenate([self.holders(word)[0] for word in rare]), return_inverse=True)
        times = np.bincount(places, np.concatenate([self.holders(word)[1] for word in rare]), len(others))
        at = places_of(others, texts)
        both = texts[at] == others
        counts = counts.astype(np.float64)
        counts[at[both]] += times[both]
        return np.concatenate([texts, others[~both]]), np.concatenate([counts, times[~both]])

    def saturated(self, texts: NDArray[Any], counts: NDArray[Any]) -> FloatArray:
        """Counts of a word in texts, from 0 to below 1: each more occurrence adds less, and less in a long text."""
        return np.asarray(counts / (counts + K1 * (1 - B + B / self.mean_length * self.lengths[texts])))


def is_in(values: IntArray, ascending: IntArray) -> NDArray[np.bool_]:
    """Which values are in an ascending array."""
    if not len(ascending):
        return np.zeros(len(values), dtype=bool)
    return np.asarray(ascending[places_of(values, ascending)] == values)


def places_of(values: NDArray[Any], ascending: NDArray[Any]) -> IntArray:
    """Where values are in an ascending array, if they are in it; values of another type would have the whole array copied."""
    return np.minimum(np.searchsorted(ascending, values.astype(ascending.dtype, copy=False)), len(ascending) - 1)


def rarity(spread: Any, n_texts: int) -> Any:
    """The idf of BM25 of words that so many texts hold."""
    return np.log1p((n_texts - spread + 0.5) / (spread + 0.5))


def best(scores: NDArray[Any], k: int) -> IntArray:
    """Rows of the ``k`` highest scores above 0, best first, ties by row."""
    least, width = np.finfo(np.float64).tiny, len(scores) // EACH  # a plain float would be 0 beside scores of 32 bits
    if width > k:  # the k-th of the best of each column is no better than the k-th of all
        least = max(least, np.float64(kth_best(scores[: EACH * width].reshape(EACH, width).max(axis=0), k)))
    rows = np.flatnonzero(scores >= least)
    if len(rows) > k:
        rows = rows[scores[rows] >= kth_best(scores[rows], k)]
    return rows[np.argsort(-scores[rows], kind="stable")][:k]


def kth_best(scores: NDArray[Any], k: int) -> float:
    """The ``k``-th best of some scores; 0 where there are fewer."""
    return float(np.partition(scores, len(scores) - k)[len(scores) - k]) if len(scores) >= k else 0.0
