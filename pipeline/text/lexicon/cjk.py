"""Chinese and Japanese: the characters that bound words, and the endings that show what a name names."""

import re
from functools import cache
from typing import Final

from pipeline.text.lexicon.words import NONE, listed, sections

_SECTIONS = sections("cjk")
CHINESE_BOUNDS = frozenset("".join(_SECTIONS["chinese_bounds"].split()))
"""Characters that are mostly function words by themselves; a run of Chinese is cut at them, but names may contain them."""
CHINESE_SURNAMES = frozenset("".join(_SECTIONS["chinese_surnames"].split()))
IN_GIVEN_NAMES = frozenset("".join(_SECTIONS["in_given_names"].split()))
"""Characters that end names of places and given names alike."""
JAPANESE_GIVEN_ENDS = frozenset("".join(_SECTIONS["japanese_given_ends"].split()))
"""Characters that given names end in."""
CHINESE_TRANSLITERATION = frozenset("".join(_SECTIONS["chinese_transliteration"].split()))
"""Characters that write foreign names; several in a row are one."""
POLITE_TITLES = "|".join(_SECTIONS["polite_titles"].split())
"""Source of a pattern of what is put behind the names of people and says nothing of them."""
SUFFIXES = tuple((type_, _SECTIONS[type_].split()) for type_ in ("PERSON", "PLACE", "ORGANIZATION", "EVENT", "WORK"))
"""Endings of names by type, longest match wins."""

_FILES: Final = {"zh": "chinese_words", "ja": "japanese_words"}


@cache
def ordinary_words(language: str) -> frozenset[str]:
    """Words that any text may hold, of Chinese ("zh") and Japanese ("ja"); none of another language."""
    return listed(sections(_FILES[language])["ordinary"]) if language in _FILES else NONE


@cache
def known_places(language: str) -> frozenset[str]:
    """Names of countries, regions and cities, as a language writes them."""
    return listed(sections(_FILES[language])["places"]) if language in _FILES else NONE


@cache
def japanese_surnames() -> frozenset[str]:
    """Surnames, the commonest ones."""
    return listed(sections(_FILES["ja"])["surnames"])


def without_title(name: str) -> str:
    """Return a name without the polite title behind it, unless less than two characters are left: "田中" of "田中さん"."""
    return re.sub(rf"(?<=..)(?:{POLITE_TITLES})$", "", name)
