"""The stems of a corpus's words: each word is stemmed in the language of most of the passages that hold it."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pipeline.base.arrow.columns import IntArray
from pipeline.retrieval.indexing.passage_words import PassageWords
from pipeline.text.keys import key_of
from pipeline.text.scripts import LANGUAGES
from pipeline.text.stems import LATIN_LANGUAGES
from pipeline.text.tokenizer import fold_word

LEAST: Final = 0.02
"""Share of the corpus's words from which a language counts as one of the corpus: quoted words make none."""


FAMILY: Final = 5
"""Letters in which the words of a family agree. The words that name a role are often other parts of speech than those that
ask for it ("directed by", "director"), which have other stems: with stems instead recall@5 on 2WikiMultiHopQA falls by a
point."""


def stem_numbers(read: PassageWords) -> IntArray:
    """(V) the number of each word's stem, in the order of first appearance."""
    codes, languages = _languages(read)
    numbers: dict[str, int] = {}
    return np.array(
        [
            numbers.setdefault(key_of(term, codes[language]), len(numbers))
            for term, language in zip(read.terms, languages.tolist(), strict=True)
        ],
        dtype=np.int64,
    )


def family_numbers(terms: Sequence[str]) -> IntArray:
    """(V) the number of each word's family, in the order of first appearance."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(term[:FAMILY], len(numbers)) for term in terms], dtype=np.int64)


def _languages(read: PassageWords) -> tuple[list[str], IntArray]:
    """Languages in Latin letters, and for each word the place of its own among them.

    A passage is in the language whose function words it holds most often.
    """
    codes = sorted(LATIN_LANGUAGES & LANGUAGES.keys(), key=lambda code: (code != "en", code))
    n_terms, n = len(read.terms), len(read.sentence_offsets) - 1
    functions = [_is_function(code, read) for code in codes]
    hits = np.zeros((len(codes), n), np.int64)
    for block in read.blocks():
        passage = block.passage()
        for row, flags in zip(hits, functions, strict=True):
            row += np.bincount(passage[flags[block.stream]], minlength=n)
    lengths = np.diff(read.bounds())
    own = np.argmax(hits, axis=0)
    of_words = np.bincount(own, weights=lengths, minlength=len(codes))
    of_words[0] += 1
    present = np.flatnonzero(of_words >= LEAST * of_words.sum())
    if len(present) == 1:
        return codes, np.full(n_terms, present[0])
    own = present[np.argmax(hits[present], axis=0)]
    votes = np.zeros((len(codes), n_terms), dtype=np.int64)
    for block in read.blocks():
        of_words = own[block.passage()]
        for place in np.unique(of_words).tolist():
            votes[place] += np.bincount(block.stream[of_words == place], minlength=n_terms)
    return codes, np.asarray(np.argmax(votes, axis=0))


def _is_function(code: str, read: PassageWords) -> NDArray[np.bool_]:
    """(V) which words are function words of a language."""
    flags = np.zeros(len(read.terms), dtype=bool)
    for word in LANGUAGES[code].function:
        row = read.row_of.get(fold_word(word))
        if row is not None:
            flags[row] = True
    return flags
