"""What a question looks up in an index of passages: words, names, the sentences and passages where they are."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pipeline.base.arrow.columns import FloatArray, IntArray, ranges
from pipeline.base.arrow.lists import Lists
from pipeline.retrieval.bm25 import Bm25, is_in, rarity
from pipeline.retrieval.closeness import Closeness, Stem, WordSequence
from pipeline.retrieval.lookup_arrays import LookupArrays, Terms, distinct
from pipeline.retrieval.pagerank import DAMPING, PassageWalk
from pipeline.retrieval.phrase_matcher import KnownForms
from pipeline.text.tokenizer import fold_word

HUB: Final = 0.01
"""Share of the passages beyond which a name is a hub: a shared sentence with it means nothing."""
FEW: Final = 5
"""Up to so many passages about a name are few: its article, the sections of its page; a speaker or a hero has many."""
LEAST_HUB: Final = 5
"""A name in no more passages than this is no hub; in a small corpus a hundredth is less than one."""
MOST_OWN: Final = 30
"""Passages about one name whose sentences are all read: a long document has more under its title."""
MOST_SENTENCES: Final = 400
"""Sentences read for one name or phrase."""


class PassageLookup:
    """The arrays of an index, and what is read from them in places; opening it reads next to nothing."""

    def __init__(self, arrays: LookupArrays, damping: float = DAMPING) -> None:
        self.arrays = arrays
        self.n, self.n_terms = arrays.n_passages, len(arrays.terms)
        self.row_of = Terms(arrays)
        self.bm25 = Bm25(arrays.postings.offsets, arrays.postings.items, arrays.counts.items, arrays.lengths)
        self.forms = KnownForms(arrays.forms, arrays.form_hashes.view(np.uint64), arrays.form_order)
        self.hub = max(LEAST_HUB, HUB * self.n)
        self.walk = PassageWalk(arrays, damping)

    # Of words: a row of ``n_terms`` is a word that is in no passage.

    def idf(self, rows: IntArray) -> FloatArray:
        """Of each word, as in BM25; 0 for a word that is in no passage, which finds nothing."""
        known = rows < self.n_terms
        return np.where(known, self.bm25.idf(np.where(known, rows, 0)), 0.0) if self.n_terms else np.zeros(len(rows))

    def stem_idf(self, rows: Any) -> Any:
        """Of the stem of each word, which is in some passage."""
        return rarity(self.arrays.stem_spread[rows], self.n)

    def capitals(self, rows: IntArray) -> IntArray:
        """How often each word has a capital inside a sentence."""
        return _of_words(self.arrays.capitals, rows)

    def lowers(self, rows: IntArray) -> IntArray:
        """How often each word is in lower case."""
        return _of_words(self.arrays.lowers, rows)

    def rows(self, words: Sequence[str]) -> IntArray:
        """Row of each word; ``n_terms`` for a word that is in no passage."""
        return np.array([self.row_of.get(fold_word(word), self.n_terms) for word in words], dtype=np.int64)

    def closeness(
        self,
        rows: IntArray,
        forms: Sequence[Sequence[int]] = (),
        together: Sequence[WordSequence] = (),
        related: Sequence[Sequence[int]] = (),
    ) -> Closeness:
        """How close passages are to the words of a question, by words and stems; rows from ``n_terms`` on find nothing.

        ``forms`` are rows of the other forms of words that are in no passage as the question has them; ``together`` are
        words that count as one; ``related`` are rows of words for the same thing as a word of the question.
        """
        known = list(dict.fromkeys(rows[rows < self.n_terms].tolist()))
        others = self._together(forms)
        return Closeness(
            self.bm25, known, [*self.stems_of(rows), *others], together=together, related=self._together(related)
        )

    def _together(self, forms: Sequence[Sequence[int]]) -> list[Stem]:
        """Return words that count as one each, as rare as the most frequent of them."""
        return [
            Stem(some, self.rarity(max(int(self.arrays.stem_spread[row]) for row in some)))
            for some in dict.fromkeys(tuple(sorted(set(form))) for form in forms if form)
        ]

    def stems_of(self, rows: IntArray) -> list[Stem]:
        """The stems of some words, each once; rows from ``n_terms`` on have none."""
        found: dict[int, Stem] = {}
        for row in rows[rows < self.n_terms].tolist():
            forms = [row]
            while (following := int(self.arrays.next_form[forms[-1]])) != row:
                forms.append(following)
            forms.sort()
            found.setdefault(forms[0], Stem(forms, float(self.stem_idf(forms[0]))))
        return list(found.values())

    def holding(self, rows: Sequence[int]) -> IntArray:
        """Passages that hold all of some words, ascending."""
        first, *others = sorted(rows, key=lambda row: int(self.bm25.spread(row)))
        passages = self.arrays.postings[first]
        for row in others:
            passages = passages[is_in(passages, self.arrays.postings[row])]
        return passages

    def rarity(self, spread: float) -> float:
        """ln(1 + N / spread)."""
        return float(np.log1p(self.n / max(spread, 1)))

    def about_name(self, name: int) -> tuple[IntArray, FloatArray]:
        """Passages about a name, and how surely."""
        about = self.arrays.about
        here = slice(int(about.offsets[name]), int(about.offsets[name + 1]))
        return about.items[here].astype(np.int64), self.arrays.about_weights[here].astype(np.float64)

    def n_about(self, name: int) -> int:
        """Number of passages about a name."""
        return len(self.arrays.about[name])

    def sentences_of(self, name: int) -> IntArray:
        """The first sentences that mention a name or are in a passage about it, ascending, at most ``MOST_SENTENCES``."""
        arrays = self.arrays
        holders = arrays.holders[name][:MOST_SENTENCES].astype(np.int64)  # each of them has one
        places = ranges(arrays.mention_offsets[holders], arrays.mention_offsets[holders + 1])
        passages = np.repeat(holders, arrays.mention_offsets[holders + 1] - arrays.mention_offsets[holders])
        here = arrays.mentions[places] == name
        mentioning = self.sentences_at(arrays.mention_starts[places[here]], passages[here])
        own = arrays.about[name][:MOST_OWN]
        every = ranges(arrays.sentence_offsets[own], arrays.sentence_offsets[own + 1])
        return distinct(np.concatenate([mentioning, every]))[:MOST_SENTENCES]

    def sentences_at(self, places: NDArray[Any], passages: IntArray) -> IntArray:
        """The sentences of places among all words, whose passages are known."""
        low, high = self.arrays.sentence_offsets[passages], self.arrays.sentence_offsets[passages + 1] - 1
        while (open_ := low < high).any():  # by halves, within the passage of each
            middle = (low + high) // 2
            after = open_ & (self.arrays.sentence_ends[middle] <= places)
            low, high = np.where(after, middle + 1, low), np.where(open_ & ~after, middle, high)
        return low

    def sentence_bounds(self, sentences: IntArray) -> tuple[IntArray, IntArray]:
        """First word and end of sentences among all words."""
        ends = self.arrays.sentence_ends
        before = np.where(sentences > 0, ends[np.maximum(sentences - 1, 0)], 0)
        return before.astype(np.int64), ends[sentences].astype(np.int64)


def expanded(lists: Lists, rows: NDArray[Any]) -> IntArray:
    """Places in ``lists.items`` of all items of some rows."""
    return ranges(lists.offsets[rows], lists.offsets[rows + 1])


def _of_words(counts: NDArray[Any], rows: IntArray) -> IntArray:
    found = np.zeros(len(rows), np.int64)
    known = rows < len(counts)
    found[known] = counts[rows[known]]
    return found
