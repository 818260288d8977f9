"""Separates German common nouns from names, which have capital letters alike: by a list of nouns, by endings, by inflected forms and
compounds of other nouns of the corpus, and by the adjective or number before them."""

import re
from collections.abc import Collection
from functools import lru_cache
from typing import Final

from pipeline.text.lexicon.lexicon import CONCEPT, Lexicon
from pipeline.text.lexicon.words import listed, sections

_NOUNS: Final = listed(sections("de_nouns")["nouns"])
_ENDS_OF_NAMES: Final = listed(sections("de_nouns")["ends_of_names"])
_COMPOUND_ENDS: Final = frozenset(noun for noun in _NOUNS if len(noun) > 3) - _ENDS_OF_NAMES
_ENDINGS: Final = tuple(
    sorted(
        f"{ending}{plural}"
        for ending, plurals in (
            ("ung", ("", "en")),
            ("heit", ("", "en")),
            ("keit", ("", "en")),
            ("schaft", ("", "en")),
            ("tion", ("", "en")),
            ("tät", ("", "en")),
            ("nis", ("", "se", "sen", "ses")),
            ("tum", ("", "s")),
            ("ment", ("", "e", "en", "s")),
            ("ismus", ("",)),
        )
        for plural in plurals
    )
)
_LONG: Final = 6
"""Letters above which an ending shows a noun: Zeugnis, not Arnis."""
_INFLECTIONS: Final = ("", "e", "en", "n", "er", "ern", "s", "es", "se", "nen")
_OF_OTHERS: Final = ("e", "en", "n", "es", "ern")
"""Inflections that names do not have."""
_UMLAUTS: Final = str.maketrans("äöü", "aou")
_ADJECTIVE: Final = re.compile(
    r"(?:isch|lich|ig|iv|[aä]l|ell|bar|sam|haft|los|iert|end|neu|alt|groß|klein|gut|frei|ander|weiter|ganz|letzt|nächst|hoh|lang"
    r"|kurz|stark|schwer|leicht|früher|später|wichtig|erst|zweit|dritt|beid|best)(?:e|en|er|es|em)$"
)
"""An inflected adjective, as it is before a common noun."""
_YEAR: Final = re.compile(r"1\d{3}|20\d\d")


def is_before_noun(token: str) -> bool:
    """Return whether a token, as written, is an adjective or a number that is before common nouns."""
    if token.isdigit():
        return not _YEAR.fullmatch(token)
    return token.islower() and is_adjective(token)


def is_adjective(word: str) -> bool:
    """Return whether a word (lower case) is an inflected adjective by its ending."""
    return len(word) > 4 and _ADJECTIVE.search(word) is not None


def is_noun(word: str, lexicon: Lexicon) -> bool:
    """Return whether lists or its ending show that a word (lower case) is a German noun, inflected or compound."""
    return (
        (len(word) > _LONG and word.endswith(_ENDINGS))
        or word in lexicon.nouns
        or word in lexicon.general
        or _is_listed(word)
    )


def are_nouns(words: Collection[str], known: Collection[str]) -> set[str]:
    """Return those of ``words`` that are inflected forms of each other, or compounds that end in one of the ``known`` nouns."""
    words = frozenset(words)
    nouns = {form for word in words for ending in _OF_OTHERS if len(word) > 3 and (form := word + ending) in words}
    nouns |= {word for word in words if any(word + ending in nouns for ending in _OF_OTHERS)}
    ends = {noun for noun in (nouns | {*known}) if len(noun) > 4} - _ENDS_OF_NAMES
    nouns |= {word for word in words if any(word[start:] in ends for start in range(3, len(word) - 4))}
    return nouns


def is_phrase(tokens: list[str], lexicon: Lexicon) -> bool:
    """Return whether words are a phrase about a thing and no name: "Verwendung von Unicode", "Leiter des Projekts"."""
    if len(tokens) < 3 or tokens[1] not in ("von", "des", "der", "vom", "zu", "zum", "am", "im", "für"):
        return False
    head = tokens[0].lower()
    return is_noun(head, lexicon) and lexicon.nouns.get(head, CONCEPT) not in ("ORGANIZATION", "PLACE", "EVENT", "WORK")


@lru_cache(maxsize=100_000)
def _is_listed(word: str) -> bool:
    word = word.rpartition("-")[2] or word
    if _has_form(word, _NOUNS):
        return True
    return any(_has_form(word[start:], _COMPOUND_ENDS) for start in range(3, len(word) - 3))


def _has_form(word: str, nouns: frozenset[str]) -> bool:
    """Whether a word is a noun of a set in any case or number."""
    for ending in _INFLECTIONS:
        if word.endswith(ending):
            stem = word[: len(word) - len(ending)]
            if stem in nouns or (ending in ("", "e", "er", "ern", "en") and stem.translate(_UMLAUTS) in nouns):
                return True
    return word.endswith(("e", "en")) and word.rstrip("n")[:-1] + "um" in nouns
