"""What a name in a script without spaces names, by its ending and, in Chinese and Japanese, by the surname that it begins with."""

import re
from typing import Final

from pipeline.text.lexicon.cjk import (
    CHINESE_SURNAMES,
    IN_GIVEN_NAMES,
    JAPANESE_GIVEN_ENDS,
    SUFFIXES,
    japanese_surnames,
    known_places,
    ordinary_words,
)
from pipeline.text.lexicon.lexicon import PERSON, PLACE
from pipeline.text.scripts import HAN

_HAN: Final = re.compile(f"[{HAN}]+")
_NUMBERED: Final = re.compile("第?[〇零一二三四五六七八九十百千万两兩几幾数數]{1,8}.{0,2}")
"""A number with what it counts: 四十二米."""
_LONGEST_NAME: Final = {"zh": 3, "ja": 6}


def type_of_unspaced(name: str, language: str) -> str:
    """Type of a name in a script without spaces, in a text of ``language`` (an ISO code); "" where nothing shows one."""
    if name[-1] < "\u3000":
        return ""
    if name in known_places(language):
        return PLACE
    by_ending = [
        (len(ending), type_)
        for type_, endings in SUFFIXES
        for ending in endings
        if name.endswith(ending) and name != ending
    ]
    length, type_ = max(by_ending, default=(0, ""))
    if length < 2 and (not length or name[-1] in IN_GIVEN_NAMES) and _is_full_name(name, language):
        return PERSON
    if not length and ("・" in name or "·" in name):
        return PERSON
    return type_


def is_ordinary(word: str, language: str) -> bool:
    """Whether a word without spaces is one that any text may hold, or a number with what it counts."""
    if word in known_places(language):
        return False
    return word in ordinary_words(language) or _NUMBERED.fullmatch(word) is not None


def _is_full_name(name: str, language: str) -> bool:
    """Whether a name is a surname and a given name, and no ordinary word; in Japanese, a surname alone too."""
    if language not in _LONGEST_NAME or not _HAN.fullmatch(name) or len(name) > _LONGEST_NAME[language]:
        return False
    ordinary = ordinary_words(language)
    if name in ordinary:
        return False
    if language == "zh":
        return len(name) == _LONGEST_NAME["zh"] and name[0] in CHINESE_SURNAMES and name[1:] not in ordinary
    surnames = japanese_surnames()
    return name in surnames or any(
        name[:size] in surnames and 1 <= len(name) - size <= 3 and name[size:] not in ordinary
        for size in (3, 2)
        if name[-1] in JAPANESE_GIVEN_ENDS
    )
