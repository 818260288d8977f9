"""The words of passages as arrays: one stream of vocabulary rows with its sentences, its capitals, and its capitalised spans."""

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pipeline.retrieval.bm25 import Ints
from pipeline.text import sentences
from pipeline.text.lexicon.words import listed
from pipeline.text.names.name_spans import CONNECTORS
from pipeline.text.scripts import LANGUAGES
from pipeline.text.tokenizer import fold_word, words, words_and_gaps

Flags = NDArray[np.bool_]
Ints32 = NDArray[np.int32]
"""For arrays as long as the corpus, which are the memory that this takes; never multiply without widening them."""

LONGEST_SPAN: Final = 12
"""Words of a capitalised span that may be a name; a longer one is a headline."""

# "Boso and Hucbert" are two names; where "and" belongs to one, both halves lead to it anyway.
_AND: Final = listed("and und et y e en i и és og och ja ve or oder ou")
_CONNECTORS: Final = frozenset(CONNECTORS).union(*(lists.connectors for lists in LANGUAGES.values())) - _AND
_MOST_CONNECTORS: Final = 2  # in a row: "Order of the Garter"
# A full stop joins only after an initial or a title: "J. Om Prakash", "St. Maurice".
_JOINS: Final = re.compile(r"[ ]?[-–‐‑][ ]?|['’´`][ ]?|[ \u00a0]|\.[ ]?|[ ]?&[ ]?")
_LONGEST_ABBREVIATION: Final = 3
_AT_ONCE: Final = 1024


@dataclass
class PassageWords:
    """Words of N passages in S sentences; ``stream`` and what goes with it are per word, in reading order."""

    terms: list[str]
    """Folded words, in the order of their first appearance."""
    stream: Ints32
    """Row of each word in ``terms``."""
    capital: Flags
    """The word is not in lower case; true for scripts without case, and for figures."""
    opening: Flags
    """The word opens a sentence, so that its capital means nothing."""
    sentence_offsets: Ints
    """(N + 1) first sentence of each passage."""
    sentence_ends: Ints
    """(S) where each sentence ends in the stream, exclusive."""
    sentence_spans: Ints
    """(S, 2) its characters in the passage."""
    spans: Ints32
    """(M, 2) capitalised spans in the stream, end exclusive."""
    row_of: dict[str, int]
    """Row of each folded word."""

    @cached_property
    def cases(self) -> "Cases":
        """How often each word is in lower case, and with a capital."""
        n = len(self.terms)
        lowers, capitals = np.zeros(n, np.int64), np.zeros(n, np.int64)
        for block in self.blocks():
            here = slice(block.first, block.first + len(block.stream))
            capital, opening = self.capital[here], self.opening[here]
            lowers += np.bincount(block.stream[~capital], minlength=n)
            capitals += np.bincount(block.stream[capital & ~opening], minlength=n)
        return Cases(lowers, capitals)

    def forget_case(self) -> None:
        """Free what is known of capitals once it was used; ``cases`` stay."""
        _ = self.cases
        self.capital = self.opening = np.zeros(0, bool)
        self.spans = np.zeros((0, 2), np.int32)

    def bounds(self) -> Ints:
        """(N + 1) where each passage begins in the stream, and where the last one ends."""
        ends = np.concatenate([np.zeros(1, np.int64), self.sentence_ends])
        return ends[self.sentence_offsets]

    def passage_of(self, places: Ints) -> Ints:
        """The passages of places in the stream."""
        return np.searchsorted(self.bounds(), places, side="right") - 1

    def blocks(self) -> Iterator["Block"]:
        """Some passages at a time: arrays over all words are what takes the memory."""
        n, bounds = len(self.sentence_offsets) - 1, self.bounds()
        for start in range(0, n, _AT_ONCE):
            stop = min(start + _AT_ONCE, n)
            first, last = int(bounds[start]), int(bounds[stop])
            sentences = self.sentence_ends[self.sentence_offsets[start] : self.sentence_offsets[stop]]
            yield Block(
                start,
                stop,
                first,
                self.stream[first:last],
                np.repeat(np.arange(start, stop), np.diff(bounds[start : stop + 1])),
                np.repeat(sentences, np.diff(sentences, prepend=first)),
            )

    def span_pairs(self) -> Iterator[tuple[int, int]]:
        """The capitalised spans, some at a time: as Python objects all of them are larger than the texts."""
        for at in range(0, len(self.spans), 65_536):
            yield from self.spans[at : at + 65_536].tolist()

    def rows(self, text: str) -> tuple[int, ...]:
        """Rows of the words of a text; empty where one of them is unknown."""
        rows = [self.row_of.get(fold_word(word), -1) for word in words(text)]
        return tuple(rows) if min(rows, default=-1) >= 0 else ()


