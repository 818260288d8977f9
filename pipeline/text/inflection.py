"""Inflected forms: English plurals, Russian case endings, so that one noun or name is counted once."""

import re
from functools import lru_cache
from typing import Final

from pipeline.text.lexicon.words import listed, sections

_LISTS: Final = sections("noun_forms_en")
_IN_F: Final = listed(_LISTS["in_f"])
_IN_IE: Final = listed(_LISTS["in_ie"])
_IN_OE: Final = listed(_LISTS["in_oe"])
_IN_MAN: Final = listed(_LISTS["in_man"])
_IN_MEN: Final = listed(_LISTS["in_men"])
_PLURALS: Final = {line.split()[0]: line.split()[1] for line in _LISTS["irregular"].splitlines()}
_SINGULARS: Final = {many: one for one, many in _PLURALS.items()}
_RUSSIAN_ENDING: Final = re.compile(
    "(?<=[а-яё]{3})(?:иями|ями|ами|ией|иям|иях|ием|ий|ие|ов|ев|ей|ой|ою|ею|ом|ем|ам|ям|ах|ях|ию|ия|ии|ье|ью|ья|а|я|у|ю|е|и|ы|о|ь|й)$"
)
_CYRILLIC: Final = re.compile("[а-яё]")


@lru_cache(maxsize=200_000)
def base_form(word: str) -> str:
    """The form under which the forms of a noun (lower case) are counted together: a singular, or a Russian stem."""
    if word.isascii():
        return singular(word)
    return _RUSSIAN_ENDING.sub("", word) if _CYRILLIC.search(word) else word


def singular(word: str) -> str:
    """An English noun without the ending of its plural; other words as they are."""
    if word in _PLURALS or word in _SINGULARS:
        return _SINGULARS.get(word, word)
    if word.endswith("men") and word not in _IN_MEN:
        return word[:-3] + "man"
    if len(word) < 4 or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-1] if word[:-1] in _IN_IE else word[:-3] + "y"
    if word.endswith("oes") and word[:-1] not in _IN_OE:
        return word[:-2]
    if word.endswith("ves") and word[:-3] + "f" in _IN_F:
        return word[:-3] + "f"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") else word


def plural(word: str) -> str:
    """The plural of an English noun."""
    if word in _PLURALS:
        return _PLURALS[word]
    if word.endswith("man") and word not in _IN_MAN:
        return word[:-2] + "en"
    if word in _IN_F:
        return word[:-1] + "ves"
    if word.endswith("child"):
        return word + "ren"
    if word.endswith("y") and len(word) > 2 and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "sh", "ch", "x", "z")) else "s")


def in_number(count: int, noun: str) -> str:
    """Return a count with its noun in the number that it takes: "1 question", "2 questions"."""
    return f"{count:,} {noun if count == 1 else plural(noun)}"
