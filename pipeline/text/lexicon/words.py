"""The word lists of languages: their shape, and the reading of the data files beside this module, each when first needed."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

NONE: frozenset[str] = frozenset()


class Words(NamedTuple):
    """Closed word classes and cue words of a language, all in lower case and without full stops."""

    function: frozenset[str]
    """Articles, pronouns, prepositions, conjunctions, auxiliaries, adverbs, interjections: never part of a phrase."""
    content: frozenset[str] = NONE
    """Numbers, days and parts of texts, which are no part of a name and yet say something in a question (a subset of ``function``)."""
    determiners: frozenset[str] = NONE
    """A noun phrase begins after them (a subset of ``function``)."""
    prepositions: frozenset[str] = NONE
    """Prepositions behind which nouns and adjectives are (a subset of ``function``); only of languages where articles do not show
    enough of the nouns."""
    verbs: frozenset[str] = NONE
    """Frequent verb forms that are hardly ever nouns: a phrase ends before them."""
    adjectives: frozenset[str] = NONE
    """Adjectives too general to make a phrase of their own."""
    generic: frozenset[str] = NONE
    """Nouns too general to be an entity by themselves."""
    everyday: frozenset[str] = NONE
    """Nouns of everyday life: no entity by themselves, and welcome in a phrase (computer vision)."""
    connectors: frozenset[str] = NONE
    """Words in lower case that may be inside a name."""
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
    employed: frozenset[str] = NONE
    """Words after which "at" is before an organisation's name: worked, professor."""
    going: frozenset[str] = NONE
    """Verbs of going and living: after them a preposition is before a place."""
    beside: frozenset[str] = NONE
    """Prepositions and nouns after which a name, with or without "of", is a place by themselves: near, north."""
    posts: frozenset[str] = NONE
    """Posts that people have: a span with one as its head names a post and nobody."""
    verb_cues: frozenset[str] = NONE
    """Words after which a verb is expected: pronouns of the subject, modal verbs, "to"."""
    speech: frozenset[str] = NONE
    """Verbs whose subject is a person."""
    calendar: frozenset[str] = NONE
    """Days, months, currencies, units and marks of letters (PS, RE): never names by themselves."""
    person: frozenset[str] = NONE
    place: frozenset[str] = NONE
    organization: frozenset[str] = NONE
    event: frozenset[str] = NONE
    work: frozenset[str] = NONE
    demonyms: frozenset[str] = NONE
    """Capitalised adjectives of nations and faiths."""


@cache
def sections(name: str) -> dict[str, str]:
    """Return the texts of the data file ``name``.txt by the heads above them, ``[in brackets]``; lines with # are comments."""
    found: dict[str, list[str]] = {}
    head = ""
    for line in files(__package__).joinpath(f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if match := _HEAD.fullmatch(line):
            head = match[1]
        elif line and not line.startswith("#"):
            found.setdefault(head, []).append(line)
    return {head: "\n".join(lines) for head, lines in found.items()}


@cache
def read_json(package: str, name: str) -> dict[str, Any]:
    """Return the data file ``name``.json of a package; what it says about itself is left out."""
    found: dict[str, Any] = json.loads(files(package).joinpath(f"{name}.json").read_text(encoding="utf-8"))
    return {key: one for key, one in found.items() if key not in ("about", "_about")}


_HEAD = re.compile(r"\[(\w+)\]", re.ASCII)


@cache
def read_words(language: str) -> Words:
    """Return the word list of a language, an ISO 639-1 code; ``function`` takes in the determiners, which are listed once."""
    found = {head: listed(text) for head, text in sections(language).items()}
    return Words(**found | {"function": found["function"] | found.get("determiners", NONE)})


class WordLists(Mapping[str, Words]):
    """Word lists by language; one is read when it is first looked up."""

    def __init__(self, *languages: str) -> None:
        self._languages = languages

    def __getitem__(self, language: str) -> Words:
        if language not in self._languages:
            raise KeyError(language)
        return read_words(language)

    def __iter__(self) -> Iterator[str]:
        return iter(self._languages)

    def __len__(self) -> int:
        return len(self._languages)


def listed(*texts: str) -> frozenset[str]:
    """The words of some texts."""
    return frozenset(word for text in texts for word in text.split())


def either(words: Iterable[str]) -> str:
    """Return the source of a pattern that is any one of some words or phrases, and nothing where there are none."""
    return "|".join(sorted(words)) or "(?!)"


def union(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset().union(*sets)
