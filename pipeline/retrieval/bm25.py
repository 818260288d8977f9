"""Lexical ranking: the words of a text as ranking compares them, BM25 over postings, and the fusion of several rankings."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.text.scripts import UNSPACED

K1 = 1.2
B = 0.75
"""Saturation of a word's count and the weight of a text's length, as in Robertson and Zaragoza (2009), section 3.3."""
RANK = 60
"""The k of reciprocal rank fusion, as in Cormack, Clarke and Buettcher (SIGIR 2009)."""
STEM = 5
"""Letters in which two forms of a word agree: "directed" and "director", "naissance" and "né" not. No list of endings, so
any language is served alike."""

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# Vowel signs and points are no word characters to `re`, and would cut the words of their scripts into letters.
_MARKS = "\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0900-\u0963\u0966-\u0dff"
_OTHER = re.compile(rf"[{UNSPACED}{_MARKS}]")
_PLAIN = re.compile(r"([^\W_]+)")
_ANY = re.compile(rf"([{UNSPACED}]|(?:(?![{UNSPACED}])[^\W_]|[{_MARKS}])+)")
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"})


def words(text: str) -> list[str]:
    """The words of a text as written, hyphens and apostrophes cut; one character each in scripts without spaces."""
    return (_ANY if _OTHER.search(text) else _PLAIN).findall(text)


def words_and_gaps(text: str) -> tuple[list[str], list[str]]:
    """The words of a text, and what stands after each of them."""
    parts = (_ANY if _OTHER.search(text) else _PLAIN).split(text)
    return parts[1::2], parts[2::2]


@lru_cache(maxsize=200_000)
def fold_word(word: str) -> str:
    """A word without case and accents, so that "Méliès" is found by "melies"."""
    if word.isascii():
        return word.lower()
    parts = unicodedata.normalize("NFKD", word.casefold())
    kept = "".join(char for char in parts if not "\u0300" <= char <= "\u036f")
    return unicodedata.normalize("NFC", kept).translate(_LETTERS)


def stem(word: str) -> str:
    """The first letters of a folded word."""
    return word[:STEM]


class Bm25:
    """Ranks texts by the words they share with a question (Robertson and Zaragoza, 2009).

    Postings are given word by word: ``texts[offsets[w]:offsets[w + 1]]`` are the rows that hold word ``w``, each once,
    ``counts`` how often. ``lengths`` is the number of words of each text.
    """

    def __init__(self, offsets: Ints, texts: Ints, counts: Ints, lengths: Ints) -> None:
        self.offsets, self.texts, self.n_texts = offsets, texts, len(lengths)
        self.spread: Ints = np.diff(offsets)
        self.idf: Floats = np.log1p((self.n_texts - self.spread + 0.5) / (self.spread + 0.5))
        mean = max(1.0, float(lengths.mean())) if len(lengths) else 1.0
        tf = counts.astype(np.float64)
        damped = tf * (K1 + 1) / (tf + K1 * (1 - B + B * lengths[texts] / mean))
        self._weights: Floats = damped * np.repeat(self.idf, self.spread)

    def scores(self, question: Iterable[int]) -> Floats:
        """Score of every text for a question given as word rows; a word that is repeated counts as often."""
        found = np.zeros(self.n_texts)
        for word in question:
            here = slice(int(self.offsets[word]), int(self.offsets[word + 1]))
            found[self.texts[here]] += self._weights[here]
        return found


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
