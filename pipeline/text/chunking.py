"""Cuts a text into overlapping windows of tokens that prefer to end where a section, a paragraph or a sentence ends.

The text is first cut into units, small enough to be packed: sentences, and where a sentence is long its words, and where a
word is long its characters. Each unit's tokens are counted once; windows are then found on the running sum alone.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

import numpy as np

from pipeline.base.errors import SettingsError
from pipeline.base.tokens import Tokenizer
from pipeline.text import sentences
from pipeline.text.graphemes import may_cut, next_cut
from pipeline.text.headings import Heading, anchored, find_headings


class Window(NamedTuple):
    """A window of a document: ``text`` is the document's text from ``start`` to ``end``."""

    start: int
    end: int
    text: str
    anchor: str
    n_tokens: int


Spans = list[tuple[int, int]]

# How good the end of a unit is as the end of a window.
_INSIDE, _SENTENCE, _PARAGRAPH, _SECTION = 0, 1, 2, 3
_LEAST_FILLED = ((_SECTION, 0.5), (_PARAGRAPH, 0.7), (_SENTENCE, 0.4))
"""A window ends at the best of these that leaves it filled to at least this share; else wherever it is full."""

_MOST_CHARS_A_TOKEN = 16  # of texts short enough to try whether they fit one window as they are
_SHORT_SECTION = 200  # characters; a heading so soon after another is its second line, or one of a list
_SMALLEST_SPLIT = 8  # tokens; a word of no more is not cut for the sake of overlap
_SPLITS = 4  # parts that a stretch of as many tokens as asked for is cut into, so that overlap can be measured out
_LONGEST_TITLE = 200  # characters of an anchor's title


def cut(
    text: str, title: str, *, size: int, overlap: int, tokenizer: Tokenizer, n_tokens: int | None = None
) -> list[Window]:
    """Cut ``text`` into windows of at most ``size`` tokens, neighbours sharing up to ``overlap`` of them.

    Pieces neither begin nor end with white space and together hold every other character. No cut falls inside a grapheme
    cluster or a CRLF; only a single cluster of more than ``size`` tokens makes a larger piece. Overlap begins at a sentence
    where one begins in its reach, and a window that begins with a heading has none. ``n_tokens`` is the tokenizer's count
    of the piece's text. The anchor is the title, followed by " > " and the heading under which the piece begins, where there
    is one that differs from the title. ``n_tokens`` is that of the whole text where it is known.
    Linear in the text.

    Raises SettingsError where ``size`` is below 1, or ``overlap`` negative or not below ``size``.
    """
    _check(size, overlap)
    whole = _trimmed(text, 0, len(text))
    if whole[0] >= whole[1]:
        return []
    spans, counts = [whole], [size + 1]
    if whole[1] - whole[0] <= size * _MOST_CHARS_A_TOKEN:
        known = n_tokens if whole == (0, len(text)) else None
        counts = [tokenizer.count(text[whole[0] : whole[1]]) if known is None else known]
    headings = find_headings(text)
    if counts[0] > size:
        units = _Units(_parts(text, headings, size, overlap, tokenizer))
        edges = [0, *units.ends]
        spans = [(edges[first], edges[last]) for first, last in units.windows(size, overlap)]
        spans, counts = _fitted(text, spans, units.ends, size, tokenizer)
    anchors = _anchors(spans, title, headings)
    return [
        Window(start, end, text[start:end], anchor, count)
        for (start, end), anchor, count in zip(spans, anchors, counts, strict=True)
    ]


def _check(size: int, overlap: int) -> None:
    if size < 1 or overlap < 0 or overlap >= size:
        raise SettingsError(
            f"chunks of {size} tokens with an overlap of {overlap}",
            "a chunk has at least one token, and its overlap is smaller than itself, or cutting would never end",
            "change chunks.size or chunks.overlap",
        )


Parts = tuple[list[int], list[int], list[int]]
"""Ends, qualities and costs in tokens of units."""


