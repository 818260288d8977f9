"""The final score of a passage: visits of the walk and closeness in words, weighed by how much each of them decides.

A walk that ends in a few passages of many has followed a chain of names, and its order is kept. Where it is spread, because
what the question names is named everywhere (the hero of a novel, a speaker, a product), the question's words decide. The two
are multiplied, each to a power (a weighted geometric mean), so that no scale has to be the other's.
"""

from typing import Final

import numpy as np

from pipeline.base.arrow.columns import FloatArray

TITLED: Final = 0.35
"""What it adds to the certainty of a walk that a question names what passages are about: there, chains of names lead on."""
LOST, SURE = 0.52, 0.65
"""Certainty up to which words decide, and from which the walk does; between them the powers pass from one to the other."""
WALK_POWERS: Final = (0.0005, 1.0)
WORDS_POWERS: Final = (1.0, 0.1)
"""Powers where words decide (the walk only between equals), and where the walk does."""
MEANING: Final = 3.0
"""What a standard deviation of nearness in meaning adds to closeness in words. Both are log-odds: BM25 as a sum over words; a
deviation as many nats as relevant passages stand out by, were both kinds spread normally. Set on the even rows of the sets."""
LEAST_VISITS: Final = 1e-3
LEAST_CLOSENESS: Final = 1e-2
"""Shares of the best that every passage has at least."""


def sureness(walk_certainty: float, titled: float) -> float:
    """How far the walk decides, 0 (the words alone) to 1.

    ``titled`` is the share (0 to 1) of what the question names that a few passages are about.
    """
    return float(np.clip((walk_certainty + TITLED * titled - LOST) / (SURE - LOST), 0, 1))


def blended(visits: FloatArray, close: FloatArray, sure: float) -> FloatArray:
    """Score of passages, about 1 for one that is first in both; 0 where it was not visited and shares no word.

    ``visits`` and ``close`` are scores of the walk and of the words (with what nearness in meaning adds), the best of the
    corpus among them; ``sure`` is how far the walk decides.
    """
    walk_power, words_power = (low + sure * (high - low) for low, high in (WALK_POWERS, WORDS_POWERS))
    scores = _floored(visits, LEAST_VISITS) ** walk_power * _floored(close, LEAST_CLOSENESS) ** words_power
    return np.where((visits > 0) | (close > 0), scores, 0.0)


def certainty(visits: FloatArray, n_passages: int, lost: float = 0.0) -> float:
    """How much of a corpus a walk rules out: 1 less its entropy as a share of the largest possible; 0 to 1.

    ``visits`` are those of the passages that were visited; what is ``lost`` is taken to be spread over the others.
    """
    total = float(visits.sum()) + lost
    if not total or n_passages < 2:
        return 0.0
    shares = visits / total
    shares = shares[shares > 0]
    spread = (shares * np.log(shares)).sum()
    if lost and n_passages > len(shares):
        spread += lost / total * np.log(lost / total / (n_passages - len(shares)))
    return float(1 + spread / np.log(n_passages))


def _floored(values: FloatArray, least: float) -> FloatArray:
    largest = float(values.max(initial=0.0))
    return np.asarray((values / largest if largest else values) + least)
