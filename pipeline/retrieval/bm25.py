"""Lexical ranking: BM25 on postings, over words and over stems, the best rows of a score, and reciprocal rank fusion."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

K1 = 1.2
B = 0.75
"""Saturation of a word's count and the weight of a text's length, as in Robertson and Zaragoza (2009), section 3.3."""
RANK = 60
"""The k of reciprocal rank fusion, as in Cormack, Clarke and Buettcher (SIGIR 2009)."""

EXACT = 0.65
"""Share of a word as it is written in a score, its stem has the rest."""

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Stem(NamedTuple):
    """A stem of a question: the rows of its words in the corpus, and its rarity."""

    words: Sequence[int]
    idf: float


class Bm25:
    """Ranks texts by the words they share with a question (Robertson and Zaragoza, 2009).

    Postings are given word by word: ``texts[offsets[w]:offsets[w + 1]]`` are the rows that hold word ``w``, each once,
    ``counts`` how often. ``lengths`` is the number of words of each text.
    """

    def __init__(self, offsets: Ints, texts: Ints, counts: Ints, lengths: Ints) -> None:
        self.offsets, self.texts, self.counts, self.n_texts = offsets, texts, counts, len(lengths)
        self.spread: Ints = np.diff(offsets)
        self.idf: Floats = np.log1p((self.n_texts - self.spread + 0.5) / (self.spread + 0.5))
        mean = max(1.0, float(lengths.mean())) if len(lengths) else 1.0
        self._length: Floats = np.asarray(K1 * (1 - B + B * lengths / mean), dtype=np.float64)

    def scores(self, question: Iterable[int]) -> Floats:
        """Score of every text for a question given as word rows; a word that is repeated counts as often."""
        found = np.zeros(self.n_texts)
        for word in question:
            texts, counts = self._holders(word)
            found[texts] += self._saturated(texts, counts, self.idf[word])
        return found

    def scores_by_stems(self, words: Collection[int], stems: Iterable[Stem]) -> Floats:
        """Scores for the words as they are and for their stems, each counted once.

        Stems find other forms of a word; words as they are keep a passage that says the very same in front of it.
        """
        found, exact = np.zeros(self.n_texts), set(words)
        for stem in stems:
            if len(stem.words) == 1:
                texts, counts = self._holders(stem.words[0])
            else:
                every = np.zeros(self.n_texts)
                for word in stem.words:
                    texts, counts = self._holders(word)
                    every[texts] += counts
                texts = np.flatnonzero(every)
                counts = every[texts]
            found[texts] += (1 - EXACT) * self._saturated(texts, counts, stem.idf)
        for word in sorted(exact):
            texts, counts = self._holders(word)
            found[texts] += EXACT * self._saturated(texts, counts, self.idf[word])
        return found

    def shares(self, words: Iterable[int], texts: Ints) -> Floats:
        """How fully some texts say what any of some words says, 0 to below 1: the saturated count of them together."""
        counts = np.zeros(len(texts))
        for word in words:
            held, times = self._holders(word)
            if len(held):
                places = np.minimum(np.searchsorted(held, texts), len(held) - 1)
                counts += np.where(held[places] == texts, times[places], 0)
        return np.asarray(counts / (counts + self._length[texts]))

    def _holders(self, word: int) -> tuple[Ints, NDArray[Any]]:
        here = slice(int(self.offsets[word]), int(self.offsets[word + 1]))
        return self.texts[here], self.counts[here]

    def _saturated(self, texts: Ints, counts: NDArray[Any], idf: float) -> Floats:
        return np.asarray(idf * (K1 + 1) * counts / (counts + self._length[texts]))


def best(scores: NDArray[Any], k: int) -> Ints:
    """Rows of the ``k`` highest scores above 0, best first, ties by row."""
    if k < len(scores):
        least = np.partition(scores, len(scores) - k)[len(scores) - k]
        rows = np.flatnonzero(scores >= max(least, np.finfo(np.float64).tiny))
    else:
        rows = np.flatnonzero(scores > 0)
    return rows[np.argsort(-scores[rows], kind="stable")][:k]


def fuse(rankings: Sequence[Sequence[int]], k: int = RANK) -> list[int]:
    """One ranking of several by reciprocal rank, the sum of 1 / (k + rank); ties by row."""
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, row in enumerate(ranking, 1):
            scores[row] = scores.get(row, 0.0) + 1 / (k + rank)
    return sorted(scores, key=lambda row: (-scores[row], row))
