"""Relates the names that a sentence mentions together; the sentence itself describes the relationship."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from pipeline.text.extraction.annotate import Reading
from pipeline.text.extraction.mention_rank import is_letter_head

ENDS: Final = tuple(".!?。！？؟।…")
"""What ends a sentence that describes something, rather than a heading or a line of a form."""
_CLOSERS: Final = "\"'”’»)"
NEAREST: Final = 5
"""In a sentence that names more than this, each name is related to its so many nearest followers only."""


class Relation(NamedTuple):
    """Two names that one or more sentences of a text mention together."""

    source: str
    target: str
    """Titles; ``source < target``, so that a pair has one row."""
    description: str
    """The first sentence that mentions both, white space squeezed: a whole one, where there is one, and no head of a letter."""
    weight: float
    """Number of sentences of the text that mention both."""


def relate(text: str, reading: Reading) -> list[Relation]:
    """Pairs of different names that one sentence of ``text`` holds, sorted by pair.

    Pronouns relate nobody. The number of pairs is linear in the number of names.
    """
    found: dict[tuple[str, str], tuple[bool, str, float]] = {}
    for (start, end), titles in _by_sentence(reading):
        sentence = " ".join(text[start:end].split())
        is_line = not sentence.rstrip(_CLOSERS).endswith(ENDS) or is_letter_head(sentence)
        for pair in _pairs(titles):
            was_line, description, weight = found.get(pair, (True, "", 0.0))
            if not description or (was_line and not is_line):
                was_line, description = is_line, sentence
            found[pair] = (was_line, description, weight + 1.0)
    return [Relation(*pair, description, weight) for pair, (_, description, weight) in sorted(found.items())]


def _by_sentence(reading: Reading) -> Iterator[tuple[tuple[int, int], list[str]]]:
    """Sentences that hold at least two names, with the titles in order, each once."""
    for sentence in reading.sentences:
        if len(sentence.mentions) > 1:
            titles = list(dict.fromkeys(match.title for match in sentence.mentions if not match.role))
            if len(titles) > 1:
                yield (sentence.start, sentence.end), titles


def _pairs(titles: Sequence[str]) -> set[tuple[str, str]]:
    reach = len(titles) if len(titles) <= NEAREST + 1 else NEAREST
    return {
        (one, other) if one < other else (other, one)
        for place, one in enumerate(titles)
        for other in titles[place + 1 : place + 1 + reach]
    }
