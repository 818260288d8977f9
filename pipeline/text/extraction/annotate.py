"""A text as every stage reads it: its sentences, each with the names, the resolved pronouns and the dates in it."""

from collections.abc import Sequence
from typing import NamedTuple

from pipeline.text.dates import DateSpan, find_dates
from pipeline.text.extraction.pronouns import by_sentence, resolve
from pipeline.text.scripts import language_of
from pipeline.text.sentences import split
from pipeline.text.spans import Match


class AnnotatedSentence(NamedTuple):
    """One sentence, ``text[start:end]``, with what starts in it, each in reading order."""

    start: int
    end: int
    mentions: tuple[Match, ...]
    """Names and resolved pronouns; the latter have a role."""
    dates: tuple[DateSpan, ...]

    @property
    def names(self) -> list[Match]:
        """The names as written, without pronouns."""
        return [match for match in self.mentions if not match.role]


class Reading(NamedTuple):
    """All sentences of a text, and the language it is read in (a code of two letters)."""

    language: str
    sentences: tuple[AnnotatedSentence, ...]


def annotate(
    text: str,
    matches: Sequence[Match],
    anchor: str = "",
    spans: Sequence[tuple[int, int]] | None = None,
    language: str | None = None,
) -> Reading:
    """Sort names, resolved pronouns and dates by sentence; linear in the text.

    ``spans`` and ``language`` are those of the text where they are known; they are found here otherwise.
    """
    spans = split(text) if spans is None else spans
    language = language_of(text) if language is None else language
    names = sorted(matches)
    mentions = sorted([*names, *resolve(text, names, anchor, spans, language)])
    dated = by_sentence(spans, find_dates(text))
    found = zip(spans, by_sentence(spans, mentions), dated, strict=True)
    return Reading(
        language, tuple(AnnotatedSentence(*span, tuple(named), tuple(dates)) for span, named, dates in found)
    )
