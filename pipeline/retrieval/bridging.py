"""Bridging: from what a question names, over the sentences that speak of it, to the names that the question only describes.

"The director of The Last Coupon": in a sentence on The Last Coupon the name after "directed by" is meant. A name
is reached by the question's words close to it (same family, the nearer the more). A second hop goes on from the names reached,
without the words that led to them: each word of a question is one step of its chain.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np

from pipeline.retrieval.bm25 import Floats, Ints
from pipeline.retrieval.lookup import PassageLookup, ranges
from pipeline.retrieval.question_names import QuestionWords

NEAR: Final = 6
"""Words to either side of a name in which the question's words count."""
DECAY: Final = 0.75
"""What a word loses with each place further away."""
AFTER: Final = 0.5
"""A word after a name counts half: the words that give a name's role are mostly before it ("directed by", "son of")."""
ANYWAY: Final = 0.05
"""What a name in the sentence gets without any word of the question near it, against the idf of one."""
MOST_SENTENCES: Final = 400
"""Sentences read for one name or phrase."""
MOST_REACHED: Final = 10
"""Names that one hop reaches."""
LED: Final = 0.25
"""Share of a name's score from which a word has led to it, and is spent."""


class Origin(NamedTuple):
    """Where a hop starts: sentences, their weight, and the words (bits) that are spent on the way there."""

    weight: float
    sentences: Ints
    spent: int = 0


class Reached(NamedTuple):
    name: int
    score: float
    spent: int


class UnnamedWords:
    """The words of a question that no name covers, by family: their weights, and one bit for each."""

    def __init__(self, question: QuestionWords, used: Iterable[int], lookup: PassageLookup) -> None:
        covered = set(used)
        self.weights: Floats = np.zeros(len(lookup.arrays.terms) + 1)
        self.bits: Ints = np.zeros(len(lookup.arrays.terms) + 1, dtype=np.int64)
        for place, row in enumerate(question.rows.tolist()):
            if row < lookup.n_terms and place not in covered:
                family = lookup.families[row]
                self.weights[family] = lookup.stem_idf[row]
                self.bits[family] = 1 << (place % 62)


def hop(
    origins: Sequence[Origin], cue: UnnamedWords, skip: Iterable[int], lookup: PassageLookup, least: float = ANYWAY
) -> list[Reached]:
    """Names that the sentences of some origins lead to, best first, ties by name; hubs and names to skip are not reached."""
    if not origins:
        return []
    sentences = [origin.sentences[:MOST_SENTENCES] for origin in origins]
    mentions, first, end, n_each = _mentions_in(np.concatenate(sentences), lookup)
    if not len(mentions):
        return []
    of_origin = np.repeat(np.repeat(np.arange(len(origins)), [len(some) for some in sentences]), n_each)
    weight = np.array([origin.weight for origin in origins])[of_origin]
    spent = np.array([origin.spent for origin in origins], dtype=np.int64)[of_origin]
    names = lookup.arrays.mentions.items[mentions]
    closed = np.zeros(lookup.arrays.n_names, dtype=bool)
    closed[list(skip)] = True
    open_ = (lookup.spread[names] <= lookup.hub) & ~closed[names]
    mentions, first, end, weight, spent, names = (a[open_] for a in (mentions, first, end, weight, spent, names))
    near, led = _near(mentions, first, end, spent, cue, lookup)
    scores = weight * (least + near) * lookup.arrays.mention_shares.items[mentions]
    return _best(names, scores, spent | led)


def _mentions_in(sentences: Ints, lookup: PassageLookup) -> tuple[Ints, Ints, Ints, Ints]:
    """Mentions in some sentences, the bounds of the sentence of each, and how many each sentence has."""
    first, end = lookup.sentence_bounds(sentences)
    low, high = np.searchsorted(lookup.mention_starts, first), np.searchsorted(lookup.mention_starts, end)
    n_each = high - low
    return ranges(low, high), np.repeat(first, n_each), np.repeat(end, n_each), n_each


def _near(
    mentions: Ints, first: Ints, end: Ints, spent: Ints, cue: UnnamedWords, lookup: PassageLookup
) -> tuple[Floats, Ints]:
    """Weight of the question's unspent words near each mention, and the bits of those that made most of it."""
    starts, ends = lookup.mention_starts[mentions], lookup.mention_ends[mentions]
    found, bits = [], []
    for distance in range(1, NEAR + 1):
        for place, worth in ((starts - distance, 1.0), (ends - 1 + distance, AFTER)):
            inside = (place >= first) & (place < end)
            families = lookup.token_families[np.where(inside, place, 0)]
            families = np.where(inside, families, -1)  # the last, empty place of the cue
            bit = cue.bits[families]
            found.append(np.where(bit & spent, 0.0, cue.weights[families]) * worth * DECAY ** (distance - 1))
            bits.append(bit)
    total = np.sum(found, axis=0)
    led = np.zeros(len(mentions), dtype=np.int64)
    for part, bit in zip(found, bits, strict=True):
        led |= np.where(part > LED * total, bit, 0)
    return total, led


def _best(names: Ints, scores: Floats, spent: Ints) -> list[Reached]:
    """The best mention of each name, the best names first."""
    order = np.lexsort((names, -scores))
    _, first = np.unique(names[order], return_index=True)
    chosen = order[np.sort(first)][:MOST_REACHED]
    return [Reached(int(names[i]), float(scores[i]), int(spent[i])) for i in chosen if scores[i] > 0]
