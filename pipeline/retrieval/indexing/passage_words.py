"""The words of passages as arrays on disk: a stream of vocabulary rows with its sentences, its capitals, and its capitalised spans."""

import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pipeline.base.arrow.columns import BoolArray, IntArray
from pipeline.base.storage.spill import Spill
from pipeline.text import sentences
from pipeline.text.lexicon.words import listed
from pipeline.text.names.name_spans import CONNECTORS
from pipeline.text.scripts import LANGUAGES
from pipeline.text.tokenizer import fold_word, words, words_and_gaps

Ints32 = NDArray[np.int32]
"""For what is as long as the texts; never multiply without widening them."""
Spills = Callable[[], Spill]

LONGEST_SPAN: Final = 12
"""Words of a capitalised span that may be a name; a longer one is a headline."""

# "Boso and Hucbert" are two names; where "and" belongs to one, both halves lead to it anyway.
_AND: Final = listed("and und et y e en i и és og och ja ve or oder ou")
_CONNECTORS: Final = frozenset(CONNECTORS).union(*(lists.connectors for lists in LANGUAGES.values())) - _AND
_MOST_CONNECTORS: Final = 2  # in a row: "Order of the Garter"
# A full stop joins only after an initial or a title: "J. Om Prakash", "St. Maurice".
_JOINS: Final = re.compile(r"[ ]?[-–‐‑][ ]?|['’´`][ ]?|[ \u00a0]|\.[ ]?|[ ]?&[ ]?")
_LONGEST_ABBREVIATION: Final = 3
AT_ONCE: Final = 1024
"""Passages of a block, a constant: parts of tables follow it."""


@dataclass
class PassageWords:
    """Words of N passages in S sentences. What is as long as the texts waits on disk, and is read some passages at a time."""

    terms: list[str]
    """Folded words, in the order of their first appearance."""
    row_of: dict[str, int]
    """Row of each folded word."""
    sentence_offsets: IntArray
    """(N + 1) first sentence of each passage."""
    sentence_ends: IntArray
    """(S) where each sentence ends among the words of all passages, exclusive."""
    spill: Spill

    @cached_property
    def cases(self) -> "Cases":
        """How often each word is in lower case, and with a capital."""
        n = len(self.terms)
        lowers, capitals = np.zeros(n, np.int64), np.zeros(n, np.int64)
        for block in self.blocks():
            lowers += np.bincount(block.stream[~block.capital], minlength=n)
            capitals += np.bincount(block.stream[block.capital & ~block.opening], minlength=n)
        return Cases(lowers, capitals)

    def bounds(self) -> IntArray:
        """(N + 1) where each passage begins among the words of all, and where the last one ends."""
        ends = np.concatenate([np.zeros(1, np.int64), self.sentence_ends])
        return ends[self.sentence_offsets]

    def blocks(self) -> Iterator["Block"]:
        """Some passages at a time, read from disk."""
        bounds = self.bounds()
        for number, arrays in enumerate(self.spill.arrays()):
            start = number * AT_ONCE
            stop = min(start + AT_ONCE, len(bounds) - 1)
            yield Block(start, bounds[start : stop + 1] - bounds[start], **arrays)

    def rows(self, text: str) -> tuple[int, ...]:
        """Rows of the words of a text; empty where one of them is unknown."""
        rows = [self.row_of.get(fold_word(word), -1) for word in words(text)]
        return tuple(rows) if min(rows, default=-1) >= 0 else ()


class Cases(NamedTuple):
    """(V) How often each word is in lower case, and how often it has a capital where it opens no sentence."""

    lowers: IntArray
    capitals: IntArray


@dataclass(frozen=True)
class Block:
    """B passages from ``start`` on, with W words in reading order; places are those among these words."""

    start: int
    bounds: IntArray
    """(B + 1) where each passage begins."""
    stream: Ints32
    """(W) row of each word in ``terms``."""
    capital: BoolArray
    """(W) the word is not in lower case; true for scripts without case, and for figures."""
    opening: BoolArray
    """(W) the word opens a sentence, so that its capital means nothing."""
    sentence_ends: Ints32
    """Where each sentence ends, exclusive."""
    characters: Ints32
    """Start and end of each sentence in its passage, in turn."""
    spans: Ints32
    """Start and end, exclusive, of each capitalised span, in turn."""

    @property
    def stop(self) -> int:
        """The passage after the last one."""
        return self.start + len(self.bounds) - 1

    def passage(self) -> IntArray:
        """(W) the passage of each word, among all."""
        return np.repeat(np.arange(self.start, self.stop), np.diff(self.bounds))

    def ends(self) -> Ints32:
        """(W) where the sentence of each word ends, exclusive."""
        return np.repeat(self.sentence_ends, np.diff(self.sentence_ends, prepend=0))


