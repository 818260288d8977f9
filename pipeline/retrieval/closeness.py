"""How close passages are to a question in words and in stems, exactly, without reading the postings of its common words.

The longest postings belong to the words that say least. They are read only for passages that can be among the best:
where the rarer words alone give the last of those more than all common words together could give any other, no passage
that holds common words alone comes in (MaxScore: Turtle and Flood, Information Processing and Management, 1995).
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np

from pipeline.base.arrow.columns import FloatArray, IntArray
from pipeline.retrieval.bm25 import K1, Bm25, best, is_in, kth_best, rarity

EXACT: Final = 0.75
"""Share of a word's score that it has as it is written; its stem has the rest."""
RELATED: Final = 0.25
"""Share of a word's score that other words for the same thing have together."""
SHORT: Final = 20_000
"""The postings of a word are always read where no more passages than this have it."""
FIRST: Final = 64
"""How many of the best passages are found for sure without reading all postings."""


SAMPLE: Final = 2000
"""How many passages, the best by their rare words, are compared for the lowest score that the last of FIRST can have."""


class Stem(NamedTuple):
    """A stem of a question: the rows of its words in the corpus, and its rarity."""

    words: Sequence[int]
    idf: float


class WordSequence(NamedTuple):
    """Words that count only where they stand one behind the other: the passages where they do, and how often in each."""

    passages: IntArray
    counts: IntArray


class _Part(NamedTuple):
    """What some words that count together add to a score: at most ``most``, in ``n`` passages."""

    n: int
    words: tuple[int, ...]
    most: float


class Closeness:
    """BM25 of passages for the words of a question as they are and for their stems.

    Stems find other forms of a word; words as they are keep a passage that says the very same in front of it.
    """

    def __init__(
        self,
        bm25: Bm25,
        words: Collection[int],
        stems: Iterable[Stem],
        short: int | None = None,
        together: Iterable[WordSequence] = (),
        related: Iterable[Stem] = (),
    ) -> None:
        self._bm25 = bm25
        worth: dict[tuple[int, ...], float] = {(word,): EXACT * float(bm25.idf(word)) for word in sorted(set(words))}
        for stem in stems:
            key = tuple(stem.words)
            worth[key] = worth.get(key, 0.0) + (1 - EXACT) * stem.idf
        for stem in related:
            key = tuple(stem.words)
            worth[key] = worth.get(key, 0.0) + RELATED * stem.idf
        self._unread = sorted(
            _Part(int(sum(bm25.spread(word) for word in key)), key, most * (K1 + 1)) for key, most in worth.items()
        )
        self._scores = np.zeros(bm25.n_texts)
        for passages, counts in together:
            most = float(rarity(len(passages), bm25.n_texts)) * (K1 + 1)
            self._scores[passages] += most * bm25.saturated(passages, counts)
        short = SHORT if short is None else short
        while self._unread and self._unread[0].n <= short:
            self._read(self._unread.pop(0))
        self._known: IntArray | None = None
        """Passages whose score is complete; None where all are."""
        if self._unread:
            self._find_first()

    def of(self, passages: IntArray) -> FloatArray:
        """Scores of some passages."""
        found = self._scores[passages]
        if self._known is not None:
            partly = ~is_in(passages, self._known)
            found[partly] += self._added(passages[partly])
        return found

    def best(self, k: int) -> IntArray:
        """The ``k`` best passages with a score above 0, best first, ties by row."""
        if self._known is None or k > FIRST:
            return best(self.every(), k)
        return self._known[best(self._scores[self._known], k)]

    def holding(self) -> IntArray:
        """Passages that have a score, ascending; all of them, or where there are many words, those among the best."""
        return np.flatnonzero(self._scores) if self._known is None else self._known

    def every(self) -> FloatArray:
        """Scores of all passages: all postings are read."""
        if self._known is not None:
            self._scores[self._known] -= self._added(self._known)
            while self._unread:
                self._read(self._unread.pop(0))
            self._known = None
        return self._scores

    def _read(self, part: _Part) -> None:
        texts, counts = self._bm25.holders_of_any(part.words)
        self._scores[texts] += part.most * self._bm25.saturated(texts, counts)

    def _added(self, passages: IntArray) -> FloatArray:
        """What the words whose postings were not read add to some passages."""
        found = np.zeros(len(passages))
        for part in self._unread:
            found += part.most * self._bm25.shares(part.words, passages)
        return found

    def _find_first(self) -> None:
        """Read postings, the shortest first, until the others cannot bring another passage among the FIRST best."""
        leaders = np.flatnonzero(self._scores)
        if len(leaders) > SAMPLE:  # the k-th best of some passages is no better than that of all
            leaders = leaders[np.argpartition(-self._scores[leaders], SAMPLE)[:SAMPLE]]
        while self._unread:
            left = sum(part.most for part in self._unread)
            least = kth_best(self._scores[leaders], FIRST)
            if least > left:
                self._known = self._looked_at(np.flatnonzero(self._scores >= least - left))
                return
            self._read(self._unread.pop(0))

    def _looked_at(self, rows: IntArray) -> IntArray:
        """Those of ``rows`` that can be among the FIRST best by all words; their scores become complete."""
        scores, left = self._scores[rows], sum(part.most for part in self._unread)
        for part in sorted(self._unread, key=lambda part: -part.most):
            scores += part.most * self._bm25.shares(part.words, rows)
            left -= part.most
            open_ = scores >= kth_best(scores, FIRST) - left
            rows, scores = rows[open_], scores[open_]
        self._scores[rows] = scores
        return rows
