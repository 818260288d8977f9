"""A text as facts and claims read it: its sentences, each with the names, resolved pronouns and dates that stand in it."""

from collections.abc import Sequence
from typing import NamedTuple

from pipeline.text.dates import DateSpan, find_dates
from pipeline.text.extraction.pronouns import Replacement, by_sentence, resolve
from pipeline.text.scripts import language_of
from pipeline.text.sentences import split
from pipeline.text.spans import Match


class Mention(NamedTuple):
    """A name, or a pronoun that was resolved to it, at ``text[start:end]``."""

    start: int
    end: int
    title: str
    words: str
    """What to write for a pronoun; empty for a name."""


class Sentence(NamedTuple):
    """One sentence, ``text[start:end]``, with what starts in it, each in reading order."""

    start: int
    end: int
    names: list[Match]
    replaced: list[Replacement]
    dates: list[DateSpan]
    mentions: list[Mention]
    """The names and resolved pronouns together."""


class Reading(NamedTuple):
    """All sentences of a text, and the language it was read in (a code of two letters)."""

    language: str
    sentences: list[Sentence]


def read(text: str, matches: Sequence[Match], anchor: str = "") -> Reading:
    """Split ``text`` and sort what ``matches``, pronouns and dates tell by sentence; linear in the text."""
    language = language_of(text)
    spans = split(text)
    names = sorted(matches)
    replaced = resolve(text, names, anchor, spans, language)
    dates = by_sentence(spans, find_dates(text))
    found = zip(spans, by_sentence(spans, names), by_sentence(spans, replaced), dates, strict=True)
    return Reading(
        language, [Sentence(*span, named, meant, dated, _together(named, meant)) for span, named, meant, dated in found]
    )


def _together(names: Sequence[Match], replaced: Sequence[Replacement]) -> list[Mention]:
    found = [Mention(match.start, match.end, match.title, "") for match in names]
    if replaced:
        found += [Mention(item.start, item.end, item.title, item.words) for item in replaced]
        found.sort()
    return found
