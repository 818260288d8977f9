"""Bridging: from what a question names, over the sentences that speak of it, to the names that the question only describes.

"The director of The Last Coupon": in a sentence on The Last Coupon the name after "directed by" is meant. A name
is reached by the question's words close to it (same family, the nearer the more). A second hop goes on from the names reached,
without the words that led to them: each word of a question is one step of its chain.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np

from pipeline.base.arrow.columns import FloatArray, IntArray, ranges
from pipeline.retrieval.bm25 import is_in
from pipeline.retrieval.lookup import MOST_SENTENCES, PassageLookup
from pipeline.retrieval.question_names import QuestionWords

NEAR: Final = 6
"""Words to either side of a name in which the question's words count."""
DECAY: Final = 0.75
"""What a word loses with each place further away."""
AFTER: Final = 0.5
"""A word after a name counts half: the words that give a name's role are mostly before it ("directed by", "son of")."""
ANYWAY: Final = 0.05
"""What a name in the sentence gets without any word of the question near it, against the idf of one."""
MOST_REACHED: Final = 10
"""Names that one hop reaches."""
LED: Final = 0.25
"""Share of a name's score from which a word has led to it, and is spent."""


class Origin(NamedTuple):
    """Where a hop starts: sentences, their weight, and the words (bits) that are spent on the way there."""

    weight: float
    sentences: IntArray
    spent: int = 0


class Reached(NamedTuple):
    name: int
    score: float
    spent: int


class UnnamedWords:
    """The words of a question that no name covers, by family: their weights, and one bit for each."""

    def __init__(self, question: QuestionWords, used: Iterable[int], lookup: PassageLookup) -> None:
        covered = set(used)
        self.weights: FloatArray = np.zeros(len(lookup.arrays.terms) + 1)
        self.bits: IntArray = np.zeros(len(lookup.arrays.terms) + 1, dtype=np.int64)
        for place, row in enumerate(question.rows.tolist()):
            if row < lookup.n_terms and place not in covered:
                family = lookup.arrays.families[row]
                self.weights[family] = lookup.stem_idf(row)
                self.bits[family] = 1 << (place % 62)


def hop(origins: Sequence[Origin], cue: UnnamedWords, skip: Iterable[int], lookup: PassageLookup) -> list[Reached]:
    """Names that the sentences of some origins lead to, best first, ties by name; hubs and names to skip are not reached."""
    if not origins:
        return []
    sentences = [origin.sentences[:MOST_SENTENCES] for origin in origins]
    read = _ReadSentences(np.concatenate(sentences), lookup)
    if not len(read.mentions):
        return []
    of_origin = np.repeat(np.repeat(np.arange(len(origins)), [len(some) for some in sentences]), read.n_each)
    names = lookup.arrays.mentions[read.mentions].astype(np.int64)
    closed = np.array(sorted(skip), dtype=np.int64)
    open_ = np.flatnonzero((lookup.arrays.spread[names] <= lookup.hub) & ~is_in(names, closed))
    of_origin, names = of_origin[open_], names[open_]
    weight = np.array([origin.weight for origin in origins])[of_origin]
    spent = np.array([origin.spent for origin in origins], dtype=np.int64)[of_origin]
    near, led = read.near(open_, spent, cue)
    scores = weight * (ANYWAY + near) * lookup.arrays.mention_shares[read.mentions[open_]].astype(np.float64)
    return _best(names, scores, spent | led)


class _ReadSentences:
    """Some sentences as they are read: their words by family, and the mentions in them; a sentence may come twice."""

    def __init__(self, sentences: IntArray, lookup: PassageLookup) -> None:
        arrays = lookup.arrays
        first, end = lookup.sentence_bounds(sentences)
        passages = np.searchsorted(arrays.sentence_offsets, sentences, side="right") - 1
        low, high = (
            _within(arrays.mention_starts, arrays.mention_offsets[passages], arrays.mention_offsets[passages + 1], at)
            for at in (first, end)
        )
        self.n_each = high - low
        self.mentions = ranges(low, high)
        self._end = np.cumsum(end - first)
        self._first = self._end - (end - first)
        shift = np.repeat(self._first - first, self.n_each)
        self._starts = arrays.mention_starts[self.mentions] + shift
        self._ends = arrays.mention_ends[self.mentions] + shift
        families = arrays.families[arrays.tokens.items[ranges(first, end)]]
        change = np.zeros(len(families) + 1, dtype=np.int64)
        np.add.at(change, self._starts, 1)
        np.add.at(change, np.minimum(self._ends, len(families)), -1)
        # The words of a mention say nothing of the others.
        self._families = np.where(np.cumsum(change[:-1]) > 0, -1, families)

    def near(self, chosen: IntArray, spent: IntArray, cue: UnnamedWords) -> tuple[FloatArray, IntArray]:
        """Weight of the question's unspent words near each chosen mention, and the bits of those that made most of it."""
        first, end = (np.repeat(bounds, self.n_each)[chosen] for bounds in (self._first, self._end))
        starts, ends = self._starts[chosen], self._ends[chosen]
        found, bits = [], []
        for distance in range(1, NEAR + 1):
            for place, worth in ((starts - distance, 1.0), (ends - 1 + distance, AFTER)):
                inside = (place >= first) & (place < end)
                families = self._families[np.where(inside, place, 0)]
                families = np.where(inside, families, -1)  # the last, empty place of the cue
                bit = cue.bits[families]
                found.append(np.where(bit & spent, 0.0, cue.weights[families]) * worth * DECAY ** (distance - 1))
                bits.append(bit)
        total = np.sum(found, axis=0)
        led = np.zeros(len(chosen), dtype=np.int64)
        for part, bit in zip(found, bits, strict=True):
            led |= np.where(part > LED * total, bit, 0)
        return total, led


def _within(ascending: IntArray, low: IntArray, high: IntArray, values: IntArray) -> IntArray:
    """For each value the first place from ``low`` to ``high`` whose item is not below it; items ascend between the two."""
    while (open_ := low < high).any():
        middle = (low + high) // 2
        below = open_ & (ascending[np.minimum(middle, len(ascending) - 1)] < values)
        low, high = np.where(below, middle + 1, low), np.where(open_ & ~below, middle, high)
    return low


def _best(names: IntArray, scores: FloatArray, spent: IntArray) -> list[Reached]:
    """The best mention of each name, the best names first."""
    order = np.lexsort((names, -scores))
    _, first = np.unique(names[order], return_index=True)
    chosen = order[np.sort(first)][:MOST_REACHED]
    return [Reached(int(names[i]), float(scores[i]), int(spent[i])) for i in chosen if scores[i] > 0]
