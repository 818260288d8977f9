"""Ranks sentences by how central they are to each other, and to a query, without saying the same thing twice.

Centrality is the mean cosine similarity to all other sentences (degree centrality of LexRank, Erkan and Radev 2004, arXiv
1109.2128) over tf-idf vectors of the sentences themselves; redundancy is removed by maximal marginal relevance (Carbonell and
Goldstein 1998). Linear in the text for a given number of sentences to return: a chosen sentence is compared with those
that may be chosen next, and with no other.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from functools import lru_cache
from heapq import heapify, heappop, heapreplace
from itertools import chain, islice
from operator import mul
from typing import NamedTuple

from pipeline.text.scripts import UNSPACED, UNSPACED_CHARACTER, language_of, words_of

_RUN = re.compile(f"[{UNSPACED}]+|(?:(?![{UNSPACED}])[^\\W_])+")
_WORD = re.compile(r"[^\W_]+")
_ASCII_WORDS = {code: chr(code).lower() if chr(code).isalnum() else " " for code in range(128)}
"""What makes words of ASCII characters where it is split at spaces: three times as fast as an expression that finds them."""
_WESTERN = "cp1252"
"""An encoding, a byte a character, of the letters and marks of Western Europe."""
_WESTERN_WORDS = "".join(
    char.lower() if _WORD.match(char) else " " for char in bytes(range(256)).decode(_WESTERN, "replace")
).encode(_WESTERN)
_SHORTEST, _LONGEST = 5, 60  # terms; sentences outside say too little, or more than one wants to read
_SAME = 0.85  # cosine; a sentence so close to a chosen one says nothing new
_DIVERSITY = 0.6  # share of its relevance that a sentence loses for being all alike to a chosen one
_QUERY_SHARE = 0.7  # of the relevance, when there is a query; the rest is centrality

REMEMBERED = 1 << 15
"""Sentences whose terms are remembered: the same ones come again in other reports and one level up."""


def terms(text: str) -> list[str]:
    """Words in lower case, of spaced scripts; pairs of neighbouring characters, of scripts without spaces."""
    if text.isascii():
        return text.translate(_ASCII_WORDS).split()
    try:
        return text.encode(_WESTERN).translate(_WESTERN_WORDS).decode(_WESTERN).split()
    except UnicodeEncodeError:
        lowered = text.lower()
    if not UNSPACED_CHARACTER.search(lowered):
        return _WORD.findall(lowered)
    found: list[str] = []
    for run in _RUN.findall(lowered):
        if UNSPACED_CHARACTER.match(run):
            found.extend(run[at : at + 2] for at in range(max(1, len(run) - 1)))
        else:
            found.append(run)
    return found


def _bag(text: str, function: frozenset[str]) -> list[str]:
    """Terms with meaning, a plural s taken off so that battles answers to battle."""
    return [
        term[:-1] if term[-1] == "s" and len(term) > 3 and term[-2] != "s" else term
        for term in terms(text)
        if term not in function
    ]


class _Counted(NamedTuple):
    """The terms of a sentence with meaning: each once, and the logarithm by which those count that come again."""

    terms: tuple[str, ...]
    weights: tuple[float, ...] | None
    """1 + log of how often each comes; None where each comes once."""
    share: float
    """Of its relevance, that a sentence of so many terms has: less than 1 where its length is odd."""


@lru_cache(maxsize=REMEMBERED)
def _counted(text: str, language: str) -> _Counted:
    bag = _bag(text, words_of(language).function)
    counts = dict.fromkeys(bag, 0)
    weights = None
    if len(counts) < len(bag):
        for term in bag:
            counts[term] += 1
        weights = tuple([1.0 + math.log(n) for n in counts.values()])
    return _Counted(tuple(counts), weights, min(1.0, len(bag) / _SHORTEST, _LONGEST / max(len(bag), 1)))


def rank_sentences(
    sentences: Sequence[str],
    query: str | None = None,
    limit: int = 10,
    *,
    language: str | None = None,
) -> list[tuple[int, float]]:
    """Return at most ``limit`` pairs (index, score), best first: central, close to ``query`` if given, not redundant.

    Scores lie in 0 to 1 and do not rise from one pair to the next; of equal ones the earlier sentence goes first.
    Sentences without a single term of meaning are never returned. ``language`` is known from the sentences where it is
    not given.
    """
    return list(islice(ranking(sentences, query, language=language), max(limit, 0)))


def ranking(
    sentences: Sequence[str], query: str | None = None, *, language: str | None = None
) -> Iterator[tuple[int, float]]:
    """Yield what ``rank_sentences`` returns, as far as it is wanted: each further sentence costs a comparison with the rest."""
    language = language or language_of(" ".join(sentences[:20]))
    counted = [_counted(sentence, language) for sentence in sentences]
    filled = [index for index, one in enumerate(counted) if one.terms]
    if not filled:
        return
    asked = set(_bag(query, words_of(language).function)) if query else set()
    vectors = _Vectors([counted[index] for index in filled], asked)
    for at, score in _diverse(vectors, vectors.relevance()):
        yield filled[at], score


class _Vectors:
    """Unit tf-idf vectors of sentences, each a mapping from term to value; for the weights a sentence counts as a document.
    Terms that only one sentence has, and the query has not, bring nothing near: they count for the length alone."""

    def __init__(self, counted: Sequence[_Counted], asked: Set[str]) -> None:
        self.n = len(counted)
        self.shares = [one.share for one in counted]
        spread = Counter(chain.from_iterable([one.terms for one in counted]))
        by_spread = {n: math.log1p(self.n / n) for n in set(spread.values())}
        self.idf = {term: by_spread[n] for term, n in spread.items()}
        self.asked = sorted(asked & self.idf.keys())
        self._near = {term for term, n in spread.items() if n > 1}.union(self.asked)
        self.vectors = [self._vector(one) for one in counted]

    def _vector(self, one: _Counted) -> dict[str, float]:
        values = list(map(self.idf.__getitem__, one.terms))
        if one.weights:
            values = list(map(mul, values, one.weights))
        length = math.sqrt(sum(map(mul, values, values)))
        near = self._near
        return {term: value / length for term, value in zip(one.terms, values, strict=True) if term in near}

    def relevance(self) -> list[float]:
        """Centrality and closeness to the query, each scaled so that the best sentence has 1, with odd lengths damped."""
        totals = dict.fromkeys(self._near, 0.0)
        for vector in self.vectors:
            for term, value in vector.items():
                totals[term] += value
        relevance = _scaled(
            [sum([value * (totals[term] - value) for term, value in vector.items()]) for vector in self.vectors]
        )
        if self.asked:
            close = _scaled(
                [
                    sum([self.idf[term] * vector[term] for term in self.asked if term in vector])
                    for vector in self.vectors
                ]
            )
            relevance = [
                (1.0 - _QUERY_SHARE) * one + _QUERY_SHARE * other for one, other in zip(relevance, close, strict=True)
            ]
        return [round(max(value, 1e-6) * share, 6) for value, share in zip(relevance, self.shares, strict=True)]


def _scaled(values: list[float]) -> list[float]:
    top = max(values)
    return [min(max(value / top, 0.0), 1.0) for value in values] if top > 0 else [1.0] * len(values)


def _diverse(vectors: _Vectors, relevance: list[float]) -> Iterator[tuple[int, float]]:
    """Yield the best again and again, each lowered by how alike it is to what was taken. What is taken only lowers others,
    so that a sentence is compared with it no sooner than it is the best of those that are left."""
    best_first = [(-worth, row) for row, worth in enumerate(relevance)]
    heapify(best_first)
    taken: list[dict[str, float]] = []
    compared, nearest = [0] * vectors.n, [0.0] * vectors.n
    while best_first:
        negative, row = best_first[0]
        if compared[row] < len(taken):
            vector = vectors.vectors[row]
            nearest[row] = max(nearest[row], *[_cosine(other, vector) for other in taken[compared[row] :]])
            compared[row] = len(taken)
            if nearest[row] >= _SAME:
                heappop(best_first)
            else:
                heapreplace(best_first, (-relevance[row] * (1.0 - _DIVERSITY * round(nearest[row], 6)), row))
            continue
        heappop(best_first)
        taken.append(vectors.vectors[row])
        yield row, -negative


def _cosine(one: dict[str, float], other: dict[str, float]) -> float:
    return sum([value * other[term] for term, value in one.items() if term in other])