class _Units:
    """The units of a text: unit k reaches from ``ends[k - 1]`` (with the white space there) to ``ends[k]``."""

    def __init__(self, parts: Parts) -> None:
        self.ends, self.quality, costs = parts
        self.sums: list[int] = [0, *np.cumsum(costs, dtype=np.int64).tolist()]
        """Tokens before unit k; rises with every unit, since none is empty."""

    def windows(self, size: int, overlap: int) -> Spans:
        """Windows as half-open ranges of units."""
        best = [(self._last_of(quality), share * size) for quality, share in _LEAST_FILLED]
        sentence_starts = [k for k, quality in enumerate([_SECTION, *self.quality[:-1]]) if quality >= _SENTENCE]
        windows: Spans = []
        first, new, count = 0, 0, len(self.ends)
        while True:
            full = max(bisect_right(self.sums, self.sums[first] + size) - 1, new + 1)
            if full >= count:
                return [*windows, (first, count)]
            end = self._end(first, new, full, best)
            windows.append((first, end))
            first, new = self._next_start(first, end, size, overlap, sentence_starts), end

    def _last_of(self, quality: int) -> list[int]:
        """For every unit the end, as a number of units, of the last one up to it that ends at least so well; 0 for none."""
        numbers = np.arange(1, len(self.quality) + 1)
        last: list[int] = np.maximum.accumulate(np.where(np.array(self.quality) >= quality, numbers, 0)).tolist()
        return last

    def _end(self, first: int, new: int, full: int, best: Sequence[tuple[list[int], float]]) -> int:
        for last_of, filled in best:
            end = last_of[full - 1]
            if end > new and self.sums[end] - self.sums[first] >= filled:
                return end
        return full

    def _next_start(self, first: int, end: int, size: int, overlap: int, sentence_starts: Sequence[int]) -> int:
        """The first unit of the next window: the overlap before it must leave room for one new unit."""
        if self.quality[end - 1] == _SECTION:
            return end
        total, following = self.sums[end], self.sums[end + 1]
        start = max(bisect_left(self.sums, total - overlap), bisect_left(self.sums, following - size), first + 1)
        if start >= end:
            return end
        sentence = sentence_starts[min(bisect_left(sentence_starts, start), len(sentence_starts) - 1)]
        return sentence if start <= sentence < end and total - self.sums[sentence] >= overlap / 2 else start


def _parts(text: str, headings: Sequence[Heading], size: int, overlap: int, tokenizer: Tokenizer) -> Parts:
    """Cut a text into units: sentences; words of sentences too long for the overlap; characters of words too long."""
    ends, quality = _sentence_ends(text, headings)
    starts = [0, *ends[:-1]]
    parts = ends, quality, tokenizer.counts([text[start:end] for start, end in zip(starts, ends, strict=True)])
    parts = _refined(text, parts, overlap or size, tokenizer, _word_ends)
    parts = _refined(text, parts, min(size, max(overlap or size, _SMALLEST_SPLIT)), tokenizer, _cluster_ends)
    while max(parts[2]) > size:
        finer = _refined(text, parts, size, tokenizer, _cluster_ends)
        if len(finer[0]) == len(parts[0]):  # single clusters of more than ``size`` tokens
            break
        parts = finer
    return parts


def _sentence_ends(text: str, headings: Sequence[Heading]) -> tuple[list[int], list[int]]:
    """Ends of sentences where the text may be cut, and how good each is as the end of a window."""
    paragraph_ends = {end for _, end in sentences.paragraphs(text)}
    heading_starts = [heading.start for heading in headings]
    spans = sentences.split(text)
    ends, quality = [], []
    for (_, end), (following, _) in zip(spans, [*spans[1:], (len(text), len(text))], strict=True):
        if following < len(text) and not may_cut(text, end):
            continue
        own, next_one = bisect_left(heading_starts, end) - 1, bisect_right(heading_starts, following) - 1
        ends.append(end)
        if own >= 0 and end <= headings[own].end:
            quality.append(_INSIDE)  # a window does not end with a heading, away from what it heads
        elif next_one > own and (own < 0 or following - headings[own].end > _SHORT_SECTION):
            quality.append(_SECTION)
        else:
            quality.append(_PARAGRAPH if end in paragraph_ends else _SENTENCE)
    return ends, quality


