"""Passages that together say what a question asks: what one of them says counts no second time for the next.

A question of several steps is answered by passages that each hold another part of it. The best passages by walk and words
often hold the same part ("Telugu comedy" in five of them); one of a little lower score that alone holds the rest ("only female
music director") is worth more beside them. Chosen one by one, each by its score and by what it adds (a submodular
coverage; Nemhauser, Wolsey and Fisher, 1978). Where words alone decide, because one passage is sought and no chain of
them, nothing changes.
"""

from typing import Final

import numpy as np

from pipeline.base.arrow.columns import FloatArray, IntArray
from pipeline.retrieval.lookup import PassageLookup
from pipeline.retrieval.question_names import QuestionWords

POOL: Final = 30
"""The best passages that are ordered anew."""
CHOSEN: Final = 10
"""How many of them are chosen by what they add; the others follow by score."""
ADDED: Final = 4.0
"""What a passage gains by saying all of a question that the passages before it do not say, as a share of its score.
Set on the even rows of MuSiQue, HotpotQA and 2WikiMultiHopQA; between 1 and 8 recall@5 there moves by a point."""
FULL: Final = 2 / 3
"""Saturated count of a word from which a passage says it fully: that of two or three in a passage of usual length."""


class WordShares:
    """The stems of a question, and how fully passages say each of them; common stems count for little."""

    def __init__(self, question: QuestionWords, lookup: PassageLookup) -> None:
        self._lookup = lookup
        self._stems = lookup.stems_of(question.rows[question.content])
        weights = np.array([stem.idf for stem in self._stems]) ** 2
        self.weights: FloatArray = weights / max(float(weights.sum()), 1e-9)

    def of(self, passages: IntArray) -> FloatArray:
        """How fully each passage says each stem, 0 to 1; shape (stems, passages)."""
        found = [self._lookup.bm25.shares(stem.words, passages) for stem in self._stems]
        return np.minimum(np.array(found).reshape(len(found), len(passages)) / FULL, 1.0)


def covering(rows: IntArray, scores: FloatArray, shares: WordShares, sure: float) -> tuple[IntArray, FloatArray]:
    """Order the passages ``rows``, best first with their ``scores``, by what each adds; the best stays first.

    ``sure`` is how far the walk decides, 0 to 1. The scores that are returned fall from each to the next.
    """
    n = min(len(rows), POOL)
    if n < 2 or not sure or not len(shares.weights):
        return rows, scores
    said, by_score = shares.of(rows[:n]), scores[:n]
    covered = said[:, 0].copy()
    order, worth = [0], [(1 + ADDED) * float(by_score[0])]
    left = np.arange(n) > 0
    for _ in range(min(n, CHOSEN) - 1):
        adds = shares.weights @ np.maximum(said - covered[:, None], 0)
        worths = np.where(left, by_score * (1 + ADDED * sure * adds), -1.0)
        chosen = int(worths.argmax())
        order.append(chosen)
        worth.append(float(worths[chosen]))
        left[chosen] = False
        covered = np.maximum(covered, said[:, chosen])
    rest = np.flatnonzero(left)
    ordered = np.concatenate([np.array(order, dtype=np.int64), rest])
    falling = np.minimum.accumulate(np.concatenate([worth, by_score[rest], scores[n:]]))
    return np.concatenate([rows[:n][ordered], rows[n:]]), falling
