"""What a question looks up in the arrays of passages: words, names, the sentences and passages where they are."""

from collections.abc import Sequence
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pipeline.base.arrow.lists import Lists, by_row
from pipeline.retrieval.bm25 import Bm25, Floats, Ints, Stem
from pipeline.retrieval.index_arrays import Passages
from pipeline.retrieval.pagerank import RandomWalk
from pipeline.retrieval.phrase_matcher import Forms
from pipeline.text.tokenizer import fold_word

HUB: Final = 0.01
"""Share of the passages beyond which a name is a hub: a shared sentence with it means nothing."""
FEW: Final = 5
"""Passages about a name that are few: its article, the sections of its page; a speaker or a hero has many."""
LEAST_HUB: Final = 5
"""Passages; in a small corpus a hundredth is less than one."""
MOST_OWN: Final = 30
"""Passages about one name whose sentences are all read: a long document has more under its title."""


class PassageLookup:
    """The arrays, and what is derived from them when an index is opened; nothing here depends on a question."""

    def __init__(self, passages: Passages) -> None:
        self.arrays = passages
        self.n = passages.n_passages
        self.n_terms = len(passages.terms)
        self.row_of = {term: row for row, term in enumerate(passages.terms)}
        lengths = np.bincount(passages.postings.items, weights=passages.counts.items, minlength=self.n)
        self.bm25 = Bm25(passages.postings.offsets, passages.postings.items, passages.counts.items, lengths)
        self.forms = Forms(passages.forms.offsets, passages.forms.items, self.n_terms)
        self.hub = max(LEAST_HUB, HUB * self.n)
        names = passages.names
        self.walk = RandomWalk(names.offsets, names.items, passages.weights.items, passages.n_names)
        self.holders = _turned(names, passages.n_names)
        self.about = _turned(passages.subjects, passages.n_names)
        order = np.argsort(passages.subjects.items, kind="stable")
        self.about_weights = Lists(self.about.offsets, passages.subject_weights.items[order])
        self.spread = self._name_spread()

    def _name_spread(self) -> Ints:
        """Passages that hold a name, inside longer names too: "Elisabeth" is rare as a name and frequent as a word."""
        spread = self.walk.spread.copy()
        form_names = self.arrays.form_names
        np.maximum.at(spread, form_names.items, self.arrays.form_spread[form_names.rows()])
        return spread

    # Of words: one item more than there are words, for those of a question that are in no passage.

    @cached_property
    def idf(self) -> Floats:
        """Of each word, as in BM25; 0 for a word that is in no passage, which finds nothing."""
        return np.append(self.bm25.idf, 0.0)

    @cached_property
    def families(self) -> Ints:
        """Number of the family of each word; -2 for a word that is in no passage."""
        return np.append(self.arrays.families, -2)

    @cached_property
    def stem_idf(self) -> Floats:
        """Of the stem of each word; that of the rarest for a word that is in no passage, whose absence counts."""
        spread = np.append(self.arrays.stem_spread, 0)
        return np.log1p((self.n - spread + 0.5) / (spread + 0.5))

    @cached_property
    def capitals(self) -> Ints:
        """How often each word has a capital inside a sentence."""
        return np.append(self.arrays.capitals, 0)

    @cached_property
    def lowers(self) -> Ints:
        """How often each word is in lower case."""
        return np.append(self.arrays.lowers, 0)

    @cached_property
    def token_families(self) -> Ints:
        """Family of every token, passages end to end; -1 inside a mention, whose words tell nothing of the others."""
        families: Ints = self.families[self.arrays.tokens.items]
        change = np.zeros(len(families) + 1, dtype=np.int64)
        np.add.at(change, self.mention_starts, 1)
        np.add.at(change, self.mention_ends, -1)
        return np.where(np.cumsum(change[:-1]) > 0, -1, families)

    @cached_property
    def sentence_ends(self) -> Ints:
        """Where each sentence ends among all tokens, exclusive."""
        ends = self.arrays.sentence_ends
        return ends.items + self.arrays.tokens.offsets[ends.rows()]

    @cached_property
    def mention_starts(self) -> Ints:
        starts = self.arrays.mention_starts
        return starts.items + self.arrays.tokens.offsets[starts.rows()]

    @cached_property
    def mention_ends(self) -> Ints:
        ends = self.arrays.mention_ends
        return ends.items + self.arrays.tokens.offsets[ends.rows()]

    def rows(self, words: list[str]) -> Ints:
        """Row of each word; ``n_terms`` for a word that is in no passage."""
        return np.array([self.row_of.get(fold_word(word), self.n_terms) for word in words], dtype=np.int64)

    def closeness(self, rows: Ints) -> Floats:
        """Score of every passage for the words of a question, by words and stems; rows from ``n_terms`` on find nothing."""
        known = list(dict.fromkeys(rows[rows < self.n_terms].tolist()))
        return self.bm25.scores_by_stems(known, self.stems_of(rows))

    def stems_of(self, rows: Ints) -> list[Stem]:
        """The stems of some words, each once; rows from ``n_terms`` on have none."""
        numbers = dict.fromkeys(self.arrays.stems[rows[rows < self.n_terms]].tolist())
        words: dict[int, list[int]] = {number: [] for number in numbers}
        wanted = np.zeros(self.n_terms + 1, dtype=bool)  # stems are no more than words
        wanted[list(numbers)] = True
        for word in np.flatnonzero(wanted[self.arrays.stems]).tolist():
            words[int(self.arrays.stems[word])].append(word)
        return [Stem(forms, float(self.stem_idf[forms[0]])) for forms in words.values()]

    def holding(self, rows: Sequence[int]) -> Ints:
        """Passages that hold all of some words, ascending."""
        first, *others = sorted(rows, key=lambda row: int(self.bm25.spread[row]))
        held = self.arrays.postings[first]
        for row in others:
            held = held[is_in(held, self.arrays.postings[row])]
        return held

    def rarity(self, spread: float) -> float:
        """ln(1 + N / spread)."""
        return float(np.log1p(self.n / max(spread, 1)))

    def about_name(self, name: int) -> tuple[Ints, Floats]:
        """Passages about a name, and how surely."""
        return self.about[name], self.about_weights[name]

    def sentences_of(self, name: int) -> Ints:
        """Sentences that mention a name, and all of the passages that are about it; ascending."""
        holders = self.holders[name]
        places = expanded(self.arrays.mentions, holders)
        places = places[self.arrays.mentions.items[places] == name]
        mentioning = np.searchsorted(self.sentence_ends, self.mention_starts[places], side="right")
        own = expanded(self.arrays.sentence_ends, self.about[name][:MOST_OWN])
        return np.unique(np.concatenate([mentioning, own]))

    def sentence_bounds(self, sentences: Ints) -> tuple[Ints, Ints]:
        """First token and end of sentences among all tokens."""
        ends = self.sentence_ends[sentences]
        before = np.where(sentences > 0, self.sentence_ends[np.maximum(sentences - 1, 0)], 0)
        return before, ends


def is_in(values: Ints, ascending: Ints) -> NDArray[np.bool_]:
    """Which values are in an ascending array."""
    if not len(ascending):
        return np.zeros(len(values), dtype=bool)
    places = np.minimum(np.searchsorted(ascending, values), len(ascending) - 1)
    return np.asarray(ascending[places] == values)


def expanded(lists: Lists, rows: NDArray[np.int64]) -> Ints:
    """Places in ``lists.items`` of all items of some rows."""
    return ranges(lists.offsets[rows], lists.offsets[rows + 1])


def ranges(starts: Ints, ends: Ints) -> Ints:
    """The numbers of several ranges, end to end."""
    lengths = ends - starts
    before = np.cumsum(lengths) - lengths
    return np.asarray(np.arange(int(lengths.sum())) + np.repeat(starts - before, lengths))


def _turned(lists: Lists, n_items: int) -> Lists:
    """For each item the rows that list it, ascending."""
    order = np.argsort(lists.items, kind="stable")
    return by_row(lists.items[order], lists.rows()[order], n_items)
