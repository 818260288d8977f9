"""Relates the names that a sentence mentions together; the sentence itself describes the relationship."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from pipeline.text import sentences
from pipeline.text.spans import Match

NEAREST: Final = 5
"""In a sentence that names more than this, each name is related to its so many nearest followers only."""


class Relation(NamedTuple):
    """Two names that one or more sentences of a text mention together."""

    source: str
    target: str
    """Titles; ``source < target``, so that a pair has one row."""
    description: str
    """The first sentence that mentions both, white space squeezed."""
    weight: float
    """Number of sentences of the text that mention both."""


def relate(text: str, matches: Sequence[Match]) -> list[Relation]:
    """Pairs of different names that stand in one sentence, sorted by pair.

    ``matches`` are spans of ``text`` in order, not overlapping. The number of pairs is linear in the number of matches.
    """
    found: dict[tuple[str, str], tuple[str, float]] = {}
    for (start, end), titles in _by_sentence(text, matches):
        sentence = " ".join(text[start:end].split())
        for pair in sorted(_pairs(titles)):
            description, weight = found.get(pair, (sentence, 0.0))
            found[pair] = (description, weight + 1.0)
    return [Relation(*pair, description, weight) for pair, (description, weight) in sorted(found.items())]


def _by_sentence(text: str, matches: Sequence[Match]) -> Iterator[tuple[tuple[int, int], list[str]]]:
    """Sentences that hold at least two matches, with the titles in order, each once."""
    position = 0
    for span in sentences.split(text):
        titles: dict[str, None] = {}
        while position < len(matches) and matches[position].start < span[1]:
            titles[matches[position].title] = None
            position += 1
        if len(titles) > 1:
            yield span, list(titles)


def _pairs(titles: Sequence[str]) -> set[tuple[str, str]]:
    reach = len(titles) if len(titles) <= NEAREST + 1 else NEAREST
    return {
        (min(one, other), max(one, other))
        for place, one in enumerate(titles)
        for other in titles[place + 1 : place + 1 + reach]
    }
