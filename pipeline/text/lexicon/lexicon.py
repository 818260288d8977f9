"""The word lists of a corpus's languages joined into one, with the type of every noun that a list knows."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from pipeline.text.inflection import base_form
from pipeline.text.lexicon.words import Words, union
from pipeline.text.scripts import LANGUAGES

PERSON: Final = "PERSON"
ORGANIZATION: Final = "ORGANIZATION"
PLACE: Final = "PLACE"
EVENT: Final = "EVENT"
WORK: Final = "WORK"
CONCEPT: Final = "CONCEPT"
TYPES: Final = frozenset({PERSON, ORGANIZATION, PLACE, EVENT, WORK, CONCEPT})
"""The types that rules give."""


class Lexicon:
    """Unions of the lists of some languages; where two languages disagree on a noun, the first one given decides."""

    def __init__(self, lists: Iterable[Words]) -> None:
        lists = list(lists)
        self.function = union(words.function for words in lists)
        self.calendar = union(words.calendar for words in lists)
        self.verbs = union(words.verbs for words in lists)
        self.general = union(words.adjectives | words.generic for words in lists)
        self.everyday = union(words.everyday for words in lists)
        self.posts = union(words.posts for words in lists)
        self.beside = union(words.beside for words in lists)
        self.demonyms = union(words.demonyms for words in lists)
        self.masculine = union(words.masculine for words in lists)
        self.feminine = union(words.feminine for words in lists)
        self.honorifics = union(words.honorifics for words in lists) | self.masculine | self.feminine
        self.nouns: dict[str, str] = {}
        for words in reversed(lists):
            for type_, members in (
                (WORK, words.work),
                (ORGANIZATION, words.organization),
                (PLACE, words.place),
                (EVENT, words.event),
                (PERSON, words.person),
            ):
                self.nouns.update(dict.fromkeys(sorted({*members, *map(base_form, members)}), type_))
        self.no_names = self.function | self.calendar | self.verbs | self.general
        """Words that are no name by themselves, whatever their capital letter."""


@lru_cache(maxsize=64)
def lexicon_of(languages: tuple[str, ...]) -> Lexicon:
    """The lexicon of some ISO codes, the most frequent language first; English where none of them has a list."""
    return Lexicon([LANGUAGES[code] for code in languages if code in LANGUAGES] or [LANGUAGES["en"]])
