"""What a word sounds like: names that are heard and not read are written in another way ("Darneaud", "Darnot")."""

import re
from functools import cache, lru_cache

from pipeline.text.lexicon.words import sections

_DOUBLED = re.compile(r"(\w)\1+")
NOTHING = "-"
"""What stands in the list for letters that are not heard."""


@lru_cache(maxsize=50_000)
def sound_of(word: str, language: str) -> str:
    """Return what a folded word sounds like to those who speak a language (ISO 639-1); words that sound alike are equal. Empty for a
    language without a list."""
    rules = _rules(language)
    for pattern, sound in rules:
        word = pattern.sub(sound, word)
    return _DOUBLED.sub(r"\1", word) if rules else ""


@cache
def _rules(language: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    lines = map(str.split, sections("sounds").get(language, "").splitlines())
    return tuple((re.compile(pattern), "" if sound == NOTHING else sound) for pattern, sound in lines)
