"""Ranks sentences by how central they are to each other, and to a query, without saying the same thing twice.

Centrality is the mean cosine similarity to all other sentences (degree centrality of LexRank, Erkan and Radev 2004, arXiv
1109.2128) over tf-idf vectors of the sentences themselves; redundancy is removed by maximal marginal relevance (Carbonell and
Goldstein 1998). Linear in the text for a given number of sentences wanted: no sentence is compared with all others.
"""

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pipeline.text.scripts import UNSPACED, language_of, words_of

_RUN = re.compile(f"[{UNSPACED}]+|(?:(?![{UNSPACED}])[^\\W_])+")
_UNSPACED = re.compile(f"[{UNSPACED}]")
_WORD = re.compile(r"[^\W_]+")
_SHORTEST, _LONGEST = 5, 60  # terms; sentences outside say too little, or more than one wants to read
_SAME = 0.85  # cosine; a sentence so close to a chosen one says nothing new
_QUERY_SHARE = 0.7  # of the relevance, when there is a query; the rest is centrality

Vector = npt.NDArray[np.float64]


def terms(text: str) -> list[str]:
    """Words in lower case, of spaced scripts; pairs of neighbouring characters, of scripts without spaces."""
    lowered = text.lower()
    if lowered.isascii() or not _UNSPACED.search(lowered):
        return _WORD.findall(lowered)
    found: list[str] = []
    for run in _RUN.findall(lowered):
        if _UNSPACED.match(run):
            found.extend(run[at : at + 2] for at in range(max(1, len(run) - 1)))
        else:
            found.append(run)
    return found


def _bag(text: str, function: frozenset[str]) -> list[str]:
    """Terms with meaning, a plural s taken off so that battles answers to battle."""
    meant = [term for term in terms(text) if term not in function]
    return [term[:-1] if len(term) > 3 and term[-1] == "s" and term[-2] != "s" else term for term in meant]


def rank_sentences(
    sentences: Sequence[str],
    query: str | None = None,
    limit: int = 10,
    *,
    diversity: float = 0.6,
    language: str | None = None,
) -> list[tuple[int, float]]:
    """Return at most ``limit`` pairs (index, score), best first: central, close to ``query`` if given, not redundant.

    Scores lie in 0 to 1 and do not rise from one pair to the next; of equal ones the earlier sentence goes first.
    ``diversity``, 0 to 1, is the share of its relevance that a sentence loses for being all alike to a chosen one.
    Sentences without a single term of meaning are never returned. ``language`` is told from the sentences where it is
    not given.
    """
    function = words_of(language or language_of(" ".join(sentences[:20]))).function
    bags = [_bag(sentence, function) for sentence in sentences]
    filled = [index for index, bag in enumerate(bags) if bag]
    if not filled or limit < 1:
        return []
    asked = set(_bag(query, function)) if query else set()
    weighted = _Weighted([bags[index] for index in filled])
    return [(filled[at], score) for at, score in _diverse(weighted, weighted.relevance(asked), limit, diversity)]


class _Weighted:
    """Unit tf-idf vectors of sentences, as parallel arrays of row, column and value; a sentence counts as a document."""

    def __init__(self, bags: Sequence[Sequence[str]]) -> None:
        self.n = len(bags)
        self.lengths = np.array([len(bag) for bag in bags])
        columns: dict[str, int] = {}
        number = columns.setdefault
        found = np.array([number(term, len(columns)) for bag in bags for term in bag])
        self.columns = columns
        pairs, counts = np.unique(np.repeat(np.arange(self.n), self.lengths) * len(columns) + found, return_counts=True)
        self.row, self.column = np.divmod(pairs, len(columns))
        self.idf = np.log1p(self.n / np.bincount(self.column))
        value = (1.0 + np.log(counts)) * self.idf[self.column]
        self.value = value / np.sqrt(np.bincount(self.row, value * value))[self.row]

    def relevance(self, asked: set[str]) -> Vector:
        """Centrality and closeness to the query, each scaled so that the best sentence has 1, with odd lengths damped."""
        total = np.bincount(self.column, self.value).astype(np.float64)
        relevance = _scaled(self._sums(total) - (1.0 if self.n > 1 else 0.0))
        known = [self.columns[term] for term in sorted(asked) if term in self.columns]
        if known:
            wanted = np.zeros(len(self.columns))
            wanted[known] = self.idf[known]
            close = _scaled(self._sums(wanted))
            relevance = (1.0 - _QUERY_SHARE) * relevance + _QUERY_SHARE * close
        short = np.minimum(1.0, self.lengths / _SHORTEST)
        long = np.minimum(1.0, _LONGEST / self.lengths)
        return np.round(np.maximum(relevance, 1e-6) * short * long, 6)

    def similarity(self, row: int) -> Vector:
        """Cosine of every sentence to one of them."""
        own = self.row == row
        wanted = np.zeros(len(self.columns))
        wanted[self.column[own]] = self.value[own]
        return np.round(self._sums(wanted), 6)

    def _sums(self, per_column: Vector) -> Vector:
        """Dot product of every sentence with a vector of terms."""
        return np.bincount(self.row, self.value * per_column[self.column]).astype(np.float64)


def _scaled(values: Vector) -> Vector:
    top = values.max()
    return np.clip(values / top, 0.0, 1.0) if top > 0 else np.ones_like(values)


def _diverse(weighted: _Weighted, relevance: Vector, limit: int, diversity: float) -> list[tuple[int, float]]:
    """Take the best again and again, each time lowering the others by how alike they are to what was taken."""
    nearest = np.zeros(weighted.n)
    free = np.ones(weighted.n, dtype=bool)
    chosen: list[tuple[int, float]] = []
    while len(chosen) < limit and free.any():
        value = np.where(free, relevance * (1.0 - diversity * nearest), -1.0)
        best = int(value.argmax())
        chosen.append((best, float(value[best])))
        similar = weighted.similarity(best)
        nearest = np.maximum(nearest, np.minimum(similar, 1.0))
        free &= similar < _SAME
        free[best] = False
    return chosen
