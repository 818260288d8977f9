"""What the rules of names, phrases and types know about one language: the shape of a word list, and its small builders."""

from collections.abc import Iterable
from typing import NamedTuple

NONE: frozenset[str] = frozenset()


class Words(NamedTuple):
    """Closed word classes and cue words of a language, all in lower case and without full stops."""

    function: frozenset[str]
    """Articles, pronouns, prepositions, conjunctions, auxiliaries, adverbs, interjections: never part of a phrase."""
    determiners: frozenset[str] = NONE
    """A noun phrase begins after them (a subset of ``function``)."""
    verbs: frozenset[str] = NONE
    """Frequent verb forms that are hardly ever nouns: a phrase ends before them."""
    adjectives: frozenset[str] = NONE
    """Adjectives too general to make a phrase of their own."""
    generic: frozenset[str] = NONE
    """Nouns too general to be an entity by themselves."""
    connectors: frozenset[str] = NONE
    """Words in lower case that may stand inside a name."""
    masculine: frozenset[str] = NONE
    """Honorifics of men."""
    feminine: frozenset[str] = NONE
    """Honorifics of women."""
    honorifics: frozenset[str] = NONE
    """Honorifics, ranks and offices of either."""
    places_after: frozenset[str] = NONE
    """Prepositions after which a name without an article is likely to be a place."""
    bodies_after: frozenset[str] = NONE
    """Words after which a name is likely to be an organisation's."""
    verb_cues: frozenset[str] = NONE
    """Words after which a verb is expected: pronouns of the subject, modal verbs, "to"."""
    speech: frozenset[str] = NONE
    """Verbs whose subject is a person."""
    calendar: frozenset[str] = NONE
    """Days, months and currencies of the calendar, never names by themselves."""
    person: frozenset[str] = NONE
    place: frozenset[str] = NONE
    organization: frozenset[str] = NONE
    event: frozenset[str] = NONE
    work: frozenset[str] = NONE
    demonyms: frozenset[str] = NONE
    """Capitalised adjectives of nations and faiths."""


def listed(*texts: str) -> frozenset[str]:
    """The words of some texts."""
    return frozenset(word for text in texts for word in text.split())


def union(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset().union(*sets)