class Cases(NamedTuple):
    """(V) How often each word is in lower case, and how often it has a capital where it opens no sentence."""

    lowers: Ints
    capitals: Ints


class Block(NamedTuple):
    """Passages ``start`` to ``stop``; their words begin at ``first`` in the stream. ``passage`` is that of each word, and
    ``ends`` where its sentence ends in the stream, exclusive."""

    start: int
    stop: int
    first: int
    stream: Ints32
    passage: Ints
    ends: Ints


class _Spellings(dict[str, int]):
    """Numbers spellings as they come, with the row of the folded word of each."""

    def __init__(self) -> None:
        self.row_of: dict[str, int] = {}
        self.rows: list[int] = []
        self.capital: list[bool] = []

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        self.rows.append(self.row_of.setdefault(fold_word(word), len(self.row_of)))
        self.capital.append(not word.islower())
        return number


def read_words(
    texts: Iterable[str], outside: Sequence[str], cuts: Iterable[Sequence[tuple[int, int]]] | None = None
) -> PassageWords:
    """Read passages once; words ``outside`` a text that it is found by enter the vocabulary, not the stream. ``cuts`` are the spans of
    the sentences of each, found here unless given."""
    known = _Spellings()
    numbers, ends, characters, spans = array("i"), array("i"), array("q"), array("i")
    offsets = [0]
    cut_texts = zip(texts, cuts, strict=True) if cuts is not None else ((text, sentences.split(text)) for text in texts)
    for text, cut in cut_texts:
        for start, end in cut:
            found, gaps = words_and_gaps(text[start:end])
            if found:
                first = len(numbers)
                numbers.extend([known[word] for word in found])
                for a, b in capital_spans(found, gaps):
                    spans.extend((first + a, first + b))
                ends.append(len(numbers))
                characters.extend((start, end))
        offsets.append(len(ends))
    for line in outside:
        for word in words(line):
            known[word]
    return _as_arrays(known, numbers, ends, characters, spans, offsets)


def _as_arrays(
    known: _Spellings,
    numbers: "array[int]",
    ends: "array[int]",
    characters: "array[int]",
    spans: "array[int]",
    offsets: list[int],
) -> PassageWords:
    spelling = np.asarray(numbers, dtype=np.int32)
    sentence_ends, sentence_offsets = np.array(ends, dtype=np.int64), np.array(offsets, dtype=np.int64)
    lengths = np.diff(sentence_ends, prepend=0)
    opening = np.zeros(len(spelling), dtype=bool)
    opening[sentence_ends - lengths] = True
    return PassageWords(
        terms=list(known.row_of),
        stream=np.array(known.rows, dtype=np.int32)[spelling],
        capital=np.array(known.capital, dtype=bool)[spelling],
        opening=opening,
        sentence_offsets=sentence_offsets,
        sentence_ends=sentence_ends,
        sentence_spans=np.array(characters, dtype=np.int64).reshape(-1, 2),
        spans=np.asarray(spans, dtype=np.int32).reshape(-1, 2),
        row_of=known.row_of,
    )


def capital_spans(found: Sequence[str], gaps: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Spans of words with a capital, connectors inside them; ``gaps[i]`` follows word ``i``."""
    place, n = 0, len(found)
    while place < n:
        if not found[place][0].isupper():
            place += 1
            continue
        end = place + 1
        ahead = end
        while ahead < n and ahead - place < LONGEST_SPAN and _joins(found[ahead - 1], gaps[ahead - 1]):
            word = found[ahead]
            after_apostrophe = gaps[ahead - 1][0] in "'’" and ahead == end
            if word[0].isupper() or (word.isdigit() and len(word) < 3) or (after_apostrophe and len(word) > 2):
                end = ahead + 1
            elif not (word in _CONNECTORS and ahead - end < _MOST_CONNECTORS) and not (
                after_apostrophe and word == "s"
            ):
                break
            ahead += 1
        yield place, end
        place = end


def _joins(word: str, gap: str) -> bool:
    """Whether what follows a word may be inside a name."""
    return bool(_JOINS.fullmatch(gap)) and (gap[0] != "." or len(word) <= _LONGEST_ABBREVIATION)