class _Spellings(dict[str, int]):
    """Numbers spellings as they come, with the row of the folded word of each."""

    def __init__(self) -> None:
        self.row_of: dict[str, int] = {}
        self.rows = array("i")
        self.capital = array("b")

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        self.rows.append(self.row_of.setdefault(fold_word(word), len(self.row_of)))
        self.capital.append(not word.islower())
        return number


class _Collected:
    """The words of a block as they are read: numbers of spellings, and the arrays of ``Block`` that go with them."""

    def __init__(self) -> None:
        self.spelled, self.ends, self.characters, self.spans = array("i"), array("i"), array("i"), array("i")

    def add(self, sentence: str, start: int, end: int, known: _Spellings) -> None:
        """Add a sentence, which has these characters of its passage; one without words is left out."""
        found, gaps = words_and_gaps(sentence)
        if found:
            first = len(self.spelled)
            self.spelled.extend([known[word] for word in found])
            for a, b in capital_spans(found, gaps):
                self.spans.extend((first + a, first + b))
            self.ends.append(len(self.spelled))
            self.characters.extend((start, end))

    def arrays(self, known: _Spellings) -> dict[str, NDArray[Any]]:
        """The arrays of a block."""
        spelled, ends = np.array(self.spelled, np.int32), np.array(self.ends, np.int32)
        opening = np.zeros(len(spelled), dtype=bool)
        opening[ends - np.diff(ends, prepend=0)] = True
        return {
            "stream": np.frombuffer(known.rows, np.int32)[spelled] if known.rows else spelled,
            "capital": (np.frombuffer(known.capital, np.int8)[spelled] if known.capital else spelled).astype(bool),
            "opening": opening,
            "sentence_ends": ends,
            "characters": np.array(self.characters, np.int32),
            "spans": np.array(self.spans, np.int32),
        }


def read_words(
    texts: Iterable[str],
    outside: Sequence[str],
    cuts: Iterable[Sequence[tuple[int, int]]] | None = None,
    spills: Spills = Spill,
) -> PassageWords:
    """Read passages once; words ``outside`` a text that it is found by enter the vocabulary, not the stream. ``cuts`` are the spans of
    the sentences of each, found here unless given. ``spills`` opens files for what waits on disk."""
    known, collected, spill = _Spellings(), _Collected(), spills()
    offsets, ends, before = array("q", [0]), array("q"), 0
    cut_texts = zip(texts, cuts, strict=True) if cuts is not None else ((text, sentences.split(text)) for text in texts)
    for number, (text, cut) in enumerate(cut_texts, 1):
        for start, end in cut:
            collected.add(text[start:end], start, end, known)
        offsets.append(len(ends) + len(collected.ends))
        if number % AT_ONCE == 0:
            spill.write_arrays(collected.arrays(known))
            ends.extend([before + end for end in collected.ends])
            before, collected = before + len(collected.spelled), _Collected()
    if (len(offsets) - 1) % AT_ONCE:
        spill.write_arrays(collected.arrays(known))
        ends.extend([before + end for end in collected.ends])
    for line in outside:
        for word in words(line):
            known[word]
    terms = list(known.row_of)
    return PassageWords(terms, known.row_of, np.array(offsets, np.int64), np.array(ends, np.int64), spill)


def capital_spans(found: Sequence[str], gaps: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Spans of words with a capital, connectors inside them; ``gaps[i]`` follows word ``i``."""
    end = 0
    for place in [place for place, word in enumerate(found) if word[0].isupper()]:
        if place >= end:
            end = _span_end(place, found, gaps)
            yield place, end


def _span_end(start: int, found: Sequence[str], gaps: Sequence[str]) -> int:
    end = start + 1
    for ahead in range(end, min(start + LONGEST_SPAN, len(found))):
        if not _joins(found[ahead - 1], gaps[ahead - 1]):
            break
        word = found[ahead]
        after_apostrophe = gaps[ahead - 1][0] in "'’" and ahead == end
        if word[0].isupper() or (word.isdigit() and len(word) < 3) or (after_apostrophe and len(word) > 2):
            end = ahead + 1
        elif not (word in _CONNECTORS and ahead - end < _MOST_CONNECTORS) and not (after_apostrophe and word == "s"):
            break
    return end


def _joins(word: str, gap: str) -> bool:
    """Whether what follows a word may be inside a name."""
    return gap == " " or (bool(_JOINS.fullmatch(gap)) and (gap[0] != "." or len(word) <= _LONGEST_ABBREVIATION))