def _word_ends(text: str, start: int, end: int, step: int) -> list[int]:
    """Ends of words, every ``step`` characters or the next one behind."""
    words = re.compile(rf"(?s:.{{{step}}})\S*").finditer(text, start, end)
    return [word.end() for word in words if word.end() < end and may_cut(text, word.end())]


def _cluster_ends(text: str, start: int, end: int, step: int) -> list[int]:
    """Places every ``step`` characters or so; the white space before the first character counts with it."""
    while start < end and text[start].isspace():
        start += 1
    ends = []
    while (start := next_cut(text, start, start + step)) < end:
        ends.append(start)
    return ends


def _refined(
    text: str, parts: Parts, most: int, tokenizer: Tokenizer, split: Callable[[str, int, int, int], list[int]]
) -> Parts:
    """Cut every unit of more than ``most`` tokens into about ``_SPLITS`` for each ``most``, and count those in one go."""
    ends, quality, costs = parts
    starts = [0, *ends[:-1]]
    inner = {}
    for k, cost in enumerate(costs):
        if cost > most:
            step = max(1, (ends[k] - starts[k]) * most // (_SPLITS * cost))
            inner[k] = split(text, starts[k], ends[k], step)
    inner = {k: places for k, places in inner.items() if places}
    edges = [pair for k, places in inner.items() for pair in pairwise([starts[k], *places, ends[k]])]
    counts = iter(tokenizer.counts([text[start:end] for start, end in edges]))
    refined: Parts = ([], [], [])
    for k, end in enumerate(ends):
        places = inner.get(k, [])
        refined[0].extend([*places, end])
        refined[1].extend([*[_INSIDE] * len(places), quality[k]])
        refined[2].extend(islice(counts, len(places) + 1) if places else [costs[k]])
    return refined


def _fitted(text: str, spans: Spans, ends: Sequence[int], size: int, tokenizer: Tokenizer) -> tuple[Spans, list[int]]:
    """Count each span; halve those of too many tokens.

    That is rare: a piece counts as much as its units together, or less, but for byte pair encodings where the loss of a
    leading space or of a neighbour makes more tokens.
    """
    spans = [span for start, end in spans if (span := _trimmed(text, start, end)) and span[0] < span[1]]
    fitted: Spans = []
    counts: list[int] = []
    for (start, end), count in zip(spans, tokenizer.counts([text[start:end] for start, end in spans]), strict=True):
        middle = _middle(text, start, end, ends) if count > size else end
        halves = [(start, end)], [count]
        if middle < end:
            halves = _fitted(text, [(start, middle), (middle, end)], ends, size, tokenizer)
        for half, tokens in zip(*halves, strict=True):
            if fitted and half[0] < fitted[-1][0]:  # its overlap reaches behind where the one before was halved
                half = _trimmed(text, fitted[-1][1], half[1])
                tokens = tokenizer.count(text[half[0] : half[1]])
            if not fitted or half[1] > fitted[-1][1]:  # else it holds nothing but overlap
                fitted.append(half)
                counts.append(tokens)
    return fitted, counts


def _middle(text: str, start: int, end: int, ends: Sequence[int]) -> int:
    """The unit's end nearest before the middle, else any allowed cut near it; ``end`` where there is none."""
    middle = (start + end) // 2
    unit = ends[bisect_right(ends, middle) - 1] if ends[0] <= middle else start
    return unit if unit > start else next_cut(text, start, max(middle, start + 1))


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without white space at its ends, but for a space that carries a combining mark."""
    first, last = start, end
    while first < last and text[first].isspace():
        first += 1
    while last > first and text[last - 1].isspace():
        last -= 1
    while first > start and first < last and not may_cut(text, first):
        first -= 1
    while first < last < end and not may_cut(text, last):
        last += 1
    return first, last


def _anchors(spans: Spans, title: str, headings: Sequence[Heading]) -> Iterator[str]:
    """For each span the title and the heading that it begins with or under: those further down are in its text."""
    name = " ".join(title[: 10 * _LONGEST_TITLE].split())[:_LONGEST_TITLE]
    starts = [heading.start for heading in headings]
    for start, _ in spans:
        above = bisect_right(starts, start) - 1
        yield anchored(name, headings[above].title if above >= 0 else "")
